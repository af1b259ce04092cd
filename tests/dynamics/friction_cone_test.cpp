// SPDX-License-Identifier: Apache-2.0
// The algebra of the cones that impulses of contacts are in, against what defines it.
#include "dynamics/friction_cone.h"

#include <gtest/gtest.h>

#include <cmath>

#include "random.h"

namespace touche::friction_cone_test {
namespace {

using scenes::Random;

Vec3 inside(base::Random& random, bool is_ray) {
  Vec3 point(0, random.uniform(-1, 1), random.uniform(-1, 1));
  if (is_ray) point.setZero();
  point *= std::pow(10, random.uniform(-3, 3));
  point[0] = point.norm() * (1 + std::pow(10, random.uniform(-6, 3))) +
             (is_ray ? random.uniform(1e-6, 1) : 0);
  return point;
}

dynamics::ConePair some_pair(base::Random& random, bool is_ray) {
  dynamics::ConePair pair;
  pair.is_ray = is_ray;
  pair.x = inside(random, is_ray);
  pair.y = inside(random, is_ray);
  return pair;
}

TEST(FrictionCone, ScalingLeadsFromBothToTheMiddle) {
  base::Random random(5);
  for (int i = 0; i < 1000; ++i) {
    SCOPED_TRACE(i);
    dynamics::ConePair pair = some_pair(random, i % 4 == 0);
    ASSERT_TRUE(pair.find_scaling());
    const double size = pair.middle.norm();
    EXPECT_LT((pair.scaled(pair.y, 1) - pair.middle).norm(), 1e-9 * size);
    EXPECT_LT((pair.scaled(pair.x, -1) - pair.middle).norm(), 1e-6 * size);
    // The scaling applied twice maps y to x, and the square of `middle` has the product of x and y.
    EXPECT_LT((pair.scaled(pair.scaled(pair.y, 1), 1) - pair.x).norm(), 1e-6 * pair.x.norm());
    EXPECT_NEAR(pair.product(pair.middle, pair.middle)[0], pair.x.dot(pair.y), 1e-6 * size * size);
    const Vec3 any(random.uniform(-1, 1), pair.is_ray ? 0 : random.uniform(-1, 1), 0);
    const Vec3 divided = pair.divided(any);
    EXPECT_LT((pair.product(pair.middle, divided) - any).norm(),
              1e-9 * (any.norm() + size * divided.norm()));
  }
}

TEST(FrictionCone, SoftenedIsTheInverseOfASum) {
  base::Random random(6);
  for (int i = 0; i < 1000; ++i) {
    SCOPED_TRACE(i);
    dynamics::ConePair pair = some_pair(random, i % 4 == 0);
    ASSERT_TRUE(pair.find_scaling());
    const double along = std::pow(10, random.uniform(-3, 3)),
                 beside = std::pow(10, random.uniform(-3, 3));
    const Mat3 softened = pair.softened(along, beside);
    EXPECT_TRUE(softened.isApprox(softened.transpose(), 1e-12));
    for (int k = 0; k < (pair.is_ray ? 1 : 3); ++k) {
      const Vec3 column = softened.col(k);
      const Vec3 back = pair.scaled(column, -2) + Vec3(along, beside, beside).cwiseProduct(column);
      EXPECT_LT((back - Vec3::Unit(k)).norm(),
                1e-9 * (1 + pair.scaled(column, -2).norm() + back.norm()));
    }
  }
}

// Also by a search for the border.
TEST(FrictionCone, LongestStepsEndAtTheBorder) {
  base::Random random(7);
  int whole = 0;
  for (int i = 0; i < 1000; ++i) {
    SCOPED_TRACE(i);
    dynamics::ConePair pair;
    pair.is_ray = i % 4 == 0;
    const Vec3 from = inside(random, pair.is_ray);
    Vec3 by = from.norm() * random.in_box(2);
    if (pair.is_ray) by.tail<2>().setZero();
    const auto is_in = [&](double t) {
      const Vec3 at = from + t * by;
      return at[0] >= at.tail<2>().norm();
    };
    double low = 0, high = 1;
    if (is_in(1)) {
      low = 1;
      ++whole;
    } else {
      for (int k = 0; k < 60; ++k) (is_in(0.5 * (low + high)) ? low : high) = 0.5 * (low + high);
    }
    EXPECT_NEAR(pair.longest(from, by), low, 1e-9);
  }
  EXPECT_GT(whole, 100);
  EXPECT_LT(whole, 700);
}

}  // namespace
}  // namespace touche::friction_cone_test
