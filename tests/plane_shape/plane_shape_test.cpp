// SPDX-License-Identifier: Apache-2.0
// Volumes of the plane as shapes beside outlines: distances against closed forms and against all
// pairs of sides, times of impact against closed forms, samples and chords.
#include "touche/plane_shape.h"
#include "touche/reference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "exact.h"
#include "hit_share.h"
#include "plane/vec2.h"
#include "plane_sets.h"
#include "test_scale.h"

namespace touche::plane::plane_shape_test {
namespace {

constexpr double kPi = std::numbers::pi;

// ---- slow, simple reference -------------------------------------------------------------------

using Wide = long double;

Wide point_side(const Vec2& p, const Vec2& a, const Vec2& b) {
  const Wide ux = Wide(b.x()) - a.x(), uy = Wide(b.y()) - a.y();
  const Wide wx = Wide(p.x()) - a.x(), wy = Wide(p.y()) - a.y();
  const Wide uu = ux * ux + uy * uy;
  const Wide t = uu > 0 ? std::clamp((wx * ux + wy * uy) / uu, Wide(0), Wide(1)) : Wide(0);
  return std::hypot(wx - t * ux, wy - t * uy);
}

bool sides_cross(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  const auto turn = [](const Vec2& p, const Vec2& q, const Vec2& r) {
    const test::RVec x{q.x(), q.y(), 0}, o{p.x(), p.y(), 0}, y{r.x(), r.y(), 0};
    const test::RVec u = x - o, v = y - o;
    const test::Rational area = u.x * v.y - u.y * v.x;
    return area > 0 ? 1 : area < 0 ? -1 : 0;
  };
  return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
}

bool inside(const std::vector<Vec2>& corners, const Vec2& p) {
  if (corners.size() < 3) return false;
  Vec2 lo = corners[0], hi = lo;  // polygons may have no area
  for (const Vec2& c : corners) lo = lo.cwiseMin(c), hi = hi.cwiseMax(c);
  if (!(p.array() >= lo.array()).all() || !(p.array() <= hi.array()).all()) return false;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec2 &a = corners[i], &b = corners[(i + 1) % corners.size()];
    if (Wide(b.x() - a.x()) * (p.y() - a.y()) - Wide(b.y() - a.y()) * (p.x() - a.x()) < 0)
      return false;
  }
  return true;
}

/// Returns the distance of the sides of two polygons, and 0 where one lies in the other that is
/// `solid`.
double side_distance(const std::vector<Vec2>& a, bool solid_a, const std::vector<Vec2>& b,
                     bool solid_b) {
  if ((solid_a && inside(a, b[0])) || (solid_b && inside(b, a[0]))) return 0;
  Wide least = kInfinity;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) {
      const Vec2 &p = a[i], &q = a[(i + 1) % a.size()], &r = b[j], &s = b[(j + 1) % b.size()];
      if (sides_cross(p, q, r, s)) return 0;
      least = std::min({least, point_side(p, r, s), point_side(q, r, s), point_side(r, p, q),
                        point_side(s, p, q)});
    }
  return static_cast<double>(least);
}

std::vector<Vec2> placed(std::vector<Vec2> points, const Pose& pose) {
  for (Vec2& p : points) p = pose * p;
  return points;
}

Object ring(const std::vector<Vec2>& points) {
  return Object(Outline(std::vector<Chain>{{points, true, "ring"}}));
}

template <typename F>
void for_each_volume(const std::vector<Vec2>& points, F&& f) {
  f(Circle::fit(points));
  f(Box::fit(points));
  f(OrientedBox::fit(points));
  f(Dop4::fit(points));
  f(Dop8::fit(points));
  f(Zonogon::fit(points));
  f(Hull::fit(points));
}

// ---- distances
// -----------------------------------------------------------------------------------

