// SPDX-License-Identifier: Apache-2.0
// Budgets for the parts of a query. They have its limits, but do not report progress, and refer to
// its flag without sharing it. So copies of them cost no more than copies of numbers. They must not
// outlive the query's budget.
#pragma once

#include <string>

#include "touche/budget.h"
#include "touche/types.h"

namespace touche {

struct CancelAccess {
  /// The same flag; the other one must outlive it and its copies.
  static Cancel borrowed(const Cancel& cancel) {
    return Cancel(std::shared_ptr<std::atomic<bool>>(std::shared_ptr<void>(), cancel.flag_.get()));
  }
};

}  // namespace touche

namespace touche::base {

/// The same deadline and flag, with another work limit.
inline Budget with_work(const Budget& budget, std::uint64_t max_work) {
  return {.max_work = max_work,
          .deadline = budget.deadline,
          .cancel = CancelAccess::borrowed(budget.cancel)};
}

/// The same limits.
inline Budget for_part(const Budget& budget) { return with_work(budget, budget.max_work); }

/// The same deadline and flag without a work limit, for parts of a query whose work is not counted
/// in the budget's units.
inline Budget with_any_work(const Budget& budget) { return with_work(budget, Budget::kUnlimited); }

/// For queries whose work is not counted in pairs of nodes and primitives: refuses a limit that
/// they would ignore. `instead` names the option that limits them.
inline void require_any_work(const Budget& budget, const char* query, const char* instead) {
  if (budget.max_work != Budget::kUnlimited)
    throw InvalidInput(std::string(query) +
                       ": its work is not counted, so max_work does not limit " + "it; see " +
                       instead);
}

}  // namespace touche::base
