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
  std::optional<Contact> contact;
  QueryStats stats;
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

/// Lengths of time are those of the step, so `from` is the earliest time there is.
PairAnswer ask_pair(const PairQuestion& question, Workspace& workspace);

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
