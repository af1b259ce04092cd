// SPDX-License-Identifier: Apache-2.0
// Where convex shapes and soups are in contact: closed forms, and every triangle by itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "faces_around.h"
#include "hit_share.h"
#include "query/relative.h"
#include "shape_cases.h"
#include "test_scale.h"
#include "touche/distance.h"
#include "touche/reference.h"
#include "touche/shape.h"

namespace touche {
namespace {

using namespace test;

/// The square from -2 to 2 in z = height(x, y), of n by n squares of two triangles each.
template <class Height>
Object plate(int n, const Height& height) {
  std::vector<double> points;
  std::vector<Index> corners;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j)
      for (const double c : {4.0 * i / n - 2, 4.0 * j / n - 2, height(i, j)}) points.push_back(c);
  const auto at = [n](int i, int j) { return static_cast<Index>(i * (n + 1) + j); };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (const Index k :
           {at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1)})
        corners.push_back(k);
  return Object(PolygonSoup(points, corners));
}
Object level_plate(int n) {
  return plate(n, [](int, int) { return 0.0; });
}

TEST(SoupContacts, ABallOnAGroundOfTwoTriangles) {
  const Shape ground = Shape::soup(level_plate(1)), ball = Shape::sphere(1);
  const auto at = [&](double x, double y, double z, double margin = 0) {
    return contacts(ball, Pose::from_translation({x, y, z}), ground, {}, margin);
  };
  for (const double z : {0.95, 1.0, 1.1}) {
    // On either triangle, and over the edge between them.
    for (const double y : {0.2, 0.3, 0.4}) {
      const ShapeContactsResult r = at(0.3, y, z, 0.2);
      ASSERT_EQ(r.contacts.size(), 1u) << y << ' ' << z;
      const ShapeContact& c = r.contacts[0];
      EXPECT_NEAR(c.distance, z - 1, 1e-12);
      EXPECT_LE((c.normal - Vec3(0, 0, -1)).norm(), 1e-12);
      EXPECT_EQ(c.normal, r.normal);
      EXPECT_LE((c.point_a - Vec3(0.3, y, z - 1)).norm(), 1e-9);
      EXPECT_LE((c.point_b - Vec3(0.3, y, 0)).norm(), 1e-9);
      EXPECT_EQ(c.face_a, kNone);
      EXPECT_EQ(c.face_b, y > 0.3 ? 1u : 0u);
    }
  }
  EXPECT_TRUE(at(0.3, 0.2, 1.1, 0.05).contacts.empty());
  EXPECT_TRUE(at(0.3, 0.2, 5).contacts.empty());
  // Beyond the border.
  const ShapeContactsResult edge = at(2.5, 0.5, 0.5);
  ASSERT_EQ(edge.contacts.size(), 1u);
  EXPECT_NEAR(edge.contacts[0].distance, std::sqrt(0.5) - 1, 1e-12);
  EXPECT_LE((edge.contacts[0].normal - Vec3(-1, 0, -1).normalized()).norm(), 1e-12);
  EXPECT_LE((edge.contacts[0].point_b - Vec3(2, 0.5, 0)).norm(), 1e-9);
  // Named the other way round.
  const ShapeContactsResult turned =
      contacts(ground, {}, ball, Pose::from_translation({0.3, 0.2, 0.95}));
  ASSERT_EQ(turned.contacts.size(), 1u);
  EXPECT_EQ(turned.contacts[0].face_a, 0u);
  EXPECT_EQ(turned.contacts[0].face_b, kNone);
  EXPECT_NEAR(turned.contacts[0].normal.z(), 1, 1e-12);
  EXPECT_NEAR(turned.contacts[0].point_a.z(), 0, 1e-12);
  // A rounded ground is nearer.
  const ShapeContactsResult thick =
      contacts(ball, Pose::from_translation({0.3, 0.2, 1.1}), ground.rounded(0.25), {});
  ASSERT_EQ(thick.contacts.size(), 1u);
  EXPECT_NEAR(thick.contacts[0].distance, -0.15, 1e-12);
  EXPECT_NEAR(thick.contacts[0].point_b.z(), 0.25, 1e-12);
  EXPECT_THROW((void)at(0, 0, 0, -1), InvalidInput);
}

