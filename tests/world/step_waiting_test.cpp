// SPDX-License-Identifier: Apache-2.0
// Answers that wait in a step for their time: stale ones are dropped.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/data_access.h"
#include "random.h"
#include "world/step_data.h"

namespace touche::step_waiting_test {
namespace {

// Balls of a crowd bounce off each other some hundred times in a step. Each impact makes the
// answers for two balls stale, and few stale answers stay in the queue.
TEST(StepWaiting, AnswersThatAreOutOfDateGo) {
  constexpr int kRow = 24;
  scenes::Random random(4720);
  World world;
  Stepper stepper(world);
  std::map<NodeId, Vec3> velocities;
  for (int x = 0; x < kRow; ++x)
    for (int y = 0; y < kRow; ++y) {
      const Pose pose = Pose::from_translation({1.1 * x, 1.1 * y, 0});
      const NodeId node = world.add(Shape::sphere(0.5), pose);
      velocities[node] = 4 * random.in_box(1);
      stepper.move(node,
                   Motion::interpolated(pose, Pose::from_translation(velocities[node]) * pose));
    }
  const Stepper::Data& data = DataAccess::data(stepper);
  std::size_t most = 0, most_live = 0;
  StepOptions options{.tolerance = 1e-4, .policy = StepPolicy::respond, .max_responses = 100000};
  options.respond = [&](const StepContact& contact) {
    const std::size_t waiting = data.waiting.size();
    const auto live = static_cast<std::size_t>(
        std::count_if(data.waiting.begin(), data.waiting.end(),
                      [&](const Stepper::Data::Question& q) { return !data.is_stale(q); }));
    most = std::max(most, waiting);
    most_live = std::max(most_live, live);
    // Equal balls exchange what they have along their distance.
    Vec3 &a = velocities[contact.group_a], &b = velocities[contact.group_b];
    const Vec3 along = (contact.pose_b.translation() - contact.pose_a.translation()).normalized();
    const Vec3 change = std::max((a - b).dot(along), 0.0) * along;
    a -= change;
    b += change;
    const double rest = 1 - contact.pair.time.lower;
    const auto on = [&](const Pose& pose, const Vec3& velocity) {
      return Motion::interpolated(pose, Pose::from_translation(rest * velocity) * pose);
    };
    return std::vector<GroupMotion>{{contact.group_a, on(contact.pose_a, a)},
                                    {contact.group_b, on(contact.pose_b, b)}};
  };
  const StepResult& taken = stepper.run(options);
  EXPECT_GT(taken.stats.responses, 500U);
  EXPECT_LE(most, 2 * most_live + 128);
}

}  // namespace
}  // namespace touche::step_waiting_test
