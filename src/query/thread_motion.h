// SPDX-License-Identifier: Apache-2.0
// Motions of a threaded body in another one that stands still, both of whose axes hardly differ: a
// nut that a hand turns on its bolt.
//
// In coordinates with the still one's axis as z axis the moving one is turned about z first, then
// tilted by the least turn that brings its axis where it is, and shifted. Tilt and shift are small;
// how far they move a point in radius and height, and what remains of the turn once the advance
// along the thread is taken off, is linear in time but for an error.
#pragma once

#include <optional>

#include "query/object_thread.h"
#include "query/time_slices.h"

namespace touche {

struct ThreadMotion {
  const HelixTree *moving = nullptr, *still = nullptr;
  double moving_advance = 0, still_advance = 0;
  bool a_moves = false;   // or b does
  bool opposite = false;  // the moving one's axis points to the still one's other side
  /// The angle of the turn about z is the middle one give or take the half.
  double turn = 0, half_turn = 0;
  double cosine = 1, sine = 0;  // of the middle one
  struct Instant {
    double shift[2], tilt[2];  // across z: of the moving one's origin, and of its axis' unit vector
    double z;                  // of its origin
    double height;             // the same less what the still one's thread advances for the turn
  };
  Instant instant[2];  // at both ends
  HelixRange versine;  // 1 − the cosine of the tilt, at any time
  /// Bounds how far points of the moving body are from its origin.
  double reach = 0;
  /// Points that are not more than this apart where the above says may be in contact: it bounds
  /// what is not linear, the rounding of all coordinates, and contains the clearance.
  double error = 0;
};

/// The motion from `begin` until `end` in a span, if both bodies have threads whose axes and
/// advances hardly differ in it.
std::optional<ThreadMotion> thread_motion(const Object& a, const Object& b,
                                          const TimeSlices& slices, const TimeSpan& span,
                                          double begin, double end);
/// The same with threads that are known.
std::optional<ThreadMotion> thread_motion(const Object& a, const ObjectThread& thread_a,
                                          const Object& b, const ObjectThread& thread_b,
                                          const TimeSlices& slices, const TimeSpan& span,
                                          double begin, double end);

/// Makes what motions need of both objects, if their axes hardly differ at these poses.
void prepare_threads(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b);

}  // namespace touche
