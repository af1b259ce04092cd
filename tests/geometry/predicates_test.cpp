// SPDX-License-Identifier: Apache-2.0
#include "geometry/predicates.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "exact.h"

namespace touche {
namespace {

using test::RVec;

Vec3 grid(base::Random& random, int size) {
  const auto whole = [&] {
    return static_cast<double>(random.below(static_cast<Index>(2 * size + 1))) - size;
  };
  const double x = whole(), y = whole();
  return {x, y, whole()};
}

/// Checks one case with all that must agree with it; returns the sign.
int check(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const int expected = test::orient3d(a, b, c, d);
  std::uint64_t exact = 0;
  EXPECT_EQ(geometry::orient3d(a, b, c, d), expected);
  EXPECT_EQ(geometry::orient3d(b, a, c, d), -expected);
  EXPECT_EQ(geometry::orient3d(b, c, d, a), -expected);
  EXPECT_EQ(geometry::orient3d(d, c, b, a), expected);
  EXPECT_EQ(geometry::PlaneSide(a, b, c).side(d, exact), -expected);
  for (int axis = 0; axis < 3; ++axis) {
    const RVec n = test::cross(RVec(b) - RVec(a), RVec(c) - RVec(a));
    const int turn = test::sign(axis == 0 ? n.x : axis == 1 ? n.y : n.z);
    EXPECT_EQ(geometry::orient2d(a, b, c, axis), turn) << "axis " << axis;
    EXPECT_EQ(geometry::orient2d(c, b, a, axis), -turn) << "axis " << axis;
  }
  return expected;
}

TEST(Predicates, SignConvention) {
  const Vec3 a(0, 0, 0), b(1, 0, 0), c(0, 1, 0);
  std::uint64_t exact = 0;
  EXPECT_EQ(geometry::orient3d(a, b, c, Vec3(0, 0, -1)), 1);
  EXPECT_EQ(geometry::orient3d(a, b, c, Vec3(0, 0, 1)), -1);
  EXPECT_EQ(geometry::PlaneSide(a, b, c).side(Vec3(0, 0, 1), exact), 1);
  EXPECT_EQ(geometry::orient2d(a, b, c, 2), 1);
}

TEST(Predicates, EasyCasesNeedNoExactArithmetic) {
  base::Random random(1);
  std::uint64_t exact = 0;
  for (int i = 0; i < 10'000; ++i)
    geometry::orient3d(random.in_box(1), random.in_box(1), random.in_box(1), random.in_box(1),
                       exact);
  EXPECT_LT(exact, 10u);
}

TEST(Predicates, RandomPointsAtManyScalesAndOffsets) {
  base::Random random(2);
  for (int i = 0; i < 10'000; ++i) {
    const double size = std::pow(10, random.uniform(-6, 6));
    const Vec3 offset = random.in_box(i % 2 == 0 ? 0 : 1e6);
    const auto point = [&] { return Vec3(offset + random.in_box(size)); };
    check(point(), point(), point(), point());
  }
}

TEST(Predicates, SmallGridHasManyZeros) {
  base::Random random(3);
  int zeros = 0;
  for (int i = 0; i < 10'000; ++i)
    zeros += check(grid(random, 2), grid(random, 2), grid(random, 2), grid(random, 2)) == 0;
  EXPECT_GT(zeros, 1'000);
}

TEST(Predicates, PointsRoundedOntoThePlane) {
  base::Random random(4);
  std::array<int, 3> count = {0, 0, 0};
  std::uint64_t exact = 0;
  for (int i = 0; i < 10'000; ++i) {
    const double size = std::pow(10, random.uniform(-6, 6));
    const Vec3 offset = random.in_box(i % 2 == 0 ? 0 : 1e6);
    const Vec3 a = offset + random.in_box(size), b = offset + random.in_box(size),
               c = offset + random.in_box(size);
    const double s = random.uniform(-1, 2), t = random.uniform(-1, 2);
    const Vec3 d = a + s * (b - a) + t * (c - a);
    ++count[check(a, b, c, d) + 1];
    geometry::orient3d(a, b, c, d, exact);
  }
  EXPECT_GT(count[0], 1'000);
  EXPECT_GT(count[2], 1'000);
  EXPECT_GT(exact, 4'000u);
}

TEST(Predicates, WholeRangeOfMagnitudes) {
  base::Random random(5);
  const auto coordinate = [&] {
    if (random.below(5) == 0) return 0.0;
    return std::copysign(std::pow(10, random.uniform(-90, 90)), random.uniform(-1, 1));
  };
  const auto point = [&] { return Vec3(coordinate(), coordinate(), coordinate()); };
  for (int i = 0; i < 10'000; ++i) check(point(), point(), point(), point());
}

TEST(Predicates, NearlyFlatAtTheEndsOfTheRange) {
  base::Random random(6);
  for (double size : {1e-90, 1e-80, 1e80, 5e89}) {
    for (int i = 0; i < 2'000; ++i) {
      const auto point = [&] {
        Vec3 p = Vec3::Constant(1.5) + 0.5 * random.in_box(1);
        return Vec3(size * p);
      };
      const Vec3 a = point(), b = point(), c = point();
      const Vec3 d = a + random.uniform(0, 1) * (b - a) + random.uniform(0, 1) * (c - a);
      check(a, b, c, d.cwiseMax(1e-90));
    }
  }
}

TEST(Predicates, Collinear) {
  EXPECT_TRUE(geometry::collinear(Vec3(1, 2, 3), Vec3(2, 4, 6), Vec3(-3, -6, -9)));
  EXPECT_TRUE(geometry::collinear(Vec3(1, 2, 3), Vec3(1, 2, 3), Vec3(7, 8, 9)));
  EXPECT_FALSE(geometry::collinear(Vec3(1, 2, 3), Vec3(2, 4, 6), Vec3(-3, -6, -9 + 1e-14)));
}

}  // namespace
}  // namespace touche
