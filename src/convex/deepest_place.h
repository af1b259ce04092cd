// SPDX-License-Identifier: Apache-2.0
// Finds the point of a polytope's surface at which the penetration depth is attained. The face that
// determines the depth does not determine the point: of several coplanar faces any may contain it,
// and the face across which the upper bound was found may be inside the polytope by the end.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "math/three.h"

namespace touche::convex {

struct DeepestPlace {
  std::array<std::uint32_t, 3> corner = {};  ///< corners of a face
  std::array<double, 3> share = {};          ///< they add up to 1, or to 0 if there is no face
  double square = kInfinity;                 ///< squared distance from the foot

  /// Takes the point where a face meets the ray from the origin along the unit vector `way`, if it
  /// does and if that point is nearer to the foot, which is the point of the ray at `height`, than
  /// the previous one.
  [[gnu::always_inline]] void take(const std::array<std::uint32_t, 3>& corners,
                                   const math::Three& p, const math::Three& q, const math::Three& r,
                                   const math::Three& way, double height) {
    const double at_p = std::max(math::dot(way, math::cross(q, r)), 0.0),
                 at_q = std::max(math::dot(way, math::cross(r, p)), 0.0),
                 at_r = std::max(math::dot(way, math::cross(p, q)), 0.0),
                 all = (at_p + at_q) + at_r;
    if (!(all > 0)) return;
    const double one = 1 / all, of_p = one * at_p, of_q = one * at_q, of_r = one * at_r;
    const math::Three off = ((of_p * p + of_q * q) + of_r * r) - height * way;
    if (!(math::dot(off, off) < square)) return;
    corner = corners, share = {of_p, of_q, of_r}, square = math::dot(off, off);
  }
  /// Whether the point is within this distance of the foot.
  [[nodiscard]] bool is_within(double distance) const { return square <= distance * distance; }
  [[nodiscard]] bool is_on_face() const { return share[0] + share[1] + share[2] > 0; }
};

}  // namespace touche::convex
