// SPDX-License-Identifier: Apache-2.0
// Depths and contacts of shapes of the plane: closed forms, all sides' normals in extended
// precision, and every edge of an outline by itself.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "hit_share.h"
#include "plane_sets.h"
#include "test_scale.h"
#include "touche/plane_shape.h"
#include "touche/reference.h"

namespace touche::plane::plane_contacts_test {
namespace {

using Wide = long double;

Object chain(std::vector<Vec2> points, bool closed = false) {
  return Object(Outline(std::vector<Chain>{{std::move(points), closed, "chain"}}));
}
Pose at(double x, double y, double angle = 0) { return Pose(angle, {x, y}); }

std::vector<Vec2> placed(const Shape& shape, const Pose& pose) {
  std::vector<Vec2> points = shape.corners();
  for (Vec2& p : points) p = pose * p;
  return points;
}

/// The depth of two polygons that overlap: the least by which they reach over each other along the
/// normal of a side. Negative where a line parallel to one has them apart.
Wide depth_by_sides(const std::vector<Vec2>& a, const std::vector<Vec2>& b) {
  Wide least = INFINITY;
  const auto along = [&](Wide nx, Wide ny) {
    Wide most_a = -INFINITY, least_b = INFINITY;
    for (const Vec2& p : a) most_a = std::max(most_a, nx * p.x() + ny * p.y());
    for (const Vec2& p : b) least_b = std::min(least_b, nx * p.x() + ny * p.y());
    least = std::min(least, most_a - least_b);
  };
  for (const auto& sides : {a, b})
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const Vec2 &p = sides[i], &q = sides[(i + 1) % sides.size()];
      const Wide nx = Wide(q.y()) - p.y(), ny = Wide(p.x()) - q.x(), length = std::hypot(nx, ny);
      if (length > 0) along(nx / length, ny / length), along(-nx / length, -ny / length);
    }
  return least;
}

Wide from_border(const Vec2& x, const std::vector<Vec2>& polygon) {
  Wide least = INFINITY;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2 &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
    const Wide ux = Wide(q.x()) - p.x(), uy = Wide(q.y()) - p.y(), uu = ux * ux + uy * uy;
    const Wide wx = Wide(x.x()) - p.x(), wy = Wide(x.y()) - p.y();
    const Wide t = uu > 0 ? std::clamp((wx * ux + wy * uy) / uu, Wide(0), Wide(1)) : Wide(0);
    least = std::min(least, std::hypot(wx - t * ux, wy - t * uy));
  }
  return least;
}

std::vector<Shape> all_volumes(const std::vector<Vec2>& points) {
  return {Circle::fit(points), Box::fit(points),     OrientedBox::fit(points), Dop4::fit(points),
          Dop8::fit(points),   Zonogon::fit(points), Hull::fit(points)};
}

double least_separation(const ShapeContactsResult& found) {
  double least = kInfinity;
  for (const ShapeContact& c : found.contacts) least = std::min(least, c.distance);
  return least;
}

void expect_same(const ShapeContactsResult& a, const ShapeContactsResult& b) {
  ASSERT_EQ(a.contacts.size(), b.contacts.size());
  EXPECT_EQ(a.normal, b.normal);
  for (std::size_t i = 0; i < a.contacts.size(); ++i) {
    const ShapeContact &c = a.contacts[i], &d = b.contacts[i];
    EXPECT_EQ(c.point_a, d.point_a);
    EXPECT_EQ(c.point_b, d.point_b);
    EXPECT_EQ(c.distance, d.distance);
    EXPECT_EQ(std::pair(c.edge_a, c.edge_b), std::pair(d.edge_a, d.edge_b));
    EXPECT_TRUE(c.feature_a == d.feature_a && c.feature_b == d.feature_b);
  }
}

constexpr Feature vertex(Index i) { return {FeatureKind::vertex, i}; }
constexpr Feature edge(Index i) { return {FeatureKind::edge, i}; }

