// SPDX-License-Identifier: Apache-2.0
// A search for the time of impact that can be stopped and resumed.
#pragma once

#include <optional>
#include <vector>

#include "query/toi_guess.h"

namespace touche::query {

/// All arguments except the options must outlive it, and so must the contents of the queue and the
/// slices.
class ToiRun {
 public:
  ToiRun(const Object& a, const Motion& motion_a, const Object& b, const Motion& motion_b,
         const ToiOptions& options, PairQueue& queue, std::vector<TimeSlice>& slices);

  /// Leaves the result undecided only if this budget ends first. The final result does not depend
  /// on where the search was stopped. Objects that are tested by brute force, pair by pair,
  /// restart.
  const ToiResult& go_on(base::BudgetMeter& meter);

  const ToiResult& result() const { return result_; }

  /// A guess of the time of impact while the result is undecided: see toi_guess.h. For objects that
  /// are tested pair by pair it is the time proved so far.
  double guess(Stand stand) const;

 private:
  const Object &a_, &b_;
  const Motion &motion_a_, &motion_b_;
  ToiOptions options_;
  ToiResult result_;
  std::optional<TimeSlices> slices_;  // empty: pair by pair
  std::optional<ToiSearch> search_;
  TimeSpan span_{};
  bool over_ = false;
};

}  // namespace touche::query
