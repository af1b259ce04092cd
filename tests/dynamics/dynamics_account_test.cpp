// SPDX-License-Identifier: Apache-2.0
// What a step reports accounts for the momentum of each body: forces, impacts, contacts, joints and
// corrections, in all parts of the step.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/random.h"
#include "dynamic_bodies.h"
#include "dynamic_scenes.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/dynamics.h"

namespace touche::dynamics_account_test {
namespace {

using namespace test;

/// Sums of a step, by nodes.
struct Sums {
  std::map<NodeId, Vec3> changes;
  std::map<NodeId, double> sizes;
  std::map<NodeId, int> terms;
  void add(NodeId node, const Vec3& change) {
    changes.try_emplace(node, Vec3::Zero()).first->second += change;
    sizes[node] += change.norm();
    ++terms[node];
  }
};

struct Counts {
  std::size_t impacts = 0, resting = 0, later = 0, limits = 0, motors = 0, corrections = 0;
  double worst = 0;  // of what acted on a body
};

/// The steps of a world, which are checked.
class Account : public Counts {
 public:
  Account(Dynamics& dynamics, const DynamicsOptions& options)
      : dynamics_(&dynamics), gravity_(options.gravity), tolerance_(options.tolerance) {}

  void apply_force(NodeId node, const Vec3& force) {
    dynamics_->apply_force(node, force);
    forces_.emplace_back(node, force);
  }

  // Joints hand on what they do not report, so joined bodies are checked together.
  const DynamicsResult& step(double dt) {
    std::map<NodeId, Velocity> before;
    std::map<NodeId, bool> slept;
    for (const NodeId node : dynamics_->nodes()) {
      before[node] = dynamics_->velocity(node);
      slept[node] = dynamics_->is_asleep(node);
    }
    const DynamicsResult& result = dynamics_->step(dt);
    Sums sums;
    for (const NodeId node : dynamics_->nodes()) {
      if (slept[node] && dynamics_->is_asleep(node)) {
        EXPECT_TRUE(dynamics_->velocity(node).linear.isZero(0));
        slept_.insert(node);
        continue;
      }
      const double mass = dynamics_->mass(node).mass;
      sums.add(node, dt * mass * gravity_);
      // What is reported must be the change.
      sums.add(node, -mass * dynamics_->velocity(node).linear);
      sums.add(node, mass * before[node].linear);
    }
    for (const auto& [node, force] : forces_) sums.add(node, dt * force);
    forces_.clear();
    bool met = !result.impacts.empty();
    for (const Impact& impact : result.impacts) {
      sums.add(impact.a, -impact.impulse);
      sums.add(impact.b, impact.impulse);
      impacts += !impact.impulse.isZero(0);
      EXPECT_LE(impact.time, dt);
    }
    for (const RestingContact& contact : result.contacts) {
      sums.add(contact.a, -dt * contact.force);
      sums.add(contact.b, dt * contact.force);
      EXPECT_GE(contact.time, 0);
      EXPECT_LE(contact.time, dt);
      later += contact.time > 0 && !contact.force.isZero(0);
      met = met || contact.time > 0;
      resting += contact.time == 0 && !contact.force.isZero(0);
    }
    for (const JointPush& push : result.pushes) {
      const Joint& joint = dynamics_->joint(push.joint);
      EXPECT_NEAR(push.axis.norm(), 1, 1e-12);
      limits += push.limit != 0;
      motors += push.motor != 0;
      if (joint.type != JointType::slider) continue;
      for (const double force : {push.motor, push.limit}) {
        sums.add(joint.a, -dt * force * push.axis);
        sums.add(joint.b, dt * force * push.axis);
      }
    }
    for (const MomentumCorrection& correction : result.corrections) {
      sums.add(correction.node, correction.impulse);
      ++corrections;
    }
    check_order(result);
    compare(dt, sums, met);
    return result;
  }