/// Checks the results for two shapes at the distance `truth`, with sizes and positions of about
/// `size`.
void expect_distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                     double truth, double size) {
  const DistanceResult found = distance(a, pose_a, b, pose_b);
  const double rounding = 1e-13 * size, room = 0x1p-33 * size;
  EXPECT_TRUE(found.complete);
  EXPECT_LE(found.distance.lower, truth + rounding);
  EXPECT_GE(found.distance.upper, truth - rounding);
  EXPECT_LE(found.distance.upper - found.distance.lower, room);
  ASSERT_TRUE(found.closest);
  EXPECT_NEAR((found.closest->point_b - found.closest->point_a).norm(), truth, room);
  EXPECT_NEAR(found.closest->normal.norm(), 1, 1e-12);
  if (truth > 1e-6 * size) {
    EXPECT_NEAR(
        (found.closest->point_b - found.closest->point_a).normalized().dot(found.closest->normal),
        1, 1e-6);
  }
  const IntersectsResult touch = intersects(a, pose_a, b, pose_b);
  if (truth > room) {
    EXPECT_TRUE(touch.complete);
    EXPECT_FALSE(touch.intersects);
  } else if (truth == 0 && touch.complete) {
    EXPECT_TRUE(touch.intersects);
  }
  EXPECT_TRUE(touch || truth > 0);
}

TEST(PlaneShape, CirclesInClosedForm) {
  base::Random random(1);
  const int n = test::scaled(1000);
  int hits = 0;
  for (int i = 0; i < n && !HasFailure(); ++i) {
    const double scale = std::pow(10, random.uniform(-6, 6));
    const Circle a{scale * test::random_vec2(random, 1), scale * random.uniform(0, 1)},
        b{scale * test::random_vec2(random, 1), i % 5 == 0 ? 0 : scale * random.uniform(0, 1)};
    const Pose pose_a = test::random_plane_pose(random, scale),
               pose_b = test::random_plane_pose(random, 0.5 * scale);
    const double between = (pose_b * b.centre - pose_a * a.centre).norm();
    const double truth = std::max(0.0, between - a.radius - b.radius);
    hits += truth == 0;
    expect_distance(a, pose_a, b, pose_b, truth, 10 * scale);
  }
  test::expect_about_half(hits, n);
}

TEST(PlaneShape, EveryVolumeAgainstEveryOther) {
  base::Random random(2);
  int hits = 0, pairs = 0;
  for (int i = 0, n = test::scaled(60, 30); i < n && !HasFailure(); ++i) {
    const double scale = std::vector{1e-3, 1.0, 1e5}[random.below(3)];
    const std::vector<Vec2> of_a = test::random_points(random, scale),
                            of_b = test::random_points(random, scale);
    const Pose pose_a = test::random_plane_pose(random, scale),
               pose_b = test::random_plane_pose(random, scale);
    for_each_volume(of_a, [&](const auto& a) {
      const Rounded ra = rounded(a);
      for_each_volume(of_b, [&](const auto& b) {
        const Rounded rb = rounded(b);
        const double truth = std::max(
            0.0, side_distance(placed(ra.corners, pose_a), true, placed(rb.corners, pose_b), true) -
                     ra.radius - rb.radius);
        hits += truth == 0;
        ++pairs;
        expect_distance(a, pose_a, b, pose_b, truth, 12 * scale);
      });
    });
  }
  EXPECT_GT(hits, 0.2 * pairs);
  EXPECT_LT(hits, 0.8 * pairs);
}