// The contacts do not depend on the subdivision of the ground, also if its edges are parallel to
// the edges of the box.
TEST(SoupContacts, ABoxOnAPlateHasItsCorners) {
  const Vec3 half(0.5, 0.75, 0.25);
  const Shape box = Shape::box(half);
  for (const int n : {1, 2, 7, 16}) {
    const Shape ground = Shape::soup(level_plate(n));
    for (const double angle : {0.0, 0.3, std::numbers::pi / 4}) {
      for (const double gap : {-0.01, 0.0, 0.05}) {
        const Pose pose = Pose::from_axis_angle({0, 0, 1}, angle, {0.25, 0.125, 0.25 + gap});
        SCOPED_TRACE(testing::Message() << n << ' ' << angle << ' ' << gap);
        const ShapeContactsResult r = contacts(box, pose, ground, {}, 0.1);
        ASSERT_EQ(r.contacts.size(), 4u);
        for (int k = 0; k < 4; ++k) {
          const Vec3 corner =
              pose * Vec3(k & 1 ? half.x() : -half.x(), k & 2 ? half.y() : -half.y(), -half.z());
          const auto is_there = [&](const ShapeContact& c) {
            return (c.point_a - corner).norm() < 1e-9;
          };
          ASSERT_EQ(std::ranges::count_if(r.contacts, is_there), 1);
          const ShapeContact& c = *std::ranges::find_if(r.contacts, is_there);
          EXPECT_NEAR(c.distance, gap, 1e-12);
          EXPECT_LE((c.normal - Vec3(0, 0, -1)).norm(), 1e-12);
          EXPECT_LE((c.point_b - Vec3(corner.x(), corner.y(), 0)).norm(), 1e-9);
        }
      }
    }
  }
  // Half of the box is beyond the border: contacts at two of its corners and at two points of the
  // border.
  const Pose pose = Pose::from_translation({2.125, 0.25, 0.25 - 0.01});
  for (const int n : {1, 3}) {
    const ShapeContactsResult r = contacts(box, pose, Shape::soup(level_plate(n)), {});
    // A vertex of the border lies below it where there are three squares along each side.
    ASSERT_EQ(r.contacts.size(), n == 1 ? 4u : 5u);
    EXPECT_EQ(std::ranges::count_if(r.contacts,
                                    [](const ShapeContact& c) { return c.point_b.x() > 2 - 1e-9; }),
              n == 1 ? 2 : 3);
    for (const ShapeContact& c : r.contacts) EXPECT_NEAR(c.distance, -0.01, 1e-12);
  }
}

// Coordinates of a plant: where the origin is does not count as a size.
TEST(SoupContacts, FarFromTheirOriginsTheyHaveTheSamePlaces) {
  base::Random random(1894);
  const Vec3 half(0.5, 0.75, 0.25), far(1 << 20, -(1 << 19), 1 << 18);
  const Pose back = Pose::from_translation(-far);
  for (int i = 0; i < scaled(40); ++i) {
    const PolygonSoup ground = level_plate(1 + static_cast<int>(random.below(8))).soup();
    std::vector<double> points;
    for (Index v = 0; v < ground.vertex_count(); ++v) {
      const Vec3 x = ground.vertex(v) + far;
      points.insert(points.end(), x.data(), x.data() + 3);
    }
    Object far_ground = Object(ground).refitted(points);
    std::vector<Vec3> corners;
    for (int k = 0; k < 8; ++k)
      corners.push_back(far + Vec3(k & 1 ? half.x() : -half.x(), k & 2 ? half.y() : -half.y(),
                                   k & 4 ? half.z() : -half.z()));
    const Pose pose = Pose::from_axis_angle(
        {0, 0, 1}, i % 2 == 0 ? 0 : 0.3,
        {random.uniform(-1, 1), random.uniform(-1, 1), 0.25 + random.uniform(-0.1, 0.1)});
    for (int which = 1; which < 4; ++which) {
      const ShapeContactsResult r = contacts(
          which & 1 ? Shape::hull(corners) : Shape::box(half), which & 1 ? pose * back : pose,
          Shape::soup(which & 2 ? far_ground : Object(ground)), which & 2 ? back : Pose(), 0.125);
      SCOPED_TRACE(testing::Message() << i << ' ' << which);
      ASSERT_EQ(r.contacts.size(), 4u);
      for (const ShapeContact& c : r.contacts) {
        EXPECT_NEAR(c.distance, pose.translation().z() - 0.25, 1e-8);
        const Vec3 x = pose.inverse() * c.point_a;
        EXPECT_NEAR(std::abs(x.x()), half.x(), 1e-6);
        EXPECT_NEAR(std::abs(x.y()), half.y(), 1e-6);
      }
    }
  }
}

