// SPDX-License-Identifier: Apache-2.0
// The part of a body that is farthest along a direction, or nearly so, and would rest on a plane: a
// point, a segment or a convex polygon, with names that stay the same while the body moves.
#pragma once

#include <vector>

#include "convex/support.h"
#include "shape/round_feature.h"

namespace touche::shape {

/// In any frame; without the body's ball. Points run counter-clockwise around the direction; a
/// segment has two. Edge k runs from point k to the next.
struct ContactPart {
  std::vector<Vec3> points;
  std::vector<Feature> vertices, edges;              // names of points, and of edges
  std::vector<bool> is_sharp_vertex, is_sharp_edge;  // whether a contact may be at it
  Feature face;                                      // name of a polygon
  double radius = 0;                                 // of the ball to be added

  void clear();
  void add(const Vec3& point, Feature vertex, Feature edge, bool sharp_vertex = true,
           bool sharp_edge = true);
  std::size_t size() const { return points.size(); }
  /// For three points or more, the unit normal that points out of the body if they are in the order
  /// stated above. Zero if the area is zero.
  Vec3 normal() const;
};

/// In the body's frame, for a unit direction. A corner is included if it is lower than the farthest
/// one by at most `lean` (the sine of an angle) times their distance. A disc whose axis is inclined
/// by at most that is represented by 16 points of its rim, which are the same points of the body
/// whatever the direction. Every other round part is represented by its supporting point.
void find_part(const convex::Body& body, const Vec3& direction, double lean, ContactPart& part);

/// Transforms the part into a's frame.
void place_part(const convex::RigidTransform& b_in_a, ContactPart& part);

/// How the supporting point of a body moves on it when the direction turns: the second derivatives
/// of its support function.
struct CurvatureRadii {
  Mat3 round = Mat3::Zero();  ///< radii of the round parts; 0 at corners
  /// projection onto the directions without curvature: along an edge or a face
  Mat3 flat = Mat3::Zero();
};

/// At a feature that find_part() names, in the body's frame, for a unit direction in which the
/// feature is farthest. For the name of a nearest pair that has no feature, the radii of the round
/// parts are returned.
CurvatureRadii curvature_radii(const convex::Body& body, const Feature& feature,
                               const Vec3& direction);

}  // namespace touche::shape
