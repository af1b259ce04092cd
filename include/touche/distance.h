// SPDX-License-Identifier: Apache-2.0
// Distances of points, lines, segments, triangles, rectangles and boxes, with the closest points
// and the regions of the two that these lie in: which corners, edges or faces are closest.
// Distances of objects are in touche/query.h.
//
// Each function answers for any finite input: no length, no area, everything on one line or in one
// plane, nearly parallel, tiny and huge. It throws InvalidInput where a coordinate is not finite.
//
// Regions are exact. A corner, the inside of an edge or the inside of a face are regions of their
// own, and the closest points lie in those that are told, for the coordinates as given. Where
// several pairs of points are closest, those are told whose regions have the least dimensions added
// up; then the least dimension of a's, then the lowest number of a's, then of b's. So edges and
// faces are told only of pairs of points that no shift along both keeps closest. Where an edge has
// no length or a triangle no area, its points are in the regions of what they also lie on.
//
// Numbers are nearly so. Let S be the largest difference of two coordinates along one axis, without
// the directions of lines and rays. A distance is off by at most kRegionDistanceError · S, each
// coordinate of a closest point by as much plus 2^-50 times the largest coordinate (then rounding
// of the coordinate dominates). The closest points of two lines or rays may be far from all that is
// given: there S takes in these points, too, for the sake of their coordinates. The distance is 0
// exactly when the two have a point in common; then both closest points are the same.
//
// Coordinates smaller than 2^-400 of the largest of the same question count as 0.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "touche/soup.h"

namespace touche {

struct Segment {
  Vec3 start, end;
};

/// From its origin without end. Only the direction of `direction` counts for distances.
struct Ray {
  Vec3 origin, direction;
};

/// Without ends. Only the direction of `direction` counts, and not which way it points.
struct Line {
  Vec3 origin, direction;
};

/// The points corner + x side_u + y side_v with x and y in [0, 1]. Sides need not be at right
/// angles, and may be of no length.
struct Rectangle {
  Vec3 corner, side_u, side_v;
};

using Triangle = std::array<Vec3, 3>;

/// A region of a shape: one of its corners, the inside of an edge, or of its face.
///
/// Segment: corners start and end, edge 0. Ray: corner 0, edge 0. Line: edge 0; without a direction
/// corner 0. Triangle: corners 0 to 2, edge k from corner k to the next, face 0. Rectangle: corners
/// in the order of corner, + side_u, + side_u + side_v, + side_v; edge k from corner k to the next.
/// Point: corner 0.
struct Region {
  FeatureKind kind = FeatureKind::vertex;
  std::uint8_t index = 0;
  friend bool operator==(const Region&, const Region&) = default;
};

struct [[nodiscard]] RegionDistance {
  /// Length; infinite where it is too large for a double.
  double distance = kInfinity;
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();
  Region region_a, region_b;
};

/// See the top of this file. Derived; seen are 2^-51 and less.
inline constexpr double kRegionDistanceError = 0x1p-42;

/// 1 region, but for a line without a direction.
RegionDistance point_line_distance(const Vec3& a, const Line& b);
/// 2 regions.
RegionDistance point_ray_distance(const Vec3& a, const Ray& b);
/// 3 regions: both ends and what is between them.
RegionDistance point_segment_distance(const Vec3& a, const Segment& b);
/// 7 regions.
RegionDistance point_triangle_distance(const Vec3& a, const Triangle& b);
/// 9 regions.
RegionDistance point_rectangle_distance(const Vec3& a, const Rectangle& b);
/// 1 region. Parallel lines are closest everywhere: a's origin is told, and both edges.
RegionDistance line_line_distance(const Line& a, const Line& b);
/// 2 regions.
RegionDistance line_ray_distance(const Line& a, const Ray& b);
/// 3 regions.
RegionDistance line_segment_distance(const Line& a, const Segment& b);
/// 2 · 2 regions.
RegionDistance ray_ray_distance(const Ray& a, const Ray& b);
/// 2 · 3 regions.
RegionDistance ray_segment_distance(const Ray& a, const Segment& b);
/// 3 · 3 regions.
RegionDistance segment_segment_distance(const Segment& a, const Segment& b);
/// 7 regions.
RegionDistance line_triangle_distance(const Line& a, const Triangle& b);
/// 2 · 7 regions.
RegionDistance ray_triangle_distance(const Ray& a, const Triangle& b);
/// 3 · 7 regions.
RegionDistance segment_triangle_distance(const Segment& a, const Triangle& b);
/// 7 · 7 regions, of which face and face are never the least ones.
RegionDistance triangle_triangle_distance(const Triangle& a, const Triangle& b);
/// 9 · 9 regions, likewise.
RegionDistance rectangle_rectangle_distance(const Rectangle& a, const Rectangle& b);

/// Which of the 27 regions of a solid box the closest point lies in: on each axis at its lower end
/// (−1; also where both ends are one), inside (0), or at its upper end (1). All three are 0 where
/// the point is inside the box, one is not on a face, two on an edge, three at a corner.
struct [[nodiscard]] BoxDistance {
  double distance = kInfinity;
  Vec3 point_b = Vec3::Zero();  ///< exact: coordinates of the point or of the box
  std::array<int, 3> region = {0, 0, 0};
};
/// Throws InvalidInput where the box is empty, too.
BoxDistance point_box_distance(const Vec3& a, const Aabb& b);

}  // namespace touche
