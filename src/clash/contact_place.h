// SPDX-License-Identifier: Apache-2.0
// Where the surfaces of two parts meet or are near, to be marked in pictures. Coordinates are
// in the world, rounded: nothing is decided by them.
#pragma once

#include <array>
#include <vector>

#include "report/image.h"
#include "touche/query.h"

namespace touche::clash {

inline constexpr report::Rgb kMark = {196, 0, 84};  ///< their colour in pictures

struct PlacedObject {
  const Object& object;
  const Pose& pose;
};

struct ContactPlace {
  std::vector<std::array<Vec3, 2>> lines = {};    ///< a point has both ends equal
  std::vector<std::array<Vec3, 3>> regions = {};  ///< of either surface; they may overlap
  Aabb box = {};                                  ///< contains all of them
};

/// The segments in which faces intersect, and the regions in which coplanar ones overlap.
ContactPlace where_they_meet(const PlacedObject& a, const PlacedObject& b);

/// The regions of both surfaces that are no farther than `reach` from the other one. Borders are
/// off by about the larger of `detail` (> 0) and a `reach` smaller than that. Where the regions are
/// narrower than `detail`, lines along them are added, and the segments in which faces intersect.
ContactPlace where_they_are_near(const PlacedObject& a, const PlacedObject& b, double reach,
                                 double detail);

/// Of two outlines in the plane: where edges cross or lie on each other.
ContactPlace where_edges_meet(const PlacedObject& a, const PlacedObject& b);

}  // namespace touche::clash