TEST(PlaneShape, AgainstOutlines) {
  base::Random random(3);
  int hits = 0, pairs = 0;
  for (int i = 0, n = test::scaled(60, 30); i < n && !HasFailure(); ++i) {
    // A star, which is not convex.
    std::vector<Vec2> star;
    for (int k = 0; k < 14; ++k) {
      const double r = k % 2 == 0 ? 1 : random.uniform(0.2, 0.9), angle = kPi * k / 7;
      star.emplace_back(r * std::cos(angle), r * std::sin(angle));
    }
    const Object outline = ring(star);
    const double grown = i % 3 == 0 ? random.uniform(0, 0.3) : 0;
    const Shape as_shape = grown > 0 ? Shape(outline).rounded(grown) : Shape(outline);
    EXPECT_FALSE(as_shape.is_convex());
    EXPECT_EQ(as_shape.radius(), grown);
    const Pose pose = test::random_plane_pose(random, 1);
    const std::vector<Vec2> points = test::random_points(random, random.uniform(0.1, 1));
    const Pose place = test::random_plane_pose(random, 2);
    for_each_volume(points, [&](const auto& v) {
      const Rounded r = rounded(v);
      const double truth =
          std::max(0.0, side_distance(placed(r.corners, place), true, placed(star, pose), false) -
                            r.radius - grown);
      hits += truth == 0;
      ++pairs;
      expect_distance(v, place, as_shape, pose, truth, 12);
      expect_distance(as_shape, pose, v, place, truth, 12);
      const DistanceResult found = distance(as_shape, pose, v, place);
      EXPECT_LT(found.closest->edge_a, outline.outline().edge_count());
      EXPECT_EQ(found.closest->edge_b, kNone);
    });
  }
  EXPECT_GT(hits, 0.1 * pairs);
  EXPECT_LT(hits, 0.8 * pairs);
}

TEST(PlaneShape, WhatIsConvexIsSolidAndAnOutlineIsItsEdges) {
  const Object square = ring({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}});
  const Circle small{{0, 0}, 0.25}, large{{0, 0}, 5};
  EXPECT_FALSE(intersects(square, Pose(), small, Pose()).intersects);
  EXPECT_NEAR(distance(square, Pose(), small, Pose()).distance.upper, 0.75, 1e-12);
  EXPECT_TRUE(intersects(square, Pose(), large, Pose()).intersects);
  EXPECT_TRUE(intersects(small, Pose(), large, Pose()).intersects);
  EXPECT_TRUE(intersects(Box{{-1, -1}, {1, 1}}, Pose(), small, Pose()).intersects);
  // Two outlines as ever.
  const Shape outline = square;
  EXPECT_EQ(distance(outline, Pose(), outline, Pose(0, {5, 0})).distance.upper, 3);
}

TEST(PlaneShape, PolygonsTouchExactly) {
  const Box box{{0, 0}, {1, 1}};
  const Hull triangle = Hull::fit(std::vector<Vec2>{{0, 0}, {-1, 2}, {-1, -2}});
  for (const auto& [x, meet] : {std::pair(1.0, true), {1 + 0x1p-52, false}, {1 - 0x1p-52, true}}) {
    const IntersectsResult found = intersects(box, Pose(), box, Pose(0, {x, 0.5}));
    EXPECT_TRUE(found.complete);
    EXPECT_EQ(found.intersects, meet) << x;
  }
  for (const auto& [x, meet] : {std::pair(0.0, true), {-0x1p-60, false}}) {
    const IntersectsResult found = intersects(box, Pose(), triangle, Pose(0, {x, 0.5}));
    EXPECT_TRUE(found.complete);
    EXPECT_EQ(found.intersects, meet) << x;
  }
}

// ---- times of impact
// -----------------------------------------------------------------------------

/// A contact at this time, up to what the tolerance leaves of it at this speed.
void expect_contact(const ToiResult& found, double time, double speed) {
  ASSERT_EQ(found.status, ToiStatus::contact);
  const double room = 2 * found.tolerance / speed + 1e-12;
  EXPECT_LE(found.time.lower, time + 1e-12);
  EXPECT_GE(found.time.lower, time - room);
  EXPECT_GE(found.time.upper, time - room);
  EXPECT_LE(found.time.upper - found.time.lower, room);
  EXPECT_TRUE(found.contact);
}

