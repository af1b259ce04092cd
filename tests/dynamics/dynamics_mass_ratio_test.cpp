// SPDX-License-Identifier: Apache-2.0
// Heavy bodies on light ones, up to a million times: time goes on for them, what rests stays where
// it is, what slides slides together, and nothing wins energy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "dynamic_bodies.h"

namespace touche::dynamics_mass_ratio_test {
namespace {

using namespace test;

constexpr double kTolerance = 1e-4, kStep = 1.0 / 60, kFriction = 0.5;
constexpr double kGap = 3e-4;  // between bodies in the beginning

// Bodies on a slope, from the ground up; positions are in the frame of the slope.
struct Scene {
  World world;
  Pose slope;
  std::vector<NodeId> bodies;
  std::vector<double> densities;
  std::optional<Dynamics> dynamics;
  double lost = 0;
  double won = 0;                        // energy, in a step at most
  std::vector<RestingContact> contacts;  // of the last step

  explicit Scene(double angle = 0)
      : slope(Pose::from_axis_angle(Vec3::UnitY(), angle, Vec3::Zero())) {
    world.add(Object(scenes::box({-50, -50, -1}, {50, 50, 0})), slope, {.fixed = true});
  }
  void add_box(const Vec3& size, const Vec3& place, double mass) {
    bodies.push_back(world.add(box(size), slope * at(place)));
    densities.push_back(mass / size.prod());
  }
  void add_ball(double radius, const Vec3& place, double mass) {
    bodies.push_back(world.add(ball(radius), slope * at(place)));
    densities.push_back(mass / (4 * std::numbers::pi / 3 * radius * radius * radius));
  }
  void begin(double friction = kFriction, int threads = 1) {
    dynamics.emplace(world, DynamicsOptions{.tolerance = kTolerance,
                                            .gravity = {0, 0, -kGravity},
                                            .surface = {.restitution = 0, .friction = friction},
                                            .threads = threads});
    for (std::size_t i = 0; i < bodies.size(); ++i) dynamics->add(bodies[i], densities[i]);
  }
  void play(int steps) {
    for (int i = 0; i < steps; ++i) {
      const double before = energy(*dynamics);
      const DynamicsResult& result = dynamics->step(kStep);
      for (const LostTime& part : result.lost) lost += part.time;
      contacts = result.contacts;
      won = std::max(won, energy(*dynamics) - before);
      EXPECT_TRUE(world.touching_pairs().pairs.empty());
    }
  }
  std::vector<Vec3> places() const {
    std::vector<Vec3> all;
    for (const NodeId body : bodies)
      all.push_back(slope.inverse() * world.pose(body).translation());
    return all;
  }
  double weight() const {
    double sum = 0;
    for (const NodeId body : bodies) sum += kGravity * dynamics->mass(body).mass;
    return sum;
  }
  // After half a second in which they settle: for two seconds nothing moves or loses time.
  void expect_rest() {
    play(30);
    EXPECT_LE(won, kTolerance * weight());
    won = 0;
    const std::vector<Vec3> before = places();
    play(120);
    EXPECT_EQ(lost, 0);
    EXPECT_LE(won, 0.1 * kTolerance * weight());
    const std::vector<Vec3> after = places();
    for (std::size_t i = 0; i < after.size(); ++i)
      EXPECT_LT((after[i] - before[i]).norm(), 3 * kTolerance) << i;
    for (const NodeId body : bodies) EXPECT_LT(dynamics->velocity(body).linear.norm(), 1e-2);
  }
  // For as long all slide down the slope together, as fast as the heaviest alone.
  void expect_slide(double acceleration) {
    const std::vector<Vec3> before = places();
    play(150);
    EXPECT_EQ(lost, 0);
    EXPECT_LE(won, 1e-9 * weight());
    const double time = 150 * kStep, way = 0.5 * acceleration * time * (time + kStep);
    const std::vector<Vec3> after = places();
    for (std::size_t i = 0; i < after.size(); ++i)
      EXPECT_LT((after[i] - before[i] - Vec3(way, 0, 0)).norm(), 0.02) << i;
  }
};

void add_pair(Scene& scene, double below, double above) {
  scene.add_box({1, 1, 0.5}, {0, 0, 0.25 + kGap}, below);
  scene.add_box({1, 1, 0.5}, {0, 0, 0.75 + 2 * kGap}, above);
}
Vec3 around(int i, double height) {
  const double angle = 2 * std::numbers::pi * i / 3;
  return {std::cos(angle), std::sin(angle), height};
}

void add_plate_on_legs(Scene& scene, double ratio) {
  for (int i = 0; i < 3; ++i) scene.add_box({0.3, 0.3, 0.4}, around(i, 0.2 + kGap), 1);
  scene.add_box({4, 4, 0.5}, {0, 0, 0.65 + 2 * kGap}, ratio);
}

constexpr double kRatios[] = {1e2, 1e3, 1e4, 1e5, 1e6};

TEST(DynamicsMassRatio, ABoxOnALightOne) {
  for (const double ratio : kRatios) {
    SCOPED_TRACE(ratio);
    Scene scene;
    add_pair(scene, 1, ratio);
    scene.begin();
    scene.expect_rest();
  }
}

TEST(DynamicsMassRatio, ALightBoxOnAHeavyOne) {
  for (const double ratio : kRatios) {
    SCOPED_TRACE(ratio);
    Scene scene;
    add_pair(scene, ratio, 1);
    scene.begin();
    scene.expect_rest();
  }
}

TEST(DynamicsMassRatio, ABoxOnAStackOfFour) {
  for (const double ratio : kRatios) {
    SCOPED_TRACE(ratio);
    Scene scene;
    for (int i = 0; i < 5; ++i)
      scene.add_box(Vec3::Ones(), {0, 0, 0.5 + i + (i + 1) * kGap}, i < 4 ? 1 : ratio);
    scene.begin();
    scene.expect_rest();
  }
}

TEST(DynamicsMassRatio, EachBoxIsFarHeavierThanTheOneBelow) {
  for (const double ratio : kRatios) {
    SCOPED_TRACE(ratio);
    Scene scene;
    for (int i = 0; i < 5; ++i)
      scene.add_box(Vec3::Ones(), {0, 0, 0.5 + i + (i + 1) * kGap}, std::pow(ratio, 0.25 * i));
    scene.begin();
    scene.expect_rest();
  }
}

TEST(DynamicsMassRatio, APlateOnThreeBalls) {
  for (const double ratio : kRatios) {
    SCOPED_TRACE(ratio);
    Scene scene;
    for (int i = 0; i < 3; ++i) scene.add_ball(0.5, around(i, 0.5 + kGap), 1);
    scene.add_box({4, 4, 0.5}, {0, 0, 1.25 + 3 * kGap}, ratio);
    scene.begin();
    scene.expect_rest();
  }
}

TEST(DynamicsMassRatio, APlateOnThreeLegs) {
  for (const double ratio : kRatios) {
    SCOPED_TRACE(ratio);
    Scene scene;
    add_plate_on_legs(scene, ratio);
    scene.begin();
    scene.expect_rest();
  }
}

TEST(DynamicsMassRatio, FrictionHoldsThemOnASlope) {
  for (const double ratio : kRatios) {
    SCOPED_TRACE(ratio);
    Scene boxes(0.8 * std::atan(kFriction)), plate(0.8 * std::atan(kFriction));
    add_pair(boxes, 1, ratio);
    add_plate_on_legs(plate, ratio);
    for (Scene* const scene : {&boxes, &plate}) {
      scene->begin();
      scene->expect_rest();
    }
  }
}

// Beyond the angle of friction, and without friction. No light one is squeezed out from below a
// heavy one, though gaps between them are not the same at all corners.
TEST(DynamicsMassRatio, TheySlideTogether) {
  for (const double ratio : kRatios)
    for (const double friction : {0.0, kFriction}) {
      SCOPED_TRACE(testing::Message() << ratio << ", friction " << friction);
      const double angle = friction > 0 ? 1.3 * std::atan(friction) : 0.3;
      Scene boxes(angle), plate(angle);
      add_pair(boxes, 1, ratio);
      add_plate_on_legs(plate, ratio);
      for (Scene* const scene : {&boxes, &plate}) {
        scene->begin(friction);
        scene->expect_slide(kGravity * (std::sin(angle) - friction * std::cos(angle)));
      }
    }
}

// A door that lies on the ground, a chain on a box, and a rod that stands at its limit have
// contacts that act through joints. A heavy box on a light one far from all of them goes on as if
// it were alone.
TEST(DynamicsMassRatio, JointsOfOthersDoNotMatter) {
  for (const double ratio : {1e3, 1e5}) {
    SCOPED_TRACE(ratio);
    Scene alone, beside;
    for (Scene* const scene : {&alone, &beside}) add_pair(*scene, 1, ratio);
    World& world = beside.world;
    std::vector<NodeId> joined;
    for (int i = 0; i < 4; ++i)
      joined.push_back(world.add(box({0.5, 0.2, 0.2}), at({20 + 0.6 * i, 0, 0.1 + kGap})));
    const NodeId rod = world.add(box({0.1, 0.1, 1}), at({-20, 0, 2.5}));
    alone.begin();
    beside.begin();
    Dynamics& dynamics = *beside.dynamics;
    for (const NodeId body : joined) dynamics.add(body, 1.0);
    dynamics.add(rod, 1.0, {.linear = {0.5, 0, 0}, .angular = {0, 1, 0}});
    for (std::size_t i = 0; i + 1 < joined.size(); ++i)
      (void)dynamics.join({.type = JointType::ball,
                           .a = joined[i],
                           .b = joined[i + 1],
                           .point = {20.3 + 0.6 * static_cast<double>(i), 0, 0.1 + kGap}});
    (void)dynamics.join({.type = JointType::hinge,
                         .b = rod,
                         .point = {-20, 0, 3},
                         .axis = {0, 1, 0},
                         .least = -0.1,
                         .most = 0.1});
    std::size_t touching = 0;
    for (int i = 0; i < 150; ++i) {
      alone.play(1);
      beside.play(1);
      for (const RestingContact& contact : beside.contacts)
        touching += joined.front() <= std::max(contact.a, contact.b);
    }
    EXPECT_GT(touching, 500);
    EXPECT_EQ(alone.lost, 0);
    EXPECT_EQ(beside.lost, 0);
    const std::vector<Vec3> here = alone.places(), there = beside.places();
    for (std::size_t i = 0; i < here.size(); ++i) EXPECT_EQ(here[i], there[i]) << i;
  }
}

// A plate that a given motion pushes down without end presses a heavy plate on light legs: nothing
// solves that, and it has the lower numbers. A heavy box on a light one goes on.
TEST(DynamicsMassRatio, WhatNothingSolvesTakesNoTimeFromOthers) {
  std::vector<Vec3> places;
  for (const int threads : {1, 3}) {
    Scene scene;
    const Pose far = at({-20, 0, 0});
    for (const double x : {-1.6, -0.8, 0.0, 0.8, 1.6})
      for (const double y : {-1.6, -0.8, 0.0, 0.8, 1.6}) {
        scene.bodies.push_back(scene.world.add(box({0.3, 0.3, 0.4}), far * at({x, y, 0.2 + kGap})));
        scene.densities.push_back(1);
      }
    scene.bodies.push_back(scene.world.add(box({4, 4, 0.5}), far * at({0, 0, 0.65 + 2 * kGap})));
    const NodeId press = scene.world.add(box({4, 4, 0.5}), far * at({0, 0, 1.15 + 3 * kGap}));
    scene.densities.push_back(1e4);
    add_pair(scene, 1, 1e5);
    scene.begin(kFriction, threads);
    double lost = 0, of_pressed = 0;
    for (int i = 0; i < 20; ++i) {
      const Pose pose = scene.world.pose(press);
      scene.dynamics->move(press, Motion::interpolated(pose, at({0, 0, -0.02}) * pose));
      for (const LostTime& part : scene.dynamics->step(kStep).lost)
        (part.node > press ? lost : of_pressed) += part.time;
    }
    EXPECT_GT(of_pressed, 1);
    EXPECT_EQ(lost, 0);
    if (threads == 1) places = scene.places();
    const std::vector<Vec3> here = scene.places();
    for (std::size_t i = 0; i < here.size(); ++i) EXPECT_EQ(here[i], places[i]) << i;
  }
}

TEST(DynamicsMassRatio, ThreadsDoNotMatter) {
  Scene one, three;
  for (Scene* scene : {&one, &three}) {
    add_plate_on_legs(*scene, 1e5);
    scene->begin(0, scene == &one ? 1 : 3);
    scene->play(60);
  }
  EXPECT_EQ(one.lost, three.lost);
  const std::vector<Vec3> here = one.places(), there = three.places();
  for (std::size_t i = 0; i < here.size(); ++i) EXPECT_EQ(here[i], there[i]) << i;
}

}  // namespace
}  // namespace touche::dynamics_mass_ratio_test
