// SPDX-License-Identifier: Apache-2.0
#include "world/pair_questions.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <iterator>

#include "base/threads.h"

namespace touche {
namespace {

constexpr double kLeastGap = kBands[2].lower;

}  // namespace

double time_to_stop(const PairQuestion& question, const ToiResult& meet, Workspace& workspace) {
  const double enough = question.clearance + kLeastGap * question.tolerance;
  for (const double back : {1e-3, 0.03, 0.25}) {
    const double t = meet.time.lower - back * (meet.time.lower - meet.separated_at);
    if (!(t > meet.separated_at)) break;
    const DistanceResult left =
        distance(question.a, question.motion_a.pose(t), question.b, question.motion_b.pose(t),
                 {.max_distance = 2 * enough, .budget = question.budget, .workspace = &workspace});
    if (left.distance.lower > enough) return t;
  }
  return 0;
}

PairAnswer ask_pair(const PairQuestion& question, Workspace& workspace, std::size_t first_band) {
  PairAnswer answer;
  const auto ask = [&](const Band& band, bool may_separate) {
    ToiResult result =
        time_of_impact(question.a, question.motion_a, question.b, question.motion_b,
                       {.tolerance = (band.upper - band.lower) * question.tolerance,
                        .clearance = question.clearance + band.lower * question.tolerance,
                        .may_separate = may_separate,
                        .budget = question.budget,
                        .workspace = &workspace});
    answer.stats += result.stats;
    answer.status = result.status;
    answer.contact = result.contact;
    if (may_separate && result.status != ToiStatus::free)
      result.time.lower = time_to_stop(question, result, workspace);
    const auto in_step = [&](double t) { return question.from + t * (1 - question.from); };
    answer.time = {in_step(result.time.lower), in_step(result.time.upper)};
    return result.status != ToiStatus::initially_touching;
  };
  for (answer.band = first_band; answer.band < std::size(kBands); ++answer.band)
    if (ask(kBands[answer.band], false)) return answer;
  ask(kInTouch, true);
  return answer;
}

void PairQuestioner::ask_all(std::size_t count, int threads,
                             const std::function<void(std::size_t, Workspace&)>& ask) {
  if (workspaces_.empty()) workspaces_.emplace_back();
  // A few questions are not worth waking the other threads.
  constexpr std::size_t kFew = 2;
  if (threads == 1 || count < kFew) {
    for (std::size_t i = 0; i < count; ++i) ask(i, workspaces_.front());
    return;
  }
  with_threads(threads, [&] {
    const auto most = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
    while (workspaces_.size() < most) workspaces_.emplace_back();
    tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
      ask(i, workspaces_[static_cast<std::size_t>(tbb::this_task_arena::current_thread_index())]);
    });
  });
}

}  // namespace touche