TEST(SoupContacts, APlateAndItsBumpsOverAHalfSpace) {
  const Shape ground = Shape::half_space({0, 0, 1}, 0);
  for (const int n : {1, 5}) {
    const ShapeContactsResult r = contacts(ground, {}, Shape::soup(level_plate(n)),
                                           Pose::from_translation({0, 0, 0.05}), 0.1);
    // The vertices of the border.
    ASSERT_EQ(r.contacts.size(), static_cast<std::size_t>(4 * n));
    for (const ShapeContact& c : r.contacts) {
      EXPECT_NEAR(c.distance, 0.05, 1e-12);
      EXPECT_LE((c.normal - Vec3(0, 0, 1)).norm(), 1e-12);
      EXPECT_NEAR(c.point_b.head<2>().lpNorm<Eigen::Infinity>(), 2, 1e-12);
      EXPECT_NEAR(c.point_a.z(), 0, 1e-12);
    }
  }
  // Every other vertex hangs down, deeper and deeper.
  const Object bumps = plate(4, [](int i, int j) { return i % 2 && j % 2 ? -0.1 * (i + j) : 0.0; });
  const ShapeContactsResult r =
      contacts(Shape::soup(bumps), Pose::from_translation({0, 0, 0.3}), ground, {}, 0.15);
  ASSERT_EQ(r.contacts.size(), 4u);
  double least = kInfinity;
  for (const ShapeContact& c : r.contacts) {
    EXPECT_LE((c.normal - Vec3(0, 0, -1)).norm(), 1e-12);
    EXPECT_NEAR(c.point_a.z(), c.distance, 1e-12);
    EXPECT_NE(c.face_a, kNone);
    least = std::min(least, c.distance);
  }
  EXPECT_NEAR(least, 0.3 - 0.6, 1e-12);
  EXPECT_TRUE(contacts(ground, {}, Shape::soup(bumps), Pose::from_translation({0, 0, 2}), 1)
                  .contacts.empty());
}

// Every triangle as a hull of its own is the oracle.
TEST(SoupContacts, AgreeWithEveryTriangleByItself) {
  base::Random random(1891);
  int hits = 0;
  const int cases = scaled(300);
  for (int i = 0; i < cases; ++i) {
    const Object object = i % 4 == 0 ? Object(scenes::bumpy_sphere(300, random.next()))
                                     : faces_around(random, 1 + random.below(100), 0.15);
    const int kind = static_cast<int>(random.below(12));
    const Shape shape =
        kind == 11 ? Shape::half_space(random.direction(), -1) : some_shape(random, kind);
    const double radius = i % 3 == 0 ? 0.05 : 0, margin = i % 2 == 0 ? 0 : 0.1;
    const Shape soup = Shape::soup(object).rounded(radius);
    const Pose pose_a = random_pose(random, 1.7), pose_b = random_pose(random, 0.3);
    SCOPED_TRACE(testing::Message() << "case " << i << " kind " << kind);
    const ShapeContactsResult r = contacts(shape, pose_a, soup, pose_b, margin),
                              all = brute_force::contacts(shape, pose_a, soup, pose_b, margin);
    ASSERT_EQ(r.contacts.size(), all.contacts.size());
    EXPECT_EQ(r.normal, all.normal);
    double least = kInfinity;
    for (std::size_t k = 0; k < r.contacts.size(); ++k) {
      const ShapeContact& c = r.contacts[k];
      EXPECT_EQ(c.face_b, all.contacts[k].face_b);
      EXPECT_EQ(c.point_a, all.contacts[k].point_a);
      EXPECT_EQ(c.point_b, all.contacts[k].point_b);
      EXPECT_EQ(c.distance, all.contacts[k].distance);
      EXPECT_NEAR(c.normal.norm(), 1, 1e-12);
      EXPECT_NEAR(c.normal.dot(c.point_b - c.point_a), c.distance, 1e-12);
      least = std::min(least, c.distance);
      // Points are on the shape and on the face, its radius apart.
      const Shape point = Shape::sphere(0);
      EXPECT_LE(distance(shape, pose_a, point, Pose::from_translation(c.point_a)).distance.lower,
                1e-7);
      const Vec3 x = pose_b.inverse() * (c.point_b + radius * c.normal);
      double off = kInfinity;
      for (Index t = 0; t < object.soup().triangle_count(); ++t)
        if (object.soup().face_of_triangle(t) == c.face_b)
          off = std::min(off,
                         point_triangle_distance(x, query::triangle_of(object.soup(), t)).distance);
      // The overlap with a round shape is seen across a direction that is right to 1e-5.
      EXPECT_LE(off, kind == 2 || kind == 6 || kind == 7 || kind == 11 ? 1e-9 : 1e-6);
    }
    const DistanceResult d = distance(shape, pose_a, soup, pose_b);
    EXPECT_EQ(r.contacts.empty(), d.distance.lower > margin);
    if (d.distance.lower > 0 && !r.contacts.empty()) {
      EXPECT_NEAR(least, d.distance.upper, 1e-9);
    }
    if (d.distance.upper <= 0) {
      EXPECT_LE(least, 1e-9);
    }
    if (kind != 11) {
      for (Index t = 0; t < object.soup().triangle_count(); ++t) {
        const Triangle triangle = query::triangle_of(object.soup(), t);
        const DistanceResult one =
            distance(shape, pose_a, Shape::hull(triangle).rounded(radius), pose_b);
        if (!(one.distance.upper <= margin) || !one.closest) continue;
        const Vec3 x = pose_b.inverse() * (one.closest->point_b + radius * one.closest->normal);
        double border = kInfinity;
        for (std::size_t k = 0; k < 3; ++k)
          border = std::min(
              border, point_segment_distance(x, {triangle[k], triangle[(k + 1) % 3]}).distance);
        // Touches it within, not at its border: so nothing beside it is nearer.
        if (border < 1e-3 || one.distance.upper <= 1e-3) continue;
        const Index face = object.soup().face_of_triangle(t);
        EXPECT_TRUE(std::ranges::any_of(r.contacts, [&](const ShapeContact& c) {
          return c.face_b == face && std::abs(c.distance - one.distance.upper) < 1e-6;
        })) << t;
      }
    }
    hits += !r.contacts.empty();
  }
  expect_about_half(hits, cases);
}

