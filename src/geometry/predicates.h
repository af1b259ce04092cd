// SPDX-License-Identifier: Apache-2.0
// Exact signs of determinants: a static filter in double precision, then expansion arithmetic
// (Shewchuk 1997). Exact for finite coordinates whose magnitudes are 0 or in [1e-90, 1e90].
#pragma once

#include "touche/types.h"

namespace touche {

/// Sign (−1, 0, +1) of det[a−d, b−d, c−d]: +1 when d sees a, b, c clockwise, that is, when d lies
/// below the plane through a, b, c taken counter-clockwise.
int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// The same; `exact` is raised when the filter could not decide.
int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, std::uint64_t& exact);

}  // namespace touche
