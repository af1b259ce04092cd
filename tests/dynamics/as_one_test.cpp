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

}  // namespace
}  // namespace touche::as_one_test
