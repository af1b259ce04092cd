// SPDX-License-Identifier: Apache-2.0
// Free bodies of flat faces that spin by up to 400 rad/s meet: energy, momentum and angular
// momentum.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <optional>
#include <random>

#include "dynamic_bodies.h"
#include "test_scale.h"

namespace touche::dynamics_elastic_test {
namespace {

using namespace test;

constexpr double kStep = 1.0 / 60;
// Relative. The second is for bodies that are moved to regain a gap, which limits of energy allow.
constexpr double kKept = 1e-10, kGrown = 3e-9;

/// Two boxes, rods or plates that move towards each other.
class Encounter {
 public:
  Encounter(std::uint64_t seed, double restitution, double friction) : random_(seed) {
    const double tolerance = log(1e-6, 1e-3);
    dynamics_.emplace(
        world_,
        DynamicsOptions{.tolerance = tolerance, .surface = {restitution, friction}, .threads = 1});
    for (const double side : {-1.0, 1.0}) {
      const Vec3 size = random_size(), axis = vector();
      const double angle = uniform(0, 3);
      const Vec3 place = Vec3(1.5 * side, 0, 0) + 0.3 * vector();
      const NodeId body = world_.add(box(size), Pose::from_axis_angle(axis, angle, place));
      const double density = log(100, 10000), spin = log(0.01, 400);
      const Vec3 about = vector().normalized();
      const double speed = log(1, 10);
      const Vec3 linear = Vec3(-side * speed, 0, 0) + 0.1 * vector();
      dynamics_->add(body, density, {.linear = linear, .angular = spin * about});
      const double momentum = dynamics_->mass(body).mass * linear.norm();
      momentum_size += momentum;
      turning_size += 1.5 * momentum;
    }
    turning_size += dynamics_->angular_momentum().norm();
  }
  World& world() { return world_; }
  Dynamics& dynamics() { return *dynamics_; }
  double momentum_size = 0, turning_size = 0;  // of what is kept

 private:
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  double log(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }
  Vec3 vector() {
    const double x = uniform(-1, 1), y = uniform(-1, 1), z = uniform(-1, 1);
    return {x, y, z};
  }
  Vec3 random_size() {
    switch (static_cast<int>(uniform(0, 4))) {
      case 0:
        return {1, 1, 1};
      case 1: {
        const double x = uniform(0.3, 1.2), y = uniform(0.3, 1.2), z = uniform(0.3, 1.2);
        return {x, y, z};
      }
      case 2:
        return {0.1, 0.15, 1.6};
      default:
        return {1.2, 0.9, 0.08};
    }
  }

