// SPDX-License-Identifier: Apache-2.0
// A query of two bodies that may be stopped and continued where it stopped.
#pragma once

#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "base/budget_meter.h"
#include "query/toi_run.h"
#include "touche/step.h"
#include "world/pair_memory.h"

namespace touche::world {

class PairSearch {
 public:
  /// The shapes must outlive the search; the motions are copied. `state` is what is known of the
  /// pair, or null; it is read and written only until the answer is decided.
  void begin(const PairQuestion& question, PairState* state);
  /// The answer stays undecided only if this budget ends first, or if it is `stuck`. A decided
  /// answer is that of `ask_pair`, wherever the search was stopped.
  const PairAnswer& go_on(base::BudgetMeter& meter);
  /// While the answer is undecided: an estimate of the time of contact, not before the proved time.
  double guess(Guess how);

 private:
  bool begin_run(base::BudgetMeter& meter);
  bool begin_stage(base::BudgetMeter& meter);
  const ToiResult& search(base::BudgetMeter& meter);
  double in_step(double t) const;
  void settle(const ToiResult& found, base::BudgetMeter& meter);

  Motion motion_a_ = Motion::at({}), motion_b_ = Motion::at({});
  std::optional<PairQuestion> question_;
  PairState* state_ = nullptr;
  Workspace workspace_;
  Stages stages_;
  std::optional<ToiOptions> asked_;                // the query of this stage, once it is begun
  std::optional<query::ToiRun> run_;               // the search of two objects
  ToiResult found_;                                // of other pairs, which begin again, or of hulls
  bool by_hulls_ = false;                          // hulls gave the answer
  double apart_ = kInfinity, apart_at_start_ = 0;  // see AnswerOfHulls
  QueryStats earlier_;                             // of earlier stages
  PairAnswer answer_;
};

/// A pool of searches for reuse. Threads may take and give back at the same time.
class PairSearches {
 public:
  PairSearch& take();
  void give_back(PairSearch& search);
  void give_back_all();

 private:
  std::mutex mutex_;
  std::deque<PairSearch> all_;
  std::vector<PairSearch*> free_;
};

}  // namespace touche::world
