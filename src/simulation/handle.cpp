// SPDX-License-Identifier: Apache-2.0
#include "touche/handle.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include "base/budget_part.h"
#include "base/progress_report.h"
#include "simulation/taken_path.h"
#include "study/step_bounds.h"

namespace touche {
namespace {

// Between two poses, the motion of a study file deviates from the path that Handling proved by at
// most this fraction of the clearance.
constexpr double kDeviation = 0.25;

std::size_t held_group(const Study& study, const std::string& name) {
  if (study.groups.empty()) throw InvalidInput("the study has no group that a hand could hold");
  std::string names;
  for (std::size_t g = 0; g < study.groups.size(); ++g) {
    if (study.groups[g].name == name) return g;
    names += fmt::format("{}\"{}\"", g == 0 ? "" : ", ", study.groups[g].name);
  }
  if (!name.empty())
    throw InvalidInput(fmt::format(
        "the study has no group \"{}\" that a hand could hold; it has {}", name, names));
  if (study.groups.size() > 1)
    throw InvalidInput(
        fmt::format("the study has several groups, the hand holds only one of them: {}", names));
  return 0;
}

double clearance_of(const Study& study, const HandleOptions& options) {
  if (options.clearance == 0) return 2 * study.tolerance;
  // Less than the tolerance may be reported as contact, and the path may deviate by a quarter of
  // the clearance.
  if (!(options.clearance >= 1.5 * study.tolerance) || !std::isfinite(options.clearance))
    throw InvalidInput(
        fmt::format("a clearance of {} cannot be proved with the study's tolerance of {}; it must "
                    "be 1.5 times that at least",
                    options.clearance, study.tolerance));
  return options.clearance;
}

void check(const Study& study, const std::vector<Object>& parts, const HandPoses& hand) {
  if (parts.size() != study.parts.size())
    throw InvalidInput(
        fmt::format("{} objects for the study's {} parts", parts.size(), study.parts.size()));
  if (hand.poses.size() < 2 || hand.times.size() != hand.poses.size())
    throw InvalidInput(
        fmt::format("{} poses and {} times of the hand, expected two or more of both",
                    hand.poses.size(), hand.times.size()));
  for (std::size_t i = 0; i < hand.times.size(); ++i)
    if (!std::isfinite(hand.times[i]) || (i > 0 && !(hand.times[i] > hand.times[i - 1])))
      throw InvalidInput(
          fmt::format("the time {} of the hand's pose {} does not come after the "
                      "one before",
                      hand.times[i], i));
}

bool is_allowed(const Study& study, std::size_t one, std::size_t other) {
  const std::size_t first = std::min(one, other), second = std::max(one, other);
  return std::any_of(study.allowed_contacts.begin(), study.allowed_contacts.end(),
                     [&](const AllowedContact& allowed) {
                       return allowed.part_a == first && allowed.part_b == second;
                     });
}

// The study's parts at their start poses. All parts that the hand does not hold are fixed.
struct HeldWorld {
  World world;
  NodeId held;
  std::map<NodeId, std::size_t> part_of;
};

HeldWorld world_of(const Study& study, const std::vector<Object>& parts, std::size_t group) {
  HeldWorld result;
  result.held = result.world.add_group(study.groups[group].motion.pose(0), {}, "hand");
  const std::vector<std::size_t> groups = study::group_of_part(study);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const bool held = groups[p] == group;
    const NodeId body = held ? result.world.add(parts[p], {}, {}, result.held, study.parts[p].name)
                             : result.world.add(parts[p], study::pose_of_part(study, p, 0),
                                                {.fixed = true}, {}, study.parts[p].name);
    result.part_of.emplace(body, p);
  }
  if (!study.allowed_contacts.empty())
    result.world.set_pair_filter([&study, part_of = result.part_of](NodeId a, NodeId b) {
      return !is_allowed(study, part_of.at(a), part_of.at(b));
    });
  return result;
}

HandleStep told(const HandlingStep& step, double time,
                const std::map<NodeId, std::size_t>& part_of) {
  const HeldState& held = step;
  HandleStep result;
  static_cast<HeldState&>(result) = held;
  result.time = time;
  result.status = step.status;
  result.complete = step.complete;
  result.rounds = step.stats.rounds;
  for (const HandlingContact& c : step.contacts)
    result.contacts.push_back({part_of.at(c.held), part_of.at(c.other), c.contact, c.force});
  return result;
}

// The study with the path as the motion of the group, and all other groups at rest.
Study taken(const Study& study, std::size_t group, const HandPoses& path) {
  Study result = study;
  if (!result.title.empty()) result.title += ": the path taken";
  for (StudyGroup& other : result.groups) {
    other.motion = Motion::at(other.motion.pose(0));
    other.times = {0, 1};
  }
  std::vector<double> times = path.times;
  for (double& t : times) t = (t - path.times.front()) / (path.times.back() - path.times.front());
  result.groups[group].motion = Motion::through(path.poses, times);
  result.groups[group].times = times;
  result.times = std::move(times);
  return result;
}

// The distance of the group at this pose from all other parts, or `most` if that is less.
double distance_of(const Study& study, const std::vector<Object>& parts, std::size_t group,
                   const Pose& pose, double most) {
  const std::vector<std::size_t> groups = study::group_of_part(study);
  for (std::size_t a = 0; a < parts.size(); ++a)
    for (std::size_t b = 0; b < parts.size(); ++b) {
      if (groups[a] != group || groups[b] == group || is_allowed(study, a, b)) continue;
      const DistanceResult found = distance(
          parts[a], pose, parts[b], study::pose_of_part(study, b, 0), {.max_distance = most});
      most = std::min(most, found.distance.upper);
    }
  return most;
}

// If the part began nearer than the clearance, measures how near it was there and on its path.
void measure_start(const Study& study, const std::vector<Object>& parts, HandleResult& result) {
  const auto near = [&](const Pose& pose, double most) {
    return distance_of(study, parts, result.group, pose, most);
  };
  const double start = near(result.path.poses.front(), result.clearance);
  if (!(start < result.clearance)) return;
  result.start_distance = result.least_distance = start;
  for (const Pose& pose : result.path.poses)
    result.least_distance = near(pose, result.least_distance);
}

// Drags the group and proves its path. The result holds study, parts and hand; the rest is filled
// in.
void drag(const HandleOptions& options, HandleResult& result) {
  const Study& study = result.study;
  const std::vector<Object>& parts = result.parts;
  const HandPoses& hand = result.hand;
  result.group = held_group(study, options.group);
  result.clearance = clearance_of(study, options);
  result.stiffness = options.stiffness;
  result.friction = options.friction;
  result.max_work = options.budget.max_work;
  result.path.times.push_back(hand.times.front());
  result.path.poses.push_back(study.groups[result.group].motion.pose(0));

  // The part follows the hand from one pose to the next.
  HeldWorld held = world_of(study, parts, result.group);
  HandlingOptions how;
  how.tolerance = study.tolerance;
  how.clearance = result.clearance;
  how.stiffness = options.stiffness;
  how.friction = options.friction;
  how.threads = options.threads;
  how.budget = base::for_part(options.budget);
  Handling handling(held.world, held.held, how);
  base::ProgressReport progress(options.budget.progress, hand.poses.size() - 1);
  for (std::size_t i = 1; i < hand.poses.size() && !options.budget.expired(); ++i) {
    const Budget::Clock::time_point start = Budget::Clock::now();
    const HandlingStep& step = handling.step(hand.poses[i]);
    const std::chrono::duration<double> taken_for = Budget::Clock::now() - start;
    result.steps.push_back(told(step, hand.times[i], held.part_of));
    result.steps.back().seconds_taken = taken_for.count();
    simulation::append(result.path, step.motions, hand.times[i], kDeviation * result.clearance);
    progress.add_done();
  }
  if (result.steps.empty())  // stopped at once: a path of two equal poses
    simulation::append(result.path, {}, hand.times[1], 0);

  measure_start(study, parts, result);

  // Prove the path, by the code that proves any study.
  StudyOptions prove;
  prove.explain = false;
  prove.threads = options.threads;
  prove.budget = base::with_any_work(options.budget);
  if (options.budget.progress)
    prove.budget.progress = [&report = options.budget.progress, before = result.steps.size(),
                             all = hand.poses.size() - 1](std::size_t done, std::size_t total) {
      report(before + done, all + total);
    };
  result.proof = run_study(taken(study, result.group, result.path), parts, prove);
  result.verdict = result.steps.size() + 1 < hand.poses.size() ? StudyVerdict::interrupted
                                                               : result.proof.verdict;
}

}  // namespace

HandleResult handle(Study study, std::vector<Object> parts, HandPoses hand,
                    const HandleOptions& options) {
  check(study, parts, hand);
  HandleResult result;
  result.study = std::move(study);
  result.parts = std::move(parts);
  result.hand = std::move(hand);
  drag(options, result);
  return result;
}

}  // namespace touche
