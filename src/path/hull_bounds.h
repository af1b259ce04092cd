// SPDX-License-Identifier: Apache-2.0
// Bounds of the convex hull of an open object, or of the open chains of an outline. They do not
// determine which points lie inside, but wherever they were completed within their hull, no point
// beyond the hull would.
#pragma once

#include <span>
#include <vector>

#include "touche/pose.h"
#include "touche/soup.h"
#include "touche/types.h"

namespace touche::paths {

class HullBounds {
 public:
  HullBounds() = default;
  explicit HullBounds(const PolygonSoup& soup);
  /// Of the edges that these triangles stand on, in the plane: heights do not count.
  HullBounds(const PolygonSoup& soup, std::span<const Index> upright);

  /// A lower bound of the distance from x to the convex hull; 0 or less if x may lie in it. A soup
  /// without faces has no hull: infinite.
  double distance(const Vec3& x) const;

  /// Returns true only if a plane separates the hull from the hull of these points, moved by
  /// `pose`, even if they are `error` off.
  bool is_separate(std::span<const Vec3> points, const Pose& pose, double error) const;

  /// Whether the hull may have a volume, or of chains an area: that of faces in one plane has none.
  bool has_volume() const;

 private:
  void enclose(const PolygonSoup& soup, std::span<const Index> triangles,
               const std::vector<Vec3>& directions);

  struct Slab {
    Vec3 direction;  // unit length up to rounding
    double lo, hi;   // of direction · v, for all vertices of faces
  };
  std::vector<Slab> slabs_;
  double reach_ = 0;  // no vertex has a longer coordinate sum
};

}  // namespace touche::paths
