// SPDX-License-Identifier: Apache-2.0
#include "math/shortest_turn.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace touche::shortest_turn_test {
namespace {

// It brings the one direction to the other, about an axis across both, by no more than half a turn.
void expect_shortest(const Vec3& from, const Vec3& to) {
  const Eigen::Quaterniond turn = math::shortest_turn(from, to);
  // One plus the cosine is off by rounding, which counts the more the smaller it is.
  const double cosine = from.normalized().dot(to.normalized());
  const double rounding = 1e-15 / std::max(1 + cosine, 1e-3);
  EXPECT_NEAR(turn.norm(), 1, rounding);
  EXPECT_GE(turn.w(), 0);
  EXPECT_LT((turn * from.normalized() - to.normalized()).norm(), 4 * rounding);
  EXPECT_NEAR(turn.vec().dot(from.normalized()), 0, 1e-14);
}

TEST(ShortestTurn, OfRandomDirections) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 1000; ++i) {
    const Vec3 from(normal(random), normal(random), normal(random)),
        to(normal(random), normal(random), normal(random));
    expect_shortest(from, to);
    expect_shortest(from, from);
  }
}

TEST(ShortestTurn, OfOppositeDirectionsIsAHalfTurnAcross) {
  for (const Vec3& from : {Vec3(0, 0, 1), Vec3(0, -2, 0), Vec3(-1, 0, 0), Vec3(3, -4, 5)}) {
    expect_shortest(from, -from);
    EXPECT_NEAR(math::shortest_turn(from, -from).w(), 0, 1e-7);
  }
}

// Also where the cross product is too small to show the axis.
TEST(ShortestTurn, OfNearlyOppositeDirections) {
  for (const double off : {1e-5, 1e-6, 1e-7, 1e-8, 1e-12, 1e-15, 1e-16}) {
    const Vec3 from(1, 2, 3), to = -from + off * Vec3(1, -1, 2);
    const Eigen::Quaterniond turn = math::shortest_turn(from, to);
    EXPECT_LT((turn * from.normalized() - to.normalized()).norm(), off > 5e-7 ? 1e-4 : 1e-14)
        << off;
    EXPECT_NEAR(turn.w(), 0, off);
  }
}

TEST(ShortestTurn, OfARightAngle) {
  const Eigen::Quaterniond turn = math::shortest_turn(Vec3::UnitZ(), Vec3::UnitY());
  EXPECT_DOUBLE_EQ(turn.w(), std::numbers::sqrt2 / 2);
  EXPECT_DOUBLE_EQ(turn.x(), -std::numbers::sqrt2 / 2);
}

}  // namespace
}  // namespace touche::shortest_turn_test
