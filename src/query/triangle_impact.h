// SPDX-License-Identifier: Apache-2.0
// Certified continuous tests: slices of time in which both motions are smooth, both bodies' places
// and velocities at one instant, and for how long a pair of triangles is then proved apart.
#pragma once

#include <vector>

#include "math/motion_data.h"
#include "query/relative.h"

namespace touche {

/// An interval of t in which each motion is one smooth piece and turns a limited angle.
struct TimeSlice {
  double begin, end;
  double angle;  // by which both together turn, about
  const detail::Piece* piece_a;
  const detail::Piece* piece_b;
};

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

struct ImpactHit {
  double t = kInfinity;
  Index triangle_a = kNone, triangle_b = kNone;
  bool found = false;
};

/// What all searches for the time of impact share. Checks the options.
class ToiQuery {
 public:
  ToiQuery(const Object& a, const Motion& motion_a, const Object& b, const Motion& motion_b,
           const ToiOptions& options);

  const std::vector<TimeSlice>& slices() const { return slices_; }
  double tolerance() const { return tolerance_; }
  /// What touches at this instant may separate.
  bool may_separate_at(double t) const { return may_separate_ && t == slices_.front().begin; }
  Snapshot snapshot(const TimeSlice& slice, double t) const;

  /// Fills in a contact found at hit.t, before which everything was proved free.
  void report(const TimeSlice& slice, const ImpactHit& hit, ToiResult& result) const;

 private:
  void make_slices(double from);
  void bound_errors();

  const Object& a_;
  const Object& b_;
  Motion motion_a_, motion_b_;  // keep the pieces alive
  std::vector<TimeSlice> slices_;
  double tolerance_, separation_;
  bool may_separate_;
  double error_ = 0;
};

}  // namespace touche
