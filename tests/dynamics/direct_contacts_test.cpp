// SPDX-License-Identifier: Apache-2.0
// Contacts that are solved directly, beside all sets of contacts that may hold, and by the law
// itself.
#include "dynamics/direct_contacts.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "counted_new.h"
#include "direct_scenes.h"
#include "random.h"

namespace touche::direct_contacts_test {
namespace {

using namespace direct_scenes;
using scenes::Random;

// How fast a body of a column goes down its slope.
double speed_down(const dynamics::SolverBody& body) { return frame().col(0).dot(body.linear); }

// Mean velocity of each body after all contacts, by trying all sets that may hold: that of least
// energy of change where nothing pulls and nothing gets nearer. Rows of a set are independent, for
// one of these has it whenever there is a solution (Caratheodory).
std::optional<Eigen::VectorXd> by_all_sets(const Scene& scene) {
  const auto bodies = static_cast<Eigen::Index>(scene.bodies.size());
  const auto count = static_cast<Eigen::Index>(scene.contacts.size());
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(count, 6 * bodies), half = rows;
  Eigen::VectorXd missing(count), free(6 * bodies);
  Eigen::MatrixXd root = Eigen::MatrixXd::Zero(6 * bodies, 6 * bodies);
  for (Eigen::Index i = 0; i < bodies; ++i) {
    const dynamics::SolverBody& body = scene.bodies[static_cast<std::size_t>(i)];
    free.segment<3>(6 * i) = body.linear;
    free.segment<3>(6 * i + 3) = body.angular;
    if (body.inverse_mass == 0) continue;
    root.block<3, 3>(6 * i, 6 * i) = std::sqrt(body.inverse_mass) * Mat3::Identity();
    root.block<3, 3>(6 * i + 3, 6 * i + 3) = Mat3(body.inverse_inertia.llt().matrixL());
  }
  for (Eigen::Index k = 0; k < count; ++k) {
    const dynamics::SolverContact& c = scene.contacts[static_cast<std::size_t>(k)];
    const Vec3& n = c.normal.direction;
    rows.row(k).segment<3>(6 * c.a) -= n;
    rows.row(k).segment<3>(6 * c.a + 3) -= c.arm_a.cross(n);
    rows.row(k).segment<3>(6 * c.b) += n;
    rows.row(k).segment<3>(6 * c.b + 3) += c.arm_b.cross(n);
    missing[k] = c.least_speed - rows.row(k).dot(free);
  }
  half = rows * root;
  constexpr double kRounding = 1e-9;
  for (std::uint32_t set = 0; set < std::uint32_t{1} << count; ++set) {
    std::vector<Eigen::Index> held;
    for (Eigen::Index k = 0; k < count; ++k)
      if ((set >> k & 1) != 0) held.push_back(k);
    Eigen::VectorXd change = Eigen::VectorXd::Zero(6 * bodies);
    if (!held.empty()) {
      const Eigen::MatrixXd across = half(held, Eigen::all).transpose();
      const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(across);
      if (qr.rank() < static_cast<Eigen::Index>(held.size())) continue;
      const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> flat(across.transpose());
      change = flat.solve(missing(held));
      const Eigen::VectorXd impulses = qr.solve(change);
      // In the size of what each does to speeds.
      bool pushes = true;
      for (Eigen::Index i = 0; i < impulses.size(); ++i)
        pushes &= impulses[i] * across.col(i).norm() >= -kRounding * (1 + change.norm());
      if (!pushes) continue;
    }
    if (((half * change - missing).array() < -1e-8).any()) continue;
    return free + root * change;
  }
  return {};
}

// How far a contact is from the law: by the velocities of the points themselves.
struct Failure {
  double nearer = 0;       // than allowed, a speed
  double pull = 0;         // impulses, in units of all that the contact has
  double parting = 0;      // while it presses
  double beyond = 0;       // the limit of friction, in units of it
  double creep = 0;        // within the limit
  double not_against = 0;  // angle between sliding and friction
};
Failure failure(const Scene& scene) {
  Failure most;
  for (const dynamics::SolverContact& c : scene.contacts) {
    const dynamics::SolverBody &a = scene.bodies[c.a], &b = scene.bodies[c.b];
    const Vec3 speed = b.linear + b.angular.cross(c.arm_b) - a.linear - a.angular.cross(c.arm_a),
               impulse = dynamics::impulse_of(c), n = c.normal.direction;
    const double beyond = n.dot(speed) - c.least_speed, pressed = n.dot(impulse);
    const Vec3 sliding = speed - n.dot(speed) * n, friction = impulse - pressed * n;
    const double limit = c.friction * pressed;
    most.nearer = std::max(most.nearer, -beyond);
    most.pull = std::max(most.pull, -pressed);
    if (pressed > 1e-12) most.parting = std::max(most.parting, beyond);
    if (pressed > 1e-12 && c.friction > 0)
      most.beyond = std::max(most.beyond, friction.norm() / limit - 1);
    if (friction.norm() < (1 - 1e-6) * limit) most.creep = std::max(most.creep, sliding.norm());
    if (c.friction > 0 && pressed > 1e-12 && sliding.norm() > 1e-6)
      most.not_against =
          std::max(most.not_against, (friction.normalized() + sliding.normalized()).norm());
  }
  return most;
}

void expect_law(const Scene& scene, double small) {
  const Failure found = failure(scene);
  EXPECT_LE(found.nearer, small);
  EXPECT_LE(found.pull, 1e-9);
  EXPECT_LE(found.parting, small);
  EXPECT_LE(found.beyond, 1e-9);
  EXPECT_LE(found.creep, small);
  EXPECT_LE(found.not_against, 1e-3);
}

TEST(DirectContacts, WithoutFrictionTheSetThatHoldsIsFound) {
  int several = 0;
  constexpr int kScenes = 300;
  for (std::uint64_t seed = 1; seed <= kScenes; ++seed) {
    base::Random random(seed);
    const Index count = 1 + random.below(4);
    Scene scene = random_scene(random, count, 2 + static_cast<int>(random.below(7)),
                               seed % 2 == 0 ? 1 : 1e-6, 0);
    const std::optional<Eigen::VectorXd> wanted = by_all_sets(scene);
    ASSERT_TRUE(wanted) << seed;
    dynamics::DirectContacts direct;
    (void)solve(direct, scene, 1e-9);
    EXPECT_LE(failure(scene).nearer, 1e-8) << seed;
    several +=
        std::count_if(scene.contacts.begin(), scene.contacts.end(),
                      [](const dynamics::SolverContact& c) { return c.normal.impulse > 0; }) > 2;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(6 * i);
      EXPECT_LT((wanted->segment<3>(at) - scene.bodies[i].linear).norm(), 1e-6) << seed;
      EXPECT_LT((wanted->segment<3>(at + 3) - scene.bodies[i].angular).norm(), 1e-6) << seed;
    }
  }
  EXPECT_GT(several, 0.3 * kScenes);
}

// Also where heavy ones lie on light ones: below the angle of friction all stay, beyond it and
// without friction all slide together, by g (sin - friction cos).
TEST(DirectContacts, ColumnsFollowTheLaw) {
  const double angle = std::atan(0.5);
  for (const double ratio : {1e-6, 1e-3, 1., 1e3, 5e3, 1e5, 5e5, 1e6})
    for (const std::size_t height : {1, 2, 3, 6})
      for (const double slope : {0., 0.3 * angle, 0.9 * angle, 1.1 * angle, 1.3 * angle})
        for (const double friction : {0., 0.5}) {
          SCOPED_TRACE(testing::Message() << ratio << ", " << height << " boxes, slope " << slope
                                          << ", friction " << friction);
          std::vector<double> masses(height, 1);
          masses.back() = ratio;
          Scene scene = column(masses, slope, friction);
          dynamics::DirectContacts direct;
          EXPECT_TRUE(solve(direct, scene, 1e-7));
          // Where all slide by friction each contact between them is just at its limit.
          expect_law(scene, friction > 0 && slope > angle ? 1e-6 : 1e-7);
          const double speed =
              9.81 / 60 * std::max(0.0, std::sin(slope) - friction * std::cos(slope));
          for (std::size_t i = 0; i < height; ++i)
            EXPECT_NEAR(speed_down(scene.bodies[i]), speed, 1e-6);
        }
}

// Friction among bodies that lie across each other.
TEST(DirectContacts, WithFrictionTheLawHolds) {
  int chosen = 0, sliding = 0, sticking = 0, left = 0;
  constexpr int kScenes = 300;
  for (std::uint64_t seed = 1; seed <= kScenes; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed);
    Scene scene = random_scene(random, 1 + random.below(5), 2 + static_cast<int>(random.below(10)),
                               seed % 2 == 0 ? 1e-2 : 1e-5, random.uniform(0.1, 0.6));
    dynamics::DirectContacts direct;
    const Scene before = scene;
    if (!direct.choose(scene.bodies, scene.contacts, 1e-8)) {
      expect_law(scene, 2e-7);
      continue;
    }
    ++chosen;
    // Islands that are not solved stay as they are.
    if (!direct.solve(scene.bodies, scene.contacts, 1e-8)) {
      for (std::size_t i = 0; i < before.bodies.size(); ++i)
        EXPECT_EQ(scene.bodies[i].linear, before.bodies[i].linear);
    }
    if (direct.choose(scene.bodies, scene.contacts, 1e-7)) {
      ++left;
      continue;
    }
    expect_law(scene, 2e-7);
    for (const dynamics::SolverContact& c : scene.contacts)
      if (c.normal.impulse > 0) {
        const bool slides = std::hypot(c.tangents[0].impulse, c.tangents[1].impulse) >
                            0.999 * c.friction * c.normal.impulse;
        ++(slides ? sliding : sticking);
      }
  }
  EXPECT_GT(chosen, 0.9 * kScenes);
  EXPECT_LE(left, 0.01 * kScenes);
  EXPECT_GT(sliding, 100);
  EXPECT_GT(sticking, 30);
}

