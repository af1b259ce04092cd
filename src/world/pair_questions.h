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

/// Bodies that begin within the tolerance are asked again in narrower bands of it. `first_band`
/// leaves out those in which they are thought to begin: the answer is as true, but they may stop
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
