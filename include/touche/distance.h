// SPDX-License-Identifier: Apache-2.0
// Distances of points, lines, segments, triangles, rectangles and boxes, with the closest points
// and their regions: which corners, edges or faces are closest. Distances of objects are in
// touche/query.h.
//
// Each function accepts any finite input: no length, no area, collinear or coplanar, nearly
// parallel, tiny or huge. It throws InvalidInput when a coordinate is not finite.
//
// Regions are exact. Corners, the insides of edges and the insides of faces are separate regions,
// and the closest points lie in the reported regions, for the coordinates as given. If several
// pairs of points are closest, the pair is reported whose regions have the least sum of dimensions;
// then the least dimension of a's region, then the lowest number of a's, then of b's. So an edge or
// a face is reported only for a pair of points that no shift along both keeps closest. The points
// of an edge without length or a triangle without area also belong to the regions of lower
// dimension that they coincide with.
//
// Numbers are rounded. Let S be the largest difference of two coordinates along one axis, without
// the directions of lines and rays. The error of a distance is at most kRegionDistanceError · S;
// that of each coordinate of a closest point is at most as much plus 2^-50 times the largest
// coordinate, the rounding of the coordinate. The closest points of two lines or rays may be far
// from the input; there S includes these points, too, for the error of their coordinates. The
// distance is 0 exactly when the two have a point in common; then both closest points are equal.
//
// Coordinates smaller than 2^-400 of the largest one of the same query count as 0.
//
//     const RegionDistance d = point_triangle_distance(x, triangle);
//     if (d.region_b.kind == FeatureKind::edge) report(d.region_b.index, d.distance);
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "touche/soup.h"

namespace touche {

struct Segment {
  Vec3 start, end;
};

/// A half-line from its origin. The length of `direction` does not affect distances.
struct Ray {
  Vec3 origin, direction;
};

/// A line, unbounded on both sides. Neither the length nor the sign of `direction` affects
/// distances.
struct Line {
  Vec3 origin, direction;
};

/// The points corner + x side_u + y side_v with x and y in [0, 1]. The sides need not be
/// orthogonal, and their lengths may be 0.
struct Rectangle {
  Vec3 corner, side_u, side_v;
};

using Triangle = std::array<Vec3, 3>;

/// A region of a shape: a corner, the inside of an edge, or the inside of its face. They are
/// numbered as follows.
/// - Point: corner 0.
/// - Segment: corners start and end, edge 0.
/// - Ray: corner 0, edge 0.
/// - Line: edge 0; without a direction corner 0.
/// - Triangle: corners 0 to 2, edge k from corner k to the next, face 0.
/// - Rectangle: corners `corner`, + side_u, + side_u + side_v, + side_v; edge k from corner k to
///   the next; face 0.
struct Region {
  FeatureKind kind = FeatureKind::vertex;
  std::uint8_t index = 0;
  friend bool operator==(const Region&, const Region&) = default;
};

struct [[nodiscard]] RegionDistance {
  /// Length; infinite if it is too large for a double.
  double distance = kInfinity;
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();
  Region region_a, region_b;
};

/// Bound of the relative error, see the top of this file. It is derived; errors seen are at most
/// 2^-51.
inline constexpr double kRegionDistanceError = 0x1p-42;

/// 1 region, except for a line without a direction.
RegionDistance point_line_distance(const Vec3& a, const Line& b);
/// 2 regions.
RegionDistance point_ray_distance(const Vec3& a, const Ray& b);
/// 3 regions: both ends and what is between them.
RegionDistance point_segment_distance(const Vec3& a, const Segment& b);
/// 7 regions.
RegionDistance point_triangle_distance(const Vec3& a, const Triangle& b);
/// 9 regions.
RegionDistance point_rectangle_distance(const Vec3& a, const Rectangle& b);
/// 1 region. For parallel lines, a's origin and both edges are reported.
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
/// 7 · 7 regions. A pair of two faces is never reported, since regions of lower dimension are
/// always as near.
RegionDistance triangle_triangle_distance(const Triangle& a, const Triangle& b);
/// 9 · 9 regions, likewise.
RegionDistance rectangle_rectangle_distance(const Rectangle& a, const Rectangle& b);

/// `region` says which of the 27 regions of a solid box contains the closest point: on each axis −1
/// at its lower end (also if both ends are equal), 0 inside, 1 at its upper end. The number of
/// entries that are not 0 is 0 inside the box, 1 on a face, 2 on an edge, 3 at a corner.
struct [[nodiscard]] BoxDistance {
  double distance = kInfinity;
  Vec3 point_b = Vec3::Zero();  ///< exact: coordinates of the point or of the box
  std::array<int, 3> region = {0, 0, 0};
};
/// Throws InvalidInput also for an empty box.
BoxDistance point_box_distance(const Vec3& a, const Aabb& b);

}  // namespace touche
