// SPDX-License-Identifier: Apache-2.0
// A search for the time of impact that may be stopped and go on where it stopped.
#pragma once

#include <optional>
#include <vector>

#include "query/toi_guess.h"

namespace touche {

/// All arguments but the options must outlive it, the memory with what is in it.
class ToiRun {
 public:
  ToiRun(const Object& a, const Motion& motion_a, const Object& b, const Motion& motion_b,
         const ToiOptions& options, PairQueue& queue, std::vector<TimeSlice>& slices);

  /// Leaves the result undecided only where this budget ends first. The result in the end does not
  /// depend on where it was stopped. Objects that are answered pair by pair begin again.
  const ToiResult& go_on(BudgetMeter& meter);

  const ToiResult& result() const { return result_; }

  /// While the result is undecided: see toi_guess.h. Objects that are answered pair by pair have no
  /// guess but the time proved.
  double guess(Stand stand) const;

 private:
  const Object &a_, &b_;
  const Motion &motion_a_, &motion_b_;
  ToiOptions options_;
  ToiResult result_;
  std::optional<TimeSlices> slices_;  // none: pair by pair
  std::optional<ToiSearch> search_;
  TimeSpan span_{};
  bool over_ = false;
};

}  // namespace touche