// A sliver has a normal only by rounding; no contact along it must be reported.
TEST(SoupContacts, SliversCountAsSegments) {
  base::Random random(1893);
  int overlaps = 0;
  const int cases = scaled(400);
  for (int i = 0; i < cases; ++i) {
    const Vec3 p = random.in_box(0.8), way = random.in_box(0.8);
    std::vector<double> points;
    for (const Vec3& x : {p, Vec3(p + way), Vec3(p + random.uniform(0.1, 0.9) * way)})
      points.insert(points.end(), x.data(), x.data() + 3);
    const PolygonSoup sliver(points, std::vector<Index>{0, 1, 2});
    const Shape shape = some_shape(random, i), segment = Shape::hull(sliver.vertices());
    const Pose pose = random_pose(random, 0.5);
    const ShapeContactsResult r = contacts(shape, pose, Shape::soup(Object(sliver)), {});
    const DepthResult d = depth(shape, pose, segment, {});
    SCOPED_TRACE(testing::Message() << i << ' ' << name(shape.kind()));
    if (d.depth.lower > 1e-9) {
      EXPECT_FALSE(r.contacts.empty());
      ++overlaps;
    }
    for (const ShapeContact& c : r.contacts) {
      EXPECT_GE(c.distance, -d.depth.upper - 1e-6);
      EXPECT_LE(
          distance(shape, pose, Shape::sphere(0), Pose::from_translation(c.point_a)).distance.lower,
          1e-6);
    }
  }
  EXPECT_GT(overlaps, cases / 10);
  EXPECT_LT(overlaps, cases);
}

// A shape that overlaps leaves through the ground, not sideways over an edge within it.
TEST(SoupContacts, InnerEdgesDoNotPushSideways) {
  base::Random random(1892);
  for (int i = 0; i < scaled(200); ++i) {
    const Shape ground = Shape::soup(level_plate(1 + static_cast<int>(random.below(30))));
    const Shape shape = i % 2 == 0 ? Shape::box({0.5, 0.3, 0.2}) : Shape::capsule(0.2, 1);
    const Pose pose = Pose::from_axis_angle({0, 0, 1}, random.uniform(0, 3),
                                            {random.uniform(-1, 1), random.uniform(-1, 1), 0.19});
    const Pose placed =
        i % 2 == 0 ? pose
                   : pose * Pose::from_axis_angle({1, 0, 0}, std::numbers::pi / 2, {0, 0, 0});
    const ShapeContactsResult r = contacts(shape, placed, ground, {});
    EXPECT_EQ(r.contacts.size(), i % 2 == 0 ? 4u : 2u) << i;
    for (const ShapeContact& c : r.contacts) {
      EXPECT_NEAR(c.distance, -0.01, 1e-9) << i;
      EXPECT_NEAR(c.normal.z(), -1, 1e-9) << i;
    }
  }
}

}  // namespace
}  // namespace touche
