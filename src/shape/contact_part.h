// SPDX-License-Identifier: Apache-2.0
// The part of a body that would lie on a plane is farthest along a direction, or hardly less
// far, as a point, a segment or a convex polygon with names that stay the same while it moves.
#pragma once

#include <vector>

#include "convex/support.h"
#include "shape/round_feature.h"

namespace touche {

/// In whatever frame its user wants; the body's ball is not in it. Counter-clockwise around the
/// direction; of a segment two points. Edge k runs from point k to the next.
struct ContactPart {
  std::vector<Vec3> points;
  std::vector<Feature> vertices, edges;              // names of points, and of edges
  std::vector<bool> is_sharp_vertex, is_sharp_edge;  // whether they may be where contact is
  Feature face;                                      // name of a polygon
  double radius = 0;                                 // of the ball to be added

  void clear();
  void add(const Vec3& point, Feature vertex, Feature edge, bool sharp_vertex = true,
           bool sharp_edge = true);
  std::size_t size() const { return points.size(); }
  /// For three points or more it has unit length and points out of the body, in the order said.
  /// Zero where its area is.
  Vec3 normal() const;
};

/// In the body's frame, for a unit direction. All corners count that lie lower than the farthest
/// one by no more than `lean` (the sine of an angle) times their distance; a disc whose axis leans
/// by no more is the polygon of 16 points of its rim, which are the same points of the body
/// whatever the direction is. Everything else that is round is its supporting point.
void find_part(const convex::Body& body, const Vec3& direction, double lean, ContactPart& part);

/// Brings it into a's frame.
void place_part(const convex::RigidTransform& b_in_a, ContactPart& part);

/// How the place where a body is farthest goes around on it when the direction turns: the second
/// derivatives of its support function.
struct CurvatureRadii {
  Mat3 round = Mat3::Zero();  ///< radii of what is round; 0 of corners
  Mat3 flat = Mat3::Zero();   ///< projects onto where it is without bound: along an edge or a face
};

/// At a feature of find_part, in the body's frame; a unit direction in which the feature is
/// farthest. The name of a nearest pair that no feature stands for counts as what is round there.
CurvatureRadii curvature_radii(const convex::Body& body, const Feature& feature,
                               const Vec3& direction);

}  // namespace touche
