// SPDX-License-Identifier: Apache-2.0
#include "math/rounding.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "math/coordinates.h"

namespace touche {
namespace {

constexpr double kLargest = std::numeric_limits<double>::max();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(Rounding, UnitRoundoffIsHalfTheDistanceFromOneToTheNextNumber) {
  EXPECT_EQ(2 * math::kUnitRoundoff, std::numeric_limits<double>::epsilon());
  EXPECT_EQ(2 * math::kUnitRoundoffFloat, std::numeric_limits<float>::epsilon());
}

TEST(Coordinates, AreNumbersUpToALimit) {
  EXPECT_TRUE(math::all_within(Vec3(1, -2, 2), 2));
  EXPECT_TRUE(math::all_within(Eigen::Vector2d(-2, 0), 2));
  for (int k = 0; k < 3; ++k)
    for (const double bad : {kNan, kInfinity, -kInfinity, 2.1, -2.1}) {
      Vec3 x(1, 1, 1);
      x[k] = bad;
      EXPECT_FALSE(math::all_within(x, 2));
      EXPECT_FALSE(math::all_within(x.head<2>(), 2) && k < 2);
    }
}

TEST(Rounding, FactorsOfBoundsDifferFromOne) {
  EXPECT_LT(math::kRoundDown, 1);
  EXPECT_GT(math::kRoundUp, 1);
  EXPECT_LT(math::kRoundFarDown, math::kRoundDown);
  EXPECT_GT(math::kRoundFarUp, math::kRoundUp);
  EXPECT_LT(math::kRoundDownFloat, 1);
  EXPECT_GT(math::kRoundUpFloat, 1);
}

TEST(UnitOrZero, HasUnitLengthAndTheDirectionForAnyLength) {
  base::Random random(1);
  for (int i = 0; i < 10000; ++i) {
    const Vec3 direction(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    const Vec3 unit = math::unit_or_zero(
        std::ldexp(1.0, static_cast<int>(random.uniform(-1000, 1000))) * direction);
    EXPECT_NEAR(unit.norm(), 1, 8 * math::kUnitRoundoff);
    EXPECT_LE(unit.cross(direction).norm(), 8 * math::kUnitRoundoff * direction.norm());
    EXPECT_GT(unit.dot(direction), 0);
  }
}

TEST(UnitOrZero, IsZeroForTheZeroVector) {
  EXPECT_TRUE(math::unit_or_zero(Vec3::Zero()).isZero(0));
  EXPECT_TRUE(math::unit_or_zero(-Vec3::Zero()).isZero(0));
}

TEST(UnitOrZero, TakesTheLeastNumberAlongAnAxis) {
  constexpr double kLeast = std::numeric_limits<double>::denorm_min();
  EXPECT_EQ(math::unit_or_zero({0, -kLeast, 0}), Vec3(0, -1, 0));
  EXPECT_TRUE(math::unit_or_zero({kLeast, kLeast, 0}).isZero(0)) << "digits are lost";
}

TEST(UnitOrZero, TakesTheLargestNumberAlongAnAxis) {
  EXPECT_EQ(math::unit_or_zero({0, 0, kLargest}), Vec3(0, 0, 1));
  EXPECT_TRUE(math::unit_or_zero({kLargest, kLargest, 0}).isZero(0)) << "the length is not finite";
}

TEST(UnitOrZero, IsZeroWhereAComponentIsNotFinite) {
  for (const double bad : {kNan, kInfinity, -kInfinity})
    for (int k = 0; k < 3; ++k) {
      Vec3 v(1, 2, 3);
      v[k] = bad;
      EXPECT_TRUE(math::unit_or_zero(v).isZero(0)) << bad << " at " << k;
    }
}

}  // namespace
}  // namespace touche
