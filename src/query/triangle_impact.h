// SPDX-License-Identifier: Apache-2.0
// Certified continuous tests: the poses and velocities of both bodies at one instant, and for how
// long a pair of triangles is then proved apart.
#pragma once

#include "math/velocity_bound.h"
#include "query/relative.h"

namespace touche::query {

/// Poses and velocities at one instant, in a's object coordinates.
struct Snapshot {
  double t = -1;
  RelativePose pose;  // of b
  Mat3 rotation_a;    // a's pose in the world
  Vec3 translation_a;
  math::VelocityBound velocity_a, velocity_b;
  // All gaps are reduced by the error, in model units. It bounds the rounding of coordinates and
  // times, and includes the clearance: bodies nearer than the clearance are in contact.
  double error = 0;
  double clearance = 0;
};

/// The least dt with gap = s dt + k dt² / 2, for gap > 0, k >= 0.
double time_to_close(double gap, double s, double k);

struct TriangleImpact {
  bool touching = false;  // the distance is at most clearance + tolerance
  double dt = 0;          // otherwise: the time for which the pair is proved apart
  geometry::ClosestPoints closest;
};

/// One step of conservative advancement: the pair of triangles touches at this instant, or is
/// proved apart for some time. The direction between the closest points only proposes an axis; the
/// proof uses the six corners.
TriangleImpact conservative_advancement(const Object& a, Index triangle_a, const Object& b,
                                        Index triangle_b, const Snapshot& snapshot,
                                        double tolerance);

/// The time after which a touching pair of triangles is proved to be farther apart than clearance
/// plus tolerance. Until then they overlap along some direction by no more than the tolerance.
/// Infinite if no direction is found that proves it.
double time_to_separate(const Object& a, Index triangle_a, const Object& b, Index triangle_b,
                        const Snapshot& snapshot, double tolerance);

/// Writes a contact into the result: this pair of triangles touches at this instant, and all
/// earlier times are proved free.
void report_contact(const Object& a, const Object& b, const TriangleIds& pair,
                    const Snapshot& snapshot, ToiResult& result);

}  // namespace touche::query