TEST(PlaneContacts, OfConvexShapesInClosedForm) {
  const Shape box = Box{{-1, -1}, {1, 1}}, ball = Circle{{0, 0}, 1};
  EXPECT_EQ(box.corners(), (std::vector<Vec2>{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}));
  // A box upon a box: both ends of what their sides have in common.
  const ShapeContactsResult flush = contacts(box, Pose(), box, at(0.5, 1.75));
  ASSERT_EQ(flush.contacts.size(), 2u);
  EXPECT_EQ(flush.normal, Vec2(0, 1));
  const ShapeContact &right =
                         flush.contacts[0].point_a.x() > 0 ? flush.contacts[0] : flush.contacts[1],
                     &left = &right == &flush.contacts[0] ? flush.contacts[1] : flush.contacts[0];
  EXPECT_EQ(right.point_a, Vec2(1, 1));
  EXPECT_EQ(right.point_b, Vec2(1, 0.75));
  EXPECT_EQ(left.point_a, Vec2(-0.5, 1));
  EXPECT_EQ(right.distance, -0.25);
  EXPECT_TRUE(right.feature_a == vertex(2) && right.feature_b == edge(0));
  EXPECT_TRUE(left.feature_a == edge(2) && left.feature_b == vertex(0));
  // A corner in a side, a circle in a side, at a corner, in a circle.
  const ShapeContactsResult corner =
      contacts(box, Pose(), box, at(1 + std::sqrt(2) - 0.1, 0, M_PI / 4));
  ASSERT_EQ(corner.contacts.size(), 1u);
  EXPECT_NEAR(corner.contacts[0].distance, -0.1, 1e-12);
  EXPECT_TRUE(corner.contacts[0].feature_a == edge(1) && corner.contacts[0].feature_b == vertex(3));
  const ShapeContactsResult round = contacts(box, Pose(), ball, at(0.25, 1.9));
  ASSERT_EQ(round.contacts.size(), 1u);
  EXPECT_NEAR((round.contacts[0].point_a - Vec2(0.25, 1)).norm(), 0, 1e-12);
  EXPECT_NEAR((round.contacts[0].point_b - Vec2(0.25, 0.9)).norm(), 0, 1e-12);
  EXPECT_NEAR(round.contacts[0].distance, -0.1, 1e-12);
  const ShapeContactsResult diagonal = contacts(box, Pose(), ball, at(1.6, 1.8));
  ASSERT_EQ(diagonal.contacts.size(), 1u);
  EXPECT_NEAR((diagonal.normal - Vec2(0.6, 0.8)).norm(), 0, 1e-12);
  EXPECT_NEAR(diagonal.contacts[0].distance, 0, 1e-12);
  const ShapeContactsResult balls = contacts(ball, Pose(), ball, at(0, 1.5));
  ASSERT_EQ(balls.contacts.size(), 1u);
  EXPECT_NEAR(balls.contacts[0].distance, -0.5, 1e-12);
  EXPECT_NEAR(depth(ball, Pose(), ball, Pose()).depth.lower, 2, 1e-12);
  EXPECT_EQ(contacts(ball, Pose(), ball, Pose()).contacts.size(), 1u);
  // Apart by less than the margin, by more, by as much.
  EXPECT_EQ(contacts(box, Pose(), box, at(0, 2.5), 0.6).contacts.size(), 2u);
  EXPECT_TRUE(contacts(box, Pose(), box, at(0, 2.5), 0.4).contacts.empty());
  EXPECT_EQ(contacts(box, Pose(), box, at(0, 2.5), 0.5).contacts.size(), 2u);
  EXPECT_EQ(contacts(box, Pose(), box, at(2, 2)).contacts.size(), 1u);
}

