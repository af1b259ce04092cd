// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>

#include "touche/types.h"

namespace touche::math {

/// Returns the least turn that brings the direction `from` to the direction `to`, as Eigen's
/// FromTwoVectors does to the bit. For two opposite directions it is a half turn about an axis
/// across them; Eigen finds that by a singular value decomposition, which takes GCC more than ten
/// seconds to compile.
Eigen::Quaterniond shortest_turn(const Vec3& from, const Vec3& to);

}  // namespace touche::math
