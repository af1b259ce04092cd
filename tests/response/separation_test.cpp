// SPDX-License-Identifier: Apache-2.0
// Signed separation: closed forms, convex polytopes against all normals of their Minkowski
// difference, and what is proved of every shift.
#include "touche/separation.h"
#include "touche/reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "requested_cancel.h"
#include "shapes.h"
#include "test_scale.h"

namespace touche::separation_test {
namespace {

using test::scaled;

constexpr double kTolerance = 1e-5;
const SeparationOptions kOptions = {.tolerance = kTolerance};
// For non-convex bodies, whose search ends with its budget.
const SeparationOptions kFewPlaces = {.tolerance = kTolerance, .max_positions = 300};

Interior box(const Vec3& half) { return Interior(Object(scenes::box(-half, half, 1))); }
Interior cube(double half = 0.5) { return box(Vec3::Constant(half)); }
Pose at(double x, double y = 0, double z = 0) { return Pose::from_translation({x, y, z}); }
Pose some_pose(base::Random& random, double reach) {
  const Vec3 axis = random.direction();
  const double angle = random.uniform(0, 3);
  return Pose::from_axis_angle(axis, angle, random.in_box(reach));
}

/// Expects what holds of any answer: the shift parts the bodies, and no shorter one than the
/// bracket says.
void expect_sound(const Interior& a, const Pose& pose_a, const Interior& b, const Pose& pose_b,
                  const Separation& s, double clearance = 0) {
  ASSERT_NE(s.status, SeparationStatus::undecided);
  ASSERT_LE(s.distance.lower, s.distance.upper);
  ASSERT_NEAR(s.direction.norm(), 1, 1e-12);
  const Pose now = resolved_pose(s, pose_b);
  if (s.status == SeparationStatus::apart) {
    ASSERT_EQ(s.shift, Vec3::Zero());
    ASSERT_GT(s.distance.lower, 0);
    return;
  }
  ASSERT_LE(s.distance.upper, 0);
  ASSERT_NEAR(s.shift.norm(), -s.distance.lower, 1e-12 * s.shift.norm());
  const bool few = a.object().soup().triangle_count() * b.object().soup().triangle_count() < 2000;
  const DistanceResult far = few ? brute_force::distance(a.object(), pose_a, b.object(), now)
                                 : distance(a.object(), pose_a, b.object(), now);
  ASSERT_GT(far.distance.lower, clearance);
  ASSERT_EQ(containment(a, pose_a, b, now), Containment::none);
  // Half of what is proved to be too little leaves them in each other.
  const Pose half =
      Pose::from_translation(0.5 * std::max(0.0, -s.distance.upper) * s.direction) * pose_b;
  ASSERT_TRUE(intersects(a.object(), pose_a, b.object(), half).intersects ||
              containment(a, pose_a, b, half) != Containment::none);
}

// ---- closed forms -------------------------------------------------------------------------------

TEST(Separation, OfTwoCubes) {
  const Interior a = cube(), b = cube();
  for (const double x : {2.0, 1.5, 1.001}) {
    const Separation s = separation(a, {}, b, at(x, 0.1, 0.2), kOptions);
    EXPECT_EQ(s.status, SeparationStatus::apart);
    EXPECT_NEAR(s.distance.lower, x - 1, 3 * kTolerance);
    EXPECT_NEAR(s.distance.upper, x - 1, 1e-9);
    EXPECT_LT((s.direction - Vec3::UnitX()).norm(), 1e-9);
    ASSERT_TRUE(s.closest);
    expect_sound(a, {}, b, at(x, 0.1, 0.2), s);
  }
  for (const double x : {0.99, 0.7, 0.4, -0.8}) {
    const Pose pose = at(x, 0.1, 0.05);
    const Separation s = separation(a, {}, b, pose, kOptions);
    EXPECT_EQ(s.status, SeparationStatus::overlapping);
    EXPECT_TRUE(s.complete);
    EXPECT_NEAR(s.distance.lower, -(1 - std::abs(x)), 3 * kTolerance) << x;
    EXPECT_NEAR(s.distance.upper, -(1 - std::abs(x)), 0.03) << x;  // as thick as deep
    EXPECT_LT((s.direction - (x > 0 ? 1 : -1) * Vec3::UnitX()).norm(), 1e-6) << x;
    expect_sound(a, {}, b, pose, s);
  }
}

TEST(Separation, OfTwoBallsIsTheirRadiiLessTheDistanceOfTheirCentres) {
  const Interior a(Object(scenes::sphere(1, 2000))), b(Object(scenes::sphere(0.7, 2000)));
  for (const double x : {1.5, 1.0, 0.5}) {
    const Pose pose = at(0.6 * x, 0, 0.8 * x);
    const Separation s = separation(a, {}, b, pose, kOptions);
    EXPECT_NEAR(-s.distance.lower, 1.7 - x, 0.01) << x;
    EXPECT_NEAR(-s.distance.upper, std::min(1.4, 1.7 - x), 0.05) << x;
    EXPECT_LT((s.direction - Vec3(0.6, 0, 0.8)).norm(), 0.15) << x;
    expect_sound(a, {}, b, pose, s);
  }
}

TEST(Separation, OfABodyInAnother) {
  const Interior a = box({2, 3, 4}), b = cube(0.25);
  const Separation s = separation(a, {}, b, at(1, 0.5, 0), kOptions);
  EXPECT_EQ(s.status, SeparationStatus::overlapping);
  EXPECT_NEAR(s.distance.lower, -1.25, 3 * kTolerance);  // 1 to the wall, and its half edge
  EXPECT_NEAR(s.distance.upper, -0.5, 0.02);             // the ball inside of it
  expect_sound(a, {}, b, at(1, 0.5, 0), s);
  const Separation other = separation(b, at(1, 0.5, 0), a, {}, kOptions);
  EXPECT_NEAR(other.distance.lower, -1.25, 3 * kTolerance);
  EXPECT_LT((other.direction + s.direction).norm(), 1e-6);
}

TEST(Separation, InACavityIsApart) {
  const PolygonSoup out = scenes::box({-2, -2, -2}, {2, 2, 2}),
                    in = scenes::box({-1, -1, -1}, {1, 1, 1});
  std::vector<double> xyz;
  std::vector<Index> corners;
  for (const PolygonSoup* soup : {&out, &in}) {
    const Index first = static_cast<Index>(xyz.size() / 3);
    for (const Vec3& v : soup->vertices()) xyz.insert(xyz.end(), {v.x(), v.y(), v.z()});
    for (auto t : soup->triangles()) {
      if (soup == &in) std::swap(t[1], t[2]);  // the inner wall faces inwards
      for (const Index v : t) corners.push_back(first + v);
    }
  }
  const Interior hollow(Object(PolygonSoup(xyz, corners)));
  const Interior b = cube(0.25);
  const Separation free = separation(hollow, {}, b, at(0.5), kOptions);
  EXPECT_EQ(free.status, SeparationStatus::apart);
  EXPECT_NEAR(free.distance.upper, 0.25, 1e-9);
  // Back into the cavity is shorter than through the wall.
  const Separation stuck = separation(hollow, {}, b, at(0.85), kFewPlaces);
  EXPECT_EQ(stuck.status, SeparationStatus::overlapping);
  EXPECT_NEAR(stuck.distance.lower, -0.1, 3 * kTolerance);
  expect_sound(hollow, {}, b, at(0.85), stuck);
}

TEST(Separation, BetweenTwoWallsItStaysThere) {
  const PolygonSoup left = scenes::box({-3, -5, -5}, {-0.6, 5, 5}),
                    right = scenes::box({0.6, -5, -5}, {3, 5, 5});
  const PolygonSoup* both[] = {&left, &right};
  const Interior walls(Object(merged(both)));
  const Interior b = cube();
  const Separation s = separation(walls, {}, b, at(0.15, 0.3, -0.2), kFewPlaces);
  EXPECT_NEAR(s.distance.lower, -0.05, 3 * kTolerance);
  expect_sound(walls, {}, b, at(0.15, 0.3, -0.2), s);
}

TEST(Separation, TouchingIsZero) {
  const Separation s = separation(cube(), {}, cube(), at(1, 0.25, 0), kOptions);
  EXPECT_EQ(s.status, SeparationStatus::overlapping);
  EXPECT_GE(s.distance.lower, -3 * kTolerance);
  EXPECT_EQ(s.distance.upper, 0);
  expect_sound(cube(), {}, cube(), at(1, 0.25, 0), s);
}

TEST(Separation, LeavesTheClearanceThatIsAskedFor) {
  const Interior a = cube(), b = cube();
  SeparationOptions options = kOptions;
  options.clearance = 0.1;
  const Separation s = separation(a, {}, b, at(0.8, 0.1, 0), options);
  EXPECT_NEAR(s.shift.norm(), 0.3, 3 * kTolerance);
  expect_sound(a, {}, b, at(0.8, 0.1, 0), s, options.clearance);
  // Apart and nearer than that: no shift is required.
  EXPECT_EQ(separation(a, {}, b, at(1.05), options).shift, Vec3::Zero());
}

// ---- convex polytopes ---------------------------------------------------------------------------

/// The least shift of b over all directions that are normals of facets of the Minkowski difference:
/// normals of both bodies' faces, and of all pairs of edges.
double enumerated_depth(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b) {
  std::vector<Vec3> points[2], edges[2], normals;
  const Object* objects[] = {&a, &b};
  const Pose* poses[] = {&pose_a, &pose_b};
  for (int o = 0; o < 2; ++o) {
    for (const Vec3& v : objects[o]->soup().vertices()) points[o].push_back(*poses[o] * v);
    for (const auto& t : objects[o]->soup().triangles()) {
      for (std::size_t k = 0; k < 3; ++k)
        edges[o].push_back(points[o][t[(k + 1) % 3]] - points[o][t[k]]);
      const std::size_t last = edges[o].size();
      normals.push_back(edges[o][last - 1].cross(edges[o][last - 2]));
    }
  }
  for (const Vec3& e : edges[0])
    for (const Vec3& f : edges[1]) normals.push_back(e.cross(f));
  double least = kInfinity;
  for (Vec3 n : normals) {
    if (n.norm() < 1e-9) continue;
    n.normalize();
    double high[2] = {-kInfinity, -kInfinity}, low[2] = {kInfinity, kInfinity};
    for (int o = 0; o < 2; ++o)
      for (const Vec3& p : points[o]) {
        high[o] = std::max(high[o], n.dot(p));
        low[o] = std::min(low[o], n.dot(p));
      }
    least = std::min({least, high[0] - low[1], high[1] - low[0]});
  }
  return least;
}

PolygonSoup some_convex(base::Random& random) {
  switch (random.below(5)) {
    case 0: {
      const double x = random.uniform(0.1, 1), y = random.uniform(0.1, 1);
      const Vec3 half(x, y, 0.6);
      return scenes::box(-half, half);
    }
    case 1:
      return scenes::cylinder(0.7, 1.2, 5);
    case 2:
      return scenes::sphere(1, 8);
    case 3:
      return scenes::sphere(0.8, 32);
    default: {
      const double xyz[] = {0, 0, 0, 1.2, 0, 0, 0, 1, 0, 0.1, 0.2, 1.1};
      const Index corners[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
      return PolygonSoup(xyz, corners);
    }
  }
}

TEST(Separation, OfConvexBodiesIsTheLeastOverAllFacetsOfTheirMinkowskiDifference) {
  base::Random random(41);
  int apart = 0, overlapping = 0;
  const int cases = scaled(100);
  for (int i = 0; i < cases; ++i) {
    const Interior a((Object(some_convex(random)))), b((Object(some_convex(random))));
    const Pose pose_a = some_pose(random, 1), pose_b = some_pose(random, 1);
    const Separation s = separation(a, pose_a, b, pose_b, kOptions);
    const double depth = enumerated_depth(a.object(), pose_a, b.object(), pose_b);
    expect_sound(a, pose_a, b, pose_b, s);
    if (s.status == SeparationStatus::apart) {
      ASSERT_LT(depth, 1e-9) << i;
      ++apart;
      continue;
    }
    ASSERT_GT(depth, -1e-9) << i;
    ++overlapping;
    ASSERT_GE(-s.distance.lower, depth - 1e-9) << i;
    ASSERT_LE(-s.distance.upper, depth + 1e-9) << i;
    ASSERT_LE(-s.distance.lower, depth + 3 * kTolerance) << i;
  }
  EXPECT_GT(apart, cases / 10);
  EXPECT_GT(overlapping, cases / 4);
}

// ---- any shape ----------------------------------------------------------------------------------

TEST(Separation, HoldsForBumpyBodiesWhereverTheyAre) {
  base::Random random(42);
  int overlapping = 0, apart = 0;
  const int cases = scaled(24, 12);
  for (int i = 0; i < cases; ++i) {
    const Interior a(Object(scenes::bumpy_sphere(300, random.next())));
    const Interior b(random.below(2) == 0 ? Object(scenes::torus(1, 0.3, 16, 8))
                                          : Object(scenes::bumpy_sphere(200, random.next())));
    const double reach = random.uniform(0, 2.5);
    const Vec3 way = random.direction();
    const Pose pose_a = some_pose(random, 0.1);
    const Pose pose_b = Pose::from_translation(reach * way) * some_pose(random, 0.1);
    const Separation s = separation(a, pose_a, b, pose_b, kOptions);
    expect_sound(a, pose_a, b, pose_b, s);
    (s.status == SeparationStatus::apart ? apart : overlapping) += 1;
    // Turned and shifted together, the answer follows, except that other directions are tried.
    const Pose whole = some_pose(random, 5);
    const Separation moved = separation(a, whole * pose_a, b, whole * pose_b, kOptions);
    expect_sound(a, whole * pose_a, b, whole * pose_b, moved);
    EXPECT_EQ(moved.status, s.status);
    EXPECT_NEAR(moved.distance.lower, s.distance.lower, 0.4 * std::abs(s.distance.lower) + 1e-3);
  }
  EXPECT_GT(overlapping, cases / 4);
  EXPECT_GT(apart, cases / 10);
}

TEST(Separation, HoldsAtAnyScale) {
  for (const double scale : {1e-6, 1.0, 1e6}) {
    const Interior a = cube(0.5 * scale), b = cube(0.5 * scale);
    const Pose pose = at(0.7 * scale, 0.1 * scale, 0);
    SeparationOptions options;
    options.tolerance = 1e-5 * scale;
    const Separation s = separation(a, {}, b, pose, options);
    EXPECT_NEAR(s.distance.lower / scale, -0.3, 3e-5) << scale;
    expect_sound(a, {}, b, pose, s);
  }
}

// A tolerance below what rounding hides cannot be met; above that it is, however small it is.
TEST(Separation, IsCompleteWhereLengthsAreFoundAsAsked) {
  const Interior a = cube(), b = cube();
  const Pose pose = at(0.7, 0.1, 0.05);
  for (const double tolerance : {1e-5, 1e-9, 1e-11, 1e-12, 1e-14, 1e-300}) {
    const Separation s = separation(a, {}, b, pose, {.tolerance = tolerance});
    EXPECT_EQ(s.complete, tolerance > 5e-12) << tolerance;
    EXPECT_NEAR(s.distance.lower, -0.3, 3 * std::max(tolerance, 5e-12)) << tolerance;
    expect_sound(a, {}, b, pose, s);
  }
}

// The thickness of an overlap with a body without volume is not known, and the budget is not to
// blame.
TEST(Separation, IsNotCompleteWhereABodyEnclosesNothing) {
  const std::vector<double> corners = {0, 0, 0, 0.2, 0, 0, 0, 0.2, 0};
  const std::vector<Index> both_sides = {0, 1, 2, 0, 2, 1};
  const Interior a = cube(), flat(Object(PolygonSoup(corners, both_sides)));
  const Separation s = separation(a, {}, flat, {}, kOptions);
  EXPECT_FALSE(s.complete);
  EXPECT_LT(s.work, kOptions.max_positions);
  expect_sound(a, {}, flat, {}, s);
}

// The shift along a face of b is shorter than that along the axis beside it by some 1e-8 of it.
TEST(Separation, FindsWhatIsBetterByFewTolerances) {
  constexpr double kLean = 1e-4;
  const Interior a = cube(), b = cube();
  const Vec3 along(std::cos(kLean), std::sin(kLean), 0);
  const Pose pose = Pose::from_axis_angle(Vec3::UnitZ(), kLean, 0.7 * along);
  const Separation s = separation(a, {}, b, pose, {.tolerance = 1e-10});
  EXPECT_NEAR(s.distance.lower, -(0.5 + 0.5 * (along.x() + along.y()) - 0.7), 3e-10);
  EXPECT_LT((s.direction - along).norm(), 1e-6);
  expect_sound(a, {}, b, pose, s);
}

TEST(Separation, WithinItsBudgetTellsWhatItKnows) {
  const Interior a = cube(), b = cube();
  for (const std::uint64_t work : {1, 2, 10}) {
    SeparationOptions options = kOptions;
    options.max_positions = work;
    const Separation s = separation(a, {}, b, at(0.7, 0.6, 0.5), options);
    EXPECT_EQ(s.status, SeparationStatus::overlapping);
    EXPECT_LE(s.work, work + 2);
    EXPECT_FALSE(s.complete);
    expect_sound(a, {}, b, at(0.7, 0.6, 0.5), s);
  }
  const Cancel cancel = test::requested();
  SeparationOptions options = kOptions;
  options.budget.cancel = cancel;
  const Separation stopped = separation(a, {}, b, at(0.7), options);
  EXPECT_FALSE(stopped.complete);
  if (stopped.status == SeparationStatus::undecided) {
    EXPECT_THROW((void)resolved_pose(stopped, {}), InvalidInput);
  }
}

TEST(Separation, RefusesWhatHasNoDepth) {
  const double xyz[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  const Index corners[] = {0, 1, 2};
  const Interior open(Object(PolygonSoup(xyz, corners), "sheet"));
  EXPECT_THROW((void)separation(open, {}, cube(), {}, kOptions), InvalidInput);
  EXPECT_THROW((void)separation(cube(), {}, open, at(9), kOptions), InvalidInput);
  for (const double bad : {0.0, -1.0, kInfinity, std::nan("")})
    EXPECT_THROW((void)separation(cube(), {}, cube(), {}, {.tolerance = bad}), InvalidInput);
  EXPECT_THROW((void)separation(cube(), {}, cube(), {}, {.tolerance = 1, .clearance = -1}),
               InvalidInput);
  EXPECT_THROW((void)separation(cube(), {}, cube(), {}, {.tolerance = 1, .relative_error = -1}),
               InvalidInput);
}

}  // namespace
}  // namespace touche::separation_test