TEST(PlaneContacts, OfAllVolumesAgreeWithAllSides) {
  base::Random random(31);
  int deep = 0, pairs = 0;
  for (int i = 0, n = test::scaled(40, 10); i < n && !HasFailure(); ++i) {
    const std::vector<Shape> of_a = all_volumes(test::random_points(random, 1)),
                             of_b = all_volumes(test::random_points(random, 1));
    const Pose pose_a = test::random_plane_pose(random, 0.8),
               pose_b = test::random_plane_pose(random, 0.8);
    for (const Shape& plain : of_a)
      for (const Shape& b : of_b) {
        const Shape a = random.below(3) == 0 ? plain.rounded(random.uniform(0, 0.3)) : plain;
        const double radii = a.radius() + b.radius();
        const std::vector<Vec2> corners_a = placed(a, pose_a), corners_b = placed(b, pose_b);
        const Wide by_sides = depth_by_sides(corners_a, corners_b);
        const ShapeContactsResult found = contacts(a, pose_a, b, pose_b, 20);
        ++pairs;
        ASSERT_GE(found.contacts.size(), 1u);
        ASSERT_LE(found.contacts.size(), 2u);
        const double least = least_separation(found);
        const DepthResult d = depth(a, pose_a, b, pose_b);
        EXPECT_TRUE(d.complete);
        if (std::isfinite(by_sides) && by_sides > 1e-9) {
          ++deep;
          const double truth = static_cast<double>(by_sides) + radii;
          EXPECT_NEAR(least, -truth, 1e-12);
          EXPECT_LE(d.depth.lower, truth * (1 + 1e-12));
          EXPECT_GE(d.depth.upper, truth * (1 - 1e-12));
          EXPECT_LE(d.depth.upper - d.depth.lower, 2e-9 * truth);
        } else {
          const Shape core_a = Rounded{a.corners(), 0}, core_b = Rounded{b.corners(), 0};
          const double apart = distance(core_a, pose_a, core_b, pose_b).distance.upper;
          EXPECT_NEAR(least, apart - radii, 1e-8);
          EXPECT_NEAR(d.depth.upper, std::max(0.0, radii - apart), 1e-8);
        }
        for (const ShapeContact& c : found.contacts) {
          EXPECT_NEAR(c.normal.norm(), 1, 1e-12);
          EXPECT_EQ(c.normal, found.normal);
          EXPECT_NEAR(c.normal.dot(c.point_b - c.point_a), c.distance, 1e-12);
          EXPECT_LE(from_border(c.point_a - a.radius() * c.normal, corners_a), 1e-9);
          EXPECT_LE(from_border(c.point_b + b.radius() * c.normal, corners_b), 1e-9);
          const Feature f = c.feature_a;
          EXPECT_LT(f.index, corners_a.size());
          if (f.kind == FeatureKind::vertex) {
            EXPECT_LE((c.point_a - a.radius() * c.normal - corners_a[f.index]).norm(), 1e-8);
          }
        }
        // Shifted by it they touch.
        const Pose out(pose_b.angle(), pose_b.translation() - (least + 1e-8) * found.normal),
            in(pose_b.angle(), pose_b.translation() - (least - 1e-8) * found.normal);
        EXPECT_TRUE(intersects(a, pose_a, b, out).intersects ||
                    distance(a, pose_a, b, out).distance.upper < 3e-8);
        EXPECT_LE(depth(a, pose_a, b, in).depth.lower, 3e-8);
      }
  }
  test::expect_about_half(deep, pairs);
}

TEST(PlaneContacts, OfABoxOnALineAreItsCorners) {
  const Shape box = Box{{-1, -0.5}, {1, 0.5}};
  std::vector<Vec2> many;
  for (int i = 0; i <= 100; ++i) many.emplace_back(-5 + 0.1 * i, 0);
  for (const std::vector<Vec2>& points : {std::vector<Vec2>{{-5, 0}, {5, 0}}, many}) {
    const ShapeContactsResult found = contacts(box, at(0.03, 0.45), chain(points), Pose());
    ASSERT_EQ(found.contacts.size(), 2u);
    for (const ShapeContact& c : found.contacts) {
      EXPECT_NEAR(c.distance, -0.05, 1e-12);
      EXPECT_NEAR((c.normal - Vec2(0, -1)).norm(), 0, 1e-12);
      EXPECT_EQ(c.feature_a.kind, FeatureKind::vertex);
      EXPECT_EQ(c.edge_a, kNone);
      EXPECT_NE(c.edge_b, kNone);
    }
    // The line's end counts where it lies under the box, whatever else does.
    const ShapeContactsResult end = contacts(box, at(4.5, 0.45), chain(points), Pose());
    ASSERT_EQ(end.contacts.size(), 2u);
    EXPECT_NEAR(std::max(end.contacts[0].point_b.x(), end.contacts[1].point_b.x()), 5, 1e-12);
    // One contact under a circle, also over a vertex, directed straight up.
    for (const double x : {0.03, 0.1, 0.05}) {
      const ShapeContactsResult ball =
          contacts(Circle{{0, 0}, 1}, at(x, 0.95), chain(points), Pose());
      ASSERT_EQ(ball.contacts.size(), 1u) << x;
      EXPECT_NEAR((ball.normal - Vec2(0, -1)).norm(), 0, 1e-9);
    }
  }
}

