// SPDX-License-Identifier: Apache-2.0
#include "study/ask_steps.h"

#include <algorithm>

#include "base/budget_meter.h"
#include "math/rounding.h"

namespace touche::study {

// Returns whether the parts may touch at the start of this step, provided that they separate.
bool StepAsker::may_separate(std::size_t step) const { return study_.may_separate && step == 0; }

FreeSteps StepAsker::prove_free(std::vector<Task>& tasks, const Series& series) const {
  FreeSteps free;
  if (series.size() == 1) return free;
  // Query the time of impact once for all these steps.
  PairStep& first = tasks[series.front()].answer;
  const double begin = study_.times[first.step], end = study_.times[first.step + series.size()];
  const auto motion = [&](std::size_t part) {
    return groups_[part] == kFixed ? Motion::at(Pose())
                                   : study_.groups[groups_[part]].motion.part(begin, end);
  };
  Budget budget = base::for_part(options_.budget);
  free.work = budget.max_work /= 2;
  ToiResult toi;
  try {
    toi = time_of_impact(parts_[first.part_a], motion(first.part_a), parts_[first.part_b],
                         motion(first.part_b),
                         {.tolerance = study_.tolerance,
                          .may_separate = may_separate(first.step),
                          .budget = budget});
  } catch (const std::exception&) {
    return free;  // the queries of the individual steps report the error
  }
  first.stats += toi.stats;
  free.tolerance = toi.tolerance;
  if (toi.separated_at > 0) free.separated_at = begin + toi.separated_at * (end - begin);
  if (toi.status == ToiStatus::free) toi.time.lower = kInfinity;
  // Count the steps that end before the proved time, reduced by the rounding of t when the motion
  // was cut.
  const double free_until = begin + (toi.time.lower - math::kFormulaError) * (end - begin);
  while (free.count < series.size() && study_.times[first.step + free.count + 1] <= free_until)
    ++free.count;
  return free;
}

void StepAsker::answer(const StepBounds& bounds, Task& task, std::size_t n,
                       const FreeSteps& free) const {
  PairStep& answer = task.answer;
  try {
    if (n < free.count) {
      answer.status = StepStatus::free;
      answer.time.lower = 1;
      answer.tolerance = free.tolerance;
      const double begin = study_.times[answer.step], end = study_.times[answer.step + 1];
      answer.separated_at = std::clamp((free.separated_at - begin) / (end - begin), 0.0, 1.0);
    } else {
      find_contact(bounds, answer, n == 0 ? free.work : 0);
    }
    if (study_.clearance > 0) {
      measure(bounds, task, 0);
      if (answer.step + 2 == study_.times.size()) measure(bounds, task, 1);
    }
  } catch (const std::exception& e) {
    answer.status = StepStatus::undecided;
    answer.reason = e.what();
  }
}

// Queries one step; `work_done` of its allowed work has already been spent.
void StepAsker::find_contact(const StepBounds& bounds, PairStep& answer,
                             std::uint64_t work_done) const {
  const std::size_t a = answer.part_a, b = answer.part_b;
  Budget budget = base::for_part(options_.budget);
  budget.max_work -= work_done;
  ToiResult toi = time_of_impact(
      parts_[a], bounds.motion(a), parts_[b], bounds.motion(b),
      {.tolerance = study_.tolerance, .may_separate = may_separate(answer.step), .budget = budget});
  answer.time = toi.time;
  answer.separated_at = toi.separated_at;
  answer.tolerance = toi.tolerance;
  answer.contact = std::move(toi.contact);
  answer.stats += toi.stats;
  switch (toi.status) {
    case ToiStatus::free:
      answer.status = StepStatus::free;
      answer.time.lower = 1;
      break;
    case ToiStatus::contact:
      answer.status = StepStatus::contact;
      break;
    case ToiStatus::initially_touching:
      answer.status = StepStatus::initially_touching;
      answer.time = {0, 0};
      break;
    case ToiStatus::undecided:
      // A query that was stopped counts as not examined.
      answer.status = stopped() ? StepStatus::not_examined : StepStatus::undecided;
      answer.reason = "the allowed work is used up";
      break;
  }
}

// Measures the clearance. Ignores the work limit but not a stop request.
void StepAsker::measure(const StepBounds& bounds, Task& task, int end) const {
  const std::size_t a = task.answer.part_a, b = task.answer.part_b;
  const DistanceResult found =
      distance(parts_[a], bounds.motion(a).pose(end), parts_[b], bounds.motion(b).pose(end),
               {.max_distance = study_.clearance, .budget = base::with_any_work(options_.budget)});
  task.answer.stats += found.stats;
  if (!found.complete) task.answer.status = StepStatus::not_examined;
  if (found.complete && found.closest && found.distance.upper < study_.clearance)
    task.clearances.push_back({task.answer.step + static_cast<std::size_t>(end), a, b,
                               found.distance.upper, *found.closest});
}

}  // namespace touche::study
