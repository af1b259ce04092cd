// SPDX-License-Identifier: Apache-2.0
// One step of conservative advancement of two convex bodies, and whether bodies that touch come
// apart.
#pragma once

#include "shape/moving_pair.h"
#include "touche/query.h"

namespace touche {

/// The lengths of a search for the time of impact, checked, the tolerance raised to what rounding
/// allows.
struct ToiLengths {
  double tolerance, clearance;

  /// Throws InvalidInput for options that cannot be answered for.
  explicit ToiLengths(const ToiOptions& options);
  /// Raises the tolerance for a pair, or for all of two motions.
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

/// Looks at a pair at an instant: it touches, or is open for a while, at most until that of
/// `limit`. `guess` is a direction from a to b in a's frame, of an earlier look; zero for none.
/// Sets it.
PairStep step_pair(const MovingPair& pair, const Instant& instant, const ToiLengths& lengths,
                   const Instant& limit, Vec3& guess);

/// The time after which a pair that touches at `t` is more than clearance + tolerance apart, along
/// an axis along which it never overlaps by more than the tolerance in between. Infinite where no
/// axis is found that proves it.
double time_to_separate(const Motion& motion_a, const Mover& a, const Motion& motion_b,
                        const Mover& b, double t, const ToiLengths& lengths);

/// Fills in that a pair touches at this instant, before which everything was proved open; at t = 0
/// it is initially touching. Faces stay kNone.
void report_contact(const Instant& instant, const convex::Separation& separation,
                    ToiResult& result);

}  // namespace touche
