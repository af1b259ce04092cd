// SPDX-License-Identifier: Apache-2.0
// When two bodies of a step meet, so that whoever stops there stands free.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>

#include "touche/query.h"

namespace touche {

/// As ToiResult, in the time of the step.
struct PairAnswer {
  ToiStatus status = ToiStatus::undecided;
  Bracket time;
  std::optional<Contact> contact = {};
  std::size_t band = 0;  // in which they were found, see ask_pair
  QueryStats stats = {};
};

struct PairQuestion {
  const Object& a;
  const Motion& motion_a;
  const Object& b;
  const Motion& motion_b;
  double from = 0;  // the time of the step at which both motions begin
  double tolerance = 0, clearance = 0;
  Budget budget = {};
};

/// The band between clearance and clearance + tolerance, in shares of the tolerance: a contact is
/// called at its upper edge at the latest, and bodies are proved to be outside of its lower one.
/// The first leaves half of the tolerance between bodies that stop. Those that begin within it,
/// because they stopped or were put there, are asked again with less; those that begin within the
/// last one are as good as in touch: perhaps they come apart.
struct Band {
  double lower, upper;
};
inline constexpr Band kBands[] = {{0.5, 1}, {0.125, 0.25}, {0.03125, 0.0625}};
inline constexpr Band kInTouch = {0, 1};

/// Bodies that came apart from the start and met again are only known to be apart at each moment
/// until then. A time at which they are so by enough to stop there, in that of the motions: 0, if
/// none is found.
double time_to_stop(const PairQuestion& question, const ToiResult& meet, Workspace& workspace);

/// Lengths of time are those of the step, so `from` is the earliest time there is. `first_band`
/// leaves out bands in which they are thought to begin: the answer is as true, but they may stop
/// nearer to each other.
PairAnswer ask_pair(const PairQuestion& question, Workspace& workspace, std::size_t first_band = 0);

/// Asks on several threads, each with a workspace of its own, which are used again.
class PairQuestioner {
 public:
  /// Calls ask(i, workspace) for all i below count, in any order.
  void ask_all(std::size_t count, int threads,
               const std::function<void(std::size_t, Workspace&)>& ask);

 private:
  std::deque<Workspace> workspaces_;  // of each thread
};

}  // namespace touche
