// SPDX-License-Identifier: Apache-2.0
// The region that closed chains enclose by the even-odd rule, as rings around its material. Chains
// may touch, overlap and cross each other and themselves.
#pragma once

#include <vector>

#include "touche/plane.h"

namespace touche::plane {

/// A closed border with the material to its left. Rings touch each other and themselves at corners
/// only.
struct MaterialRing {
  std::vector<Vec2> points;  ///< three or more, no two consecutive ones equal
  bool is_hole = false;      ///< clockwise, in the material of the ring `around`
  std::size_t around = 0;
};

/// The rings of all closed chains that are not drawn again. Corners are vertices of the outline,
/// and crossings of edges, which are rounded: an edge that is crossed bends there, by rounding. All
/// decisions about the rounded edges are exact. A side is in no ring where an even number of edges
/// cover it. Throws InvalidInput if edges still cross after they have been divided many times.
std::vector<MaterialRing> even_odd_rings(const Outline& outline);

}  // namespace touche::plane
