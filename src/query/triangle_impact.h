// SPDX-License-Identifier: Apache-2.0
// Certified continuous tests: both bodies' places and velocities at one instant, and for how long a
// pair of triangles is then proved apart.
#pragma once

#include "query/relative.h"

namespace touche {

/// Velocities of a body as seen in a frame that is at rest at the instant: a point x moves with
/// linear + angular × (x − centre), give or take free_speed + free_angular |x − centre|, and its
/// acceleration is at most curvature times its distance from the axis through the centre.
struct Field {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero(), centre = Vec3::Zero(), axis = Vec3::UnitX();
  double curvature = 0, free_speed = 0, free_angular = 0;
  bool still = false;  // then nothing else counts

  Vec3 velocity(const Vec3& x) const { return linear + angular.cross(x - centre); }
  double free(const Vec3& x) const {
    return free_angular == 0 ? free_speed : free_speed + free_angular * (x - centre).norm();
  }
  double acceleration(const Vec3& x) const {
    return curvature == 0 ? 0 : curvature * axis.cross(x - centre).norm();
  }
};

/// Everything about one instant, in a's object coordinates.
struct Snapshot {
  double t = -1;
  RelativePose pose;  // of b
  Mat3 rotation_a;    // a's pose in the world
  Vec3 translation_a;
  Field a, b;  // both in a's coordinates
  // What all gaps are lessened by, model units: a bound of the error of a coordinate, and the
  // separation that counts as a contact.
  double error = 0;
  double separation = 0;
};

// Bound of the error of closest_points, relative to the triangles' sizes and distance.
inline constexpr double kDistanceError = 1e-12;

struct TriangleImpact {
  bool touching = false;  // the distance is at most separation and tolerance
  double dt = 0;          // otherwise: proved apart for so long
  ClosestPoints closest;
};

/// The pair of triangles at one instant: touching, or proved apart for a while. The direction
/// between the closest points only proposes an axis; the proof is in the six corners.
TriangleImpact advance(const Object& a, Index triangle_a, const Object& b, Index triangle_b,
                       const Snapshot& snapshot, double tolerance);

/// The time after which a pair of triangles that touches is proved to be farther apart than
/// separation and tolerance. Until then they overlap along some direction by no more than the
/// tolerance. Infinite when no direction is found that proves it.
double time_to_separate(const Object& a, Index triangle_a, const Object& b, Index triangle_b,
                        const Snapshot& snapshot, double tolerance);

}  // namespace touche
