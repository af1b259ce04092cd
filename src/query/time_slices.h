// SPDX-License-Identifier: Apache-2.0
// Divides two motions for searches of the time of impact: into slices of time in which both are
// smooth, and joins slices to spans that one search can handle. Computes both bodies' poses and
// velocities at an instant.
#pragma once

#include <vector>

#include "query/triangle_impact.h"
#include "query/velocity_range.h"

namespace touche::query {

/// An interval of t in which each motion is one smooth piece and turns by a limited angle.
struct TimeSlice {
  double begin, end;
  double angle;  // approximately how far both together turn
  const detail::Piece* piece_a;
  const detail::Piece* piece_b;
};

/// Consecutive slices in which velocities hardly change: a proof at an instant of one slice holds
/// in the others, too.
struct TimeSpan {
  double begin, end;
  double angle;             // of the whole span, also in a part of it
  std::size_t first, last;  // slices
  // Set for spans of more than one slice: how far positions at another instant of the span may
  // deviate from the velocities' prediction, and the velocities.
  double error = 0;
  VelocityRange a{}, b{};

  bool is_slice() const { return first == last; }
};

class TimeSlices {
 public:
  /// Checks the options. The slices are stored in `memory`. All arguments except the options must
  /// outlive it.
  TimeSlices(const Object& a, const Motion& motion_a, const Object& b, const Motion& motion_b,
             const ToiOptions& options, std::vector<TimeSlice>& memory);
  // Deleted for temporary motions: they would not outlive the object.
  TimeSlices(const Object&, const Motion&&, const Object&, const Motion&, const ToiOptions&,
             std::vector<TimeSlice>&) = delete;
  TimeSlices(const Object&, const Motion&, const Object&, const Motion&&, const ToiOptions&,
             std::vector<TimeSlice>&) = delete;

  std::size_t size() const { return slices_.size(); }
  const TimeSlice& operator[](std::size_t i) const { return slices_[i]; }
  auto begin() const { return slices_.cbegin(); }
  auto end() const { return slices_.cend(); }
  double t_start() const { return slices_.front().begin; }
  /// The options' tolerance, raised if rounding could not distinguish touching from being apart.
  double tolerance() const { return tolerance_; }

  /// The longest span that begins with this slice.
  TimeSpan span(std::size_t first) const;
  /// The part of a span between two of its times; its velocities may differ less.
  TimeSpan part(const TimeSpan& span, double begin, double end) const;

  /// Both bodies at an instant. The velocity bounds hold until the end of the slice or the span.
  Snapshot snapshot(const TimeSlice& slice, double t) const;
  Snapshot snapshot(const TimeSpan& span, double t) const;

 private:
  void divide(double t_start);
  void bound_errors();
  const TimeSlice& slice_at(const TimeSpan& span, double t) const;
  Snapshot snapshot_of(const detail::MovingBody& a, const detail::MovingBody& b, double t) const;

  const Object& a_;
  const Object& b_;
  const Motion &motion_a_, &motion_b_;
  std::vector<TimeSlice>& slices_;
  double tolerance_, clearance_;
  double error_ = 0;  // of positions in a slice
};

}  // namespace touche::query
