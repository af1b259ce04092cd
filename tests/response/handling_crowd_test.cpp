// SPDX-License-Identifier: Apache-2.0
// A part among others, all of any kind, size and pose, in hands that jump, turn, tremble and stay:
// in all cases the motions keep the clearance, by queries that the hand does not make.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/handling.h"
#include "touche/reference.h"
#include "touche/shape.h"

namespace touche::handling_crowd_test {
namespace {

using test::scaled;

Object block(const Vec3& half) { return Object(scenes::box(-half, half, 1)); }

// Closed, open, of one triangle, of none that has an area, thin, or round.
NodeId add_anything(World& world, base::Random& random, double size, const Pose& pose,
                    const BodyOptions& options = {}) {
  const auto loose = [&](Index faces, bool flat) {
    std::vector<double> xyz;
    std::vector<Index> corners;
    for (Index v = 0; v < 3 * faces; ++v) {
      const Vec3 at = random.in_box(0.5 * size);
      const bool same = flat && v % 3 == 2;
      for (int k = 0; k < 3; ++k) xyz.push_back(at[k]);
      corners.push_back(same ? v - 1 : v);
    }
    return Object(PolygonSoup(xyz, corners));
  };
  switch (random.below(9)) {
    case 0:
      return world.add(block(size * Vec3(0.5, 0.3, 0.2)), pose, options);
    case 1:
      return world.add(Object(scenes::torus(0.5 * size, 0.15 * size, 12, 8)), pose, options);
    case 2:
      return world.add(loose(1, false), pose, options);
    case 3:
      return world.add(loose(8, false), pose, options);
    case 4:
      return world.add(loose(2, true), pose, options);
    case 5:
      return world.add(block(size * Vec3(0.6, 0.6, 1e-6)), pose, options);
    case 6:
      return world.add(Shape::sphere(0.4 * size), pose, options);
    case 7:
      return world.add(Shape::capsule(0.1 * size, size), pose, options);
    default:
      return world.add(Shape::cylinder(0.3 * size, 0.6 * size), pose, options);
  }
}

struct Crowd {
  World world;
  NodeId part;
  std::vector<NodeId> others;
  Vec3 origin = Vec3::Zero();
  double size = 1;
  HandlingOptions options;

  explicit Crowd(int seed) {
    base::Random random(static_cast<std::uint64_t>(seed));
    if (seed % 3 == 0) size = std::pow(10, random.uniform(-4, 4));
    if (seed % 4 == 0) origin = random.in_box(1e5 * size);
    options.tolerance = 1e-3 * size;
    options.clearance = 5e-3 * size;
    options.friction = seed % 2 == 0 ? 0 : 0.5;
    options.budget.max_work = seed % 5 == 3 ? 50 : seed % 5 == 4 ? 1000 : Budget::kUnlimited;
    part = add_anything(world, random, size, Pose::from_translation(origin));
    const int count = seed % 10 == 9 ? 100 : 1 + static_cast<int>(random.below(6));
    for (int k = 0; k < count; ++k) {
      const Vec3 axis = random.direction(), aside = random.direction();
      // Some touch it, or stand in it.
      const double off = seed % 6 == 5 && k == 0 ? random.uniform() : random.uniform(1.2, 2.2);
      others.push_back(add_anything(world, random, count == 100 ? 0.3 * size : size,
                                    Pose::from_axis_angle(axis, k, origin + off * size * aside),
                                    {.fixed = true}));
    }
  }

  // Jumps far away, into others and by half a turn; trembles; stays.
  Pose next(base::Random& random, const Pose& last) const {
    const Vec3 axis = random.direction();
    switch (random.below(5)) {
      case 0:
        return Pose::from_axis_angle(axis, random.uniform(0, 3.14),
                                     origin + random.in_box(1000 * size));
      case 1:
        return Pose::from_axis_angle(axis, 3, origin + random.in_box(2 * size));
      case 2:
        return Pose::from_translation(random.in_box(0.05 * size)) * last;
      case 3:
        return world.pose(others[random.below(static_cast<Index>(others.size()))]);
      default:
        return last;
    }
  }

  const Shape& shape(NodeId body) const { return world.shape(body); }
  double gap(const Pose& at, NodeId other) const {
    return distance(shape(part), at, shape(other), world.pose(other)).distance.upper;
  }
  double gap(const Pose& at) const {
    double least = kInfinity;
    for (const NodeId other : others) least = std::min(least, gap(at, other));
    return least;
  }

