// SPDX-License-Identifier: Apache-2.0
// Bounds of the convex hull of an open object. Its faces do not determine which points lie inside,
// but wherever they were completed within its hull, no point beyond the hull would.
#pragma once

#include <vector>

#include "touche/soup.h"
#include "touche/types.h"

namespace touche::paths {

class HullBounds {
 public:
  HullBounds() = default;
  explicit HullBounds(const PolygonSoup& soup);

  /// A lower bound of the distance from x to the convex hull; 0 or less if x may lie in it. A soup
  /// without faces has no hull: infinite.
  double distance(const Vec3& x) const;

 private:
  struct Slab {
    Vec3 direction;  // unit length up to rounding
    double lo, hi;   // of direction · v, for all vertices of faces
  };
  std::vector<Slab> slabs_;
  double reach_ = 0;  // no vertex has a longer coordinate sum
};

}  // namespace touche::paths