TEST(PlaneShapeToi, CirclesInClosedForm) {
  const Motion still = Motion::at(Pose());
  const ToiOptions how{.tolerance = 1e-9};
  // Straight onto a side, a corner, another circle, an edge of an outline, its end.
  const Motion along = Motion::interpolated(Pose(0, {-5, 0}), Pose(0, {5, 0}));
  const Circle circle{{0, 0}, 1};
  expect_contact(time_of_impact(circle, along, Box{{0, -2}, {1, 2}}, still, how), 0.4, 10);
  expect_contact(time_of_impact(circle, along, Box{{0, 0.6}, {1, 2}}, still, how), 0.42, 10);
  expect_contact(time_of_impact(circle, along, Circle{{0, 1.2}, 1}, still, how),
                 (5 - std::sqrt(4 - 1.44)) / 10, 8);
  const Object edge(Outline(std::vector<Chain>{{{{0, -2}, {0, 0.8}}, false, "edge"}}));
  const ToiResult onto = time_of_impact(circle, along, edge, still, how);
  expect_contact(onto, 0.4, 10);
  EXPECT_EQ(onto.contact->edge_a, kNone);
  EXPECT_EQ(onto.contact->edge_b, 0u);
  EXPECT_NEAR(onto.contact->normal.x(), 1, 1e-6);
  // It passes, and grazes.
  EXPECT_EQ(time_of_impact(circle, along, Circle{{0, 2 + 1e-6}, 1}, still, how).status,
            ToiStatus::free);
  EXPECT_EQ(time_of_impact(circle, along, Circle{{0, 2 - 1e-6}, 1}, still, how).status,
            ToiStatus::contact);
  // The clearance is kept as well.
  expect_contact(time_of_impact(circle, along, Box{{0, -2}, {1, 2}}, still,
                                {.tolerance = 1e-9, .clearance = 0.5}),
                 0.35, 10);
}

TEST(PlaneShapeToi, ARodTurnsOntoACircle) {
  // The rod from the origin to (4, 0) turns by one turn; a circle lies at (d, φ).
  const Hull rod = Hull::fit(std::vector<Vec2>{{0, 0}, {4, 0}});
  const Motion turn = Motion::turning(Pose(), 2 * kPi, {0, 0}), still = Motion::at(Pose());
  for (const double phi : {0.8, 2.0, 4.0, 6.0})
    for (const double r : {1e-3, 0.1, 0.7}) {
      const double d = 3;
      const Circle circle{{d * std::cos(phi), d * std::sin(phi)}, r};
      const ToiResult found = time_of_impact(rod, turn, circle, still, {.tolerance = 1e-9});
      expect_contact(found, (phi - std::asin(r / d)) / (2 * kPi), 2 * kPi * 2.5);
      // And the other way round, with the circle in motion.
      const ToiResult other = time_of_impact(circle, Motion::turning(Pose(), -2 * kPi, {0, 0}), rod,
                                             still, {.tolerance = 1e-9});
      expect_contact(other, (phi - std::asin(r / d)) / (2 * kPi), 2 * kPi * 2.5);
    }
  // Out of its reach by a hair, and by none.
  for (const double gap : {1e-7, -1e-7}) {
    const Circle circle{{0, 5 + gap}, 1};
    EXPECT_EQ(time_of_impact(rod, turn, circle, still, {.tolerance = 1e-9}).status,
              gap > 0 ? ToiStatus::free : ToiStatus::contact);
  }
}

TEST(PlaneShapeToi, IsFreeUntilItTouches) {
  base::Random random(4);
  int contacts = 0, count = 0;
  for (int i = 0, n = test::scaled(15, 8); i < n && !HasFailure(); ++i) {
    const std::vector<Vec2> of_a = test::random_points(random, 1),
                            of_b = test::random_points(random, 0.7);
    const Pose start(random.uniform(-3, 3), 4 * test::random_vec2(random, 1).normalized());
    const Motion motion =
        Motion::turning(start, random.uniform(-8, 8), test::random_vec2(random, 1),
                        -2 * start.translation() + test::random_vec2(random, 6));
    const Motion still = Motion::at(test::random_plane_pose(random, 0.1));
    const Object outline = ring(of_b.size() > 2 ? of_b : std::vector<Vec2>{{0, 0}, {0.5, 0}});
    const auto holds = [&](const Shape& a, const Shape& b, const ToiResult& found) {
      ASSERT_NE(found.status, ToiStatus::undecided);
      ++count;
      contacts += found.status == ToiStatus::contact;
      const double free_until = found.status == ToiStatus::free ? 1 : found.time.lower;
      for (int k = 0; k <= 40; ++k) {
        const double t = free_until * k / 40 * (1 - 1e-12);
        if (free_until > 0) {
          EXPECT_GT(distance(a, motion.pose(t), b, still.pose(t)).distance.upper, 0);
        }
      }
      if (found.status == ToiStatus::contact) {
        EXPECT_LE(distance(a, motion.pose(found.time.upper), b, still.pose(0)).distance.lower,
                  found.tolerance * (1 + 1e-9));
      }
    };
    const auto check = [&](const Shape& a, const Shape& b) {
      const ToiOptions how{.tolerance = 1e-5};
      const ToiResult found = time_of_impact(a, motion, b, still, how);
      const ToiResult twin = brute_force::time_of_impact(a, motion, b, still, how);
      holds(a, b, found);
      holds(a, b, twin);
      EXPECT_EQ(twin.status, found.status);
      if (found.status == ToiStatus::contact) {
        EXPECT_NEAR(twin.time.lower, found.time.lower, 1e-3);
      }
    };
    for_each_volume(of_a, [&](const auto& a) {
      check(a, outline);
      check(a, Shape(outline).rounded(0.1));
      for_each_volume(of_b, [&](const auto& b) { check(a, b); });
    });
  }
  EXPECT_GT(contacts, 0.2 * count);
  EXPECT_LT(contacts, 0.95 * count);
}

