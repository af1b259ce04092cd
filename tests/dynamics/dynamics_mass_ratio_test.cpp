// SPDX-License-Identifier: Apache-2.0
// Heavy bodies on light ones, up to a million times: time goes on for them, what rests stays where
// it is, what slides slides together, and nothing wins energy.
#include <gtest/gtest.h>

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

// Bodies on a slope, from the ground up; places are seen from the slope.
struct Scene {
  World world;
  Pose slope;
  std::vector<NodeId> bodies;
  std::vector<double> densities;
  std::optional<Dynamics> dynamics;
  double lost = 0;
  double won = 0;  // energy, in a step at most

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
      for (const LostTime& part : dynamics->step(kStep).lost) lost += part.time;
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