// If iterations converge, they end at the same velocities, except for rare sets of contacts for
// which the contact law has several solutions.
TEST(DirectContacts, AgreeWithPassesThatEnd) {
  int ended = 0, differ = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed);
    const Scene scene =
        random_scene(random, 1 + random.below(4), 2 + static_cast<int>(random.below(6)), 0.3,
                     random.uniform(0, 0.4));
    Scene passed = scene, direct = scene;
    int left = 20000;
    while (left > 0 && dynamics::pass(passed.bodies, passed.contacts, left % 2 == 0) > 1e-12)
      --left;
    if (left == 0) continue;
    ++ended;
    dynamics::DirectContacts solver;
    (void)solve(solver, direct, 1e-9);
    expect_law(direct, 2e-8);
    double difference = 0;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
      difference = std::max({difference, (passed.bodies[i].linear - direct.bodies[i].linear).norm(),
                             (passed.bodies[i].angular - direct.bodies[i].angular).norm()});
    differ += difference > 1e-6;
  }
  EXPECT_LE(differ, 0.01 * ended);
  EXPECT_GT(ended, 150);
}

TEST(DirectContacts, VelocitiesBelongToImpulses) {
  base::Random random(7);
  const Scene before = random_scene(random, 6, 20, 1e-2, 0.4);
  Scene after = before;
  dynamics::DirectContacts direct;
  ASSERT_TRUE(solve(direct, after, 1e-9));
  std::vector<dynamics::SolverBody> wanted = before.bodies;
  dynamics::apply_impulses(wanted, after.contacts);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_LT((wanted[i].linear - after.bodies[i].linear).norm(), 1e-10);
    EXPECT_LT((wanted[i].angular - after.bodies[i].angular).norm(), 1e-10);
  }
}

