// SPDX-License-Identifier: Apache-2.0
// What was made of a world stays valid when the world is moved or destroyed.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <utility>

#include "step_cases.h"
#include "touche/dynamics.h"
#include "touche/handling.h"
#include "touche/response.h"

namespace touche::world_sharing_test {
namespace {

using test::at;
using test::cube;
using test::kTolerance;
using test::shifted;
using test::with;

struct Scene {
  World world;
  NodeId part = world.add(cube(), at(0));
  NodeId wall = world.add(cube(), at(2), {.fixed = true});
};

TEST(WorldSharing, AStepperFollowsItsWorld) {
  Scene scene;
  Stepper stepper(scene.world);
  World moved = std::move(scene.world);
  stepper.move(scene.part, shifted(moved, scene.part, {4, 0, 0}));
  const StepResult& step = stepper.run(with(StepPolicy::each));
  ASSERT_EQ(step.contacts.size(), 1U);
  EXPECT_EQ(step.contacts[0].b, scene.wall);
  EXPECT_NEAR(moved.pose(scene.part).translation().x(), 1, 2 * kTolerance);
  // Another stepper of the same world, and a body that is added to it.
  const NodeId other = moved.add(cube(), at(0.9, 3), {.fixed = true});
  Stepper second(moved);
  second.move(scene.part, shifted(moved, scene.part, {0, 4, 0}));
  const StepResult& up = second.run(with(StepPolicy::each));
  ASSERT_EQ(up.contacts.size(), 1U);
  EXPECT_EQ(up.contacts[0].b, other);
}

TEST(WorldSharing, AStepperOutlivesItsWorld) {
  std::optional<Scene> scene(std::in_place);
  Stepper stepper(scene->world);
  stepper.move(scene->part, shifted(scene->world, scene->part, {4, 0, 0}));
  scene.reset();
  EXPECT_EQ(stepper.run(with(StepPolicy::each)).contacts.size(), 1U);
}

TEST(WorldSharing, AWorldThatIsAssignedToIsAnotherOne) {
  Scene scene;
  Stepper stepper(scene.world);
  const Motion motion = shifted(scene.world, scene.part, {4, 0, 0});
  scene.world = World();
  EXPECT_EQ(scene.world.body_count(), 0U);
  stepper.move(scene.part, motion);
  EXPECT_EQ(stepper.run(with(StepPolicy::each)).contacts.size(), 1U);
  EXPECT_EQ(scene.world.body_count(), 0U);
}

TEST(WorldSharing, AResponseOutlivesTheWorldsName) {
  auto world = std::make_unique<World>();
  const NodeId part = world->add(cube(), at(0, 0, 0.7));
  world->add(Object(scenes::box({-9, -9, -1}, {9, 9, 0}, 1)), {}, {.fixed = true});
  Stepper stepper(*world);
  StepOptions options = with(StepPolicy::respond);
  options.respond = slide_response(*world, 2 * kTolerance);
  const World moved = std::move(*world);
  world.reset();
  for (int i = 0; i < 2; ++i) {
    stepper.move(part, shifted(moved, part, {1, 0, -1}));
    EXPECT_EQ(stepper.run(options).groups[0].reached, 1);
  }
  EXPECT_LT((moved.pose(part).translation() - Vec3(2, 0, 0.5)).norm(), 4 * kTolerance);
}

TEST(WorldSharing, DynamicsAndHandsOutliveTheirWorld) {
  auto world = std::make_unique<World>();
  const NodeId falling = world->add(Shape::sphere(0.5), at(0, 0, 5));
  const NodeId held = world->add(cube(), at(5));
  Dynamics dynamics(*world, {.tolerance = kTolerance, .gravity = {0, 0, -9.81}});
  dynamics.add(falling, 1000.0);
  Handling hand(*world, held, {.tolerance = kTolerance, .clearance = 0.01});
  World moved = std::move(*world);
  world.reset();
  (void)dynamics.step(0.1);
  EXPECT_LT(moved.pose(falling).translation().z(), 5);
  EXPECT_EQ(hand.step(at(6)).status, HandlingStatus::arrived);
  EXPECT_NEAR(moved.pose(held).translation().x(), 6, 2 * kTolerance);
  { const World gone = std::move(moved); }
  (void)dynamics.step(0.1);
  EXPECT_LT(dynamics.velocity(falling).linear.z(), -1.5);
  EXPECT_EQ(hand.step(at(7)).status, HandlingStatus::arrived);
}

}  // namespace
}  // namespace touche::world_sharing_test
