// SPDX-License-Identifier: Apache-2.0
// Whole paths against closed forms and dense sampling: no contact outside of the intervals, no
// distance below the proved bound.
#include "touche/path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <numbers>
#include <thread>

#include "hit_share.h"
#include "motion_kinds.h"
#include "moved_vertices.h"
#include "random.h"
#include "shapes.h"
#include "test_scale.h"

namespace touche {
namespace {

using scenes::Random;
using test::kPi;

Object box(const Vec3& lo, const Vec3& hi) { return Object(scenes::box(lo, hi)); }
const Motion kStill = Motion::at(Pose());
Motion shifted(const Vec3& from, const Vec3& to) {
  return Motion::interpolated(Pose::from_translation(from), Pose::from_translation(to));
}

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

/// Checks at sampled times the conditions that any answer has to satisfy.
void judge(const Object& a, const Motion& motion_a, const Object& b, const Motion& motion_b,
           const PathResult& r, int samples) {
  double last = 0;
  for (const ContactInterval& c : r.contacts) {
    EXPECT_LE(last, c.start.lower);
    EXPECT_LE(c.start.lower, c.start.upper);
    EXPECT_LE(c.start.upper, c.end.lower);
    EXPECT_LE(c.end.lower, c.end.upper);
    EXPECT_LE(c.end.upper, 1);
    last = c.end.upper;
    const auto gap = [&](double t) {
      return distance(a, motion_a.pose(t), b, motion_b.pose(t)).distance.upper;
    };
    EXPECT_LE(gap(c.start.upper), 2 * r.tolerance);
    EXPECT_LE(gap(c.end.lower), 2 * r.tolerance);
    EXPECT_GE(c.deepest_at, c.start.upper);
    EXPECT_GE(c.max_thickness, c.deepest.diameter.upper);
    EXPECT_LE(c.deepest_at, c.end.lower);
  }
  if (!r.samples.empty()) {
    EXPECT_EQ(r.samples.front().t, 0);
    EXPECT_TRUE(std::is_sorted(r.samples.begin(), r.samples.end(),
                               [](const auto& x, const auto& y) { return x.t < y.t; }));
  }
  for (int i = 0; i <= samples; ++i) {
    const double t = static_cast<double>(i) / samples;
    if (t > r.decided_until) break;
    const double d = distance(a, motion_a.pose(t), b, motion_b.pose(t)).distance.upper;
    const bool in_contact = std::any_of(
        r.contacts.begin(), r.contacts.end(),
        [&](const ContactInterval& c) { return t >= c.start.lower && t <= c.end.upper; });
    if (!in_contact) {
      EXPECT_GT(d, 0) << t;
    }
    if (r.samples.empty()) continue;
    const auto after = std::upper_bound(r.samples.begin(), r.samples.end(), t,
                                        [](double x, const ClearanceSample& s) { return x < s.t; });
    EXPECT_GE(d, std::prev(after)->clearance.lower * (1 - 1e-9)) << t;
    EXPECT_GE(d, r.min_clearance.lower * (1 - 1e-9)) << t;
  }
  if (r.verdict == PathClass::free || r.verdict == PathClass::near) {
    EXPECT_TRUE(r.contacts.empty());
    EXPECT_LE(r.min_clearance.lower, r.min_clearance.upper * (1 + 1e-9));
  }
}

// A bar goes through a wall: in at 2, out at 8 of 10.
TEST(Path, ThroughAWall) {
  const Object bar = box({-1, -0.2, -0.2}, {1, 0.2, 0.2}), wall = box({-2, -3, -3}, {2, 3, 3});
  const Motion through = shifted({-5, 0, 0}, {5, 0, 0});
  const PathResult r = path(bar, through, wall, kStill, {.tolerance = 1e-6});
  EXPECT_EQ(r.verdict, PathClass::clash);
  // Its faces touch nothing while it is inside.
  ASSERT_EQ(r.contacts.size(), 2u);
  const ContactInterval &in = r.contacts[0], &out = r.contacts[1];
  EXPECT_NEAR(in.start.upper, 0.2, 1e-6);
  EXPECT_LE(in.start.lower, 0.2);
  EXPECT_NEAR(in.end.upper, 0.4, 1e-6);
  EXPECT_GE(in.end.upper, 0.4);
  EXPECT_NEAR(out.start.upper, 0.6, 1e-6);
  EXPECT_LE(out.start.lower, 0.6);
  EXPECT_NEAR(out.end.upper, 0.8, 1e-6);
  EXPECT_GE(out.end.upper, 0.8);
  for (const ContactInterval& c : r.contacts) {
    EXPECT_LE(c.deepest.diameter.lower, 0.4);
    EXPECT_NEAR(c.deepest.diameter.upper, 0.4, 0.05);
  }
  EXPECT_EQ(r.min_clearance.upper, 0);
  EXPECT_EQ(r.before, Containment::none);
  EXPECT_EQ(in.after, Containment::a_in_b);
  EXPECT_EQ(out.after, Containment::none);
  judge(bar, through, wall, kStill, r, 500);
}

// One contact per turn for each of two posts, three turns long.
TEST(Path, ABladeHitsItsPostsAgainAndAgain) {
  const Object blade = box({0, -0.01, -0.1}, {1, 0.01, 0.1});
  const Motion turns = Motion::screw(Pose(), Vec3::Zero(), Vec3::UnitZ(), 6 * kPi, 0);
  std::vector<double> xyz;
  std::vector<Index> corners;
  for (const double angle : {1.0, 2.5}) {
    const Pose at = Pose::from_axis_angle(Vec3::UnitZ(), angle, Vec3::Zero());
    const PolygonSoup post = scenes::box({0.9, -0.02, -1}, {1.1, 0.02, 1});
    const auto first = static_cast<Index>(xyz.size() / 3);
    for (const Vec3& v : post.vertices()) {
      const Vec3 p = at * v;
      xyz.insert(xyz.end(), p.begin(), p.end());
    }
    for (const auto& t : post.triangles())
      for (const Index v : t) corners.push_back(first + v);
  }
  const Object posts(PolygonSoup(xyz, corners));
  const PathResult r =
      path(blade, turns, posts, kStill, {.tolerance = 1e-7, .thickness_work = 1000});
  ASSERT_EQ(r.contacts.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) {
    const double angle = 2 * kPi * static_cast<double>(i / 2) + (i % 2 == 0 ? 1.0 : 2.5);
    const double half = 0.5 * (r.contacts[i].end.lower - r.contacts[i].start.upper);
    EXPECT_NEAR(0.5 * (r.contacts[i].start.upper + r.contacts[i].end.lower), angle / (6 * kPi),
                1e-6);
    // The blade's corner (1, 0.01) meets the post's side, 0.02 from its middle plane.
    EXPECT_NEAR(half * 6 * kPi, 0.03, 0.005);
  }
  judge(blade, turns, posts, kStill, r, test::scaled(2000, 200));
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
    EXPECT_EQ(r.verdict, PathClass::free);
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
    EXPECT_EQ(verdict(least - 1e-6, profile), PathClass::free);
    EXPECT_EQ(verdict(least + 1e-6, profile), PathClass::near);
  }
}

// Down onto a table by a hair, or clearly into it; open soups that meet are never said to touch.
TEST(Path, TouchingIsNotClashing) {
  const Object cube = box({-1, -1, -1}, {1, 1, 1}), table = box({-3, -3, -2}, {3, 3, -1});
  const auto down = [&](const Object& a, double depth) {
    return path(a, shifted({0, 0, 1}, {0.1, 0, -depth}), table, kStill,
                {.tolerance = 1e-6,
                 .max_touching_thickness = 0.01,
                 .profile = false,
                 .thickness_work = 5000})
        .verdict;
  };
  EXPECT_EQ(down(cube, 0.005), PathClass::touching);
  EXPECT_EQ(down(cube, 0.2), PathClass::clash);
  EXPECT_EQ(down(cube, -0.005), PathClass::free);
  const std::vector<double> sheet = {-1, -1, -1, 1, -1, -1, 0, 1, -1};
  EXPECT_EQ(down(Object(PolygonSoup(sheet, std::vector<Index>{0, 1, 2})), 0.005), PathClass::clash);
}

TEST(Path, StartsInContactAndSlides) {
  const Object cube = box({-1, -1, -1}, {1, 1, 1}), table = box({-3, -3, -2}, {3, 3, -1});
  // Along the table, and off it at half of the way.
  const Motion legs[] = {shifted({-1, 0, 0}, {0, 0, 0}), shifted({0, 0, 0}, {0, 0, 1})};
  const PathResult r = path(cube, Motion::chain(legs), table, kStill, {.tolerance = 1e-6});
  ASSERT_EQ(r.contacts.size(), 1u);
  EXPECT_EQ(r.contacts[0].start.upper, 0);
  EXPECT_NEAR(r.contacts[0].end.lower, 0.5, 1e-5);
  EXPECT_NEAR(r.contacts[0].end.upper, 0.5, 1e-5);
  EXPECT_GE(r.contacts[0].end.upper, 0.5);
  EXPECT_LE(r.contacts[0].deepest.diameter.upper, 1e-6);
  EXPECT_EQ(r.verdict, PathClass::touching);
  judge(cube, Motion::chain(legs), table, kStill, r, 400);
}

// A contact that only touches has no thickness: a shift by the tolerance takes the bodies apart.
TEST(Path, SlidingTouchesAndDoesNotClash) {
  const Object cube = box({-1, -1, -1}, {1, 1, 1});
  const PolygonSoup floor = scenes::box({-9, -9, -3}, {9, 9, -1});
  const PolygonSoup wall = scenes::box({-9, 1, -1}, {9, 3, 9});
  const PolygonSoup* const both[] = {&floor, &wall};
  const Object corner(merged(both));
  const auto verdict = [&](const Vec3& to, double touching) {
    return path(cube, shifted({0, 0, 0}, to), corner, kStill,
                {.tolerance = 1e-6, .max_touching_thickness = touching, .step = 1.0 / 16})
        .verdict;
  };
  EXPECT_EQ(verdict({3, 0, 0}, 0), PathClass::touching);  // along both walls
  EXPECT_EQ(verdict({3, 0, 2}, 0), PathClass::touching);  // along one
  EXPECT_EQ(verdict({3, -1, 2}, 0), PathClass::touching);
  EXPECT_EQ(verdict({3, 0, -1e-3}, 0), PathClass::clash);
  EXPECT_EQ(verdict({3, 1e-3, 1}, 0), PathClass::clash);
  EXPECT_EQ(verdict({3, 0, -1e-3}, 2e-3), PathClass::touching);
}

// Things that move together: what happens to all of them is what happens to each.
TEST(Path, AGroupIsItsPartsTogether) {
  const PolygonSoup front = scenes::box({-1, -1, -1}, {0, 1, 1});
  const PolygonSoup back = scenes::box({-3, -1, -1}, {-2, 1, 1});
  const PolygonSoup* const both[] = {&front, &back};
  const Object group(merged(both)), wall = box({2, -5, -5}, {3, 5, 5});
  const Motion motion = shifted({0, 0, 0}, {10, 0, 0});
  const PathOptions how{.tolerance = 1e-6, .clearance = 0.5};
  const PathResult all = path(group, motion, wall, kStill, how);
  std::vector<ContactInterval> each;
  for (const PolygonSoup* part : both)
    for (const ContactInterval& c : path(Object(*part), motion, wall, kStill, how).contacts)
      each.push_back(c);
  // From 2 to 4 and from 4 to 6: without a gap.
  ASSERT_EQ(each.size(), 2u);
  ASSERT_EQ(all.contacts.size(), 1u);
  EXPECT_NEAR(all.contacts[0].start.upper, each[0].start.upper, 1e-6);
  EXPECT_NEAR(all.contacts[0].end.lower, each[1].end.lower, 1e-6);
  EXPECT_NEAR(all.contacts[0].deepest.diameter.lower, 1, 0.1);
  EXPECT_EQ(all.verdict, PathClass::clash);
}

TEST(Path, Containment) {
  const Object small = box({-1, -1, -1}, {1, 1, 1}), large = box({-4, -4, -4}, {4, 4, 4});
  const PathResult r =
      path(small, shifted({0, 0, 0}, {1, 1, 1}), large, kStill, {.tolerance = 1e-6});
  EXPECT_EQ(r.verdict, PathClass::clash);  // though no face touches another
  EXPECT_EQ(r.before, Containment::a_in_b);
  EXPECT_TRUE(r.contacts.empty());
}

// Whoever stops it is not told that nothing lies inside.
TEST(Path, StoppedItKnowsOfNoContainment) {
  const Object small = box({-1, -1, -1}, {1, 1, 1}), large = box({-4, -4, -4}, {4, 4, 4});
  const std::atomic<bool> stop = true;
  const PathResult r = path(small, shifted({0, 0, 0}, {1, 1, 1}), large, kStill,
                            {.tolerance = 1e-6, .budget = {.stop = &stop}});
  EXPECT_EQ(r.verdict, PathClass::undecided);
  EXPECT_EQ(r.before, Containment::undecided);
  EXPECT_EQ(PathResult().before, Containment::undecided);
  EXPECT_EQ(ContactInterval().after, Containment::undecided);
}

// One part of it lies inside of the other body, one grazes that from outside.
TEST(Path, APartInsideIsNoTouch) {
  const PolygonSoup block = scenes::box({-1, -1, -1}, {-0.9, -0.9, -0.9});
  const PolygonSoup plate = scenes::box({4, -3, -3}, {5, 3, 3});
  const PolygonSoup* const both[] = {&block, &plate};
  const Object large = box({-4, -4, -4}, {4, 4, 4});
  const PathOptions how{.tolerance = 1e-6, .thickness_work = 8};
  EXPECT_EQ(path(Object(merged(both)), shifted({0, 0, 0}, {0, 0.1, 0}), large, kStill, how).verdict,
            PathClass::clash);
  const PathResult apart =
      path(Object(merged(both)), shifted({0.1, 0, 0}, {0.2, 0, 0}), large, kStill, how);
  EXPECT_EQ(apart.verdict, PathClass::clash);
  EXPECT_EQ(apart.before, Containment::a_in_b);
}

// Both bodies in any motion there is; answered the same by any number of threads, and backwards.
TEST(Path, RandomMotionsAgreeWithDenseSampling) {
  Random random(61);
  int hits = 0, total = 0;
  for (int round = 0; round < test::scaled(8, 1); ++round) {
    const std::vector<Motion> as = test::all_kinds(random), bs = test::all_kinds(random);
    const std::size_t stride = test::scaled(3, 1) == 3 ? 1 : 3;
    for (std::size_t k = 0; k < as.size(); k += stride) {
      SCOPED_TRACE(std::to_string(round) + " " + std::to_string(k));
      const Object a(scaled(scenes::bumpy_sphere(60, k), 0.6));
      const Object b(scaled(scenes::bumpy_sphere(32, k), 0.4));
      const Motion& motion_a = as[k];
      const Motion& motion_b = bs[(k + static_cast<std::size_t>(round)) % bs.size()];
      const PathOptions options{
          .tolerance = 1e-5, .step = 0.02, .thickness_work = 100, .threads = 1};
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

TEST(Path, ABudgetLeavesItUndecided) {
  const Object a(scenes::bumpy_sphere(500, 1)), b(scenes::bumpy_sphere(500, 2));
  const Motion motion = shifted({-4, 0, 0}, {4, 0.1, 0});
  const PathResult r =
      path(a, motion, b, kStill, {.tolerance = 1e-6, .profile = false, .budget = {.max_work = 3}});
  EXPECT_EQ(r.verdict, PathClass::undecided);
  EXPECT_LT(r.decided_until, 1);
  std::atomic<bool> stop = true;
  const PathResult stopped =
      path(a, motion, b, kStill, {.tolerance = 1e-6, .budget = {.stop = &stop}});
  EXPECT_EQ(stopped.verdict, PathClass::undecided);
  EXPECT_TRUE(stopped.samples.empty());
}

// However early the work is used up: what is told of a contact was looked at.
TEST(Path, ABudgetClaimsNothingOfContacts) {
  const Object a(scenes::bumpy_sphere(500, 1)), b(scenes::bumpy_sphere(500, 2));
  // Straight in, and out again turning, which takes longer to search.
  const Pose met = Pose::from_translation({-1.5, 0, 0});
  const Motion legs[] = {shifted({-4, 0, 0}, {-1.5, 0, 0}),
                         Motion::screw(met, Vec3::Zero(), Vec3::UnitX(), 12 * kPi, -3)};
  const Motion motion = Motion::chain(legs);
  int left_open = 0;
  for (double work = 10; work < 1e5; work *= 1.5) {
    const PathResult r = path(a, motion, b, kStill,
                              {.tolerance = 1e-6,
                               .profile = false,
                               .thickness_work = 0,
                               .budget = {.max_work = static_cast<std::uint64_t>(work)}});
    for (const ContactInterval& c : r.contacts) {
      EXPECT_EQ(c.max_thickness, kInfinity);  // nobody looked
      EXPECT_EQ(c.deepest.diameter.upper, kInfinity);
    }
    left_open += r.verdict != PathClass::free && !r.contacts.empty() && r.decided_until < 1;
    judge(a, motion, b, kStill, r, 50);
  }
  EXPECT_GT(left_open, 0);
}

// Stopped while it looks for a contact, at once and not when that is found.
TEST(Path, StopsSoon) {
  const Object a(scenes::bumpy_sphere(2000, 1)), b(scenes::bumpy_sphere(2000, 2));
  const Motion turns = Motion::screw(Pose::from_translation({2.6, 0, 0}), Vec3(2.6, 0, 0),
                                     Vec3(1, 2, 3), 1e5 * kPi, 0);
  std::atomic<bool> stop = false;
  std::atomic<double> seconds = kInfinity;
  std::thread asker([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const auto start = std::chrono::steady_clock::now();
    stop = true;
    while (stop) std::this_thread::yield();
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  });
  const PathResult r = path(a, turns, b, kStill, {.tolerance = 1e-6, .budget = {.stop = &stop}});
  stop = false;
  asker.join();
  EXPECT_EQ(r.verdict, PathClass::undecided);
  EXPECT_LT(r.decided_until, 1);
  EXPECT_LT(seconds, 4);  // a few tenths, of a build that is not made to be slow
}

// The distance at a sample of the clearance is given up, too, when someone asks to stop while it is
// measured.
TEST(Path, StopsWithinADistance) {
  const Object a(scenes::bumpy_sphere(2000, 1)), b(scenes::bumpy_sphere(2000, 2));
  const auto place = [](double t) { return Pose::from_translation({2.6, 0, 0.1 * t}); };
  // The samples are at 0, 1/3, 2/3 and 1. Where b is at the second is asked before it is measured.
  std::atomic<bool> stop = false;
  const Motion rising = Motion::function(
      [&](double t) {
        if (t > 0.3 && t < 0.4) stop = true;
        return place(t);
      },
      0.1, 0);
  const PathResult r = path(a, kStill, b, rising,
                            {.tolerance = 1e-6,
                             .step = 1.0 / 3,
                             .apart_until = 1,
                             .threads = 1,
                             .budget = {.stop = &stop}});
  EXPECT_TRUE(stop);
  EXPECT_EQ(r.verdict, PathClass::undecided);
  EXPECT_TRUE(r.samples.empty());
  const auto work = [](const QueryStats& s) { return s.volume_tests + s.primitive_tests; };
  const std::uint64_t first = work(distance(a, Pose(), b, place(0)).stats);
  EXPECT_GE(work(r.stats), first);
  EXPECT_LT(work(r.stats), first + first / 2);
}

// Surfaces that slide along each other: the bound is useful, and its price is that of the proof.
TEST(Path, TheProvedClearanceOfSlidingSurfacesIsUseful) {
  const Object ring(tube(1.01, 2, 96)), pin(scenes::cylinder(1, 4, 96));
  const Motion turns = Motion::screw(Pose(), Vec3::Zero(), Vec3::UnitZ(), 40 * kPi, 0.01);
  const PathOptions options{.tolerance = 1e-7, .step = 1.0 / 20};
  const PathResult r = path(ring, turns, pin, kStill, options);
  EXPECT_EQ(r.verdict, PathClass::free);
  EXPECT_GE(r.min_clearance.lower, 0.25 * r.min_clearance.upper);
  const QueryStats plain = time_of_impact(ring, turns, pin, kStill, {.tolerance = 1e-7}).stats;
  EXPECT_LE(r.stats.node_pairs + r.stats.primitive_tests,
            4 * (plain.node_pairs + plain.primitive_tests) + 200'000);
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

// The chord error of a circle in n chords is 1 - cos(pi / n) of its radius.
TEST(ChordError, OfCylindersAndSpheres) {
  for (const Index n : {16u, 64u, 256u}) {
    const double expected = 3 * (1 - std::cos(kPi / n));
    const double found = chord_error(scenes::cylinder(3, 10, n));
    EXPECT_NEAR(found, expected, 0.02 * expected) << n;
  }
  EXPECT_EQ(chord_error(scenes::box({0, 0, 0}, {1, 2, 3})), 0);
  // A ball's facets: the deepest point of any is no farther from it than told, by a factor.
  const PolygonSoup ball = scenes::sphere(2, 2000);
  double deepest = 0;
  for (const auto& t : ball.triangles()) {
    const Vec3 middle = (ball.vertex(t[0]) + ball.vertex(t[1]) + ball.vertex(t[2])) / 3;
    deepest = std::max(deepest, 2 - middle.norm());
  }
  EXPECT_GT(chord_error(ball), 0.8 * deepest);
  EXPECT_LT(chord_error(ball), 2 * deepest);
}

}  // namespace
}  // namespace touche
