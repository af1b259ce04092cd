// SPDX-License-Identifier: Apache-2.0
// Where shapes are near shapes and soups.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hit_share.h"
#include "shape_cases.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/shape.h"
#include "world/pair_questions.h"

namespace touche::near_shapes_test {
namespace {

using namespace test;

NearResult near(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                double margin, double turn = 0.02) {
  NearResult result;
  NearOptions options;
  options.max_distance = margin;
  options.turn = turn;
  near_features(a, pose_a, b, pose_b, options, result);
  return result;
}

double least_distance(const NearResult& result) {
  double least = kInfinity;
  for (const Contact& c : result.contacts) least = std::min(least, c.distance);
  return least;
}

Pose at(const Vec3& place) { return Pose::from_translation(place); }

/// Brings b to a distance of a, along the direction of their closest points.
Pose brought_near(const Shape& a, const Pose& pose_a, const Shape& b, Pose pose_b, double gap) {
  for (int i = 0; i < 3; ++i) {
    const DistanceResult d = distance(a, pose_a, b, pose_b);
    if (!d.closest) break;
    const Vec3 shift = (gap - d.distance.upper) * d.closest->normal;
    pose_b = at(shift) * pose_b;
  }
  return pose_b;
}

// Points that are listed lie on both surfaces, within the margin, and the nearest are the distance
// apart.
TEST(NearShapes, AreOnTheSurfacesAndNearest) {
  base::Random random(1);
  int near_ones = 0, cases = 0;
  Workspace workspace;
  const double margin = 0.02;
  for (int i = 0; i < scaled(2000, 300); ++i) {
    const Shape a = some_shape(random, static_cast<int>(random.below(11)));
    const Shape b = some_shape(random, static_cast<int>(random.below(11)));
    const Pose pose_a = random_pose(random, 2), start = random_pose(random, 2) * at({0, 0, 3});
    const double gap = random.uniform(0.001, 2 * margin);
    const Pose pose_b = brought_near(a, pose_a, b, start, gap);
    const double apart = distance(a, pose_a, b, pose_b).distance.upper;
    const NearResult result = near(a, pose_a, b, pose_b, margin);
    near_ones += !result.contacts.empty();
    ++cases;
    QueryStats stats;
    const query::IsNear is = world::is_near(a, pose_a, b, pose_b, margin, {}, workspace, stats);
    if (std::abs(apart - margin) > 1e-9) {
      EXPECT_EQ(is, apart < margin ? query::IsNear::yes : query::IsNear::no);
    }
    if (apart > margin + 1e-9) {
      EXPECT_TRUE(result.contacts.empty());
      continue;
    }
    ASSERT_FALSE(result.contacts.empty());
    if (apart == 0) continue;  // they began in each other
    EXPECT_NEAR(least_distance(result), apart, 0.03 * std::min(apart, margin) + 1e-9);
    for (const Contact& c : result.contacts) {
      EXPECT_LE(c.distance, margin);
      EXPECT_NEAR(c.normal.norm(), 1, 1e-12);
      EXPECT_NEAR((c.point_b - c.point_a).dot(c.normal), c.distance, 1e-12);
      // A contact candidate where the other feature lies slightly to the side counts, too.
      EXPECT_LT(closest_point(a, pose_a, c.point_a).distance, 0.03 * margin);
      EXPECT_LT(closest_point(b, pose_b, c.point_b).distance, 0.03 * margin);
    }
  }
  expect_about_half(near_ones, cases);
}

// If a small displacement brings no listed contact candidate nearer than allowed, the shapes
// overlap by terms of second order only.
TEST(NearShapes, HoldWhatDisplacementsMayDo) {
  base::Random random(2);
  const double margin = 0.01, turn = 0.01;
  int held = 0, cases = 0;
  for (int i = 0; i < scaled(3000, 400); ++i) {
    const Shape a = some_shape(random, static_cast<int>(random.below(11)));
    Shape b = some_shape(random, static_cast<int>(random.below(11)));
    // Half of them lie on flat faces.
    Pose pose_a = random_pose(random, 1), start = random_pose(random, 1) * at({0, 0, 3});
    if (i % 2 == 0) {
      pose_a = {};
      start = at({random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2), 3}) *
              Pose::from_axis_angle(Vec3::UnitX(), random.uniform(-0.005, 0.005), Vec3::Zero());
    }
    const Pose pose_b = brought_near(a, pose_a, b, start, random.uniform(0.001, 0.005));
    const NearResult result = near(a, pose_a, b, pose_b, margin, 2 * turn);
    if (result.contacts.empty() || intersects(a, pose_a, b, pose_b)) continue;
    ++cases;
    const Vec3 shift = random.uniform(0, margin) * random.direction();
    const Vec3 axis = random.direction();
    const double angle = random.uniform(0, turn) / 2;
    const Vec3 centre = pose_b.translation();
    const Pose moved = at(centre + shift) * Pose::from_axis_angle(axis, angle, Vec3::Zero()) *
                       at(-centre) * pose_b;
    const bool allowed =
        std::all_of(result.contacts.begin(), result.contacts.end(), [&](const Contact& c) {
          const Vec3 way = shift + angle * axis.cross(c.point_b - centre);
          return c.normal.dot(way) >= -c.distance;
        });
    if (!allowed) continue;
    ++held;
    const double deep = depth(a, pose_a, b, moved).depth.upper;
    EXPECT_LT(deep, 0.05 * margin + 4 * angle * (margin + 2 * angle)) << i;
  }
  EXPECT_GT(held, cases / 4);
  EXPECT_LT(held, cases - cases / 20);
}

// A ball over a plane of many triangles touches it at one point, wherever it is.
TEST(NearShapes, ABallFeelsNoFlatEdges) {
  base::Random random(3);
  std::vector<double> coordinates;
  std::vector<Index> corners;
  constexpr int kSide = 6;
  for (int i = 0; i <= kSide; ++i)
    for (int k = 0; k <= kSide; ++k) {
      const double inner = i % kSide != 0 && k % kSide != 0 ? 0.3 : 0;
      coordinates.insert(coordinates.end(), {i + inner * random.uniform(-1, 1),
                                             k + inner * random.uniform(-1, 1), 0.0});
    }
  const auto number = [](int i, int k) { return static_cast<Index>(i * (kSide + 1) + k); };
  for (int i = 0; i < kSide; ++i)
    for (int k = 0; k < kSide; ++k)
      corners.insert(corners.end(), {number(i, k), number(i + 1, k), number(i + 1, k + 1),
                                     number(i, k), number(i + 1, k + 1), number(i, k + 1)});
  const Object plane{PolygonSoup(coordinates, corners)};
  const Shape ball = Shape::sphere(0.5);
  for (int i = 0; i < scaled(2000, 300); ++i) {
    Vec3 centre(random.uniform(0.2, kSide - 0.2), random.uniform(0.2, kSide - 0.2), 0.502);
    if (i % 3 == 0) {  // over an edge or a corner, or nearly so
      const Index v = random.below(plane.soup().vertex_count());
      const Index w = random.below(plane.soup().vertex_count());
      const Vec3 x = plane.soup().vertex(v), y = plane.soup().vertex(w);
      centre = (x.cwiseMax(0.2).cwiseMin(kSide - 0.2)) + 1e-7 * random.in_box(1) * (i % 2);
      if (i % 6 == 0) centre = 0.5 * (x + y).cwiseMax(0.4).cwiseMin(2 * kSide - 0.4);
      centre.z() = 0.502;
    }
    for (const bool turned : {false, true}) {
      const NearResult result = turned ? near(plane, {}, ball, at(centre), 0.008)
                                       : near(ball, at(centre), plane, {}, 0.008);
      ASSERT_EQ(result.contacts.size(), 1U) << centre.transpose();
      EXPECT_LT((result.contacts[0].normal - (turned ? 1 : -1) * Vec3::UnitZ()).norm(), 1e-6);
      EXPECT_NEAR(result.contacts[0].distance, 0.002, 1e-9);
    }
  }
}

// The same contact candidates as for soups, where soups are the same bodies.
TEST(NearShapes, ABoxIsABox) {
  base::Random random(4);
  const Object ground(scenes::box({-3, -3, -1}, {3, 3, 0}));
  const Shape plane = Shape::half_space(Vec3::UnitZ(), 0), solid = Shape::box({3, 3, 0.5});
  const Vec3 half(0.5, 0.3, 0.2);
  const Object soup(scenes::box(-half, half));
  const Shape shape = Shape::box(half);
  for (int i = 0; i < scaled(300, 60); ++i) {
    const Pose tilted =
        Pose::from_axis_angle(random.direction(), random.uniform(0, 0.004),
                              {random.uniform(-3.4, 3.4), random.uniform(-2, 2), 0.204});
    const NearResult expected = near(soup, tilted, ground, {}, 0.02);
    for (const NearResult& found :
         {near(shape, tilted, ground, {}, 0.02), near(soup, tilted, solid, at({0, 0, -0.5}), 0.02),
          near(shape, tilted, solid, at({0, 0, -0.5}), 0.02)}) {
      ASSERT_EQ(found.contacts.size(), expected.contacts.size()) << i;
      for (const Contact& c : found.contacts)
        EXPECT_TRUE(std::any_of(expected.contacts.begin(), expected.contacts.end(),
                                [&](const Contact& e) {
                                  return (e.point_a - c.point_a).norm() < 1e-4 &&
                                         (e.point_b - c.point_b).norm() < 1e-4 &&
                                         (e.normal - c.normal).norm() < 0.01;
                                }))
            << i;
    }
    for (const Shape& box : {Shape(soup), shape}) {
      const NearResult over_plane = near(box, tilted, plane, {}, 0.02);
      EXPECT_EQ(over_plane.contacts.size(), 4U);
      for (const Contact& c : over_plane.contacts) EXPECT_NEAR(c.point_a.z(), c.distance, 1e-12);
    }
  }
}

// However thin they are: of a plate only the face that lies on the other one counts.
TEST(NearShapes, PlatesTouchWithOneFace) {
  base::Random random(5);
  for (int i = 0; i < scaled(200, 60); ++i) {
    const double thickness = std::pow(10, random.uniform(-6, -1));
    const Vec3 half(0.5, 0.3, 0.5 * thickness);
    const Shape above = i % 3 == 0   ? Shape::box(half)
                        : i % 3 == 1 ? Shape::sum(Shape::box(half / 2), Shape::box(half / 2))
                                     : Shape::cylinder(0.4, thickness);
    const Shape below = Shape::box({3, 2, random.uniform(0.005, 0.02)});
    const double top = 2 * below.bounds().hi.z();
    const Pose tilted =
        Pose::from_axis_angle(random.direction(), random.uniform(0, 0.004),
                              {random.uniform(-2, 2), random.uniform(-1, 1), 0.005 + half.z()});
    const NearResult found = near(above, tilted, below, at({0, 0, -0.5 * top}), 0.02);
    const NearResult expected = near(above, tilted, Shape::box({3, 2, 1}), at({0, 0, -1}), 0.02);
    ASSERT_EQ(found.contacts.size(), i % 3 == 2 ? 16U : 4U) << i << " " << thickness;
    ASSERT_EQ(expected.contacts.size(), found.contacts.size()) << i << " " << thickness;
    for (std::size_t k = 0; k < found.contacts.size(); ++k) {
      EXPECT_NEAR(found.contacts[k].distance, expected.contacts[k].distance, 1e-9) << i;
      EXPECT_LT((found.contacts[k].normal + Vec3::UnitZ()).norm(), 0.01) << i;
    }
  }
}

TEST(NearShapes, WhatIsRoundTouchesInOnePlaceOrAlongALine) {
  const Shape plane = Shape::half_space(Vec3::UnitZ(), 0);
  const Object ground(scenes::box({-3, -3, -1}, {3, 3, 0}));
  const Pose lying = Pose::from_axis_angle(Vec3::UnitX(), 0.5 * std::numbers::pi, Vec3::Zero());
  struct Case {
    Shape shape;
    double height;
    Pose turn;
    std::size_t places;
  };
  for (const Case& c :
       {Case{Shape::sphere(0.5), 0.5, {}, 1}, Case{Shape::capsule(0.2, 1), 0.2, lying, 2},
        Case{Shape::capsule(0.2, 1), 0.7, {}, 1}, Case{Shape::cylinder(0.2, 1), 0.2, lying, 2},
        Case{Shape::cylinder(0.2, 1), 0.5, {}, 16}, Case{Shape::cone(0.5, 1), 0.5, {}, 16},
        Case{Shape::cone(0.5, 1), 0.5, lying * lying, 1},
        Case{Shape::ellipsoid({0.5, 0.4, 0.3}), 0.3, {}, 1},
        Case{Shape::box({0.5, 0.4, 0.3}).rounded(0.1), 0.4, {}, 4}}) {
    const Pose pose = at({0.1, 0.2, c.height + 0.002}) * c.turn;
    for (const Shape& below : {plane, Shape(ground)}) {
      const NearResult result = near(c.shape, pose, below, {}, 0.008);
      EXPECT_EQ(result.contacts.size(), c.places) << name(c.shape.kind());
      for (const Contact& contact : result.contacts) {
        EXPECT_NEAR(contact.distance, 0.002, 1e-9);
        EXPECT_LT((contact.normal + Vec3::UnitZ()).norm(), 1e-9);
      }
    }
  }
}

TEST(NearShapes, WhatTouchesHasADistanceOfNothing) {
  const Shape plane = Shape::half_space(Vec3::UnitZ(), 0), box = Shape::box({1, 1, 1});
  for (const double deep : {0.0, 0.3}) {
    for (const NearResult& result :
         {near(box, at({0, 0, 1 - deep}), plane, {}, 0.01),
          near(box, at({0, 0.2, 2 - deep}), box, {}, 0.01),
          near(Shape::sphere(1), at({0, 0.2, 2 - deep}), box, {}, 0.01)}) {
      ASSERT_FALSE(result.contacts.empty());
      EXPECT_EQ(least_distance(result), 0);
      EXPECT_LT((result.contacts[0].normal + Vec3::UnitZ()).norm(), 1e-6);
    }
  }
  EXPECT_THROW((void)near(plane, {}, plane, {}, 0.1), InvalidInput);
  EXPECT_THROW((void)near(box, {}, plane, {}, -1), InvalidInput);
}

// All their discs lie across: 16 points of each, but not the product of them.
TEST(NearShapes, ASumOfCylindersIsACylinder) {
  double radius = 0.1, height = 0.2;
  Shape sum = Shape::cylinder(radius, height);
  for (int k = 1; k < 8; ++k) {
    const double r = 0.1 + 0.02 * k, h = 0.2 + 0.01 * k;
    sum = Shape::sum(sum, Shape::cylinder(r, h));
    radius += r;
    height += h;
  }
  const Shape floor = Shape::half_space(Vec3::UnitZ(), 0);
  const Pose pose = at({0.3, 0.2, 0.5 * height + 0.005});
  const NearResult result = near(sum, pose, floor, {}, 0.02);
  const NearResult one = near(Shape::cylinder(radius, height), pose, floor, {}, 0.02);
  ASSERT_EQ(result.contacts.size(), 16U);
  ASSERT_EQ(one.contacts.size(), 16U);
  for (const Contact& c : result.contacts) {
    EXPECT_NEAR(c.distance, 0.005, 1e-12);
    EXPECT_LT((c.normal + Vec3::UnitZ()).norm(), 1e-12);
    EXPECT_EQ(std::count_if(one.contacts.begin(), one.contacts.end(),
                            [&](const Contact& o) {
                              return (o.point_a - c.point_a).norm() < 1e-7 &&
                                     (o.point_b - c.point_b).norm() < 1e-7;
                            }),
              1);
  }
}

// The lowest point of a tilted disc lies between the listed points of its rim: it is listed, too,
// whatever the margin.
TEST(NearShapes, ADiscThatLeansIsListedWhereItIsLowest) {
  const double radius = 1, height = 0.02, lean = 0.01, gap = 1e-6, margin = 5e-3;
  const Shape disc = Shape::cylinder(radius, height);
  const Shape plane = Shape::half_space(Vec3::UnitZ(), 0), plate = Shape::box({4, 4, 1});
  const PolygonSoup top = scenes::box({-4, -4, -2}, {4, 4, 0});
  const double low = radius * std::sin(lean) + 0.5 * height * std::cos(lean);
  for (int i = 0; i < 16; ++i) {
    const double around = 0.1 * i;
    const Pose pose =
        Pose::from_axis_angle({std::cos(around), std::sin(around), 0}, lean, {0, 0, low + gap});
    EXPECT_NEAR(least_distance(near(plane, {}, disc, pose, margin)), gap, 0.03 * gap);
    EXPECT_NEAR(least_distance(near(plate, at({0, 0, -1}), disc, pose, margin)), gap, 0.03 * gap);
    const Object soup(top);
    EXPECT_NEAR(least_distance(near(soup, {}, disc, pose, margin)), gap, 0.03 * gap);
  }
}

}  // namespace
}  // namespace touche::near_shapes_test
