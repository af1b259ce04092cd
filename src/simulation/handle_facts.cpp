// SPDX-License-Identifier: Apache-2.0
#include "simulation/handle_facts.h"

#include <algorithm>
#include <map>

#include "aabb_tree/aabb_tree.h"
#include "math/moved_box.h"
#include "study/step_bounds.h"

namespace touche::simulation {
namespace {

Aabb box_of(const HandleResult& result, std::size_t part, double s) {
  return math::moved_box(result.parts[part].bounds(),
                         study::pose_of_part(result.proof.study, part, s), 0);
}

Aabb held_box(const HandleResult& result, double s) {
  Aabb box;
  for (const std::size_t p : result.study.groups[result.group].parts)
    box.include(box_of(result, p, s));
  return box;
}

std::vector<std::size_t> left_parts(const HandleResult& result,
                                    const std::vector<HoldingPart>& holding) {
  const Aabb start = held_box(result, 0), end = held_box(result, 1);
  std::vector<std::size_t> left;
  for (const HoldingPart& part : holding) {
    const Aabb box = box_of(result, part.part, 0);
    if (overlap(start, box) && !overlap(end, box)) left.push_back(part.part);
  }
  return left;
}

// True if no corner of a box of the part moved farther than the tolerance.
bool stood_still(const HandleResult& result, std::size_t step) {
  const Pose& before = step == 0 ? result.path.poses.front() : result.steps[step - 1].pose;
  const Pose& after = result.steps[step].pose;
  for (const std::size_t p : result.study.groups[result.group].parts) {
    const Aabb& box = result.parts[p].bounds();
    for (unsigned corner = 0; corner < 8; ++corner) {
      Vec3 at = box.lo;
      for (unsigned k = 0; k < 3; ++k)
        if ((corner >> k & 1U) != 0) at[k] = box.hi[k];
      if ((after * at - before * at).norm() > result.study.tolerance) return false;
    }
  }
  return true;
}

bool pushed(const HandleStep& step) {
  return std::any_of(step.contacts.begin(), step.contacts.end(),
                     [](const HandleContact& c) { return c.force.norm() > 0; });
}

// Adds up the contacts of a step with each part.
void add_contacts(std::map<std::size_t, HoldingPart>& holding, const HandleStep& step,
                  std::size_t index, double seconds) {
  struct Push {
    Vec3 force = Vec3::Zero();
    std::size_t most = 0;
  };
  std::map<std::size_t, Push> pushes;
  for (std::size_t c = 0; c < step.contacts.size(); ++c) {
    const auto [push, is_new] = pushes.try_emplace(step.contacts[c].other);
    push->second.force += step.contacts[c].force;
    const double most = step.contacts[push->second.most].force.norm();
    if (is_new || step.contacts[c].force.norm() > most) push->second.most = c;
  }
  for (const auto& [part, push] : pushes) {
    if (!(step.contacts[push.most].force.norm() > 0)) continue;
    HoldingPart& sum = holding[part];
    sum.part = part;
    sum.seconds += seconds;
    if (!(push.force.norm() > sum.force)) continue;
    sum.force = push.force.norm();
    sum.step = index;
    sum.contact = push.most;
  }
}

}  // namespace

double duration_of(const HandleResult& result, std::size_t step) {
  return result.hand.times[step + 1] - result.hand.times[step];
}

double position_of(const HandleResult& result, double time) {
  const std::vector<double>& times = result.path.times;
  return (time - times.front()) / (times.back() - times.front());
}

std::vector<double> clearances_of(const HandleResult& result) {
  std::vector<double> clearances(result.path.poses.size(), kInfinity);
  for (const Clearance& c : result.proof.clearances)
    clearances[c.pose] = std::min(clearances[c.pose], c.distance);
  return clearances;
}

std::size_t examined_steps(const StudyResult& proof) {
  return static_cast<std::size_t>(
      std::count_if(proof.steps.begin(), proof.steps.end(),
                    [](const StudyStep& step) { return step.status != StepStatus::not_examined; }));
}

HandleFacts facts_of(const HandleResult& result) {
  HandleFacts facts;
  std::map<std::size_t, HoldingPart> holding;
  for (std::size_t i = 0; i < result.steps.size(); ++i) {
    const HandleStep& step = result.steps[i];
    const double seconds = duration_of(result, i);
    facts.seconds += seconds;
    if (pushed(step)) facts.held_back += seconds;
    if (!step.complete) {
      ++facts.cut_short;
      if (stood_still(result, i)) ++facts.stood_still;
    }
    for (const HandleContact& c : step.contacts)
      if (c.force.norm() > 0) facts.nearest = std::min(facts.nearest, c.contact.distance);
    if (step.status == HandlingStatus::touching) facts.touching += seconds;
    if (step.force.norm() > facts.force) {
      facts.force = step.force.norm();
      facts.strongest = i;
    }
    add_contacts(holding, step, i, seconds);
  }
  for (const auto& [part, sum] : holding) facts.holding.push_back(sum);
  std::stable_sort(
      facts.holding.begin(), facts.holding.end(),
      [](const HoldingPart& a, const HoldingPart& b) { return a.seconds > b.seconds; });
  facts.arrived = !result.steps.empty() && result.steps.back().status == HandlingStatus::arrived;
  facts.left = left_parts(result, facts.holding);
  return facts;
}

}  // namespace touche::simulation
