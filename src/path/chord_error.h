// SPDX-License-Identifier: Apache-2.0
// Bounds the distance of faces from the smooth surfaces that they approximate, where two objects
// meet.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "touche/query.h"

namespace touche::paths {

/// `chord_errors` of a mesh; for an object that stands on an outline, the outline's error for every
/// face.
std::vector<double> chord_errors_of(const Object& object);

/// The largest error of a's faces that intersect b, plus that of b's faces that intersect a: both
/// surfaces may be off, in opposite directions. Faces elsewhere on the part do not count. Errors
/// are given for each face, or not at all if all are 0. Empty if the budget ends first.
std::optional<double> chord_error_where_they_meet(const Object& a, const Pose& pose_a,
                                                  std::span<const double> errors_a, const Object& b,
                                                  const Pose& pose_b,
                                                  std::span<const double> errors_b,
                                                  const Budget& budget);

}  // namespace touche::paths