// A circle comes before chords in it, and after chords around it.
TEST(PlaneShapeToi, LiesBetweenChordsInsideAndOutside) {
  base::Random random(5);
  const int chords = 400;
  int contacts = 0;
  const int n = test::scaled(60, 20);
  for (int i = 0; i < n && !HasFailure(); ++i) {
    std::vector<Vec2> inner, outer;
    for (int k = 0; k < chords; ++k) {
      const double angle = 2 * kPi * k / chords;
      inner.emplace_back(std::cos(angle), std::sin(angle));
      outer.push_back(inner.back() / std::cos(kPi / chords));
    }
    const Circle circle{{0, 0}, 1};
    const Object other = ring({{-0.5, -0.2}, {0.6, -0.4}, {0.1, 0.7}});
    const Pose start(random.uniform(-3, 3), 4 * test::random_vec2(random, 1).normalized());
    const Motion motion = Motion::turning(start, random.uniform(-4, 4),
                                          test::random_vec2(random, 1), -1.5 * start.translation());
    const Motion still = Motion::at(Pose());
    const ToiOptions how{.tolerance = 1e-8};
    const ToiResult found = time_of_impact(other, motion, circle, still, how);
    const ToiResult later = time_of_impact(other, motion, ring(inner), still, how);
    const ToiResult sooner = time_of_impact(other, motion, ring(outer), still, how);
    if (later.status != ToiStatus::contact) continue;
    ++contacts;
    ASSERT_EQ(found.status, ToiStatus::contact);
    ASSERT_EQ(sooner.status, ToiStatus::contact);
    // The first moment within the tolerance is not the first moment of contact.
    EXPECT_LE(found.time.lower, later.time.upper + 1e-6);
    EXPECT_GE(found.time.upper, sooner.time.lower - 1e-6);
  }
  EXPECT_GT(contacts, n / 3);
}

// ---- points and rays ----------------------------------------------------------------------------

/// Distance of a point from a volume.
double distance_from(const Shape& volume, const Pose& pose, const Vec2& x) {
  return std::max(
      0.0, side_distance(placed(volume.corners(), pose), true, {x}, false) - volume.radius());
}

