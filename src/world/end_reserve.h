// SPDX-License-Identifier: Apache-2.0
// The time that a step keeps for what comes after its pairs.
#pragma once

#include <algorithm>
#include <chrono>

#include "touche/budget.h"

namespace touche {

/// It learns from steps before: the next one keeps what a step was late by, and gives back what was
/// kept in vain little by little.
class EndReserve {
 public:
  using Duration = Budget::Clock::duration;

  /// Keeps some of a step that has so much time left; never more than half of it.
  Duration keep(Duration left) {
    kept_ = std::min(takes_, left / 2);
    return kept_;
  }
  /// After the step that time was kept for. `late`: by how much it ended after its deadline,
  /// negative if before. `used_up`: pairs were stopped because of the time; else nothing is learned
  /// from a step that ended early.
  void learn(Duration late, bool used_up) {
    if (late > Duration{0})
      takes_ = kept_ + std::min<Duration>(late, kMostLearned);
    else if (used_up)
      takes_ = kept_ - std::min(kept_, -late / kGivenBack);
  }

 private:
  static constexpr std::chrono::milliseconds kMostLearned{1};
  static constexpr int kGivenBack = 32;

  Duration takes_{0};  // time for all after the pairs, as far as is known
  Duration kept_{0};   // for it in this step
};

}  // namespace touche