 private:
  static void check_order(const DynamicsResult& result) {
    const auto key = [](const RestingContact& c) {
      return std::tuple(c.a, c.b, c.feature_a.kind, c.feature_a.index, c.feature_b.kind,
                        c.feature_b.index, c.time);
    };
    for (std::size_t i = 1; i < result.contacts.size(); ++i)
      EXPECT_LT(key(result.contacts[i - 1]), key(result.contacts[i]));
    for (std::size_t i = 1; i < result.pushes.size(); ++i)
      EXPECT_LT(std::pair(result.pushes[i - 1].joint, result.pushes[i - 1].time),
                std::pair(result.pushes[i].joint, result.pushes[i].time));
    for (std::size_t i = 1; i < result.corrections.size(); ++i)
      EXPECT_LT(result.corrections[i - 1].node, result.corrections[i].node);
  }

  void compare(double dt, Sums& sums, bool met) {
    // Unites joined bodies. Of joints to what stands still the forces are known, unless bodies met
    // within the step.
    std::map<NodeId, NodeId> root;
    for (const NodeId node : dynamics_->nodes()) root[node] = node;
    const auto root_of = [&](NodeId node) {
      while (root[node] != node) node = root[node];
      return node;
    };
    std::set<NodeId> unknown;
    for (const JointId id : dynamics_->joints()) {
      const Joint& joint = dynamics_->joint(id);
      const bool has_a = root.count(joint.a) != 0, has_b = root.count(joint.b) != 0;
      if (has_a && has_b) {
        root[root_of(joint.a)] = root_of(joint.b);
        continue;
      }
      const Vec3 force = dynamics_->joint_state(id).force;
      if (has_b) sums.add(joint.b, dt * force);
      if (has_a) sums.add(joint.a, -dt * force);
      if (met) unknown.insert(has_a ? joint.a : joint.b);
    }
    std::set<NodeId> skipped;
    for (const NodeId node : unknown) skipped.insert(root_of(node));
    for (const NodeId node : slept_) skipped.insert(root_of(node));
    slept_.clear();
    Sums whole;
    std::map<NodeId, double> masses;
    for (const NodeId node : dynamics_->nodes()) {
      whole.add(root_of(node), sums.changes.try_emplace(node, Vec3::Zero()).first->second);
      whole.sizes[root_of(node)] += sums.sizes[node];
      whole.terms[root_of(node)] += sums.terms[node];
      masses[root_of(node)] += dynamics_->mass(node).mass;
    }
    for (const auto& [node, change] : whole.changes) {
      if (skipped.count(node) != 0 || change.isZero(0)) continue;
      // Velocities are solved to rounding of the speed that moves a body by a tolerance in the
      // step, so each term has that error, however slow the body is.
      const double rounding = std::numeric_limits<double>::epsilon() * whole.terms[node] *
                              masses[node] * tolerance_ / dt;
      if (change.norm() > rounding) worst = std::max(worst, change.norm() / whole.sizes[node]);
      EXPECT_LE(change.norm(), 1e-9 * whole.sizes[node] + rounding)
          << "node " << node.index << " changed by what nothing names, of " << whole.sizes[node]
          << ": " << change.transpose();
    }
  }

  Dynamics* dynamics_;
  Vec3 gravity_;
  double tolerance_;
  std::vector<std::pair<NodeId, Vec3>> forces_;
  std::set<NodeId> slept_;
};

/// Bodies of all kinds, some round, in a closed world or on a ground, some joined, some pushed.
struct Scene {
  World world;
  std::optional<Dynamics> dynamics;
  std::vector<NodeId> bodies;
  DynamicsOptions options;
  std::optional<NodeId> pusher;
  double dt = 1.0 / 60;

  explicit Scene(base::Random& random) {
    options.tolerance = std::pow(10, random.uniform(-4.5, -2.5));
    options.surface = {.restitution = 0, .friction = random.uniform(0, 1)};
    const bool falls = random.below(3) > 0;
    if (falls) {
      const double weight = random.uniform(2, 20);
      options.gravity = weight * (0.2 * random.in_box(1) - Vec3::UnitZ());
    }
    if (random.below(4) == 0) options.sleep_time = 0.1;
    dt = 1 / random.uniform(40, 200);
    dynamics.emplace(world, options);
    if (falls)
      world.add(random.below(2) == 0
                    ? Object(scenes::box(Vec3(-9, -9, -3), Vec3(9, 9, -1.6)))
                    : Object(scenes::box(Vec3::Constant(-2.2), Vec3::Constant(2.2))),
                {}, {.fixed = true});
    const Index count = 3 + random.below(6);
    for (Index i = 0; i < count; ++i) add(random, i);
    for (std::size_t i = 1; i < bodies.size(); ++i)
      if (random.below(4) == 0) join(random, bodies[i - 1], bodies[i]);
    if (random.below(4) == 0) join(random, {}, bodies[0]);
    if (random.below(4) == 0)
      pusher = world.add(Object(scenes::box(Vec3(-0.5, -2, -1), Vec3(0.5, 2, 1))),
                         Pose::from_translation({-3.2, 0, 0}));
  }

