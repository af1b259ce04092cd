// SPDX-License-Identifier: Apache-2.0
// Bodies that come nearer to moving as one keep their momentum and lose energy.
#include "dynamics/as_one.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <random>
#include <vector>

#include "test_scale.h"

namespace touche::as_one_test {
namespace {

using namespace test;

struct Moving {
  dynamics::Inertia inertia;
  Vec3 centre = Vec3::Zero();
  Mat3 rotation = Mat3::Identity();
  Vec3 linear = Vec3::Zero(), angular_momentum = Vec3::Zero();
};

double energy_of(const std::vector<Moving>& all) {
  double sum = 0;
  for (const Moving& m : all)
    sum += 0.5 * m.inertia.mass * m.linear.squaredNorm() +
           0.5 * m.angular_momentum.dot(m.inertia.inverse_world(m.rotation) * m.angular_momentum);
  return sum;
}
Vec3 momentum_of(const std::vector<Moving>& all) {
  Vec3 sum = Vec3::Zero();
  for (const Moving& m : all) sum += m.inertia.mass * m.linear;
  return sum;
}
Vec3 turning_of(const std::vector<Moving>& all, const Vec3& about) {
  Vec3 sum = Vec3::Zero();
  for (const Moving& m : all)
    sum += m.angular_momentum + (m.centre - about).cross(m.inertia.mass * m.linear);
  return sum;
}

TEST(AsOne, KeepsMomentumAndTakesEnergy) {
  std::mt19937_64 random(1);
  const auto draw = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const auto vector = [&] {
    const double x = draw(-1, 1), y = draw(-1, 1), z = draw(-1, 1);
    return Vec3(x, y, z);
  };
  for (int k = 0; k < scaled(400, 100); ++k) {
    const Vec3 where = (k % 3 == 0 ? 1e6 : 1) * vector();
    std::vector<Moving> all(2 + k % 4);
    for (Moving& m : all) {
      const double mass = std::exp(draw(-3, 3)), x = draw(0.1, 1), y = draw(0.1, 1),
                   z = draw(0.1, 1);
      // The moments of a box, so that none exceeds the sum of the others.
      const Vec3 moments(y * y + z * z, x * x + z * z, x * x + y * y);
      m.inertia = dynamics::Inertia({.mass = mass, .inertia = Mat3((mass * moments).asDiagonal())});
      m.centre = where + 2 * vector();
      m.rotation = Eigen::AngleAxisd(draw(0, 3), vector().normalized()).toRotationMatrix();
      m.linear = 5 * vector();
      m.angular_momentum = 5 * mass * vector();
    }
    dynamics::AsOne one;
    for (const Moving& m : all)
      one.add(m.inertia, m.centre, m.rotation, m.linear, m.angular_momentum);
    one.finish();
    const double start = energy_of(all);
    const double small = 1e-9 * (1 + start) * (k % 3 == 0 ? 10 : 1);
    double last = start;
    for (const double part : {0.25, 0.5, 1.0}) {
      std::vector<Moving> then = all;
      for (Moving& m : then)
        one.share(part, m.inertia, m.centre, m.rotation, m.linear, m.angular_momentum);
      EXPECT_LT((momentum_of(then) - momentum_of(all)).norm(), small) << k;
      EXPECT_LT((turning_of(then, where) - turning_of(all, where)).norm(), small) << k;
      EXPECT_LT(energy_of(then), last) << k << " " << part;
      last = energy_of(then);
      if (part < 1) continue;
      // All turn alike, and no two come nearer to each other.
      for (const Moving& m : then) {
        EXPECT_LT((m.inertia.inverse_world(m.rotation) * m.angular_momentum - one.angular()).norm(),
                  small);
        const Vec3 apart = m.centre - then[0].centre;
        EXPECT_LT(std::abs(apart.dot(m.linear - then[0].linear)), small * 10);
      }
    }
  }
}

TEST(AsOne, FindsTheShareOfAChangeThatEnergyAllows) {
  std::mt19937_64 random(2);
  const auto draw = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const auto vector = [&] {
    const double x = draw(-1, 1), y = draw(-1, 1), z = draw(-1, 1);
    return Vec3(x, y, z);
  };
  int whole = 0, parts = 0;
  for (int k = 0; k < scaled(400, 100); ++k) {
    std::vector<Moving> all(2);
    for (Moving& m : all) {
      m.inertia = dynamics::Inertia(
          {.mass = std::exp(draw(-3, 3)), .inertia = Mat3(Vec3(2, 3, 4).asDiagonal())});
      m.centre = vector();
      m.linear = k % 7 == 0 ? Vec3::Zero() : vector();
      m.angular_momentum = k % 7 == 0 ? Vec3::Zero() : vector();
    }
    const auto as_one = [&](const Vec3& push, const Vec3& turn, const Vec3& about) {
      dynamics::AsOne one;
      for (const Moving& m : all)
        one.add(m.inertia, m.centre, m.rotation, m.linear + push + turn.cross(m.centre - about),
                m.angular_momentum + m.inertia.world(m.rotation) * turn);
      one.finish();
      return one;
    };
    const dynamics::AsOne one = as_one(Vec3::Zero(), Vec3::Zero(), Vec3::Zero());
    const Vec3 push = k % 3 == 0 ? Vec3::Zero() : vector(),
               turn = k % 5 == 0 ? Vec3::Zero() : vector();
    const double most = one.energy() * draw(0.5, 2), allowed = std::max(most, one.energy());
    const double share = one.share_within(most, push, turn);
    EXPECT_GE(share, 0);
    EXPECT_LE(share, 1);
    const auto energy = [&](double part) {
      return as_one(part * push, part * turn, one.centre()).energy();
    };
    const double small = 1e-12 * (1 + energy(1));
    EXPECT_LE(energy(share), allowed + small) << k;
    if (share < 1) {
      EXPECT_GE(energy(std::min(share + 1e-6, 1.0)), allowed - small) << k;
    }
    whole += share == 1;
    parts += share > 0 && share < 1;
  }
  EXPECT_GT(whole, 10);
  EXPECT_GT(parts, 10);
}

}  // namespace
}  // namespace touche::as_one_test