  /// Bodies that were apart keep the clearance, or half of the gap there was: by distances at many
  /// moments and by the time of impact, triangle by triangle where there are few.
  void expect_kept(const HandlingStep& step, double least, const std::vector<bool>& touched) const {
    const double keeps = least > options.clearance ? options.clearance : least / 2;
    const double rounding = 1e-13 * (origin.norm() + 1e3 * size);
    for (const Motion& motion : step.motions)
      for (std::size_t i = 0; i < others.size(); ++i) {
        if (touched[i]) continue;
        for (int k = 0; k <= 8; ++k)
          ASSERT_GE(gap(motion.pose(k / 8.0), others[i]), keeps - rounding) << i << ' ' << k;
        if (least == 0) continue;
        const ToiOptions how{.tolerance = 0.2 * keeps, .clearance = 0.5 * keeps};
        const Motion stands = Motion::at(world.pose(others[i]));
        const ToiStatus met =
            others.size() < 10
                ? brute_force::time_of_impact(shape(part), motion, shape(others[i]), stands, how)
                      .status
                : time_of_impact(shape(part), motion, shape(others[i]), stands, how).status;
        ASSERT_EQ(met, ToiStatus::free) << i;
      }
  }
};

double energy_left(const Handling& hand, const Pose& at, const Pose& target) {
  const MassProperties& mass = hand.mass();
  const Pose::AxisAngle turn = (target * at.inverse()).axis_angle();
  const Vec3 shift = target * mass.centre - at * mass.centre,
             rotation = at.matrix().transpose() * (turn.angle * turn.axis);
  return 0.5 * (shift.squaredNorm() + rotation.dot(mass.inertia * rotation) / mass.mass);
}

TEST(HandlingCrowd, WhateverIsHandedToItKeepsItsClearance) {
  int moved = 0, held_back = 0, arrived = 0, cut = 0, steps = 0;
  for (int seed = 1; seed <= scaled(16, 8); ++seed) {
    SCOPED_TRACE(seed);
    std::vector<std::uint64_t> bits[2];
    for (const int threads : {1, 2}) {
      Crowd crowd(seed);
      crowd.options.threads = threads;
      Handling hand(crowd.world, crowd.part, crowd.options);
      base::Random random(static_cast<std::uint64_t>(1000 + seed));
      Pose target = crowd.world.pose(crowd.part);
      for (int i = 0; i < 10; ++i) {
        const Pose before = crowd.world.pose(crowd.part);
        target = crowd.next(random, target);
        const double energy = energy_left(hand, before, target), least = crowd.gap(before);
        std::vector<bool> touched;
        for (const NodeId other : crowd.others) touched.push_back(crowd.gap(before, other) == 0);
        const HandlingStep& step = hand.step(target);
        for (int k = 0; k < 3; ++k)
          bits[threads - 1].push_back(std::bit_cast<std::uint64_t>(step.pose.translation()[k]));
        bits[threads - 1].push_back(std::bit_cast<std::uint64_t>(step.force.norm()));
        bits[threads - 1].push_back(step.motions.size() + (step.complete ? 100 : 0));
        if (threads == 2) continue;
        crowd.expect_kept(step, least, touched);
        if (testing::Test::HasFatalFailure()) return;
        ASSERT_TRUE(step.force.allFinite() && step.torque.allFinite());
        if (step.contacts.empty()) {
          ASSERT_EQ(step.force.norm() + step.torque.norm(), 0);
          ASSERT_NE(step.status, HandlingStatus::held_back);
        }
        if (crowd.options.budget.max_work == Budget::kUnlimited) {
          ASSERT_TRUE(step.complete);
        }
        // Contacts may need some room: that is all that a step takes from the hand.
        const double force = std::sqrt(2 * energy), room = 10 * crowd.options.tolerance;
        ASSERT_LE(energy_left(hand, step.pose, target), energy + room * (force + room)) << i;
        moved += step.motions.empty() ? 0 : 1;
        held_back += step.status == HandlingStatus::held_back ? 1 : 0;
        arrived += step.status == HandlingStatus::arrived ? 1 : 0;
        cut += step.complete ? 0 : 1;
        ++steps;
      }
    }
    EXPECT_EQ(bits[0], bits[1]);
  }
  EXPECT_GT(moved, steps / 3);
  EXPECT_GT(held_back, steps / 10);
  EXPECT_GT(arrived, steps / 10);
  EXPECT_GT(cut, 0);
}

}  // namespace
}  // namespace touche::handling_crowd_test
