// SPDX-License-Identifier: Apache-2.0
// The clearance along whole paths, against a closed form and against dense sampling.
#include "touche/path.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "hit_share.h"
#include "motion_kinds.h"
#include "moved_vertices.h"
#include "path_judge.h"
#include "random.h"
#include "shapes.h"
#include "test_scale.h"

namespace touche::path_clearance_test {
namespace {

using scenes::Random;
using test::box;
using test::judge;
using test::kPi;
using test::shifted;

const Motion kStill = test::still();

PolygonSoup scaled(PolygonSoup soup, double size) {
  soup.move_vertices(test::moved(soup, [&](const Vec3& v) { return Vec3(size * v); }));
  return soup;
}

/// A ring about the z axis, as wide outside as two pins, with a bore.
PolygonSoup tube(double bore, double height, Index segments) {
  std::vector<double> xyz;
  std::vector<Index> corners;
  for (Index i = 0; i < segments; ++i) {
    const double angle = 2 * kPi * i / segments;
    for (const double r : {bore, 2.0})
      for (const double z : {-0.5 * height, 0.5 * height})
        xyz.insert(xyz.end(), {r * std::cos(angle), r * std::sin(angle), z});
    const Index here = 4 * i, next = 4 * ((i + 1) % segments);
    constexpr Index kAround[] = {0, 1, 3, 2};
    for (int k = 0; k < 4; ++k) {
      const Index p = kAround[k], q = kAround[(k + 1) % 4];
      for (const Index v : {here + p, next + p, here + q, here + q, next + p, next + q})
        corners.push_back(v);
    }
  }
  return PolygonSoup(xyz, corners);
}

// A ball's poles pass a floor: the clearance is known at all times.
TEST(Path, ClearanceIsFollowedAndProved) {
  const Object cube = box({-1, -1, -1}, {1, 1, 1}), floor = box({-9, -9, -2}, {9, 9, -1});
  // Turned by an angle φ about x its lowest edge is cos φ + sin φ below its middle.
  const Motion turn = Motion::screw(Pose::from_translation({0, 0, 0.5}), Vec3(0, 0, 0.5),
                                    Vec3::UnitX(), kPi / 2, 0);
  const double least = 0.5 + 1 - std::sqrt(2.0);
  for (const double error : {0.3, 0.1, 0.02}) {
    const PathResult r =
        path(cube, turn, floor, kStill, {.tolerance = 1e-7, .relative_error = error});
    EXPECT_EQ(r.verdict, PathVerdict::free);
    EXPECT_LE(r.min_clearance.lower, least * (1 + 1e-12));
    EXPECT_GE(r.min_clearance.lower, (1 - 1.05 * error) * least);
    EXPECT_NEAR(r.min_clearance.upper, least, 0.01);
    EXPECT_NEAR(r.min_clearance_at, 0.5, 0.01);
    for (const ClearanceSample& s : r.samples) {
      const double angle = s.t * kPi / 2;
      EXPECT_NEAR(s.clearance.upper, 1.5 - std::cos(angle) - std::sin(angle), 1e-12);
      EXPECT_GE(s.clearance.lower, (1 - 1.05 * error) * least);
    }
    judge(cube, turn, floor, kStill, r, 300);
  }
  const auto verdict = [&](double clearance, bool profile) {
    return path(cube, turn, floor, kStill,
                {.tolerance = 1e-9, .clearance = clearance, .profile = profile})
        .verdict;
  };
  for (const bool profile : {true, false}) {
    EXPECT_EQ(verdict(least - 1e-6, profile), PathVerdict::free);
    EXPECT_EQ(verdict(least + 1e-6, profile), PathVerdict::near);
  }
}

// Both bodies in any motion there is; answered the same by any number of threads, and backwards.
TEST(Path, RandomMotionsAgreeWithDenseSampling) {
  base::Random random(61);
  int hits = 0, total = 0;
  for (int round = 0; round < test::scaled(8, 1); ++round) {
    const std::vector<Motion> as = test::all_kinds(random), bs = test::all_kinds(random);
    const std::size_t stride = test::scaled(3, 1) >= 3 ? 1 : 3;
    for (std::size_t k = 0; k < as.size(); k += stride) {
      SCOPED_TRACE(std::to_string(round) + " " + std::to_string(k));
      const Object a(scaled(scenes::bumpy_sphere(60, k), 0.6));
      const Object b(scaled(scenes::bumpy_sphere(32, k), 0.4));
      const Motion& motion_a = as[k];
      const Motion& motion_b = bs[(k + static_cast<std::size_t>(round)) % bs.size()];
      const PathOptions options{
          .tolerance = 1e-5, .step = 0.02, .thickness_points = 100, .threads = 1};
      const PathResult r = path(a, motion_a, b, motion_b, options);
      judge(a, motion_a, b, motion_b, r, test::scaled(200, 30));
      hits += r.contacts.empty() ? 0 : 1;
      ++total;
      PathOptions parallel = options;
      parallel.threads = 2;
      const PathResult same = path(a, motion_a, b, motion_b, parallel);
      EXPECT_EQ(same.verdict, r.verdict);
      ASSERT_EQ(same.samples.size(), r.samples.size());
      for (std::size_t i = 0; i < r.samples.size(); ++i) {
        EXPECT_EQ(same.samples[i].clearance.upper, r.samples[i].clearance.upper);
        EXPECT_EQ(same.samples[i].clearance.lower, r.samples[i].clearance.lower);
      }
      EXPECT_EQ(same.stats.primitive_tests, r.stats.primitive_tests);
      const PathResult back = path(a, motion_a.reversed(), b, motion_b.reversed(), options);
      EXPECT_EQ(back.contacts.empty(), r.contacts.empty());
      if (!r.contacts.empty() && !back.contacts.empty() && r.contacts[0].start.upper > 0) {
        EXPECT_LE(std::abs(1 - back.contacts.back().end.upper - r.contacts[0].start.upper), 0.02);
      }
    }
  }
  RecordProperty("hits", hits);
  test::expect_about_half(hits, total);
}

// While both bodies rest the distance is the one that was measured when they came to rest.
TEST(Path, RestsAreNotMeasured) {
  const Object ring(tube(1.01, 2, 24)), pin(scenes::cylinder(1, 4, 24));
  const Pose begin = Pose::from_translation({5, 0, 4}), end = Pose::from_translation({5, 4, 1});
  const Pose on_the_way[] = {begin, end, end, end, end};
  const Motion rests = Motion::through(on_the_way), moves = Motion::interpolated(begin, end);
  const PathOptions options{.tolerance = 1e-7};
  const auto check = [&](const Motion& of_ring, const Motion& of_pin) {
    const PathResult r = path(ring, of_ring, pin, of_pin, options);
    EXPECT_EQ(r.verdict, PathVerdict::free);
    for (const ClearanceSample& s : r.samples) {
      const DistanceResult there = distance(ring, of_ring.pose(s.t), pin, of_pin.pose(s.t));
      EXPECT_EQ(s.clearance.upper, there.distance.upper) << s.t;
      EXPECT_LE(s.clearance.lower, there.distance.upper);
    }
    return r.stats.work();
  };
  EXPECT_LT(2 * check(rests, kStill), check(moves, kStill));
  EXPECT_LT(2 * check(kStill, rests), check(kStill, moves));
  (void)check(rests, shifted({0, 0, 0}, {0, 0, -3}));
}

// Surfaces that slide along each other: the bound is useful, and its price is that of the proof.
TEST(Path, TheProvedClearanceOfSlidingSurfacesIsUseful) {
  const Object ring(tube(1.01, 2, 96)), pin(scenes::cylinder(1, 4, 96));
  const Motion turns = Motion::screw(Pose(), Vec3::Zero(), Vec3::UnitZ(), 40 * kPi, 0.01);
  const PathOptions options{.tolerance = 1e-7, .step = 1.0 / 20};
  const PathResult r = path(ring, turns, pin, kStill, options);
  EXPECT_EQ(r.verdict, PathVerdict::free);
  EXPECT_GE(r.min_clearance.lower, 0.25 * r.min_clearance.upper);
  const QueryStats plain = time_of_impact(ring, turns, pin, kStill, {.tolerance = 1e-7}).stats;
  EXPECT_LE(r.stats.work(), 2 * plain.work() + 100'000);
  judge(ring, turns, pin, kStill, r, test::scaled(60, 20));
}

// A stretch that is known to be free is not searched again, and nothing else is lost.
TEST(Path, GoesOnWhereAnEarlierSearchEnded) {
  const Object cube = box({-1, -1, -1}, {1, 1, 1}), wall = box({3, -3, -3}, {4, 3, 3});
  const Motion motion = shifted({0, 0, 0}, {8, 0, 0});
  PathOptions options{.tolerance = 1e-6};
  const PathResult whole = path(cube, motion, wall, kStill, options);
  options.apart_until = 0.2;  // they meet at 0.25
  const PathResult rest = path(cube, motion, wall, kStill, options);
  ASSERT_EQ(rest.contacts.size(), 1u);
  EXPECT_NEAR(rest.contacts[0].start.upper, whole.contacts[0].start.upper, 1e-6);
  EXPECT_EQ(rest.samples.front().t, 0);
  judge(cube, motion, wall, kStill, rest, 100);
  options.apart_until = 1.5;
  EXPECT_THROW((void)path(cube, motion, wall, kStill, options), InvalidInput);
}

TEST(Path, BadOptionsAreRefused) {
  const Object a = box({0, 0, 0}, {1, 1, 1});
  const auto run = [&](const PathOptions& options) { (void)path(a, kStill, a, kStill, options); };
  EXPECT_THROW((void)run({}), InvalidInput);
  EXPECT_THROW((void)run({.tolerance = 1e-6, .clearance = -1}), InvalidInput);
  EXPECT_THROW((void)run({.tolerance = 1e-6, .max_touching_thickness = std::nan("")}),
               InvalidInput);
  EXPECT_THROW((void)run({.tolerance = 1e-6, .step = 0}), InvalidInput);
  EXPECT_THROW((void)run({.tolerance = 1e-6, .relative_error = 1}), InvalidInput);
}

}  // namespace
}  // namespace touche::path_clearance_test
