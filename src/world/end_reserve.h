// SPDX-License-Identifier: Apache-2.0
// Time that a step reserves for the work after its pair queries.
#pragma once

#include <algorithm>
#include <chrono>

#include "touche/budget.h"

namespace touche::world {

/// Learns from earlier steps: the next reserve grows by the time by which a step was late, and
/// shrinks gradually if part of it was not used.
class EndReserve {
 public:
  using Duration = Budget::Clock::duration;

  /// Returns the time to reserve if `left` remains in the step: never more than half of it.
  Duration keep(Duration left) {
    kept_ = std::min(takes_, left / 2);
    return kept_;
  }
  /// Call after a step that reserved time. `late`: time by which the step ended after its deadline,
  /// negative if before. `used_up`: pairs were stopped because time had run out; otherwise nothing
  /// is learned from a step that ended early.
  void learn(Duration late, bool used_up) {
    if (late > Duration{0})
      takes_ = kept_ + std::min<Duration>(late, kMostLearned);
    else if (used_up)
      takes_ = kept_ - std::min(kept_, -late / kGivenBack);
  }

 private:
  static constexpr std::chrono::milliseconds kMostLearned{1};
  static constexpr int kGivenBack = 32;

  Duration takes_{0};  // estimated time of everything after the pairs
  Duration kept_{0};   // reserved in this step
};

}  // namespace touche::world
