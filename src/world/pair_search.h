// SPDX-License-Identifier: Apache-2.0
// A question about two bodies that is asked bit by bit: the search for its answer may be stopped
// and go on where it stopped.
#pragma once

#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "base/budget_meter.h"
#include "query/toi_run.h"
#include "touche/step.h"
#include "world/pair_memory.h"

namespace touche {

class PairSearch {
 public:
  /// The objects must outlive the search; the motions are copied. `state` has what is known of the
  /// pair, or null; used and written down only until the answer is decided.
  void begin(const PairQuestion& question, PairState* state);
  /// The answer stays undecided only where this budget ends first. In the end it is that of
  /// ask_pair, wherever it was stopped.
  const PairAnswer& go_on(BudgetMeter& meter);
  /// While it is undecided: a guess when they meet, from the time proved on.
  double guess(Guess how);

 private:
  bool begin_run(BudgetMeter& meter);
  bool begin_stage(BudgetMeter& meter);
  const ToiResult& search(BudgetMeter& meter);
  double in_step(double t) const;
  void settle(const ToiResult& found, BudgetMeter& meter);

  Motion motion_a_ = Motion::at({}), motion_b_ = Motion::at({});
  std::optional<PairQuestion> question_;
  PairState* state_ = nullptr;
  Workspace workspace_;
  Stages stages_;
  std::optional<ToiOptions> asked_;                // in this stage, once it is begun
  std::optional<ToiRun> run_;                      // of two objects
  ToiResult found_;                                // of others, which begin again, or of hulls
  bool by_hulls_ = false;                          // they answered
  double apart_ = kInfinity, apart_at_start_ = 0;  // see AnswerOfHulls
  QueryStats earlier_;                             // of what was asked before
  PairAnswer answer_;
};

/// Searches that are used again. Threads may take and give back at the same time.
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

}  // namespace touche
