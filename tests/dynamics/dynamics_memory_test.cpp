// SPDX-License-Identifier: Apache-2.0
// Steps like the steps before them allocate a motion for each body, and little else.
#include <gtest/gtest.h>

#include <bit>

#include "counted_new.h"
#include "dynamic_bodies.h"

namespace touche {
namespace {

using namespace test;

constexpr std::size_t kSteps = 100;

// Counts the allocations of boxes beside each other.
std::size_t allocated(std::size_t count, bool on_ground) {
  World world;
  if (on_ground) (void)add_ground(world);
  Dynamics dynamics(world, {.tolerance = 1e-3, .gravity = {0, 0, -kGravity}, .threads = 1});
  for (std::size_t i = 0; i < count; ++i)
    dynamics.add(world.add(box({1, 1, 1}), at({2.0 * static_cast<double>(i), 0, 0.502})), 1000.0);
  std::size_t contacts = 0;
  for (int i = 0; i < 120; ++i) contacts += dynamics.step(1.0 / 60).contacts.size();
  EXPECT_EQ(contacts > 0, on_ground);
  const std::size_t before = test::allocations;
  for (std::size_t i = 0; i < kSteps; ++i) (void)dynamics.step(1.0 / 60);
  return test::allocations - before;
}

TEST(DynamicsMemory, OneMotionForEachBody) {
  for (const std::size_t count : {1, 2, 4, 8, 16}) {
    // Where nothing is near, the motion of each, one of the step, and now and then a larger table.
    EXPECT_LE(allocated(count, false), kSteps * (count + 1) + count + 10) << count;
    // At rest, one more of the step, and the list of pairs, which doubles until it holds them.
    const std::size_t doubled = std::bit_width(count) - 1;
    EXPECT_LE(allocated(count, true), kSteps * (count + 2 + doubled) + count + 10) << count;
  }
}

// A heavy box on a light one, whose contacts are solved directly in each step, for both slide.
TEST(DynamicsMemory, HeavyOnLightNeedsNoMore) {
  const auto allocated = [](double ratio) {
    World world;
    const Pose slope = Pose::from_axis_angle(Vec3::UnitY(), 0.4, Vec3::Zero());
    world.add(Object(scenes::box({-50, -50, -1}, {50, 50, 0})), slope, {.fixed = true});
    Dynamics dynamics(world, {.tolerance = 1e-4,
                              .gravity = {0, 0, -kGravity},
                              .surface = {.restitution = 0, .friction = 0.1},
                              .threads = 1});
    for (const double mass : {1.0, ratio})
      dynamics.add(world.add(box({1, 1, 1}), slope * at({0, 0, mass == 1 ? 0.5003 : 1.5006})),
                   mass);
    for (int i = 0; i < 60; ++i) (void)dynamics.step(1.0 / 60);
    const std::size_t before = test::allocations;
    for (std::size_t i = 0; i < kSteps; ++i) (void)dynamics.step(1.0 / 60);
    return test::allocations - before;
  };
  EXPECT_LE(allocated(1e5), allocated(1.5) + 20);
}

}  // namespace
}  // namespace touche