TEST(PlaneContacts, AtCornersOfAnOutline) {
  const Shape ball = Circle{{0, 0}, 1};
  // Over a roof there is one contact, at its ridge; in a valley there are two.
  const Object roof = chain({{-4, -4}, {0, 0}, {4, -4}}), valley = chain({{-4, 4}, {0, 0}, {4, 4}});
  const ShapeContactsResult on_roof = contacts(roof, Pose(), ball, at(0.2, 0.95));
  ASSERT_EQ(on_roof.contacts.size(), 1u);
  EXPECT_TRUE(on_roof.contacts[0].feature_a == vertex(1));
  EXPECT_EQ(on_roof.contacts[0].edge_a, 0u);
  EXPECT_NEAR((on_roof.normal - Vec2(0.2, 0.95).normalized()).norm(), 0, 1e-12);
  const ShapeContactsResult in_valley = contacts(valley, Pose(), ball, at(0, 1.4));
  ASSERT_EQ(in_valley.contacts.size(), 2u);
  for (const ShapeContact& c : in_valley.contacts)
    EXPECT_NEAR(c.distance, 1.4 / std::sqrt(2) - 1, 1e-12);
  // Beside a side of a ring only that side counts, not the ones around its corner.
  const Object ring = chain({{0, 0}, {4, 0}, {4, 4}, {0, 4}}, true);
  const ShapeContactsResult beside = contacts(ring, Pose(), ball, at(4.9, 3.9), 0.5);
  ASSERT_EQ(beside.contacts.size(), 1u);
  EXPECT_EQ(beside.contacts[0].edge_a, 1u);
  EXPECT_TRUE(beside.contacts[0].feature_a == edge(1));
  // A rounded outline is nearer by its radius.
  const ShapeContactsResult thick = contacts(Shape(roof).rounded(0.25), Pose(), ball, at(0, 1.2));
  ASSERT_EQ(thick.contacts.size(), 1u);
  EXPECT_NEAR(thick.contacts[0].distance, -0.05, 1e-12);
  EXPECT_NEAR((thick.contacts[0].point_a - Vec2(0, 0.25)).norm(), 0, 1e-12);
}

TEST(PlaneContacts, OfOutlinesAgreeWithEveryEdge) {
  base::Random random(32);
  int hits = 0, pairs = 0;
  std::size_t most = 0;
  for (int i = 0, n = test::scaled(60, 15); i < n && !HasFailure(); ++i) {
    std::vector<Vec2> star;
    for (int k = 0; k < 60; ++k) {
      const double r = k % 2 == 0 ? 1 : random.uniform(0.6, 1), angle = M_PI * k / 30;
      star.emplace_back(r * std::cos(angle), r * std::sin(angle));
    }
    const Object object = chain(star, i % 2 == 0);
    const Outline& edges = object.outline();
    const Shape line(object), outline = i % 3 == 0 ? line.rounded(0.1) : line;
    const Pose pose = test::random_plane_pose(random, 1),
               place = test::random_plane_pose(random, 1.5);
    for (const Shape& shape : all_volumes(test::random_points(random, random.uniform(0.1, 1)))) {
      const double margin = std::array{0.0, 0.01, 0.3}[random.below(3)];
      const ShapeContactsResult found = contacts(outline, pose, shape, place, margin);
      expect_same(found, brute_force::contacts(outline, pose, shape, place, margin));
      ++pairs;
      hits += !found.contacts.empty();
      most = std::max(most, found.contacts.size());
      const DistanceResult apart = distance(outline, pose, shape, place);
      EXPECT_EQ(found.contacts.empty(), apart.distance.lower > margin);
      if (!found.contacts.empty() && apart.distance.lower > 1e-6) {
        EXPECT_NEAR(least_separation(found), apart.distance.upper, 1e-9);
      }
      // Moved out along its normal the shape is no longer in the edge.
      for (const ShapeContact& c : found.contacts) {
        const auto& [p, q] = edges.edge(c.edge_a);
        const Shape side = Rounded{{edges.vertex(p), edges.vertex(q)}, outline.radius()};
        const Vec2 out = (std::max(0.0, -c.distance) + 1e-9) * c.normal;
        EXPECT_LE(
            depth(side, pose, shape, Pose(place.angle(), place.translation() + out)).depth.lower,
            1e-8);
        EXPECT_NEAR(c.normal.dot(c.point_b - c.point_a), c.distance, 1e-12);
        EXPECT_LE(from_border(pose.inverse() * Vec2(c.point_a - outline.radius() * c.normal),
                              side.corners()),
                  1e-9);
      }
      // The other way round everything is exchanged.
      ShapeContactsResult other = contacts(shape, place, outline, pose, margin);
      ASSERT_EQ(other.contacts.size(), found.contacts.size());
      for (std::size_t k = 0; k < found.contacts.size(); ++k) {
        EXPECT_EQ(other.contacts[k].point_a, found.contacts[k].point_b);
        EXPECT_EQ(other.contacts[k].normal, -found.contacts[k].normal);
        EXPECT_EQ(other.contacts[k].edge_b, found.contacts[k].edge_a);
        EXPECT_LT(found.contacts[k].edge_a, 60u);
        EXPECT_EQ(found.contacts[k].edge_b, kNone);
      }
    }
  }
  EXPECT_GT(hits, pairs / 4);
  EXPECT_LT(hits, pairs * 9 / 10);
  EXPECT_GT(most, 4u);
}

