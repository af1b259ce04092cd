// SPDX-License-Identifier: Apache-2.0
// How far the part goes: the chosen motion, as far as it is proved within the budget.
#include <algorithm>

#include "response/handling_data.h"

namespace touche {
namespace {

// The finest tolerance of a proof, in tolerances.
constexpr double kFinest = 1.0 / 64;
// The length of motions that are tried however little time there is, in tolerances.
constexpr double kShortest = 1;

}  // namespace

// Leaves some of the budget for another search for contacts: a caller that gets the pose of the
// part also needs the contacts that hold it there.
Budget Handling::Data::budget_of_motion() const {
  Budget budget = left_;
  if (budget.deadline != Budget::Clock::time_point::max()) {
    const auto rest = budget.deadline - Budget::Clock::now();
    if (rest > rest.zero()) budget.deadline -= std::min(look_, rest / 2);
  }
  if (budget.max_work != Budget::kUnlimited)
    budget.max_work -= std::min(look_work_, budget.max_work / 2);
  return budget;
}

// A motion whose proof takes more than the budget would be cut off in the next step, too, perhaps
// before any of it is proved. So half of its length is tried then, and twice as much after each
// motion that took no more than half of the budget.
void Handling::Data::shorten() {
  const double length = travel(twist_);
  shortened_ = length > longest_;
  if (shortened_) twist_ *= longest_ / length;
}

void Handling::Data::learn_length(double reached, std::uint64_t work, const Budget& budget) {
  const double length = travel(twist_);
  if (cut_)
    longest_ = std::max(std::max(reached, 0.5) * length, kShortest * options.tolerance);
  else if (length < 0.5 * longest_)
    longest_ = kInfinity;
  else if (work <= budget.max_work / 2)
    longest_ *= 2;
}

void Handling::Data::advance() {
  work_before_ = left_.max_work;
  shorten();
  const Motion motion = goes_straight_ ? response::straight_along(pose_, part.mass().centre, twist_)
                                       : response::motion_along(pose_, part.mass().centre, twist_);
  stepper_.move(part.node(), motion);
  // A part that begins too near keeps half of its gap; if it has none, it may only come apart.
  const double clearance = gap_ > options.clearance ? options.clearance : gap_ / 2;
  // The step detects contacts in a band below its tolerance. Parts must begin well above that band,
  // or they are stopped at once.
  const double tolerance =
      std::clamp((gap_ - clearance) / kRoom, kFinest * options.tolerance, options.tolerance);
  const Budget budget = budget_of_motion();
  const StepResult& step = stepper_.run({.tolerance = tolerance,
                                         .clearance = clearance,
                                         .policy = StepPolicy::each,
                                         .budget = budget,
                                         .threads = options.threads});
  ++result.stats.rounds;
  const std::uint64_t work = step.stats.queries.work();
  spend(step.stats.queries, work);
  const double reached = step.groups.front().reached;
  pierced_ = !(reached > 0) && gap_ > clearance + kRoom * tolerance &&
             std::any_of(step.contacts.begin(), step.contacts.end(), [](const StepPair& pair) {
               return pair.status == ToiStatus::initially_touching;
             });
  moved_ = reached > 0;
  if (moved_)
    result.motions.push_back(reached < 1 ? motion.part(0, reached) : motion);
  else
    seen_ = revision();  // nothing has changed
  cut_ = !step.undecided.empty();
  limited_ |= cut_;
  learn_length(reached, work, budget);
}

}  // namespace touche