TEST(PlaneShape, ClosestPoints) {
  base::Random random(21);
  int inside = 0, asked = 0;
  for (int i = 0, n = test::scaled(100, 20); i < n && !HasFailure(); ++i) {
    const Pose pose = test::random_plane_pose(random, 1);
    for_each_volume(test::random_points(random, 1), [&](const auto& volume) {
      const Vec2 x = pose * test::random_vec2(random, 1.2);
      const double truth = distance_from(volume, pose, x);
      const ClosestPoint found = closest_point(volume, pose, x);
      EXPECT_EQ(found.edge, kNone);
      EXPECT_NEAR(found.distance, truth, 1e-9);
      EXPECT_NEAR((found.point - x).norm(), truth, 1e-9);
      EXPECT_LE(distance_from(volume, pose, found.point), 1e-9);
      if (truth > 1e-6) {
        EXPECT_EQ(closest_point(volume, pose, x, 0.9 * truth).distance, kInfinity);
      }
      inside += truth == 0;
      ++asked;
    });
  }
  EXPECT_GT(inside, asked / 20);
  EXPECT_LT(inside, asked * 19 / 20);
  // An outline is its edges, and hollow; with a radius, what is within that is 0 away.
  const Shape square = ring({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}});
  const ClosestPoint within = closest_point(square, Pose(0, {5, 0}), {5.5, 0});
  EXPECT_EQ(within.edge, 1u);
  EXPECT_NEAR(within.distance, 0.5, 1e-12);
  EXPECT_NEAR((within.point - Vec2(6, 0)).norm(), 0, 1e-12);
  const Shape thick = square.rounded(0.25);
  const ClosestPoint beside = closest_point(thick, Pose(), {3, 0});
  EXPECT_EQ(beside.edge, 1u);
  EXPECT_NEAR(beside.distance, 1.75, 1e-12);
  EXPECT_NEAR((beside.point - Vec2(1.25, 0)).norm(), 0, 1e-12);
  EXPECT_EQ(closest_point(thick, Pose(), {1.125, 0}).distance, 0);
  EXPECT_EQ(closest_point(thick, Pose(), {1.125, 0}).point, Vec2(1.125, 0));
  EXPECT_EQ(closest_point(thick, Pose(), {3, 0}, 1.5).edge, kNone);
  EXPECT_EQ(closest_point(thick, Pose(), {3, 0}, 1.875).edge, 1u);
  for (const Shape& shape : {thick, Shape(Circle{{0, 0}, 1})}) {
    EXPECT_THROW((void)closest_point(shape, Pose(), {0, 0}, -1), InvalidInput);
    EXPECT_THROW((void)closest_point(shape, Pose(), {0, std::nan("")}), InvalidInput);
  }
}

TEST(PlaneShape, RaysThroughCirclesInClosedForm) {
  base::Random random(22);
  int met = 0;
  const int n = test::scaled(500);
  for (int i = 0; i < n && !HasFailure(); ++i) {
    const Circle circle{test::random_vec2(random, 1), random.uniform(0.1, 1)};
    const Pose pose = test::random_plane_pose(random, 1);
    const Ray ray{test::random_vec2(random, 3),
                  random.uniform(0.5, 3) * test::random_vec2(random, 1)};
    const Vec2 away = ray.origin - pose * circle.centre;
    const double a = ray.direction.squaredNorm(), b = away.dot(ray.direction),
                 c = away.squaredNorm() - circle.radius * circle.radius, root = b * b - a * c;
    if (a < 1e-3 || std::abs(root) < 1e-3 * a || std::abs(c) < 1e-3) continue;  // it grazes
    const bool meets = root > 0 && (c < 0 || b < 0);
    met += meets;
    const ShapeRayHits hits = ray_hits(circle, pose, ray);
    ASSERT_EQ(hits.leaves.has_value(), meets) << i;
    ASSERT_EQ(hits.enters.has_value(), meets && c > 0) << i;
    const auto expect = [&](const BorderHit& hit, double t) {
      EXPECT_NEAR(hit.t, t, 1e-6) << i;
      EXPECT_NEAR((hit.point - (ray.origin + t * ray.direction)).norm(), 0, 1e-6) << i;
      EXPECT_NEAR(hit.normal.norm(), 1, 1e-12);
      const Vec2 out = (away + t * ray.direction) / circle.radius;
      EXPECT_LT((hit.normal - out).norm(), 1e-3) << i;
    };
    if (hits.enters) expect(*hits.enters, (-b - std::sqrt(root)) / a);
    if (hits.leaves) expect(*hits.leaves, (-b + std::sqrt(root)) / a);
  }
  EXPECT_GT(met, n / 30);
}