  void add(base::Random& random, Index i) {
    const double s = random.uniform(0.3, 0.6);
    const auto object = [&] {
      switch (random.below(5)) {
        case 0:
          return Object(scenes::torus(0.7 * s, 0.25 * s, 28, 26));
        case 1:
        case 2:
          return Object(scenes::cylinder(0.6 * s, s, 28));
        case 3:
          return ball(0.7 * s, 1280);
        default:
          const double y = random.uniform(0.1, 1.5);
          return box(s * Vec3(1, y, random.uniform(0.1, 1.5)));
      }
    }();
    const Vec3 cell(1.2 * (i % 3) - 1.2, 1.2 * (i / 3 % 3) - 1.2, 0);
    const Vec3 axis = random.below(2) == 0 ? Vec3(Vec3::UnitY()) : random.direction();
    bodies.push_back(world.add(object, Pose::from_axis_angle(axis, random.uniform(0, 3), cell)));
    const double restitution = random.below(2) == 0 ? 0 : random.uniform();
    dynamics->set_surface(bodies.back(),
                          {.restitution = restitution, .friction = random.uniform(0, 1)});
    const double density = std::pow(10, random.uniform(-1, 1));
    const Vec3 linear = random.in_box(random.below(3) == 0 ? 12 : 2),
               angular = random.in_box(random.below(3) == 0 ? 40 : 4);
    dynamics->add(bodies.back(), density, {linear, angular});
  }

