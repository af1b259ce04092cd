// SPDX-License-Identifier: Apache-2.0
// A step of a world whose model is brought along.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "model_world.h"
#include "touche/step.h"

namespace touche::test {

// Where a group is that went so far: computed as the step does, to the last bit.
inline Pose pose_after(const Motion& motion, double reached, StepPolicy policy) {
  const Pose pose = motion.pose(reached);
  return reached < 1 && policy == StepPolicy::each ? Motion::at(pose).pose(1) : pose;
}

/// Takes a step and gives the model the poses of its groups. Describes what is wrong if one is
/// elsewhere, or if bodies touch that did not before.
inline std::string step_of_both(Stepper& stepper, const World& world, ModelWorld& model,
                                std::span<const GroupMotion> given, const StepOptions& options) {
  const auto is = [](const Pose& x, const Pose& y) {
    return x.rotation().coeffs() == y.rotation().coeffs() && x.translation() == y.translation();
  };
  const TouchingPairs before = model.touching_pairs();
  for (const GroupMotion& g : given) stepper.move(g.node, g.motion);
  const StepResult& step = stepper.run(options);
  const auto depth = [&](NodeId id) {
    int above = 0;
    for (auto node = model.parent(id); node; node = model.parent(*node)) ++above;
    return above;
  };
  std::vector<std::size_t> order(given.size());  // parents first
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    return depth(given[x].node) < depth(given[y].node);
  });
  for (const std::size_t i : order) {
    if (options.policy == StepPolicy::report) break;
    const auto& [node, motion] = given[i];
    const Pose pose = pose_after(motion, step.groups[i].reached, options.policy);
    if (step.groups[i].node != node ||
        (pose.translation() - world.pose(node).translation()).norm() > 1e-9)
      return "step: pose";
    if (!is(pose, model.pose(node))) model.set_pose(node, pose);
  }
  for (const TouchingPair& pair : model.touching_pairs().pairs)
    if (std::none_of(before.pairs.begin(), before.pairs.end(),
                     [&](const TouchingPair& p) { return p.a == pair.a && p.b == pair.b; }))
      return "step: contact";
  return {};
}

}  // namespace touche::test
