// SPDX-License-Identifier: Apache-2.0
// Depths by a polytope of few faces, on all instruction sets, against exact ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "convex/growing_hull.h"
#include "convex/polytope_gjk.h"
#include "exact_hulls.h"
#include "geometry/predicates.h"
#include "shape/shape_data.h"
#include "shape_cases.h"
#include "test_scale.h"

namespace touche {
namespace {

using namespace test;

/// Runs the query with all instruction sets, which must give the same result.
class AllTargets {
 public:
  /// False if the polytope of few faces does not decide.
  bool ask(const Shape& a, const Shape& b, const Pose& pose,
           const convex::PenetrationOptions& options, convex::Penetration& found) {
    const convex::RigidTransform place({}, pose);
    const convex::Pair pair{shape::body_of(a), shape::body_of(b), place,
                            convex::corners_error(shape::body_of(b), place)};
    bool told = false;
    for (std::size_t t = 0; t < targets_.size(); ++t) {
      convex::Penetration p;
      const bool one = targets_[t].penetrate(pair, options, *tables_, p);
      if (t == 0) told = one, found = p;
      EXPECT_EQ(one, told);
      if (!one || !told) continue;
      EXPECT_EQ(p.lower, found.lower);
      EXPECT_EQ(p.upper, found.upper);
      EXPECT_EQ(p.direction, found.direction);
      EXPECT_EQ(p.point_a, found.point_a);
      EXPECT_EQ(p.point_b, found.point_b);
      EXPECT_EQ(p.supports, found.supports);
    }
    return told;
  }

