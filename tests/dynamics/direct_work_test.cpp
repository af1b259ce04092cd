// SPDX-License-Identifier: Apache-2.0
// Islands share the work of the direct solver, and islands that it cannot solve are left out for
// some steps.
#include <gtest/gtest.h>

#include <vector>

#include "direct_scenes.h"
#include "random.h"

namespace touche::direct_work_test {
namespace {

using namespace direct_scenes;
using scenes::Random;

// Work ends where a step has had enough, and goes on in the next one.
TEST(DirectWork, WorkIsBounded) {
  base::Random random(3);
  const Scene dense = random_scene(random, dynamics::DirectContacts::kMostBodies, 900, 1e-4, 0.3);
  const Scene small = column(std::vector<double>{1, 1e4}, 0.1, 0.5);
  dynamics::DirectContacts direct;
  direct.begin_step();
  for (int i = 0; i < 50; ++i) {
    Scene scene = dense;
    if (!solve(direct, scene, 1e-9)) {
      for (std::size_t k = 0; k < dense.bodies.size(); ++k)
        EXPECT_EQ(scene.bodies[k].linear, dense.bodies[k].linear);
    }
  }
  Scene scene = small;
  EXPECT_FALSE(solve(direct, scene, 1e-9));
  EXPECT_EQ(scene.bodies[0].linear, small.bodies[0].linear);
  EXPECT_EQ(scene.contacts[0].normal.impulse, 0);
  direct.begin_step();
  EXPECT_TRUE(solve(direct, scene, 1e-9));
}

// An island that nothing solves takes no more than its share, though it comes first and is tried
// again and again: others are solved by what is theirs.
TEST(DirectWork, WhatNothingSolvesLeavesOthersTheirShare) {
  base::Random random(3);
  Scene both = random_scene(random, dynamics::DirectContacts::kMostBodies - 2, 900, 1e-4, 0.3);
  const std::size_t turning = append(both, hopeless());
  for (const Index i : {0, 7, 20})  // one island of both
    both.contacts.push_back(dynamics::solver_contact(both.bodies, i, static_cast<Index>(turning),
                                                     frame().col(0), Vec3::Zero(), Vec3::Zero(),
                                                     0.3));
  const std::size_t first = append(both, column(std::vector<double>{1, 1e5}, 0, 0.5));
  dynamics::DirectContacts direct;
  direct.begin_step();
  for (int i = 0; i < 100; ++i) {
    Scene scene = both;
    ASSERT_TRUE(solve(direct, scene, 1e-9)) << i;
    EXPECT_EQ(scene.bodies[0].linear, both.bodies[0].linear);
    EXPECT_NEAR(scene.bodies[first + 1].linear.norm(), 0, 1e-8) << i;
  }
}

// Whether the island was tried in a step and not solved.
bool step_in_vain(dynamics::DirectContacts& direct, const Scene& scene) {
  direct.begin_step();
  Scene other = scene;
  if (!direct.choose(other.bodies, other.contacts, 1e-9)) return false;
  for (int i = 0; i < 3; ++i) {  // as often as one likes in a step
    EXPECT_TRUE(direct.choose(other.bodies, other.contacts, 1e-9));
    EXPECT_FALSE(direct.solve(other.bodies, other.contacts, 1e-9));
  }
  EXPECT_EQ(other.bodies[1].linear, scene.bodies[1].linear);
  return true;
}

// An island that is not solved for long is left out for longer and longer.
TEST(DirectWork, WhatNothingSolvesRestsLongerAndLonger) {
  const Scene scene = hopeless();
  dynamics::DirectContacts direct;
  std::vector<int> tried;
  for (int step = -dynamics::DirectContacts::kPatientSteps; step < 80; ++step)
    if (step_in_vain(direct, scene)) tried.push_back(step);
  ASSERT_GT(tried.size(), dynamics::DirectContacts::kPatientSteps);
  tried.erase(tried.begin(), tried.begin() + dynamics::DirectContacts::kPatientSteps);
  EXPECT_EQ(tried, (std::vector<int>{0, 2, 6, 14, 30, 46, 62, 78}));
  // One of other bodies does not rest, though the last of them is the same.
  Scene other;
  other.bodies.emplace_back();
  EXPECT_EQ(append(other, column(std::vector<double>{1}, 0, 0.5)), 1U);
  direct.begin_step();
  EXPECT_TRUE(solve(direct, other, 1e-9));
}

// Steps are counted, not their parts.
TEST(DirectWork, RestIsCountedInSteps) {
  const Scene scene = hopeless();
  dynamics::DirectContacts direct;
  const auto tries = [&](int parts) {
    int count = 0;
    for (int part = 0; part < parts; ++part) {
      direct.begin_step(parts, part);
      Scene other = scene;
      if (!direct.choose(other.bodies, other.contacts, 1e-9)) continue;
      EXPECT_FALSE(direct.solve(other.bodies, other.contacts, 1e-9));
      ++count;
    }
    return count;
  };
  for (int step = 0; step < dynamics::DirectContacts::kPatientSteps; ++step) EXPECT_EQ(tries(4), 4);
  EXPECT_EQ(tries(2), 2);
  EXPECT_EQ(tries(3), 0);
  EXPECT_EQ(tries(1), 1);
}

// A step in which an island was solved once is no failure, and all counts begin anew after it.
TEST(DirectWork, ASuccessEndsRests) {
  const Scene scene = hopeless(), solvable = column(std::vector<double>{1, 1e4}, 0, 0.5);
  dynamics::DirectContacts direct;
  for (const bool first : {true, false}) {
    for (int step = 0; step < dynamics::DirectContacts::kPatientSteps; ++step)
      EXPECT_TRUE(step_in_vain(direct, scene)) << step;
    direct.begin_step();
    for (const bool solves : {first, !first}) {
      Scene other = solves ? solvable : scene;
      ASSERT_TRUE(direct.choose(other.bodies, other.contacts, 1e-9));
      EXPECT_EQ(direct.solve(other.bodies, other.contacts, 1e-9), solves);
    }
  }
  for (int step = 0; step <= dynamics::DirectContacts::kPatientSteps; ++step)
    EXPECT_TRUE(step_in_vain(direct, scene)) << step;
  EXPECT_FALSE(step_in_vain(direct, scene));
}

// Comparing each contact of a body with all others is work, too.
TEST(DirectWork, TiltsOfManyContactsAreCounted) {
  Scene scene = column(std::vector<double>{1, 1e4}, 0, 0.5);
  for (int i = 0; i < 3000; ++i) scene.contacts.push_back(scene.contacts[4]);
  dynamics::DirectContacts direct;
  int times = 0;
  for (direct.begin_step(); times < 100; ++times) {
    ASSERT_TRUE(direct.choose(scene.bodies, scene.contacts, 1e-9));
    if (!direct.allow_for_tilts(scene.bodies, scene.contacts)) break;
  }
  EXPECT_GE(times, 1);
  EXPECT_LT(times, 10);
  EXPECT_FALSE(direct.solve(scene.bodies, scene.contacts, 1e-9));
  direct.begin_step();
  ASSERT_TRUE(direct.choose(scene.bodies, scene.contacts, 1e-9));
  EXPECT_TRUE(direct.allow_for_tilts(scene.bodies, scene.contacts));
}

}  // namespace
}  // namespace touche::direct_work_test