TEST(PlaneContacts, OfTwoOutlinesInClosedForm) {
  const Object box = chain({{0, 0}, {4, 0}, {4, 4}, {0, 4}}, true);
  std::vector<Vec2> many;
  for (int i = 0; i <= 100; ++i) many.emplace_back(-5 + 0.1 * i, 0);
  // A box over a line, whatever its edges: its two corners.
  for (const std::vector<Vec2>& points : {std::vector<Vec2>{{-9, 0}, {9, 0}}, many})
    for (const double radius : {0.0, 0.125}) {
      const Shape line = Shape(chain(points)).rounded(radius);
      const ShapeContactsResult found = contacts(box, at(0.53, 0.25), line, Pose(), 0.5);
      ASSERT_EQ(found.contacts.size(), 2u);
      EXPECT_NEAR((found.normal - Vec2(0, -1)).norm(), 0, 1e-12);
      for (const ShapeContact& c : found.contacts) {
        EXPECT_NEAR(c.distance, 0.25 - radius, 1e-12);
        EXPECT_EQ(c.feature_a.kind, FeatureKind::vertex);
        EXPECT_LE(c.feature_a.index, 1u);
        EXPECT_NEAR(c.point_a.y(), 0.25, 1e-12);
        EXPECT_NEAR(c.point_b.y(), radius, 1e-12);
      }
      EXPECT_TRUE(contacts(box, at(0.53, 0.25), line, Pose(), 0.2 - radius).contacts.empty());
    }
  // From tip to tip.
  const Object roof = chain({{-4, -4}, {0, 0}, {4, -4}}), spike = chain({{-4, 5}, {0, 1}, {4, 5}});
  const ShapeContactsResult tips = contacts(roof, Pose(), spike, Pose(), 2);
  ASSERT_EQ(tips.contacts.size(), 1u);
  EXPECT_TRUE(tips.contacts[0].feature_a == vertex(1) && tips.contacts[0].feature_b == vertex(1));
  EXPECT_EQ(std::pair(tips.contacts[0].edge_a, tips.contacts[0].edge_b), std::pair(0u, 0u));
  EXPECT_NEAR(tips.contacts[0].distance, 1, 1e-12);
  EXPECT_NEAR((tips.normal - Vec2(0, 1)).norm(), 0, 1e-12);
  // Edges that cross are not deep in each other, but rounded ones are by their radii.
  const Object across = chain({{-5, 0}, {5, 0}}), upright = chain({{1, -5}, {1, 2}});
  const ShapeContactsResult cross = contacts(Shape(across), Pose(), upright, Pose());
  ASSERT_EQ(cross.contacts.size(), 1u);
  EXPECT_EQ(cross.contacts[0].distance, 0);
  EXPECT_NEAR((cross.contacts[0].point_a - Vec2(1, 0)).norm(), 0, 1e-12);
  EXPECT_NEAR((cross.normal - Vec2(0, -1)).norm(), 0, 1e-12);  // its upper part is shorter
  const ShapeContactsResult thick =
      contacts(Shape(across).rounded(0.5), Pose(), Shape(upright).rounded(0.25), Pose());
  ASSERT_EQ(thick.contacts.size(), 1u);
  EXPECT_EQ(thick.contacts[0].distance, -0.75);
}

