// SPDX-License-Identifier: Apache-2.0
// Impacts at hundreds of contacts, which are solved at a few of them, compared with iterations over
// all.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>
#include <vector>

#include "dynamics/impact.h"

namespace touche::impact_at_many_test {
namespace {

struct Falling {
  std::vector<dynamics::SolverBody> bodies =
      std::vector<dynamics::SolverBody>(2);  // the first one is held
  std::vector<dynamics::SolverContact> contacts;

  Falling(std::uint32_t seed, int count, double friction) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> any(-1, 1);
    const auto vector = [&] { return Vec3(any(random), any(random), any(random)); };
    dynamics::SolverBody& body = bodies[1];
    body.inverse_mass = 2;
    body.inverse_inertia = Vec3(3, 5, 4).asDiagonal();
    body.linear = vector() - 2 * Vec3::UnitZ();
    body.angular = 3 * vector();
    for (int i = 0; i < count; ++i) {
      const Vec3 normal = (Vec3::UnitZ() + 0.8 * vector()).normalized();
      contacts.push_back(
          dynamics::solver_contact(bodies, 0, 1, normal, vector(), vector(), friction));
    }
  }
  double coming() const {
    double most = 0;
    for (const dynamics::SolverContact& c : contacts)
      most = std::max(most, -dynamics::speed_along(c.normal, bodies[0], bodies[1]));
    return most;
  }
  double energy() const {
    const dynamics::SolverBody& b = bodies[1];
    return b.linear.squaredNorm() / b.inverse_mass +
           b.angular.dot(b.inverse_inertia.inverse() * b.angular);
  }
};

TEST(ImpactAtMany, IsThatOfPassesOverAllPlaces) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    Falling few(seed, 300, 0), all = few;
    ASSERT_GT(few.coming(), 0.5);
    dynamics::ContactSolver solver;
    dynamics::solve_impact(few.bodies, few.contacts, 0, solver);
    for (int i = 0; i < 100'000 && dynamics::pass(all.bodies, all.contacts, i % 2 == 0) > 1e-13;
         ++i) {
    }
    // If hundreds of contacts hold a body, 200 iterations leave some of its speed, over all
    // contacts as well.
    EXPECT_LT(few.coming(), 1e-3) << seed;
    EXPECT_LT((few.bodies[1].linear - all.bodies[1].linear).norm(), 5e-3) << seed;
    EXPECT_LT((few.bodies[1].angular - all.bodies[1].angular).norm(), 5e-3) << seed;
  }
}

TEST(ImpactAtMany, WithFrictionNothingComesNearerAndNoEnergyIsWon) {
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    Falling falling(seed, 300, 0.4);
    const double before = falling.energy();
    dynamics::ContactSolver solver;
    dynamics::solve_impact(falling.bodies, falling.contacts, 0, solver);
    EXPECT_LT(falling.coming(), 1e-2) << seed;
    EXPECT_LE(falling.energy(), before * (1 + 1e-9)) << seed;
    double pushed = 0;
    for (const dynamics::SolverContact& c : falling.contacts) {
      EXPECT_GE(c.normal.impulse, 0);
      pushed += c.normal.impulse;
    }
    EXPECT_GT(pushed, 0.1) << seed;
  }
}

}  // namespace
}  // namespace touche::impact_at_many_test