// An island of too many bodies stays as it is, and so does one that is solved already; others do
// not. Islands do not change each other.
TEST(DirectContacts, IslandsAreSolvedByThemselves) {
  const Scene alone = column(std::vector<double>{1, 1e4}, 0, 0.5);
  const Scene many =
      column(std::vector<double>(dynamics::DirectContacts::kMostBodies + 1, 1), 0, 0.5);
  Scene both = many;
  (void)append(both, alone);
  dynamics::DirectContacts direct;
  ASSERT_TRUE(solve(direct, both, 1e-9));
  Scene single = alone;
  ASSERT_TRUE(solve(direct, single, 1e-9));
  for (std::size_t i = 0; i < many.bodies.size(); ++i)
    EXPECT_EQ(both.bodies[i].linear, many.bodies[i].linear);
  for (std::size_t i = 0; i < single.bodies.size(); ++i)
    EXPECT_EQ(both.bodies[many.bodies.size() + i].linear, single.bodies[i].linear);
  EXPECT_FALSE(solve(direct, both, 1e-9));
}

// Nothing changes where a contact acts through joints, nor at contacts beside it; all is well with
// an island that has none.
TEST(DirectContacts, IslandsWithJointedContactsStayAsTheyAre) {
  const Scene free = column(std::vector<double>{1, 1e4}, 0, 0.5);
  Scene both = free;
  (void)append(both, free);
  const dynamics::JointedResponse response;
  for (const std::size_t jointed : {std::size_t{1}, free.contacts.size() + 6}) {
    Scene scene = both;
    scene.contacts[jointed].jointed = &response;
    dynamics::DirectContacts direct;
    ASSERT_TRUE(solve(direct, scene, 1e-9));
    const std::size_t stays = jointed < free.contacts.size() ? 0 : free.bodies.size();
    for (const std::size_t i : {0, 1}) {
      EXPECT_EQ(scene.bodies[stays + i].linear, free.bodies[i].linear);
      EXPECT_NEAR(scene.bodies[free.bodies.size() - stays + i].linear.norm(), 0, 1e-8);
    }
  }
}

