// SPDX-License-Identifier: Apache-2.0
// Tests shapes: supports, bounds, sums, half spaces, bad input, and the table of pairs.
#include "touche/shape.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "exact_hulls.h"
#include "hit_share.h"
#include "shape/shape_data.h"
#include "shape_cases.h"
#include "test_scale.h"

namespace touche {
namespace {

using namespace test;

// Eigen's maxCoeff() ignores NaN in some positions.
TEST(Shape, PartsThatAreNoNumbersAreRefused) {
  const shape::ShapeParts good = shape::parts_of(Shape::ellipsoid({1, 2, 3}).rounded(0.1));
  EXPECT_NO_THROW((void)shape::shape_of(good));
  for (int k = 0; k < 3; ++k)
    for (const double bad : {double{NAN}, kInfinity, -kInfinity, 1e92}) {
      shape::ShapeParts corner = good, size = good, centre = good, inner = good;
      corner.corners[0][k] = bad;
      size.round[0].size[k] = bad;
      centre.round[0].centre[k] = bad;
      inner.inner.centre[k] = bad;
      for (const shape::ShapeParts* parts : {&corner, &size, &centre, &inner})
        EXPECT_THROW((void)shape::shape_of(*parts), InvalidInput) << k << ' ' << bad;
    }
}

TEST(Shape, SupportsInClosedForm) {
  base::Random random(1821);
  for (int i = 0; i < scaled(200); ++i) {
    const Vec3 n = random.direction();
    const double across = std::hypot(n.x(), n.y());
    EXPECT_NEAR(n.dot(Shape::sphere(2).support(n)), 2, 1e-14);
    EXPECT_NEAR(n.dot(Shape::capsule(2, 6).support(n)), 2 + 3 * std::abs(n.z()), 1e-14);
    EXPECT_NEAR(n.dot(Shape::box({1, 2, 3}).support(n)), n.cwiseAbs().dot(Vec3(1, 2, 3)), 1e-14);
    EXPECT_NEAR(n.dot(Shape::cylinder(2, 6).support(n)), 2 * across + 3 * std::abs(n.z()), 1e-13);
    EXPECT_NEAR(n.dot(Shape::cone(2, 6).support(n)), std::max(3 * n.z(), 2 * across - 3 * n.z()),
                1e-13);
    EXPECT_NEAR(n.dot(Shape::ellipsoid({1, 2, 3}).support(n)), n.cwiseProduct(Vec3(1, 2, 3)).norm(),
                1e-13);
    const std::array<Vec3, 3> g = {Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(0.5, 0.5, 2)};
    double of_zonotope = n.dot(Vec3(3, 4, 5));
    for (const Vec3& v : g) of_zonotope += std::abs(n.dot(v));
    EXPECT_NEAR(n.dot(Shape::zonotope({3, 4, 5}, g).support(n)), of_zonotope, 1e-13);
  }
  EXPECT_EQ(Shape::zonotope({0, 0, 0}, std::array{Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)})
                .corners()
                .size(),
            8u);
}

TEST(Shape, ZonotopesInGeneralPosition) {
  base::Random random(1825);
  for (const int n : {1, 2, 3, 5, 8, 12}) {
    const Shape shape = Shape::zonotope({1, 2, 3}, on_sphere(random, n));
    const int corners = n == 1 ? 2 : n * (n - 1) + 2;
    EXPECT_EQ(static_cast<int>(shape.corners().size()), corners) << n;
  }
}

TEST(Shape, SumsAddTheirSupports) {
  base::Random random(1822);
  for (int i = 0; i < scaled(200); ++i) {
    const Shape a = some_shape(random, i),
                b = some_shape(random, static_cast<int>(random.below(11)));
    const Pose pose = random_pose(random, 1);
    const Shape sum = Shape::sum(a, b, pose), more = sum.rounded(0.25);
    const Vec3 n = random.direction(), turned = pose.inverse().rotate(n);
    const double expected = n.dot(a.support(n)) + n.dot(pose * b.support(turned));
    EXPECT_NEAR(n.dot(sum.support(n)), expected, 1e-13);
    EXPECT_NEAR(n.dot(more.support(n)), expected + 0.25, 1e-13);
    const Vec3 p = sum.support(n);
    EXPECT_TRUE((p.array() >= sum.bounds().lo.array()).all() &&
                (p.array() <= sum.bounds().hi.array()).all());
  }
}

TEST(Shape, BoundsHoldAndAreTight) {
  const Shape cone = Shape::cone(2, 6).rounded(0.5);
  EXPECT_LE((cone.bounds().lo - Vec3(-2.5, -2.5, -3.5)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LE((cone.bounds().hi - Vec3(2.5, 2.5, 3.5)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_TRUE((cone.bounds().lo.array() <= Vec3(-2.5, -2.5, -3.5).array()).all());
  const Shape box = Shape::box({1, 2, 3});
  EXPECT_EQ(box.bounds().hi, Vec3(1, 2, 3));
  EXPECT_EQ(Shape::half_space({0, 0, 1}, 2).bounds().hi.z(), kInfinity);
}

TEST(Shape, HullsKeepTheirCorners) {
  std::vector<Vec3> points;
  for (int x = 0; x <= 3; ++x)
    for (int y = 0; y <= 3; ++y)
      for (int z = 0; z <= 3; ++z) points.emplace_back(x, y, z);
  EXPECT_EQ(Shape::hull(points).corners().size(), 8u);
  base::Random random(1823);
  EXPECT_EQ(Shape::hull(on_sphere(random, 100)).corners().size(), 100u);
  const std::vector<Vec3> again(5, Vec3(1, 2, 3));
  EXPECT_EQ(Shape::hull(again).corners().size(), 1u);
}

TEST(Shape, HalfSpaces) {
  const Shape ground = Shape::half_space({0, 0, 3}, 3);  // z <= 1
  const Shape box = Shape::box({1, 1, 1});
  const auto at = [](double z) { return Pose::from_translation({5, 6, z}); };
  EXPECT_TRUE(intersects(ground, {}, box, at(2)).intersects);
  const IntersectsResult apart = intersects(ground, {}, box, at(std::nextafter(2.0, 3.0)));
  EXPECT_TRUE(apart.complete && !apart.intersects);
  const DistanceResult d = distance(box, at(5), ground, {});
  EXPECT_NEAR(d.distance.lower, 3, 1e-12);
  EXPECT_NEAR(d.distance.upper, 3, 1e-12);
  EXPECT_NEAR(d.closest->normal.z(), -1, 1e-15);
  EXPECT_NEAR(d.closest->point_a.z(), 4, 1e-12);
  EXPECT_NEAR(d.closest->point_b.z(), 1, 1e-12);
  const DepthResult deep = depth(ground, {}, box, at(1.5));
  EXPECT_NEAR(deep.depth.lower, 0.5, 1e-12);
  EXPECT_NEAR(deep.depth.upper, 0.5, 1e-12);
  EXPECT_NEAR(deep.direction.z(), 1, 1e-15);
  EXPECT_EQ(contacts(ground, {}, box, at(1.5)).contacts.size(), 4u);
  const Shape ball = Shape::sphere(0.5);
  EXPECT_NEAR(depth(ball, at(1.25), ground.rounded(0.25), {}).depth.upper, 0.5, 1e-12);
  EXPECT_FALSE(intersects(ball, at(1.5), ground, {}).complete);  // rounding prevents a decision
  // Grown by a box, which lies deepest with its corner.
  const Shape grown = Shape::sum(ground, box, at(0));
  EXPECT_NEAR(distance(Shape::sphere(0), at(10), grown, {}).distance.upper, 8, 1e-12);
}

TEST(Shape, CornersAndHalfSpacesExactly) {
  base::Random random(1824);
  int hits = 0;
  const int cases = scaled(300);
  for (int i = 0; i < cases; ++i) {
    const std::vector<Vec3> points = some_points(random, static_cast<int>(random.below(7)));
    const Pose pose = i % 2 == 0 ? Pose() : random_pose(random, 0.5);
    const Vec3 normal = (2 * random.in_box(1)).array().round();
    if (normal.isZero(0)) continue;
    const Shape space = Shape::half_space(normal, random.uniform(-0.9, -0.2) * (i % 3));
    const shape::HalfSpace& h = base::data_of(space).half_space;
    bool reaches = false;
    for (const Vec3& p : seen_from({}, pose, points))
      reaches |= dot(RVec(h.normal), RVec(p)) <= Rational(h.offset);
    const IntersectsResult r = intersects(Shape::hull(points), pose, space, {});
    EXPECT_TRUE(r.complete);
    EXPECT_EQ(r.intersects, reaches);
    hits += reaches;
  }
  EXPECT_GE(hits, 0.2 * cases);
}

TEST(Shape, BadInput) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW((void)Shape::sphere(-1), InvalidInput);
  EXPECT_THROW((void)Shape::sphere(none), InvalidInput);
  EXPECT_THROW((void)Shape::box({1, 1, 1e91}), InvalidInput);
  EXPECT_THROW((void)Shape::hull({}), InvalidInput);
  EXPECT_THROW((void)Shape::hull(std::array{Vec3(none, 0, 0)}), InvalidInput);
  EXPECT_THROW((void)Shape::half_space({0, 0, 0}, 1), InvalidInput);
  EXPECT_THROW((void)Shape::half_space({0, 0, 1}, kInfinity), InvalidInput);
  EXPECT_THROW((void)Shape::zonotope({0, 0, 0}, std::vector<Vec3>(65, Vec3(1, 0, 0))),
               InvalidInput);
  EXPECT_THROW((void)Shape::sphere(1).support({0, 0, 0}), InvalidInput);
  EXPECT_THROW((void)Shape::half_space({0, 0, 1}, 1).support({0, 0, 1}), InvalidInput);
  EXPECT_THROW((void)Shape::sphere(1).object(), InvalidInput);
  Shape many = Shape::cone(1, 1);
  for (int i = 1; i < 8; ++i) many = Shape::sum(many, Shape::cone(1, 1));
  EXPECT_THROW((void)Shape::sum(many, Shape::cone(1, 1)), InvalidInput);
}

TEST(Shape, PairsWithoutAnAnswerThrow) {
  const Object tetrahedron(PolygonSoup(std::vector<double>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1},
                                       std::vector<Index>{0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3}));
  const std::array<Shape, 11> shapes = {Shape::sphere(1),
                                        Shape::capsule(1, 1),
                                        Shape::box({1, 1, 1}),
                                        Shape::cylinder(1, 1),
                                        Shape::cone(1, 1),
                                        Shape::ellipsoid({1, 2, 3}),
                                        Shape::hull(std::array{Vec3(0, 0, 0), Vec3(1, 0, 0)}),
                                        Shape::zonotope({0, 0, 0}, std::array{Vec3(1, 1, 1)}),
                                        Shape::sum(Shape::cone(1, 1), Shape::cone(1, 1)),
                                        Shape::half_space({0, 0, 1}, 0),
                                        Shape::soup(tetrahedron)};
  for (const Shape& a : shapes)
    for (const Shape& b : shapes) {
      const auto expect = [&](ShapeQuestion question, const auto& ask) {
        SCOPED_TRACE(testing::Message()
                     << name(question) << ' ' << name(a.kind()) << ' ' << name(b.kind()));
        if (answers(question, a.kind(), b.kind())) {
          EXPECT_NO_THROW(ask());
        } else {
          EXPECT_THROW(ask(), InvalidInput);
        }
        EXPECT_EQ(answers(question, a.kind(), b.kind()), answers(question, b.kind(), a.kind()));
      };
      expect(ShapeQuestion::intersects, [&] { (void)intersects(a, {}, b, {}); });
      expect(ShapeQuestion::distance, [&] { (void)distance(a, {}, b, {}); });
      expect(ShapeQuestion::depth, [&] { (void)depth(a, {}, b, {}); });
      expect(ShapeQuestion::contacts, [&] { (void)contacts(a, {}, b, {}); });
      expect(ShapeQuestion::time_of_impact, [&] {
        (void)time_of_impact(a, Motion::at({}), b, Motion::at({}), {.tolerance = 1e-3});
      });
    }
  EXPECT_TRUE(answers(ShapeQuestion::depth, ShapeKind::sum, ShapeKind::half_space));
  EXPECT_TRUE(answers(ShapeQuestion::contacts, ShapeKind::half_space, ShapeKind::soup));
  for (const ShapeQuestion question :
       {ShapeQuestion::intersects, ShapeQuestion::distance, ShapeQuestion::depth,
        ShapeQuestion::contacts, ShapeQuestion::time_of_impact})
    EXPECT_FALSE(answers(question, ShapeKind::half_space, ShapeKind::half_space)) << name(question);
  EXPECT_FALSE(answers(ShapeQuestion::depth, ShapeKind::soup, ShapeKind::box));
}

TEST(Shape, RoundedSoups) {
  const Object triangle(
      PolygonSoup(std::vector<double>{0, 0, 0, 1, 0, 0, 0, 1, 0}, std::vector<Index>{0, 1, 2}));
  const Shape soup = Shape::soup(triangle);
  const Pose above = Pose::from_translation({0, 0, 1});
  EXPECT_FALSE(intersects(soup, {}, soup, above).intersects);
  EXPECT_TRUE(intersects(soup.rounded(0.6), {}, soup.rounded(0.5), above).intersects);
  EXPECT_FALSE(intersects(soup.rounded(0.4), {}, soup.rounded(0.5), above).intersects);
  const DistanceResult d = distance(soup.rounded(0.25), {}, soup.rounded(0.5), above);
  EXPECT_NEAR(d.distance.lower, 0.25, 1e-11);
  EXPECT_NEAR(d.distance.upper, 0.25, 1e-11);
  EXPECT_NEAR(std::abs(d.closest->point_b.z() - d.closest->point_a.z()), 0.25, 1e-11);
}

// A direction that leans a little from a face's normal makes a corner the farthest part.
TEST(ShapeContacts, PointsLieOnTheSurfacesOppositeEachOther) {
  base::Random random(1895);
  int hits = 0;
  const int cases = scaled(2000);
  for (int i = 0; i < cases; ++i) {
    const Shape a = some_shape(random, i).rounded(0.1),
                b = some_shape(random, static_cast<int>(random.below(11)));
    const Pose pose = random_pose(random, 0.7);
    const auto off = [](const Shape& shape, const Pose& at, const Vec3& x) {
      return distance(shape, at, Shape::sphere(0), Pose::from_translation(x)).distance.lower;
    };
    SCOPED_TRACE(testing::Message() << i << ' ' << name(a.kind()) << ' ' << name(b.kind()));
    const ShapeContactsResult r = contacts(a, {}, b, pose);
    hits += !r.contacts.empty();
    for (const ShapeContact& c : r.contacts) {
      EXPECT_LE(off(a, {}, c.point_a), 1e-4);
      EXPECT_LE(off(b, pose, c.point_b), 1e-4);
      EXPECT_LE((c.point_b - c.point_a - c.distance * c.normal).norm(), 1e-4);
    }
  }
  EXPECT_GT(hits, cases / 4);
}

TEST(ShapeContacts, FacesEdgesAndPoints) {
  const Shape box = Shape::box({1, 1, 1});
  const ShapeContactsResult face = contacts(box, {}, box, Pose::from_translation({1, 1, 1.75}));
  ASSERT_EQ(face.contacts.size(), 4u);
  EXPECT_NEAR(face.normal.z(), 1, 1e-12);
  for (const ShapeContact& c : face.contacts) {
    EXPECT_NEAR(c.distance, -0.25, 1e-12);
    EXPECT_NEAR(c.point_a.z(), 1, 1e-12);
    EXPECT_NEAR(c.point_b.z(), 0.75, 1e-12);
    EXPECT_GE(c.point_a.x(), -1e-9);
    EXPECT_LE(c.point_a.x(), 1 + 1e-9);
  }
  // An edge on a face.
  const Pose on_edge = Pose::from_axis_angle({1, 0, 0}, std::numbers::pi / 4,
                                             {0.5, 0, 1 + std::numbers::sqrt2 - 0.1});
  const ShapeContactsResult edge = contacts(box, {}, box, on_edge);
  ASSERT_EQ(edge.contacts.size(), 2u);
  EXPECT_NEAR(edge.contacts[0].distance, -0.1, 1e-12);
  EXPECT_NEAR(std::abs(edge.contacts[0].point_a.x() - edge.contacts[1].point_a.x()), 1.5, 1e-9);
  // A cylinder that stands on a box, and one that lies on it.
  const Shape cylinder = Shape::cylinder(0.5, 1);
  EXPECT_EQ(contacts(box, {}, cylinder, Pose::from_translation({0, 0, 1.4})).contacts.size(), 16u);
  const Pose lying = Pose::from_axis_angle({1, 0, 0}, std::numbers::pi / 2, {0, 0, 1.4});
  const ShapeContactsResult line = contacts(box, {}, cylinder, lying);
  ASSERT_EQ(line.contacts.size(), 2u);
  EXPECT_NEAR(line.contacts[0].distance, -0.1, 1e-9);
  // A ball near a box.
  const Pose near = Pose::from_translation({0, 0, 1.6});
  EXPECT_TRUE(contacts(box, {}, Shape::sphere(0.5), near, 0.05).contacts.empty());
  const ShapeContactsResult point = contacts(box, {}, Shape::sphere(0.5), near, 0.2);
  ASSERT_EQ(point.contacts.size(), 1u);
  EXPECT_NEAR(point.contacts[0].distance, 0.1, 1e-12);
  EXPECT_NEAR(point.contacts[0].point_b.z(), 1.1, 1e-12);
  EXPECT_THROW((void)contacts(box, {}, box, {}, -1), InvalidInput);
}

// The centre of its box lies outside of this tetrahedron, and a small body fits in there.
TEST(Shapes, WhatLiesAtTheCentreOfABoxNeedNotMeetTheHull) {
  const Vec3 corners[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Shape hull = Shape::hull(corners);
  for (const Shape& small : {Shape::box({0.05, 0.05, 0.05}), Shape::sphere(0.1)}) {
    const Pose there = Pose::from_translation({0.5, 0.5, 0.5});
    EXPECT_FALSE(intersects(hull, {}, small, there).intersects);
    EXPECT_FALSE(intersects(small, there, hull, {}).intersects);
    EXPECT_GT(distance(hull, {}, small, there).distance.lower, 0.1);
    EXPECT_TRUE(intersects(hull, {}, small, Pose::from_translation({0.3, 0.3, 0.3})).intersects);
  }
}

}  // namespace
}  // namespace touche
