// SPDX-License-Identifier: Apache-2.0
// Tracks how much of its budget a search has used. Costs one comparison for each unit of work; the
// flag and the clock are checked only now and then.
#pragma once

#include <algorithm>

#include "base/budget_part.h"

namespace touche::base {

class BudgetMeter {
 public:
  /// The budget must outlive it.
  explicit BudgetMeter(const Budget& budget) : BudgetMeter(budget, budget.max_work) {}
  /// With another limit of the work.
  BudgetMeter(const Budget& budget, std::uint64_t max_work)
      : budget_(budget), max_work_(max_work) {}

  /// Counts units of work about to be done. Returns false if they must not be done because the
  /// budget is used up.
  bool spend(std::uint64_t work = 1) {
    work_ += work;
    return work_ <= next_look_ || look();
  }

  /// Whether spend() ever returned false.
  bool exhausted() const { return exhausted_; }

  std::uint64_t work() const { return work_; }

  /// Returns the remaining budget, for a part of the query.
  Budget rest() const {
    return with_work(budget_, max_work_ == Budget::kUnlimited
                                  ? max_work_
                                  : max_work_ - std::min(max_work_, work_));
  }

 private:
  static constexpr std::uint64_t kStride = 256;

  bool look() {
    exhausted_ = exhausted_ || work_ > max_work_ || budget_.expired();
    next_look_ = exhausted_ ? 0 : std::min(max_work_, work_ + kStride);
    return !exhausted_;
  }

  const Budget& budget_;
  const std::uint64_t max_work_;
  std::uint64_t work_ = 0, next_look_ = 0;
  bool exhausted_ = false;
};

}  // namespace touche::base