TEST(PlaneShape, RaysThroughEveryVolume) {
  base::Random random(23);
  int met = 0, asked = 0;
  for (int i = 0, n = test::scaled(100, 20); i < n && !HasFailure(); ++i) {
    const Pose pose = test::random_plane_pose(random, 1);
    for_each_volume(test::random_points(random, 1), [&](const auto& volume) {
      const Ray ray{test::random_vec2(random, 3), test::random_vec2(random, 1)};
      if (ray.direction.norm() < 0.1) return;
      ++asked;
      const ShapeRayHits hits = ray_hits(volume, pose, ray);
      const auto far_at = [&](double t) {
        return distance_from(volume, pose, ray.origin + t * ray.direction);
      };
      for (const auto& hit : {hits.enters, hits.leaves}) {
        if (!hit) continue;
        EXPECT_LE(far_at(hit->t), 1e-8);
        EXPECT_NEAR((hit->point - (ray.origin + hit->t * ray.direction)).norm(), 0, 1e-8);
        EXPECT_NEAR(hit->normal.norm(), 1, 1e-12);
      }
      if (hits.enters) {
        EXPECT_LT(hits.enters->normal.dot(ray.direction), 1e-9);
        ASSERT_TRUE(hits.leaves);
        EXPECT_LE(hits.enters->t, hits.leaves->t);
        EXPECT_GT(far_at(hits.enters->t - 1e-6), 0);
      }
      if (hits.leaves) {
        ++met;
        const double from = hits.enters ? hits.enters->t : 0;
        EXPECT_LE(far_at(0.5 * (from + hits.leaves->t)), 1e-8);
        EXPECT_GT(far_at(hits.leaves->t + 1e-6), 0);
      } else {
        for (int k = 0; k < 100; ++k) EXPECT_GT(far_at(0.2 * k), 0);
      }
    });
  }
  EXPECT_GT(met, asked / 50);
  EXPECT_LT(met, asked);
}

TEST(PlaneShape, RaysThroughABox) {
  const Shape box = Box{{0, 0}, {2, 1}};
  const ShapeRayHits hits = ray_hits(box, Pose(), {{-1, 0.5}, {2, 0}});
  ASSERT_TRUE(hits.enters && hits.leaves);
  EXPECT_NEAR(hits.enters->t, 0.5, 1e-9);
  EXPECT_NEAR(hits.leaves->t, 1.5, 1e-9);
  EXPECT_NEAR((hits.enters->normal - Vec2(-1, 0)).norm(), 0, 1e-3);
  EXPECT_NEAR((hits.leaves->normal - Vec2(1, 0)).norm(), 0, 1e-3);
  EXPECT_NEAR((hits.leaves->point - Vec2(2, 0.5)).norm(), 0, 1e-9);
  const ShapeRayHits out = ray_hits(box, Pose(), {{1, 0.5}, {0, 1}});
  EXPECT_FALSE(out.enters);
  ASSERT_TRUE(out.leaves);
  EXPECT_NEAR(out.leaves->t, 0.5, 1e-9);
  EXPECT_FALSE(ray_hits(box, Pose(0, {0, 3}), {{-1, 0.5}, {2, 0}}).leaves);
  EXPECT_THROW((void)ray_hits(box, Pose(), {{1, 0.5}, {0, 0}}), InvalidInput);
  EXPECT_THROW((void)ray_hits(ring({{0, 0}, {1, 0}, {0, 1}}), Pose(), Ray{}), InvalidInput);
}

TEST(PlaneShape, RefusesWhatIsNone) {
  EXPECT_THROW((void)Shape(Rounded{{}, 1}), InvalidInput);
  EXPECT_THROW((void)Shape(Rounded{{{0, 0}}, -1}), InvalidInput);
  EXPECT_THROW((void)Shape(Rounded{{{0, kInfinity}}, 1}), InvalidInput);
  EXPECT_THROW((void)Shape(Circle{{0, 0}, 1}).rounded(-1), InvalidInput);
  EXPECT_THROW((void)time_of_impact(Circle{{0, 0}, 1}, Motion::at(Pose()), Circle{{9, 0}, 1},
                                    Motion::at(Pose()), {.tolerance = 0}),
               InvalidInput);
}

}  // namespace
}  // namespace touche::plane::plane_shape_test
