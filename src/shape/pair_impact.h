// SPDX-License-Identifier: Apache-2.0
// One step of conservative advancement of two convex bodies, and a test whether touching bodies
// separate.
#pragma once

#include "shape/moving_pair.h"
#include "touche/query.h"

namespace touche::shape {

/// The lengths of a time-of-impact search, checked, with the tolerance raised to what rounding
/// allows.
struct ToiLengths {
  double tolerance, clearance;

  /// Throws InvalidInput for invalid options.
  explicit ToiLengths(const ToiOptions& options);
  /// Raises the tolerance for a pair, or for two whole motions.
  void allow_for_rounding(const MovingPair& pair);
  void allow_for_rounding(const Motion& motion_a, const Mover& a, const Motion& motion_b,
                          const Mover& b);
};

struct PairStep {
  enum class End : std::uint8_t {
    open,      ///< more than the clearance apart until `until`, which is later than the instant
    touching,  ///< at most clearance + tolerance apart at the instant
    unknown,   ///< neither can be proved
  };
  End end = End::unknown;
  double until = 0;
  convex::Separation separation;  ///< at the instant
};

/// Evaluates a pair at an instant: it touches, or it is open for a while, at most until the time of
/// `limit`. `guess` is a direction from a to b in a's frame, from an earlier evaluation, or zero
/// for none; it is updated.
PairStep step_pair(const MovingPair& pair, const Instant& instant, const ToiLengths& lengths,
                   const Instant& limit, Vec3& guess);

/// The time after which a pair that touches at `t` is more than clearance + tolerance apart along
/// an axis, where it never overlaps by more than the tolerance along that axis in between. Infinite
/// if no axis is found that proves it.
double time_to_separate(const Motion& motion_a, const Mover& a, const Motion& motion_b,
                        const Mover& b, double t, const ToiLengths& lengths);

/// Records in the result that a pair touches at this instant, before which everything was proved
/// open; at t = 0 it is initially touching. Faces stay kNone.
void report_contact(const Instant& instant, const convex::Separation& separation,
                    ToiResult& result);

}  // namespace touche::shape