  std::mt19937_64 random_;
  World world_;
  std::optional<Dynamics> dynamics_;
};

/// Whether they meet, and do no more than that, in some step: it is the last one.
bool meets(Encounter& both) {
  for (int i = 0; i < 60; ++i) {
    const DynamicsResult& step = both.dynamics().step(kStep);
    if (!step.contacts.empty() || !step.lost.empty()) return false;
    if (!step.impacts.empty()) return true;
  }
  return false;
}

/// Calls look(both, i) for encounters that end with an impact.
template <class Look>
void after_impacts(const Look& look) {
  std::size_t met = 0;
  for (int i = 0; i < scaled(200, 40); ++i) {
    Encounter both(static_cast<std::uint64_t>(i), 1, 0);
    if (!meets(both)) continue;
    ++met;
    look(both, i);
  }
  EXPECT_GT(met, 10U);
}

struct Counts {
  std::size_t runs = 0, impacts = 0, waited = 0;
};

// Until they are pressed together, or lose time.
void expect_kept(std::uint64_t seed, double restitution, double friction, Counts& counts) {
  Encounter both(seed, restitution, friction);
  Dynamics& dynamics = both.dynamics();
  const Vec3 momentum = dynamics.momentum(), turning = dynamics.angular_momentum();
  const double start = dynamics.kinetic_energy();
  double last = start;
  ++counts.runs;
  for (int i = 0; i < 60; ++i) {
    const DynamicsResult& step = dynamics.step(kStep);
    const double now = dynamics.kinetic_energy();
    ASSERT_LE(now, last * (1 + kKept)) << seed << ", step " << i;
    last = now;
    ASSERT_LE((dynamics.momentum() - momentum).norm(), kKept * both.momentum_size) << seed;
    if (!step.contacts.empty()) break;
    ASSERT_LE((dynamics.angular_momentum() - turning).norm(), kKept * both.turning_size)
        << seed << ", step " << i;
    if (restitution == 1 && friction == 0) {
      ASSERT_NEAR(now, start, kKept * start) << seed << ", step " << i;
    }
    counts.impacts += step.impacts.size();
    if (step.lost.empty()) continue;
    ++counts.waited;
    break;
  }
}

// An impact within half a radian of a flight took up to a thirtieth.
TEST(DynamicsElastic, WithoutFrictionImpactsKeepAll) {
  Counts counts;
  for (int i = 0; i < scaled(1000, 100) && !HasFatalFailure(); ++i)
    expect_kept(static_cast<std::uint64_t>(i), 1, 0, counts);
  EXPECT_GT(counts.impacts, counts.runs);
  EXPECT_LE(25 * counts.waited, counts.runs);
}

TEST(DynamicsElastic, WithFrictionMomentumIsKept) {
  Counts counts;
  for (const auto& [restitution, friction] : {std::array{1.0, 0.4}, {0.5, 0.0}, {0.7, 0.3}})
    for (int i = 0; i < scaled(250, 30) && !HasFatalFailure(); ++i)
      expect_kept(static_cast<std::uint64_t>(i), restitution, friction, counts);
  EXPECT_GT(counts.impacts, counts.runs);
}

// They meet three times in a step. Each time they were left nearer to each other, though they came
// apart in between, and were stopped for the rest of the step.
TEST(DynamicsElastic, WhoMeetsOftenInAStepIsNotStopped) {
  for (const std::uint64_t seed : {293, 474, 546, 1012}) {
    Encounter both(seed, 1, 0);
    Dynamics& dynamics = both.dynamics();
    const Vec3 turning = dynamics.angular_momentum();
    const double start = dynamics.kinetic_energy();
    for (int i = 0; i < 60; ++i) {
      ASSERT_TRUE(dynamics.step(kStep).lost.empty()) << seed << ", step " << i;
      ASSERT_NEAR(dynamics.kinetic_energy(), start, kKept * start) << seed << ", step " << i;
    }
    EXPECT_LE((dynamics.angular_momentum() - turning).norm(), kKept * both.turning_size) << seed;
  }
}

// An impact within a piece of a flight leaves bodies whose poses lag behind their momenta. One that
// got its own velocity won up to a fiftieth of its energy.
TEST(DynamicsElastic, AVelocityThatIsSetIsTheOneThatIsTold) {
  after_impacts([](Encounter& both, int i) {
    Dynamics& dynamics = both.dynamics();
    const double energy = dynamics.kinetic_energy();
    const Vec3 momentum = dynamics.momentum(), turning = dynamics.angular_momentum();
    for (const NodeId node : dynamics.nodes()) dynamics.set_velocity(node, dynamics.velocity(node));
    EXPECT_NEAR(dynamics.kinetic_energy(), energy, 1e-12 * energy) << i;
    EXPECT_LE((dynamics.momentum() - momentum).norm(), 1e-12 * both.momentum_size) << i;
    EXPECT_LE((dynamics.angular_momentum() - turning).norm(), 1e-12 * both.turning_size) << i;
  });
}

// They begin to count with their poses then. A joint at the centre of mass takes no turning.
TEST(DynamicsElastic, WhoIsJoinedAfterAnImpactWinsNothing) {
  after_impacts([](Encounter& both, int i) {
    Dynamics& dynamics = both.dynamics();
    for (const NodeId node : dynamics.nodes()) {
      (void)dynamics.join(
          {.type = JointType::ball, .a = node, .point = both.world().pose(node).translation()});
      dynamics.set_velocity(node, {.angular = dynamics.velocity(node).angular});
    }
    const double energy = dynamics.kinetic_energy();
    (void)dynamics.step(1e-7);
    EXPECT_LE(dynamics.kinetic_energy(), energy * (1 + 1e-7)) << i;
  });
}

// The first of these won energy by contacts that moved them and gave them no speed, the next by
// gaps that were regained.
TEST(DynamicsElastic, WhoStaysTogetherWinsNothing) {
  const auto never_grows = [](std::uint64_t seed, double friction) {
    Encounter both(seed, 0, friction);
    double last = both.dynamics().kinetic_energy();
    for (int i = 0; i < 60; ++i) {
      (void)both.dynamics().step(kStep);
      const double now = both.dynamics().kinetic_energy();
      ASSERT_LE(now, last * (1 + kGrown)) << seed << ", step " << i;
      last = now;
    }
  };
  for (const std::uint64_t seed : {3737, 4441, 4350, 1522, 1554}) never_grows(seed, 0.4);
  for (int i = 0; i < scaled(200, 20) && !HasFatalFailure(); ++i)
    never_grows(static_cast<std::uint64_t>(i), i % 2 == 0 ? 0 : 0.4);
}

}  // namespace
}  // namespace touche::dynamics_elastic_test
