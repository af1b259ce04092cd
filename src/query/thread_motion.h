// SPDX-License-Identifier: Apache-2.0
// Motions of a threaded body relative to another one that stands still and has nearly the same
// axis: for example a nut that a hand turns on its bolt.
//
// In coordinates with the still body's axis as z axis, the moving body is first rotated about z,
// then tilted by the smallest rotation that aligns its axis, and shifted. Tilt and shift are small.
// Their effect on the radius and height of a point, and the rest of the turn after the advance
// along the thread is subtracted, are linear in time up to an error.
#pragma once

#include <optional>

#include "query/object_thread.h"
#include "query/time_slices.h"

namespace touche::query {

struct ThreadMotion {
  const HelixTree *moving = nullptr, *still = nullptr;
  double moving_advance = 0, still_advance = 0;
  bool a_moves = false;   // otherwise b moves
  bool opposite = false;  // the moving body's axis points opposite to the still body's
  /// The angle of the rotation about z is `turn` ± `half_turn`.
  double turn = 0, half_turn = 0;
  double cosine = 1, sine = 0;  // of `turn`
  struct Instant {
    double shift[2], tilt[2];  // across z: of the moving body's origin and unit axis
    double z;                  // of its origin
    double height;             // z less the advance of the still body's thread for the turn
  };
  Instant instant[2];  // at both ends
  HelixRange versine;  // 1 − the cosine of the tilt, at any time
  /// Bounds the distance of points of the moving body from its origin.
  double reach = 0;
  /// Points whose distance by the linear description above is at most this may be in contact: it
  /// bounds the nonlinear part and the rounding of all coordinates, and includes the clearance.
  double error = 0;
};

/// The motion from `begin` until `end` in a span, if both bodies have threads whose axes and
/// advances hardly differ in it.
std::optional<ThreadMotion> thread_motion(const Object& a, const Object& b,
                                          const TimeSlices& slices, const TimeSpan& span,
                                          double begin, double end);
/// Likewise with known threads.
std::optional<ThreadMotion> thread_motion(const Object& a, const ObjectThread& thread_a,
                                          const Object& b, const ObjectThread& thread_b,
                                          const TimeSlices& slices, const TimeSpan& span,
                                          double begin, double end);

/// Builds the data of both objects that such motions need, if their axes hardly differ at these
/// poses.
void prepare_threads(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b);

}  // namespace touche::query
