// SPDX-License-Identifier: Apache-2.0
#include "world/pair_memory.h"

#include <algorithm>

#include "base/budget_part.h"
#include "math/rounding.h"
#include "query/is_near.h"

namespace touche::world {
namespace {

// In steps of the current size: a gap is worth measuring if it lasts for a few steps, and need not
// be known beyond what lasts for many.
constexpr double kFewSteps = 4, kManySteps = 32;
constexpr std::uint64_t kMostWork = 200;

// In tolerances: added to the distance that is proved for pairs with many near triangles, so that
// the proof lasts while they hardly move.
constexpr double kSpare = 0.125;

// Pairs that are too near are measured again after 4, 16, 64 and then every 256 steps.
constexpr unsigned kMostFailures = 4;

bool stays_apart(const PairQuestion& question, const PairState& state, double enough) {
  return state.gap > enough && math::kRoundDown * state.gap >
                                   enough +
                                       displacement(question.a, state.pose_a, question.motion_a) +
                                       displacement(question.b, state.pose_b, question.motion_b);
}

// Faces are at least as far apart as their hulls, which take a tenth of the time to measure.
DistanceResult distance_for_memory(const PairQuestion& question, const PairState& state,
                                   const DistanceOptions& options) {
  if (are_hull_surfaces(question))
    return distance(*shape::hull_of(question.a.object()), state.pose_a,
                    *shape::hull_of(question.b.object()), state.pose_b, options);
  return distance(question.a, state.pose_a, question.b, state.pose_b, options);
}

// A lower bound of the gap of objects with thousands of triangles within a few tolerances, such as
// a nut at rest on its bolt. It may take as many tests as the query that it saves.
double gap_of_many(const PairQuestion& question, const PairState& state, double margin,
                   QueryStats& stats, Workspace& workspace) {
  if (state.tests <= kMostWork || !are_soups(question.a, question.b)) return 0;
  const Budget budget =
      base::with_work(question.budget, std::min(question.budget.max_work, state.tests));
  const Object &a = question.a.object(), &b = question.b.object();
  return is_near(a, state.pose_a, b, state.pose_b, margin, budget, workspace, stats) ==
                 query::IsNear::no
             ? query::proved_beyond(a, b, margin)
             : 0;
}

// Measures the gap at the start of the step.
void measure(const PairQuestion& question, PairState& state, double enough, QueryStats& stats,
             Workspace& workspace) {
  state.gap = 0;  // until the new one is known
  state.pose_a = question.motion_a.pose(0);
  state.pose_b = question.motion_b.pose(0);
  const double step = displacement(question.a, state.pose_a, question.motion_a) +
                      displacement(question.b, state.pose_b, question.motion_b);
  const double least = enough + kFewSteps * step, most = enough + kManySteps * step;
  const Budget budget =
      base::with_work(question.budget, std::min(question.budget.max_work, kMostWork));
  const DistanceResult result = distance_for_memory(question, state,
                                                    {.max_distance = most,
                                                     .stop_below = least,
                                                     .relative_error = 1,
                                                     .budget = budget,
                                                     .workspace = &workspace});
  stats += result.stats;
  state.gap = result.distance.lower;
  if (!result.complete)
    state.gap = std::max(state.gap, gap_of_many(question, state, most + kSpare * question.tolerance,
                                                stats, workspace));
  state.failures = state.gap < least ? std::min(state.failures + 1, kMostFailures) : 0;
  state.wait = 1U << (2 * state.failures);
}

}  // namespace

bool is_known_apart(const PairQuestion& question, PairState& state, QueryStats& stats,
                    Workspace& workspace) {
  const double enough = question.clearance + question.tolerance;
  bool apart = stays_apart(question, state, enough);
  if (!apart && state.wait > 0) {
    --state.wait;
    return false;
  }
  if (!apart) {
    measure(question, state, enough, stats, workspace);
    apart = stays_apart(question, state, enough);
  }
  // As if a query or a plane between them had proved it: the state must not depend on the kind of
  // proof, because that depends on the budget.
  if (apart) state.stage = 0;
  return apart;
}

PairAnswer ask_known_pair(const PairQuestion& question, PairState& state, Workspace& workspace) {
  QueryStats stats;
  if (is_known_apart(question, state, stats, workspace))
    return {.status = ToiStatus::free, .time = {1, kInfinity}, .stats = stats};
  PairAnswer answer = ask_pair(question, workspace, state.stage);
  state.tests = answer.stats.volume_tests + answer.stats.primitive_tests;
  answer.stats += stats;
  state.stage = answer.status == ToiStatus::free ? 0 : answer.stage;
  return answer;
}

}  // namespace touche::world