TEST(PlaneContacts, OfTwoOutlinesAgreeWithEveryPairOfEdges) {
  base::Random random(33);
  int hits = 0, apart = 0, pairs = 0;
  const auto star = [&](int corners, double size, bool closed) {
    std::vector<Vec2> points;
    for (int k = 0; k < corners; ++k) {
      const double r = size * random.uniform(0.5, 1), angle = 2 * M_PI * k / corners;
      points.emplace_back(r * std::cos(angle), r * std::sin(angle));
    }
    return Shape(chain(points, closed));
  };
  for (int i = 0, n = test::scaled(200, 100); i < n && !HasFailure(); ++i) {
    const Shape a = star(40, 1, i % 2 == 0), plain = star(25, 0.7, i % 3 == 0),
                b = i % 4 == 0 ? plain.rounded(0.1) : plain;
    const Pose pose_a = test::random_plane_pose(random, 1),
               pose_b = test::random_plane_pose(random, 2);
    const double margin = std::array{0.0, 0.1, 0.5}[random.below(3)];
    const ShapeContactsResult found = contacts(a, pose_a, b, pose_b, margin);
    expect_same(found, brute_force::contacts(a, pose_a, b, pose_b, margin));
    const DistanceResult far = distance(a, pose_a, b, pose_b);
    EXPECT_EQ(found.contacts.empty(), far.distance.lower > margin) << i;
    ++pairs;
    if (found.contacts.empty()) continue;
    ++hits;
    if (far.distance.lower > 1e-6) {
      ++apart;
      EXPECT_NEAR(least_separation(found), far.distance.upper, 1e-9) << i;
    } else {
      EXPECT_LE(least_separation(found), 1e-9) << i;
    }
    for (const ShapeContact& c : found.contacts) {
      EXPECT_LE(c.distance, margin + 1e-9);
      EXPECT_NEAR(c.normal.norm(), 1, 1e-12);
      EXPECT_NEAR(c.normal.dot(c.point_b - c.point_a), c.distance, 1e-9);
      EXPECT_LT(c.edge_a, 40u);
      EXPECT_LT(c.edge_b, 25u);
    }
    const ShapeContactsResult other = contacts(b, pose_b, a, pose_a, margin);
    EXPECT_FALSE(other.contacts.empty());
    EXPECT_NEAR(least_separation(other), least_separation(found), 1e-9) << i;
  }
  EXPECT_GT(hits, pairs / 10);
  EXPECT_LT(hits, pairs);
  EXPECT_GT(apart, 0);
}

// Shapes without width on one line are apart along it, though no side is between them.
TEST(PlaneContacts, OfThinShapesOnOneLineAreAtTheirEnds) {
  const auto capsule = [](double from, double to, double radius) {
    return Shape(Rounded{{{from, 0}, {to, 0}}, radius});
  };
  const Shape disc = Circle{{0, 0}, 0.5}, line(chain({{0, 0}, {1, 0}}));
  const auto expect = [](const Shape& a, const Shape& b, double separation) {
    const ShapeContactsResult found = contacts(a, Pose(), b, Pose(), 2);
    ASSERT_EQ(found.contacts.size(), 1u);
    EXPECT_NEAR(found.contacts[0].distance, separation, 1e-12);
    EXPECT_NEAR(found.contacts[0].normal.x(), 1, 1e-12);
  };
  expect(disc, capsule(2, 3, 0.5), 1);
  expect(capsule(0, 1, 0.4), capsule(2, 3, 0.5), 0.1);
  expect(capsule(0, 1, 0), capsule(2, 3, 0), 1);
  expect(line, Circle{{1.8, 0}, 0.5}, 0.3);
  expect(line, Circle{{1.2, 0}, 0.5}, -0.3);
  expect(capsule(0, 1, 0.4), capsule(1.5, 3, 0.4), -0.3);
}

TEST(PlaneContacts, RefuseWhatHasNone) {
  const Shape line(chain({{0, 0}, {1, 0}})), ball = Circle{{0, 0}, 1};
  EXPECT_THROW((void)contacts(line, Pose(), line, Pose(), -1), InvalidInput);
  EXPECT_THROW((void)contacts(line, Pose(), line, Pose(), std::nan("")), InvalidInput);
  EXPECT_THROW((void)contacts(ball, Pose(), ball, Pose(), -1), InvalidInput);
  EXPECT_THROW((void)contacts(ball, Pose(), line, Pose(), std::nan("")), InvalidInput);
  EXPECT_THROW((void)depth(ball, Pose(), line, Pose()), InvalidInput);
}

}  // namespace
}  // namespace touche::plane::plane_contacts_test
