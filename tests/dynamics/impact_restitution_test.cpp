// SPDX-License-Identifier: Apache-2.0
// Impacts at several contacts, each with a restitution of its own.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <random>
#include <vector>

#include "dynamics/impact.h"

namespace touche::impact_restitution_test {
namespace {

/// Free bodies in a random web of contacts, some of which come together.
struct Web {
  std::vector<dynamics::SolverBody> bodies;
  std::vector<dynamics::SolverContact> contacts;
  std::vector<double> restitutions;

  explicit Web(std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> any(-1, 1);
    const auto vector = [&] { return Vec3(any(random), any(random), any(random)); };
    for (int i = 0; i < 5; ++i) {
      dynamics::SolverBody& body = bodies.emplace_back();
      body.inverse_mass = 1.2 + any(random);
      body.inverse_inertia = Vec3(3, 5, 4).asDiagonal();
      body.linear = vector();
    }
    for (Index a = 0; a < 5; ++a)
      for (Index b = a + 1; b < 5; ++b) {
        contacts.push_back(
            dynamics::solver_contact(bodies, a, b, vector().normalized(), vector(), vector(), 0));
        restitutions.push_back(any(random) > 0 ? 1 : 0);
      }
  }
  double energy() const {
    double sum = 0;
    for (const dynamics::SolverBody& b : bodies)
      sum += 0.5 * (b.linear.squaredNorm() / b.inverse_mass +
                    b.angular.dot(b.inverse_inertia.inverse() * b.angular));
    return sum;
  }
  Vec3 momentum() const {
    Vec3 sum = Vec3::Zero();
    for (const dynamics::SolverBody& b : bodies) sum += b.linear / b.inverse_mass;
    return sum;
  }
};

// Poisson's law by itself gives energy to some of them, where restitutions differ.
TEST(ImpactRestitution, DifferentOnesNeverGiveEnergy) {
  int would_gain = 0;
  const int runs = 300;
  for (std::uint32_t seed = 0; seed < runs; ++seed) {
    Web web(seed), naive = web;
    const double before = web.energy();
    const Vec3 momentum = web.momentum();
    dynamics::ContactSolver solver;
    dynamics::solve_impact(web.bodies, web.contacts, web.restitutions, solver);
    EXPECT_LE(web.energy(), before * (1 + 1e-12)) << seed;
    EXPECT_LT((web.momentum() - momentum).norm(), 1e-13) << seed;
    dynamics::solve_impact(naive.bodies, naive.contacts, 0, solver);
    for (std::size_t i = 0; i < naive.contacts.size(); ++i)
      dynamics::apply(naive.bodies, naive.contacts[i], naive.contacts[i].normal,
                      naive.restitutions[i] * naive.contacts[i].normal.impulse);
    if (naive.energy() > before * (1 + 1e-9))
      ++would_gain;
    else
      for (std::size_t i = 0; i < web.bodies.size(); ++i)
        EXPECT_LT((web.bodies[i].linear - naive.bodies[i].linear).norm(), 1e-9) << seed;
  }
  EXPECT_GT(would_gain, runs / 20);
  EXPECT_LT(would_gain, runs * 19 / 20);
}

TEST(ImpactRestitution, EqualOnesAreOne) {
  for (const double restitution : {0.0, 0.3, 1.0})
    for (std::uint32_t seed = 0; seed < 50; ++seed) {
      Web each(seed), all = each;
      const double before = each.energy();
      each.restitutions.assign(each.contacts.size(), restitution);
      dynamics::ContactSolver solver;
      dynamics::solve_impact(each.bodies, each.contacts, each.restitutions, solver);
      dynamics::solve_impact(all.bodies, all.contacts, restitution, solver);
      for (std::size_t i = 0; i < each.bodies.size(); ++i)
        EXPECT_EQ(each.bodies[i].linear, all.bodies[i].linear);
      if (restitution == 1) {
        EXPECT_NEAR(each.energy(), before, 1e-12 * before) << seed;
      }
    }
}

}  // namespace
}  // namespace touche::impact_restitution_test
