// SPDX-License-Identifier: Apache-2.0
// Whole paths of shapes: closed forms, paths of meshes in and around them, dense sampling.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <iterator>
#include <string>
#include <vector>

#include "hit_share.h"
#include "motion_kinds.h"
#include "moved_vertices.h"
#include "path_judge.h"
#include "random.h"
#include "requested_cancel.h"
#include "sanitized.h"
#include "shape_path/touch_proof.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/path.h"
#include "touche/shape.h"

namespace touche::shape_path_test {
namespace {

using scenes::Random;
using test::kPi;
using test::shifted;

const Motion kStill = test::still();

/// Checks at sampled times what any result has to satisfy.
void judge(const Shape& a, const Motion& motion_a, const Shape& b, const Motion& motion_b,
           const PathResult& r, int samples) {
  double last = 0;
  const auto gap = [&](double t) {
    return distance(a, motion_a.pose(t), b, motion_b.pose(t)).distance;
  };
  for (const ContactInterval& c : r.contacts) {
    EXPECT_LE(last, c.start.lower);
    EXPECT_LE(c.start.lower, c.start.upper);
    EXPECT_LE(c.start.upper, c.end.lower);
    EXPECT_LE(c.end.lower, c.end.upper);
    EXPECT_LE(c.end.upper, 1);
    last = c.end.upper;
    EXPECT_LE(gap(c.start.upper).lower, 2 * r.tolerance);
    EXPECT_LE(gap(c.end.lower).lower, 2 * r.tolerance);
    EXPECT_GE(c.max_thickness, c.deepest.diameter.upper);
    EXPECT_LE(c.deepest.diameter.lower, c.deepest.diameter.upper);
  }
  const bool thick = a.is_convex() && b.is_convex();
  const Interior in_a(a), in_b(b);
  for (int i = 0; i <= samples; ++i) {
    const double t = static_cast<double>(i) / samples;
    if (t > r.decided_until) break;
    const double d = gap(t).upper;
    const auto contact = std::find_if(
        r.contacts.begin(), r.contacts.end(),
        [&](const ContactInterval& c) { return t >= c.start.lower && t <= c.end.upper; });
    if (contact == r.contacts.end()) {
      EXPECT_GT(d, 0) << t;
    } else if (thick && t < contact->touching_until) {
      const Thickness there = overlap_thickness(in_a, motion_a.pose(t), in_b, motion_b.pose(t));
      EXPECT_LE(there.diameter.lower, contact->max_touching_thickness + 1e-12) << t;
    }
    if (r.samples.empty()) continue;
    const auto after = std::upper_bound(r.samples.begin(), r.samples.end(), t,
                                        [](double x, const ClearanceSample& s) { return x < s.t; });
    EXPECT_GE(d, std::prev(after)->clearance.lower * (1 - 1e-9)) << t;
    EXPECT_GE(d, r.min_clearance.lower * (1 - 1e-9)) << t;
  }
  if (r.verdict == PathVerdict::free || r.verdict == PathVerdict::near) {
    EXPECT_TRUE(r.contacts.empty());
    EXPECT_LE(r.min_clearance.lower, r.min_clearance.upper * (1 + 1e-9));
  }
}

TEST(ShapePath, BallsThatPassEachOther) {
  const Shape one = Shape::sphere(1), two = Shape::sphere(0.5);
  for (const double offset : {0.25, 1.0, 1.4}) {
    const Motion motion = shifted({-4, offset, 0}, {4, offset, 0});
    const double half = std::sqrt(1.5 * 1.5 - offset * offset);
    const double starts = (4 - half) / 8, ends = (4 + half) / 8;
    const PathResult r = path(one, kStill, two, motion, {.tolerance = 1e-7});
    EXPECT_EQ(r.verdict, PathVerdict::clash);
    ASSERT_EQ(r.contacts.size(), 1u);
    const ContactInterval& c = r.contacts[0];
    EXPECT_LE(c.start.lower, starts);
    EXPECT_LE(c.end.lower, ends + 1e-6);
    EXPECT_GE(c.end.upper, ends);
    EXPECT_NEAR(c.start.upper, starts, 1e-6);
    EXPECT_NEAR(c.end.upper, ends, 1e-6);
    const double deepest = std::min(1.5 - offset, 1.0);
    EXPECT_LE(c.deepest.diameter.lower, deepest + 1e-12);
    EXPECT_NEAR(c.deepest.diameter.lower, deepest, 0.11 * deepest);
    EXPECT_NEAR(c.deepest_at, 0.5, 0.25);
    EXPECT_EQ(r.before, Containment::none);
    EXPECT_EQ(c.after, Containment::none);
    judge(one, kStill, two, motion, r, 200);
  }
  for (const double offset : {1.6, 2.5}) {
    const Motion motion = shifted({-4, offset, 0}, {4, offset, 0});
    const PathResult r = path(one, kStill, two, motion, {.tolerance = 1e-7, .clearance = 0.5});
    EXPECT_EQ(r.verdict, offset > 2 ? PathVerdict::free : PathVerdict::near);
    EXPECT_LE(r.min_clearance.lower, offset - 1.5 + 1e-12);
    EXPECT_GE(r.min_clearance.lower, 0.89 * (offset - 1.5));
    EXPECT_NEAR(r.min_clearance.upper, offset - 1.5, 1e-3);
    EXPECT_NEAR(r.min_clearance_at, 0.5, 0.01);
    judge(one, kStill, two, motion, r, 200);
  }
}

TEST(ShapePath, ACylinderThroughAHalfSpace) {
  const Shape pin = Shape::cylinder(0.5, 2), ground = Shape::half_space(Vec3::UnitZ(), 0);
  // Down until it is immersed by a half, and up again.
  const Motion dips = Motion::through(std::vector<Pose>{Pose::from_translation({3, 0, 3}),
                                                        Pose::from_translation({3, 0, 0.5}),
                                                        Pose::from_translation({3, 0, 3})});
  for (const bool turned : {false, true}) {
    const PathResult r = turned ? path(ground, kStill, pin, dips, {.tolerance = 1e-8})
                                : path(pin, dips, ground, kStill, {.tolerance = 1e-8});
    EXPECT_EQ(r.verdict, PathVerdict::clash);
    ASSERT_EQ(r.contacts.size(), 1u);
    const ContactInterval& c = r.contacts[0];
    EXPECT_LE(c.start.lower, 0.4);
    EXPECT_NEAR(c.start.upper, 0.4, 1e-7);
    EXPECT_GE(c.end.upper, 0.6);
    EXPECT_NEAR(c.end.upper, 0.6, 1e-7);
    EXPECT_NEAR(c.deepest.diameter.lower, 0.5, 0.06);
    EXPECT_NEAR(c.deepest_at, 0.5, 0.02);
    for (const ClearanceSample& s : r.samples) {
      const double height = 2 - 5 * std::min(s.t, 1 - s.t);
      EXPECT_LE(s.clearance.lower, std::max(height, 0.0) + 1e-9);
      if (height > 0.01) {
        EXPECT_NEAR(s.clearance.upper, height, 1e-9);
      }
    }
    judge(pin, dips, ground, kStill, r, 100);
  }
}

// As Path.ClearanceIsFollowedAndProved: turned by an angle φ the lowest edge of the cube is
// cos φ + sin φ below its middle.
TEST(ShapePath, ABoxThatTurnsOverAFloor) {
  const Shape cube = Shape::box({1, 1, 1}), floor = Shape::half_space(Vec3::UnitZ(), -1),
              plate = Shape::box({9, 9, 0.5}),
              mesh = Shape::soup(Object(scenes::box({-9, -9, -2}, {9, 9, -1})));
  const Motion turn = Motion::screw(Pose::from_translation({0, 0, 0.5}), Vec3(0, 0, 0.5),
                                    Vec3::UnitX(), kPi / 2, 0);
  const Motion low = Motion::at(Pose::from_translation({0, 0, -1.5}));
  const double least = 1.5 - std::sqrt(2.0);
  struct Under {
    const Shape& shape;
    const Motion& motion;
  };
  for (const Under& under : {Under{floor, kStill}, Under{plate, low}, Under{mesh, kStill}})
    for (const bool turned : {false, true}) {
      const PathOptions options{.tolerance = 1e-7};
      const PathResult r = turned ? path(under.shape, under.motion, cube, turn, options)
                                  : path(cube, turn, under.shape, under.motion, options);
      EXPECT_EQ(r.verdict, PathVerdict::free);
      EXPECT_LE(r.min_clearance.lower, least * (1 + 1e-12));
      EXPECT_GE(r.min_clearance.lower, (1 - 1.05 * options.relative_error) * least);
      EXPECT_NEAR(r.min_clearance.upper, least, 0.01);
      for (const ClearanceSample& s : r.samples) {
        const double angle = s.t * kPi / 2;
        EXPECT_NEAR(s.clearance.upper, 1.5 - std::cos(angle) - std::sin(angle), 1e-9);
      }
      judge(cube, turn, under.shape, under.motion, r, 100);
    }
}

TEST(ShapePath, SlidingTouches) {
  const Shape ball = Shape::sphere(1), ground = Shape::half_space(Vec3::UnitZ(), -1),
              block = Shape::box({0.5, 0.5, 1}), table = Shape::box({4, 4, 1}),
              mesh = Shape::soup(Object(scenes::box({-4, -4, -3}, {4, 4, -1})));
  const Motion slides = shifted({-2, 0, 0}, {2, 0, 0});
  const Motion below = Motion::at(Pose::from_translation({0, 0, -2}));
  const PathOptions options{.tolerance = 1e-6};
  const auto expect_touch = [&](const Shape& a, const Shape& b, const Motion& motion_b) {
    SCOPED_TRACE(std::string(name(a.kind())) + " " + std::string(name(b.kind())));
    for (const bool turned : {false, true}) {
      const PathResult r =
          turned ? path(b, motion_b, a, slides, options) : path(a, slides, b, motion_b, options);
      EXPECT_EQ(r.verdict, PathVerdict::touching);
      ASSERT_EQ(r.contacts.size(), 1u);
      EXPECT_TRUE(r.contacts[0].only_touching);
      EXPECT_EQ(r.contacts[0].touching_until, 1);
      judge(a, slides, b, motion_b, r, 50);
    }
  };
  for (const Shape* body : {&ball, &block}) {
    expect_touch(*body, ground, kStill);
    expect_touch(*body, table, below);
    expect_touch(*body, mesh, kStill);
  }
  // Slightly immersed it is a clash, unless that is allowed.
  const Motion deeper = shifted({-2, 0, -0.01}, {2, 0, -0.01});
  for (const double allowed : {0.005, 0.02}) {
    PathOptions more = options;
    more.max_touching_thickness = allowed;
    const PathVerdict expected = allowed > 0.01 ? PathVerdict::touching : PathVerdict::clash;
    EXPECT_EQ(path(ball, deeper, ground, kStill, more).verdict, expected);
    EXPECT_EQ(path(block, deeper, table, below, more).verdict, expected);
    EXPECT_EQ(path(block, deeper, mesh, kStill, more).verdict, expected);
    EXPECT_EQ(path(mesh, kStill, ball, deeper, more).verdict, expected);
  }
}

TEST(ShapePath, InsideAHollowMesh) {
  const Shape ball = Shape::sphere(0.5),
              box = Shape::soup(Object(scenes::box({-2, -2, -2}, {2, 2, 2})));
  const PathOptions options{.tolerance = 1e-6};
  const PathResult stays = path(ball, shifted({0, 0, 0}, {1, 0, 0}), box, kStill, options);
  EXPECT_EQ(stays.verdict, PathVerdict::clash);
  EXPECT_TRUE(stays.contacts.empty());
  EXPECT_EQ(stays.before, Containment::a_in_b);
  const PathResult leaves = path(box, kStill, ball, shifted({0, 0, 0}, {4, 0, 0}), options);
  EXPECT_EQ(leaves.verdict, PathVerdict::clash);
  ASSERT_EQ(leaves.contacts.size(), 1u);
  EXPECT_EQ(leaves.before, Containment::b_in_a);
  EXPECT_EQ(leaves.contacts[0].after, Containment::none);
  EXPECT_NEAR(leaves.contacts[0].start.upper, 1.5 / 4, 1e-5);
  EXPECT_NEAR(leaves.contacts[0].end.upper, 2.5 / 4, 1e-5);
  // Inside of a convex shape is in contact.
  const PathResult solid =
      path(ball, shifted({0, 0, 0}, {4, 0, 0}), Shape::box({2, 2, 2}), kStill, options);
  ASSERT_EQ(solid.contacts.size(), 1u);
  EXPECT_EQ(solid.contacts[0].start.upper, 0);
  EXPECT_NEAR(solid.contacts[0].end.upper, 2.5 / 4, 1e-5);
  EXPECT_NEAR(solid.contacts[0].deepest.diameter.lower, 1, 0.11);
}

// A ball on a sheet, in it, and above it.
TEST(ShapePath, ABallTouchesASheetWhereAShiftSeparatesThem) {
  const std::vector<double> xyz = {-4, -4, 0, 4, -4, 0, 4, 4, 0, -4, 4, 0};
  const Shape sheet = Shape::soup(Object(PolygonSoup(xyz, std::vector<Index>{0, 1, 2, 0, 2, 3})));
  const auto at_height = [&](double z) {
    return path(Shape::sphere(1), Motion::at(Pose::from_translation({0.3, 0.1, z})), sheet, kStill,
                {.tolerance = 1e-3});
  };
  EXPECT_EQ(at_height(1).verdict, PathVerdict::touching);
  EXPECT_EQ(at_height(0.5).verdict, PathVerdict::clash);
  EXPECT_EQ(at_height(1.1).verdict, PathVerdict::free);
}

TEST(ShapePath, WhetherAShapeLiesInAnOpenMeshIsUnknown) {
  const PolygonSoup box = scenes::box({-1, -1, -1}, {1, 1, 1});
  std::vector<double> xyz;
  std::vector<Index> corners;
  for (const Vec3& x : box.vertices()) xyz.insert(xyz.end(), {x.x(), x.y(), x.z()});
  for (Index t = 0; t < box.triangle_count(); ++t) {
    const auto& corner = box.triangle(t);
    if (std::ranges::any_of(corner, [&](Index v) { return box.vertex(v).z() < 0; }))
      corners.insert(corners.end(), corner.begin(), corner.end());
  }
  ASSERT_EQ(corners.size(), 30u);  // without a lid
  const Shape open = Shape::soup(Object(PolygonSoup(xyz, corners)));
  const Motion out = shifted({0, 0, -0.5}, {0, 0, 4});
  for (const bool turned : {false, true}) {
    const auto leaves = [&](const Shape& body) {
      const PathOptions options{.tolerance = 1e-6};
      return turned ? path(open, kStill, body, out, options)
                    : path(body, out, open, kStill, options);
    };
    for (const Shape& body : {Shape::sphere(0.1), Shape::box({0.1, 0.1, 0.1})}) {
      const PathResult r = leaves(body);
      EXPECT_EQ(r.verdict, PathVerdict::open);
      EXPECT_EQ(r.before, Containment::open);
      EXPECT_TRUE(r.contacts.empty());
      EXPECT_GT(r.min_clearance.lower, 0);
    }
  }
}

TEST(ShapePath, TheDeadlineHoldsInADeepContactWithALargeSoup) {
  const Shape soup = Object(scenes::bumpy_sphere(100'000, 3)),
              ball = Shape::ellipsoid({3, 3.1, 3.2});
  (void)Interior(soup);
  const shape_path::ShapePair pair{soup, ball};
  EXPECT_FALSE(shape_path::directions_out(pair, {}, {}, {}).empty());
  EXPECT_TRUE(shape_path::directions_out(pair, {}, {}, {.cancel = test::requested()}).empty());
  // The deadline is late enough for the contact to be found, also on a busy machine.
  for (std::chrono::milliseconds limit(50);; limit *= 2) {
    const std::clock_t begin = std::clock();  // processor time: others may use the machine, too
    const PathResult r = path(
        ball, kStill, soup, kStill,
        {.tolerance = 1e-6, .threads = 1, .budget = {.deadline = Budget::Clock::now() + limit}});
    const double took = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    EXPECT_EQ(r.verdict, PathVerdict::undecided);
    EXPECT_LT(took, std::chrono::duration<double>(limit).count() + test::seconds_allowed(2));
    if (r.contacts.empty() && limit < std::chrono::minutes(1)) continue;
    ASSERT_EQ(r.contacts.size(), 1u);
    EXPECT_FALSE(r.contacts[0].only_touching);
    return;
  }
}

TEST(ShapePath, OverAnOpenMeshItIsFree) {
  std::vector<double> xyz;
  std::vector<Index> corners;
  for (int i = 0; i < 9; ++i)
    for (int k = 0; k < 9; ++k) {
      xyz.insert(xyz.end(), {i - 4.0, k - 4.0, 0.1 * std::sin(3.0 * i + k)});
      if (i == 8 || k == 8) continue;
      const auto v = static_cast<Index>(9 * i + k);
      corners.insert(corners.end(), {v, v + 9, v + 1, v + 1, v + 9, v + 10});
    }
  const Shape terrain = Shape::soup(Object(PolygonSoup(xyz, corners)));
  for (const Shape& body : {Shape::sphere(0.5), Shape::box({0.5, 0.5, 0.5})}) {
    const PathResult r =
        path(body, shifted({-3, 0, 0.9}, {3, 0, 0.9}), terrain, kStill, {.tolerance = 1e-6});
    EXPECT_EQ(r.verdict, PathVerdict::free);
    EXPECT_EQ(r.before, Containment::none);
  }
}

TEST(ShapePath, TwoSoupsAreTheirObjects) {
  const Object a(scenes::bumpy_sphere(60, 1)), b(scenes::bumpy_sphere(40, 2));
  const Motion motion = shifted({-4, 0.5, 0}, {4, 0, 0.5});
  const PathOptions options{.tolerance = 1e-6};
  const PathResult shapes = path(Shape::soup(a), motion, Shape::soup(b), kStill, options),
                   objects = path(a, motion, b, kStill, options);
  EXPECT_EQ(shapes.verdict, objects.verdict);
  ASSERT_EQ(shapes.contacts.size(), objects.contacts.size());
  for (std::size_t i = 0; i < shapes.contacts.size(); ++i) {
    EXPECT_EQ(shapes.contacts[i].start, objects.contacts[i].start);
    EXPECT_EQ(shapes.contacts[i].end, objects.contacts[i].end);
    EXPECT_EQ(shapes.contacts[i].deepest.diameter, objects.contacts[i].deepest.diameter);
  }
}

TEST(ShapePath, WhatHasNoPathIsRefused) {
  const PathOptions options{.tolerance = 1e-6};
  const Shape ball = Shape::sphere(1), ground = Shape::half_space(Vec3::UnitZ(), 0),
              cube = Shape::soup(Object(scenes::box({-1, -1, -1}, {1, 1, 1})));
  EXPECT_THROW((void)path(ground, kStill, ground, kStill, options), InvalidInput);
  EXPECT_THROW((void)path(ball, kStill, cube.rounded(0.1), kStill, options), InvalidInput);
  EXPECT_THROW((void)path(cube, kStill, cube.rounded(0.1), kStill, options), InvalidInput);
  EXPECT_THROW((void)path(ball, kStill, cube, kStill, {}), InvalidInput);
  const std::vector<double> errors(2);
  EXPECT_THROW(
      (void)path(ball, kStill, cube, kStill, {.tolerance = 1e-6, .chord_errors_a = errors}),
      InvalidInput);
  EXPECT_THROW(
      (void)path(ball, kStill, cube, kStill, {.tolerance = 1e-6, .chord_errors_b = errors}),
      InvalidInput);
}

// A shape is between an inscribed and an enclosing mesh, and so are its times of contact.
TEST(ShapePath, MeshesInAndAroundAgree) {
  Random random(17);
  const Shape shapes[] = {Shape::cylinder(0.6, 1.5),
                          Shape::cone(0.8, 1.4),
                          Shape::ellipsoid({0.4, 0.7, 1.1}),
                          Shape::capsule(0.4, 1),
                          Shape::box({0.3, 0.5, 0.7}).rounded(0.2),
                          Shape::box({0.5, 0.3, 0.8})};
  for (int i = 0; i < test::scaled(12, 6); ++i) {
    const Shape &a = shapes[i % 6], &b = shapes[(2 * i + 1) % 6];
    SCOPED_TRACE(std::string(name(a.kind())) + " " + std::string(name(b.kind())));
    const Object around_a(enclosing_mesh(a, 0.02)), around_b(enclosing_mesh(b, 0.02)),
        in_a(shape_mesh(a, 0.02)), in_b(shape_mesh(b, 0.02));
    const Motion goes = Motion::interpolated(Pose::from_translation(4 * random.direction()),
                                             test::random_pose(random, 0.1));
    const PathOptions options{.tolerance = 1e-5, .thickness_points = 200};
    const PathResult r = path(a, goes, b, kStill, options),
                     outer = path(around_a, goes, around_b, kStill, options),
                     inner = path(in_a, goes, in_b, kStill, options);
    judge(a, goes, b, kStill, r, 100);
    ASSERT_FALSE(r.contacts.empty());
    ASSERT_FALSE(outer.contacts.empty());
    EXPECT_LE(outer.contacts[0].start.lower, r.contacts[0].start.upper + 1e-4);
    if (inner.contacts.empty()) continue;
    EXPECT_LE(r.contacts[0].start.lower, inner.contacts[0].start.upper + 1e-4);
  }
}

// Both bodies in any motion there is; the same for any number of threads, and exchanged.
TEST(ShapePath, RandomMotionsAgreeWithDenseSampling) {
  Random random(61);
  int hits = 0, total = 0;
  for (int round = 0; round < test::scaled(6, 1); ++round) {
    const std::vector<Motion> as = test::all_kinds(random), bs = test::all_kinds(random);
    for (std::size_t k = 0; k < as.size(); ++k) {
      SCOPED_TRACE(std::to_string(round) + " " + std::to_string(k));
      PolygonSoup bumpy = scenes::bumpy_sphere(40, k);
      bumpy.move_vertices(test::moved(bumpy, [](const Vec3& v) { return Vec3(0.5 * v); }));
      const Shape shapes[] = {Shape::cylinder(0.4, 1.2),
                              Shape::sphere(0.6),
                              Shape::soup(Object(bumpy)),
                              Shape::cone(0.6, 1),
                              Shape::ellipsoid({0.3, 0.5, 0.9}),
                              Shape::box({0.3, 0.6, 0.4}),
                              Shape::capsule(0.3, 1)};
      const std::size_t i = k % 7, j = (k + 1 + static_cast<std::size_t>(round)) % 7;
      const Shape &a = shapes[i], &b = i == 2 && j == 2 ? shapes[0] : shapes[j];
      const Motion& motion_a = as[k];
      const Motion& motion_b = bs[(k + static_cast<std::size_t>(round)) % bs.size()];
      const PathOptions options{
          .tolerance = 1e-5, .step = 0.02, .thickness_points = 100, .threads = 1};
      const PathResult r = path(a, motion_a, b, motion_b, options);
      judge(a, motion_a, b, motion_b, r, test::scaled(100, 30));
      hits += r.contacts.empty() ? 0 : 1;
      ++total;
      PathOptions parallel = options;
      parallel.threads = 2;
      const PathResult same = path(a, motion_a, b, motion_b, parallel);
      EXPECT_EQ(same.verdict, r.verdict);
      ASSERT_EQ(same.samples.size(), r.samples.size());
      for (std::size_t s = 0; s < r.samples.size(); ++s)
        EXPECT_EQ(same.samples[s].clearance, r.samples[s].clearance);
      const PathResult turned = path(b, motion_b, a, motion_a, options);
      EXPECT_EQ(turned.contacts.empty(), r.contacts.empty());
      judge(b, motion_b, a, motion_a, turned, 30);
    }
  }
  RecordProperty("hits", hits);
  test::expect_about_half(hits, total);
}

}  // namespace
}  // namespace touche::shape_path_test
