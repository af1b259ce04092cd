// SPDX-License-Identifier: Apache-2.0
// Steps of a hand that repeat earlier ones allocate nothing.
#include <gtest/gtest.h>

#include <cmath>

#include "counted_new.h"
#include "shapes.h"
#include "touche/handling.h"

namespace touche {
namespace {

// A ball of many faces is drawn in circles through a floor and two walls: in the air, along them
// and in their corner.
TEST(HandlingMemory, StepsLikeThoseBeforeAllocateNothing) {
  World world;
  const NodeId ball =
      world.add(Object(scenes::sphere(0.5, 1000)), Pose::from_translation({0, 0, 1}));
  world.add(Object(scenes::box({-20, -20, -1}, {20, 20, 0}, 4)), {}, {.fixed = true});
  world.add(Object(scenes::box({1, -20, 0}, {2, 20, 10}, 4)), {}, {.fixed = true});
  world.add(Object(scenes::box({-20, 1, 0}, {20, 2, 10}, 4)), {}, {.fixed = true});
  for (const double friction : {0.0, 0.5}) {
    Handling hand(world, ball,
                  {.tolerance = 1e-3, .clearance = 0.01, .friction = friction, .threads = 1});
    std::size_t contacts = 0, motions = 0;
    const auto circle = [&] {
      constexpr int kSteps = 40;
      for (int i = 0; i < kSteps; ++i) {
        const double angle = 2 * std::acos(-1) * i / kSteps;
        const HandlingStep& step = hand.step(Pose::from_axis_angle(
            {1, 2, 3}, angle, {0.8 * std::cos(angle), 0.8 * std::sin(angle), 0.6 - 0.3 * angle}));
        contacts += step.contacts.size();
        motions += step.motions.size();
      }
    };
    // The first circle begins elsewhere; what pairs have cost is learnt in some more.
    for (int i = 0; i < 6; ++i) circle();
    contacts = motions = 0;
    const std::size_t before = test::allocations;
    circle();
    EXPECT_EQ(test::allocations, before) << friction;
    EXPECT_GT(contacts, 20U);
    EXPECT_GT(motions, 20U);
  }
}

}  // namespace
}  // namespace touche