 private:
  const std::vector<convex::PolytopePairKernels> targets_ =
      convex::polytope_pair_kernels_of_targets();
  std::unique_ptr<convex::SmallTables> tables_ = std::make_unique<convex::SmallTables>();
};

/// The least that the hull of all differences reaches along a normal of its faces, slivers among
/// them: the depth, or below 0. False where it is flat.
bool least_reach(const std::vector<Vec3>& a, const std::vector<Vec3>& b, double& least) {
  std::vector<Vec3> points;
  for (const Vec3& p : a)
    for (const Vec3& q : b) points.emplace_back(q - p);
  for (std::size_t i = 3; i < points.size(); ++i)
    if (geometry::orient3d(points[0], points[1], points[2], points[i]) != 0) {
      std::swap(points[3], points[i]);
      break;
    }
  convex::GrowingHull hull;
  if (!hull.start(points[0], points[1], points[2], points[3])) return false;
  for (const Vec3& p : points)
    for (std::uint32_t f = 0; f < hull.faces().size(); ++f)
      if (hull.faces()[f].alive && hull.sees(p, f)) {
        hull.grow(p, f);
        break;
      }
  least = kInfinity;
  for (const auto& face : hull.faces()) {
    if (!face.alive || face.normal.isZero()) continue;
    double reach = -kInfinity;
    for (const Vec3& p : points) reach = std::max(reach, face.normal.dot(p));
    least = std::min(least, reach);
  }
  return true;
}

/// Corners of a hull: on a sphere, on a grid, or on a grid in a plane.
std::vector<Vec3> many_points(base::Random& random, int kind) {
  std::vector<Vec3> points = on_sphere(random, 5 + static_cast<int>(random.below(20)));
  for (Vec3& p : points) {
    if (kind > 0) p = (2 * p).array().round() / 2;
    if (kind > 1) p.z() = 0;
  }
  return points;
}

TEST(SmallDepth, AgreesWithAllPlanesOfTheDifference) {
  base::Random random(1881);
  AllTargets all;
  int told = 0, deep = 0;
  const int cases = scaled(150, 60);
  for (int i = 0; i < cases; ++i) {
    const int kind_a = static_cast<int>(random.below(7)),
              kind_b = i % 3 == 0 ? static_cast<int>(random.below(7)) : 0;
    const std::vector<Vec3> pa = some_points(random, kind_a), pb = some_points(random, kind_b);
    const Pose pose = i % 2 == 0 ? Pose::from_translation((random.in_box(0.6)).array().round())
                                 : random_pose(random, 0.1);
    convex::Penetration p;
    if (!all.ask(Shape::hull(pa), Shape::hull(pb), pose, {}, p)) continue;
    ++told;
    const Rational depth2 = hull_depth2(pa, seen_from({}, pose, pb));
    EXPECT_TRUE(holds({p.lower, p.upper}, depth2)) << i << ": " << p.lower << ' ' << p.upper;
    EXPECT_LE(p.upper - p.lower, 1e-12);
    deep += depth2 > 0;
  }
  EXPECT_GE(told, cases / 5);
  EXPECT_GE(deep, cases / 8);
}

TEST(SmallDepth, OfManyCornersAndWithBalls) {
  base::Random random(1882);
  AllTargets all;
  std::array<int, 3> told = {}, asked = {};
  int deep = 0;
  const int cases = scaled(150, 90);
  for (int i = 0; i < cases; ++i) {
    const int kind = i % 3;
    const std::vector<Vec3> pa = i % 20 == 0 ? on_sphere(random, 70) : many_points(random, kind),
                            pb = many_points(random, std::min(kind, 1));
    const Pose pose = i % 2 == 0
                          ? Pose::from_translation((2 * random.in_box(0.5)).array().round() / 2)
                          : random_pose(random, 1);
    double core = 0;
    if (!least_reach(pa, seen_from({}, pose, pb), core)) continue;
    const double ball = i % 5 == 0 ? 0.25 : 0;
    const Shape a = ball > 0 ? Shape::hull(pa).rounded(ball) : Shape::hull(pa), b = Shape::hull(pb);
    convex::Penetration p;
    ++asked[static_cast<std::size_t>(kind)];
    if (!all.ask(a, b, pose, {}, p)) continue;
    ++told[static_cast<std::size_t>(kind)];
    const double depth = std::max(core, 0.0) + ball;
    EXPECT_NEAR(p.upper, depth, 1e-12) << i;
    EXPECT_LE(p.lower, depth + 1e-14) << i;
    EXPECT_LE(p.upper - p.lower, core > 0 ? 1e-12 : kInfinity) << i;
    EXPECT_NEAR(p.direction.norm(), 1, 1e-15);
    if (!(core > 1e-9)) continue;
    ++deep;
    EXPECT_TRUE(p.converged);
    EXPECT_LE((p.point_a - p.point_b - depth * p.direction).norm(), 1e-11) << i;

    // Looser, or only until so much is known.
    convex::Penetration loose, soon;
    ASSERT_TRUE(all.ask(a, b, pose, {.relative_error = 0.3}, loose));
    EXPECT_LE(loose.lower, depth + 1e-14);
    EXPECT_GE(loose.upper, depth - 1e-14);
    EXPECT_LE(loose.upper, 1.3 * loose.lower + 1e-12);
    EXPECT_LE(loose.supports, p.supports);
    ASSERT_TRUE(all.ask(a, b, pose, {.stop_above = 0.2}, soon));
    EXPECT_LE(soon.lower, depth + 1e-14);
    EXPECT_GE(soon.upper, depth - 1e-14);
    EXPECT_TRUE(soon.lower > 0.2 || soon.converged);
  }
  EXPECT_GE(told[0], 9 * asked[0] / 10);
  EXPECT_GE(told[0] + told[1] + told[2], (asked[0] + asked[1] + asked[2]) / 3);
  EXPECT_LT(told[1], asked[1]);  // some are left to exact signs
  EXPECT_GE(deep, cases / 5);
}

// More points than there is room for, and dead faces that are left out before: ellipsoids of many
// corners around one centre, whose ways out are nearly equally long.
TEST(SmallDepth, LeavesOutDeadFacesAndGivesUpWhereThereIsNoRoom) {
  base::Random random(1883);
  AllTargets all;
  int told = 0, given_up = 0;
  for (int i = 0; i < 20; ++i) {
    const std::vector<Vec3> pa = on_sphere(random, i % 2 == 0 ? 14 : 60),
                            pb = on_sphere(random, i % 2 == 0 ? 14 : 60);
    const Pose pose = random_pose(random, 0.02);
    convex::Penetration p;
    if (!all.ask(Shape::hull(pa), Shape::hull(pb), pose, {}, p)) {
      ++given_up;
      continue;
    }
    double depth = 0;
    ASSERT_TRUE(least_reach(pa, seen_from({}, pose, pb), depth));
    EXPECT_NEAR(p.upper, depth, 1e-12);
    EXPECT_NEAR(p.lower, depth, 1e-12);
    told += p.supports > 20;
  }
  EXPECT_GE(told, 3);
  EXPECT_GE(given_up, 3);
}

}  // namespace
}  // namespace touche
