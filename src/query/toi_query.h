// SPDX-License-Identifier: Apache-2.0
// What all searches for the time of impact share: slices of time in which both motions are smooth,
// spans of slices that one search can go through, and both bodies at an instant of them.
#pragma once

#include <vector>

#include "query/triangle_impact.h"
#include "query/velocity_range.h"

namespace touche {

/// An interval of t in which each motion is one smooth piece and turns a limited angle.
struct TimeSlice {
  double begin, end;
  double angle;  // by which both together turn, about
  const detail::Piece* piece_a;
  const detail::Piece* piece_b;
};

/// Consecutive slices in which velocities hardly change: what is proved at an instant of one holds
/// for the others, too.
struct TimeSpan {
  double begin, end;
  double angle;             // of a part: that of the whole span
  std::size_t first, last;  // slices
  // If there is more than one slice: how places may be off at another instant of the span, besides
  // what velocities say, and these.
  double error = 0;
  VelocityRange a{}, b{};

  bool is_slice() const { return first == last; }
};

struct ImpactHit {
  double t = kInfinity;
  Index triangle_a = kNone, triangle_b = kNone;
  bool found = false;
};

/// Checks the options. The slices lie in `slices`.
class ToiQuery {
 public:
  ToiQuery(const Object& a, const Motion& motion_a, const Object& b, const Motion& motion_b,
           const ToiOptions& options, std::vector<TimeSlice>& slices);

  const std::vector<TimeSlice>& slices() const { return slices_; }
  double tolerance() const { return tolerance_; }
  /// What touches at this instant may separate.
  bool may_separate_at(double t) const { return may_separate_ && t == slices_.front().begin; }

  /// The longest span that begins with a slice.
  TimeSpan span(std::size_t first) const;
  /// The part of a span between two of its times, in which velocities may differ less.
  TimeSpan part(const TimeSpan& span, double begin, double end) const;

  /// What it says of velocities holds until the end of the slice or the span.
  Snapshot snapshot(const TimeSlice& slice, double t) const;
  Snapshot snapshot(const TimeSpan& span, double t) const;

  /// Fills in a contact found at hit.t, before which everything was proved free.
  void report(const TimeSlice& slice, const ImpactHit& hit, ToiResult& result) const;
  void report(const TimeSpan& span, const ImpactHit& hit, ToiResult& result) const {
    report(slice_at(span, hit.t), hit, result);
  }

 private:
  void make_slices(double t_start);
  void bound_errors();
  const TimeSlice& slice_at(const TimeSpan& span, double t) const;
  Snapshot snapshot_of(const detail::MovingBody& a, const detail::MovingBody& b, double t) const;

  const Object& a_;
  const Object& b_;
  Motion motion_a_, motion_b_;  // keep the pieces alive
  std::vector<TimeSlice>& slices_;
  double tolerance_, clearance_;
  bool may_separate_;
  double error_ = 0;
};

}  // namespace touche
