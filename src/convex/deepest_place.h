// SPDX-License-Identifier: Apache-2.0
// The place of a polytope's surface where a depth is. The face that tells how deep bodies are does
// not tell where: of faces in one plane any may be the one, and that across which the upper bound
// was found may lie within the polytope by the end.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "math/three.h"

namespace touche::convex {

struct DeepestPlace {
  std::array<std::uint32_t, 3> corner = {};  ///< of a face
  std::array<double, 3> share = {};          ///< add up to 1, or 0 of no face
  double square = kInfinity;                 ///< of the distance from the foot

  /// Takes a face's point on the ray from the origin along the unit vector `way`, where it has one,
  /// if that is nearer to the foot: the point of the ray at `height`.
  [[gnu::always_inline]] void take(const std::array<std::uint32_t, 3>& corners, const Three& p,
                                   const Three& q, const Three& r, const Three& way,
                                   double height) {
    const double at_p = std::max(dot(way, cross(q, r)), 0.0),
                 at_q = std::max(dot(way, cross(r, p)), 0.0),
                 at_r = std::max(dot(way, cross(p, q)), 0.0), all = (at_p + at_q) + at_r;
    if (!(all > 0)) return;
    const double one = 1 / all, of_p = one * at_p, of_q = one * at_q, of_r = one * at_r;
    const Three off = ((of_p * p + of_q * q) + of_r * r) - height * way;
    if (!(dot(off, off) < square)) return;
    corner = corners, share = {of_p, of_q, of_r}, square = dot(off, off);
  }
  /// Whether it is off the foot by no more than that.
  [[nodiscard]] bool is_within(double distance) const { return square <= distance * distance; }
  [[nodiscard]] bool is_on_face() const { return share[0] + share[1] + share[2] > 0; }
};

}  // namespace touche::convex