  void join(base::Random& random, NodeId a, NodeId b) {
    const auto type = static_cast<JointType>(random.below(4));
    Joint joint{.type = type,
                .a = a,
                .b = b,
                .point = world.pose(b).translation(),
                .axis = random.direction()};
    if (type == JointType::hinge || type == JointType::slider) {
      if (random.below(2) == 0) {
        joint.least = -random.uniform(0, 0.5);
        joint.most = random.uniform(0, 0.5);
      }
      if (random.below(2) == 0)
        joint.motor = {.speed = random.uniform(-3, 3), .strength = random.uniform(0, 10)};
    }
    (void)dynamics->join(joint);
  }
};

/// Takes the steps of a random scene.
Counts run(std::uint64_t seed) {
  base::Random random(seed);
  Scene scene(random);
  Account account(*scene.dynamics, scene.options);
  for (int i = 0; i < 40 && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("step " + std::to_string(i));
    if (scene.pusher) {
      const Pose from = scene.world.pose(*scene.pusher);
      scene.dynamics->move(
          *scene.pusher,
          Motion::interpolated(from, Pose::from_translation({2 * scene.dt, 0, 0}) * from));
    }
    if (i % 8 == 0) account.apply_force(scene.bodies[0], random.in_box(5));
    (void)account.step(scene.dt);
  }
  return account;
}

TEST(DynamicsAccount, WhatIsReportedChangesMomentum) {
  Counts sum;
  const int scenes = scaled(300, 12);
  for (int n = 0; n < scenes; ++n) {
    SCOPED_TRACE(test::case_of_seed(n));
    const Counts one = run(3800 + test::first_seed() + static_cast<std::uint64_t>(n));
    if (HasFailure()) return;
    sum.impacts += one.impacts;
    sum.resting += one.resting;
    sum.later += one.later;
    sum.limits += one.limits;
    sum.motors += one.motors;
    sum.corrections += one.corrections;
    sum.worst = std::max(sum.worst, one.worst);
  }
  RecordProperty("worst", std::to_string(sum.worst));
  const auto many = static_cast<std::size_t>(scenes);
  EXPECT_GT(sum.impacts, 2 * many);
  EXPECT_GT(sum.resting, 2 * many);
  EXPECT_GT(sum.later, many);
  EXPECT_GT(sum.limits, 2 * many);
  EXPECT_GT(sum.motors, 2 * many);
  EXPECT_GT(sum.corrections, 2 * many);
}

// Up to 3e-4 of a momentum changed by what nothing named: in the first two, joints of bodies that
// turn far acted in directions that they have in the middle of the step; in the last one, the
// solver left friction at a contact that pressed no more.
TEST(DynamicsAccount, WhatJointsAndFrictionDoInRareStepsIsReported) {
  for (const std::uint64_t seed : {80'930, 5'003'990, 1'000'004'073}) {
    SCOPED_TRACE(seed);
    (void)run(seed);
  }
}

// Their steps are taken in up to 32 parts. The middle one hangs on nothing but its teeth and bore.
TEST(DynamicsAccount, GearsTellTheContactsOfAllParts) {
  const scenes::DynamicScene scene = scenes::gears();
  World world;
  const Vec3 gravity = 1e3 * scene.gravity;
  const DynamicsOptions options{.tolerance = scene.tolerance, .gravity = gravity};
  Dynamics dynamics(world, options);
  std::vector<NodeId> gears;
  for (const scenes::DynamicBody& body : scene.bodies) {
    const NodeId node =
        world.add(Object(scene.meshes[body.mesh].soup), body.pose, {.fixed = body.fixed});
    dynamics.set_surface(node, {.restitution = body.restitution, .friction = body.friction});
    if (body.fixed) continue;
    dynamics.add(node, 1e-9 * scene.density);
    gears.push_back(node);
  }
  dynamics.set_velocity(gears[0], {.linear = Vec3::Zero(), .angular = {0, 0, 40}});
  Account account(dynamics, options);
  std::set<double> times;
  for (int i = 0; i < 6; ++i)
    for (const RestingContact& contact : account.step(1.0 / 60).contacts)
      if (!contact.force.isZero(0)) times.insert(contact.time);
  EXPECT_GT(times.size(), 8U);
}

// A hinge that turns fast to its limit: the step has parts, and the joint's force, like the
// limit's torque, is that of all of them.
TEST(DynamicsAccount, APendulumTellsForceAndLimitOfAllParts) {
  World world;
  const Vec3 gravity(0, 0, -kGravity);
  Dynamics dynamics(world, {.tolerance = 1e-4, .gravity = gravity});
  const NodeId rod = world.add(box({1, 0.1, 0.1}));
  dynamics.add(rod, 1000.0);
  const JointId hinge = dynamics.join({.type = JointType::hinge,
                                       .b = rod,
                                       .point = {-0.5, 0, 0},
                                       .axis = -Vec3::UnitY(),
                                       .least = -1,
                                       .most = 1});
  dynamics.set_velocity(rod, {.linear = {0, 0, 30}, .angular = {0, -60, 0}});
  const MassProperties& mass = dynamics.mass(rod);
  const double dt = 1.0 / 30;
  double stopped = 0;
  for (int i = 0; i < 4; ++i) {
    const Velocity before = dynamics.velocity(rod);
    const DynamicsResult& result = dynamics.step(dt);
    Vec3 change = dt * (mass.mass * gravity + dynamics.joint_state(hinge).force);
    for (const MomentumCorrection& correction : result.corrections) change += correction.impulse;
    EXPECT_LT((mass.mass * (dynamics.velocity(rod).linear - before.linear) - change).norm(),
              1e-6 * mass.mass * 30)
        << i;
    for (const JointPush& push : result.pushes) stopped = std::min(stopped, dt * push.limit);
  }
  // It stops within the four steps: the limit takes all of the rotation about the joint.
  const double about_joint = mass.inertia(1, 1) + 0.25 * mass.mass;
  EXPECT_NEAR(stopped, -60 * about_joint, 0.05 * 60 * about_joint);
}

}  // namespace
}  // namespace touche::dynamics_account_test
