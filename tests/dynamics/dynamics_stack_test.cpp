// SPDX-License-Identifier: Apache-2.0
// High stacks of boxes that are meshes, whose edges and corners lie exactly on each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "dynamic_bodies.h"
#include "test_scale.h"
#include "touche/dynamics.h"

namespace touche::dynamics_stack_test {
namespace {

using namespace test;

constexpr double kStep = 1.0 / 60, kTolerance = 1e-4;

struct Tower {
  World world;
  std::vector<NodeId> boxes;
  std::optional<Dynamics> dynamics;
  double mass = 0, least = 0, rise = 0;
  Vec3 from_ground = Vec3::Zero();  // impulses
  double slant = 0;                 // of normals between boxes

  Tower(int count, double offset, double friction, double of_ground) {
    const NodeId ground = add_ground(world);
    for (int i = 0; i < count; ++i)
      boxes.push_back(world.add(box({1, 1, 1}), at({offset * (i % 3), 0, 0.5003 + 1.0003 * i})));
    dynamics.emplace(world, DynamicsOptions{.tolerance = kTolerance,
                                            .gravity = {0, 0, -kGravity},
                                            .surface = {.restitution = 0, .friction = friction},
                                            .threads = 1});
    dynamics->set_surface(ground, {.restitution = 0, .friction = of_ground});
    for (const NodeId node : boxes) {
      dynamics->add(node, 1000.0);
      mass += dynamics->mass(node).mass;
    }
    least = energy(*dynamics);
  }
  void step() {
    const DynamicsResult& result = dynamics->step(kStep);
    EXPECT_TRUE(result.lost.empty());
    for (const RestingContact& contact : result.contacts) {
      const bool is_on_ground = std::find(boxes.begin(), boxes.end(), contact.a) == boxes.end();
      if (is_on_ground)
        from_ground += kStep * contact.force;
      else
        slant = std::max(slant, contact.normal.head<2>().norm());
    }
    rise = std::max(rise, energy(*dynamics) - least);
    least = std::min(least, energy(*dynamics));
  }
  // The solver leaves errors of a thousandth of the tolerance at each gap; this is the energy that
  // lifts all boxes by twice the sum of these. It was 13 to 21 J. A step that regains gaps may lift
  // them by a whole tolerance, which is more.
  double most_rise() const {
    return 2e-3 * kTolerance * static_cast<double>(boxes.size()) * mass * kGravity;
  }
  // The energy if all of them moved by a twentieth of the tolerance in a step, by which a contact
  // may fail unseen.
  double most_motion() const {
    const double speed = 0.05 * kTolerance / kStep;
    return 0.5 * mass * speed * speed;
  }
  Vec3 centre() const {
    Vec3 sum = Vec3::Zero();
    for (const NodeId node : boxes) sum += world.pose(node).translation();
    return sum / static_cast<double>(boxes.size());
  }
};

// Nothing pushes them sideways, so only rounding of the weight's impulses remains. Eight boxes slid
// by 0.28 m in 60 s.
TEST(DynamicsStack, OnAGroundWithoutFrictionItStaysWhereItIs) {
  const int steps = shortened(3600, 700);
  const double time = steps * kStep, rounding = std::numeric_limits<double>::epsilon() * kGravity;
  for (const int count : {7, 8, 10})
    for (const double offset : {0.0, 0.01}) {
      SCOPED_TRACE(testing::Message() << count << " boxes, " << offset);
      Tower tower(count, offset, 0.5, 0);
      const Vec3 centre = tower.centre();
      for (int i = 0; i < steps; ++i) tower.step();
      EXPECT_LT(tower.dynamics->momentum().head<2>().norm(), rounding * time * tower.mass);
      EXPECT_LT((tower.centre() - centre).head<2>().norm(), rounding * time * time);
      EXPECT_LT(tower.rise, tower.most_rise());
      EXPECT_LT(tower.dynamics->kinetic_energy(), tower.most_motion());
      EXPECT_LT(tower.slant, 1e-3);
    }
}

TEST(DynamicsStack, WithFrictionItComesToRest) {
  for (const int count : {8, 12})
    for (const double offset : {0.0, 0.01}) {
      SCOPED_TRACE(testing::Message() << count << " boxes, " << offset);
      Tower tower(count, offset, 0.5, 0.5);
      const Vec3 centre = tower.centre();
      for (int i = 0; i < shortened(3600, 700); ++i) tower.step();
      EXPECT_LT((tower.centre() - centre).head<2>().norm(), 5 * kTolerance);
      EXPECT_LT(tower.rise, tower.most_rise());
      EXPECT_LT(tower.dynamics->kinetic_energy(), tower.most_motion());
      EXPECT_LT(tower.slant, 1e-3);
    }
}

// Without friction between them they sway, and in the end fall. The ground is level, so all of them
// together never move sideways.
TEST(DynamicsStack, WithoutAnyFrictionItKeepsItsMomentum) {
  for (const int count : {6, 10}) {
    Tower tower(count, 0, 0, 0);
    for (int i = 0; i < shortened(1200, 700); ++i) tower.step();
    EXPECT_LT((tower.dynamics->momentum() - tower.from_ground).head<2>().norm(), 1e-9 * tower.mass);
  }
}

// Corners beside edges by less than the gap: the nearest points lean, the sides do not.
TEST(DynamicsStack, SidesThatLieOnEachOtherPushAlongTheirNormal) {
  for (const double shift : {0.0, 1e-6, -1e-6, 3e-6})
    for (const double turn : {0.0, 1e-5, 0.3}) {
      World world;
      const NodeId below = world.add(box({1, 1, 1}));
      const NodeId above =
          world.add(box({1, 1, 1}),
                    Pose::from_axis_angle(Vec3::UnitZ(), turn, {shift, -0.5 * shift, 1.0002}));
      Dynamics dynamics(world, {.tolerance = 1e-4, .gravity = {0, 0, -kGravity}});
      dynamics.add(above, 1000.0);
      const DynamicsResult& result = dynamics.step(kStep);
      EXPECT_GE(result.contacts.size(), 4U);
      Vec3 force = Vec3::Zero();
      for (const RestingContact& contact : result.contacts) {
        EXPECT_EQ(contact.a, below);
        EXPECT_LT((contact.normal - Vec3::UnitZ()).norm(), 1e-12)
            << shift << ' ' << turn << ": " << contact.normal.transpose();
        EXPECT_NEAR(contact.distance, 2e-4, 1e-12);
        force += contact.force;
      }
      EXPECT_NEAR(force.z(), 1000 * kGravity, 0.1);
    }
}

}  // namespace
}  // namespace touche::dynamics_stack_test