TEST(DirectContacts, OnlyIslandsWithHeavyBodiesAreChosen) {
  const Scene alike = column(std::vector<double>{1, 50}, 0, 0.5);
  Scene both = alike;
  const Scene heavy = column(std::vector<double>{1, 200}, 0, 0.5);
  (void)append(both, heavy);
  dynamics::DirectContacts direct;
  EXPECT_FALSE(direct.choose(alike.bodies, alike.contacts, 1e-9, 100));
  const std::vector<dynamics::SolverBody> before = both.bodies;
  ASSERT_TRUE(solve(direct, both, 1e-9, 100));
  for (std::size_t i = 0; i < alike.bodies.size(); ++i)
    EXPECT_EQ(both.bodies[i].linear, before[i].linear);
  EXPECT_NEAR(both.bodies[alike.bodies.size() + 1].linear.norm(), 0, 1e-8);
}

// Friction between two that can move holds twice the largest angle between normals that are nearly
// alike. Nothing changes on what stands still, nor by normals that are far from alike.
TEST(DirectContacts, FrictionAllowsForTilts) {
  for (const double tilt : {0.0, 0.01, 0.03, 0.2}) {
    Scene scene = column(std::vector<double>{1, 1e3}, 0, 0.25);
    const dynamics::SolverContact& old = scene.contacts.back();
    const Vec3 normal =
        Eigen::AngleAxisd(tilt, frame().col(0)).toRotationMatrix() * old.normal.direction;
    scene.contacts.push_back(
        dynamics::solver_contact(scene.bodies, old.a, old.b, normal, old.arm_a, old.arm_b, 0.25));
    dynamics::DirectContacts direct;
    ASSERT_TRUE(direct.choose(scene.bodies, scene.contacts, 1e-9));
    ASSERT_TRUE(direct.allow_for_tilts(scene.bodies, scene.contacts));
    const double more = tilt < 0.1 ? std::max(2 * std::sin(tilt), 1e-3) : 1e-3;
    for (const dynamics::SolverContact& c : scene.contacts)
      EXPECT_NEAR(c.friction, c.a == 2 ? 0.25 : 0.25 + more, 1e-12) << tilt;
  }
}

// A light box between a heavy one and ice stays below it on a slope, though it is tilted by an
// angle that lets it go aside at a thousand times the heavy one's acceleration.
TEST(DirectContacts, NothingIsSqueezedOutByATilt) {
  Scene scene = column(std::vector<double>{1, 1e6}, 0.3, 0);
  for (dynamics::SolverContact& c : scene.contacts)
    if (c.b == 1)
      c = dynamics::solver_contact(
          scene.bodies, c.a, c.b,
          Eigen::AngleAxisd(1e-3, frame().col(1)).toRotationMatrix() * c.normal.direction, c.arm_a,
          c.arm_b, 0);
  Scene held = scene;
  dynamics::DirectContacts direct;
  ASSERT_TRUE(solve(direct, scene, 1e-8));
  EXPECT_GT((scene.bodies[0].linear - scene.bodies[1].linear).norm(), 50);
  ASSERT_TRUE(direct.choose(held.bodies, held.contacts, 1e-8));
  ASSERT_TRUE(direct.allow_for_tilts(held.bodies, held.contacts));
  ASSERT_TRUE(direct.solve(held.bodies, held.contacts, 1e-8));
  EXPECT_LT((held.bodies[0].linear - held.bodies[1].linear).norm(), 1e-3);
  EXPECT_NEAR(speed_down(held.bodies[1]), 9.81 / 60 * std::sin(0.3), 1e-3);
}

// A body that may only turn must come no nearer at a point where its rotation has no effect. Its
// other contacts could be solved, but not all of them, so all stay as they are.
TEST(DirectContacts, WhatCannotFollowTheLawStaysAsItIs) {
  Scene scene;
  dynamics::SolverBody falling{{0, 0, -1}}, turning{{0, 0, -1}};
  falling.inverse_mass = 1;
  falling.inverse_inertia = turning.inverse_inertia = Mat3::Identity();
  scene.bodies = {falling, turning, dynamics::SolverBody{}};
  const auto add = [&](Index a, Index b, const Vec3& arm) {
    scene.contacts.push_back(
        dynamics::solver_contact(scene.bodies, a, b, Vec3::UnitZ(), Vec3::Zero(), arm, 0.5));
  };
  add(1, 0, {0, 0, -1});
  add(2, 0, {0.5, 0, -1});
  add(2, 1, {0.5, 0.5, -1});
  Scene other = scene;
  dynamics::DirectContacts direct;
  ASSERT_TRUE(solve(direct, other, 1e-9));
  add(2, 1, {0, 0, -1});
  other = scene;
  ASSERT_TRUE(direct.choose(other.bodies, other.contacts, 1e-9));
  EXPECT_FALSE(direct.solve(other.bodies, other.contacts, 1e-9));
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    EXPECT_EQ(other.bodies[i].linear, scene.bodies[i].linear);
    EXPECT_EQ(other.bodies[i].angular, scene.bodies[i].angular);
  }
  for (const dynamics::SolverContact& c : other.contacts)
    EXPECT_EQ(dynamics::impulse_of(c), Vec3::Zero().eval());
}

TEST(DirectContacts, AllocateOnlyInTheBeginning) {
  dynamics::DirectContacts direct;
  const Scene scene = column(std::vector<double>{1, 1, 1e4}, 0.2, 0.5);
  Scene other = scene;
  ASSERT_TRUE(solve(direct, other, 1e-9));
  other = scene;
  const std::size_t before = test::allocations;
  ASSERT_TRUE(solve(direct, other, 1e-9));
  EXPECT_EQ(test::allocations, before);
}

}  // namespace
}  // namespace touche::direct_contacts_test
