// SPDX-License-Identifier: Apache-2.0
// Whole paths in the plane: against closed forms and samples of the reference implementations, and
// containment.
#include "touche/plane.h"
#include "touche/reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hit_share.h"
#include "plane_outlines.h"
#include "test_scale.h"

namespace touche::plane {
namespace {

Chain box_chain(double x, double y, double half_x, double half_y) {
  return {{{x - half_x, y - half_y},
           {x + half_x, y - half_y},
           {x + half_x, y + half_y},
           {x - half_x, y + half_y}},
          true,
          ""};
}

Object box(double half_x, double half_y, double x = 0, double y = 0) {
  return Object(Outline(std::vector<Chain>{box_chain(x, y, half_x, half_y)}));
}

Motion along(const Vec2& from, const Vec2& to) {
  return Motion::interpolated(Pose(0, from), Pose(0, to));
}

const Motion kStill = Motion::at(Pose());

Chain polygon(double radius, int corners) {
  Chain chain{{}, true, ""};
  for (int i = 0; i < corners; ++i)
    chain.points.emplace_back(radius * std::cos(2 * std::numbers::pi * i / corners),
                              radius * std::sin(2 * std::numbers::pi * i / corners));
  return chain;
}

// A pin turns in its hole, whose chords it cuts: a touch at every moment if that is allowed.
TEST(PlanePath, APinTurnsInItsHole) {
  const Object pin(Outline(std::vector<Chain>{polygon(1, 24)}));
  const Object plate(Outline(std::vector<Chain>{box_chain(0, 0, 2, 2), polygon(1.001, 24)}));
  const Motion turns = Motion::interpolated(Pose(0, {0, 0}), Pose(2, {0, 0}));
  const auto with = [&](double allowed) {
    return path(pin, turns, plate, kStill,
                {.tolerance = 1e-6, .max_touching_thickness = allowed, .profile = false});
  };
  const PathResult r = with(0.05);
  EXPECT_EQ(r.verdict, PathVerdict::touching);
  ASSERT_FALSE(r.contacts.empty());
  for (const ContactInterval& c : r.contacts) EXPECT_EQ(c.touching_until, c.end.upper);
  EXPECT_EQ(with(1e-3).verdict, PathVerdict::clash);
}

// A square of side 2 crosses a bar of width 1 from left to right: contact from x = −1.5 to 1.5.
TEST(PlanePath, ASquareCrossesABar) {
  const Object square = box(1, 1), bar = box(0.5, 5);
  const PathResult r =
      path(square, along({-4, 0}, {4, 0}), bar, kStill, {.tolerance = 1e-6, .clearance = 0.1});
  EXPECT_EQ(r.verdict, PathVerdict::clash);
  ASSERT_EQ(r.contacts.size(), 1u);
  const ContactInterval& c = r.contacts[0];
  const auto holds = [](const Bracket& b, double t) {
    EXPECT_LE(b.lower, t + 1e-9);
    EXPECT_GE(b.upper, t - 1e-6);
    EXPECT_LE(b.upper - b.lower, 1e-5);
  };
  holds(c.start, 2.5 / 8);
  holds(c.end, 5.5 / 8);
  ASSERT_TRUE(c.first && c.last);
  EXPECT_NEAR(c.first->point_b.x(), -0.5, 1e-5);
  EXPECT_NEAR(c.last->point_b.x(), 0.5, 1e-5);
  EXPECT_EQ(c.after, Containment::none);
  EXPECT_EQ(r.before, Containment::none);
  // The largest disc in both is as wide as the bar.
  EXPECT_LE(c.deepest.diameter.lower, 1 + 1e-9);
  EXPECT_GE(c.deepest.diameter.lower, 0.8);
  EXPECT_GE(c.deepest.diameter.upper, 1 - 1e-9);
  EXPECT_LE(c.deepest.diameter.upper, 1.3);
  EXPECT_LT(c.deepest.centre.cwiseAbs().x(), 0.5);
  ASSERT_FALSE(r.samples.empty());
  EXPECT_NEAR(r.samples.front().clearance.upper, 2.5, 1e-9);
}

TEST(PlanePath, VerdictsOfClosedForms) {
  const Object square = box(1, 1), bar = box(0.5, 5);
  const auto verdict = [](const Object& a, const Motion& motion, const Object& b,
                          PathOptions options) {
    options.tolerance = 1e-6;
    return path(a, motion, b, kStill, options);
  };
  // Past the bar at a distance of 0.2, up and down.
  const Motion past = along({-1.7, -9}, {-1.7, 9});
  const PathResult free = verdict(square, past, bar, {.clearance = 0.19});
  EXPECT_EQ(free.verdict, PathVerdict::free);
  EXPECT_LE(free.min_clearance.lower, 0.2);
  EXPECT_GE(free.min_clearance.lower, 0.19);
  EXPECT_NEAR(free.min_clearance.upper, 0.2, 1e-9);
  EXPECT_EQ(verdict(square, past, bar, {.clearance = 0.21}).verdict, PathVerdict::near);
  // Along the bar, 0.05 within it: a touch where 0.1 is allowed, a clash where 0.01 is.
  const Motion within = along({-1.45, -2}, {-1.45, 2});
  EXPECT_EQ(verdict(square, within, bar, {.max_touching_thickness = 0.1}).verdict,
            PathVerdict::touching);
  EXPECT_EQ(verdict(square, within, bar, {.max_touching_thickness = 0.01}).verdict,
            PathVerdict::clash);
  // Inside of it, without touching: a clash; in the hole of a plate: none.
  const Object small = box(0.1, 0.1);
  const PathResult held = verdict(small, along({0, -2}, {0, 2}), bar, {});
  EXPECT_EQ(held.verdict, PathVerdict::clash);
  EXPECT_EQ(held.before, Containment::a_in_b);
  const Object plate(Outline(std::vector<Chain>{box_chain(0, 0, 5, 5), box_chain(0, 0, 1, 3)}));
  const PathResult in_hole = verdict(small, along({0, -2}, {0, 2}), plate, {.clearance = 0.5});
  EXPECT_EQ(in_hole.verdict, PathVerdict::free);
  EXPECT_EQ(in_hole.before, Containment::none);
  // A border that is drawn twice, the other way round, counts once.
  Chain again = box_chain(0, 0, 0.5, 5);
  std::reverse(again.points.begin(), again.points.end());
  std::rotate(again.points.begin(), again.points.begin() + 1, again.points.end());
  const Object twice(Outline(std::vector<Chain>{box_chain(0, 0, 0.5, 5), again}));
  EXPECT_EQ(verdict(small, along({0, -2}, {0, 2}), twice, {}).verdict, PathVerdict::clash);
  // A line has no inside, and may be in that of another.
  const Object line(Outline(std::vector<Chain>{{{{-0.1, 0}, {0.1, 0}}, false, ""}}));
  EXPECT_EQ(verdict(line, along({0, -2}, {0, 2}), bar, {}).verdict, PathVerdict::clash);
  EXPECT_EQ(verdict(line, along({0, -2}, {0, 2}), plate, {}).verdict, PathVerdict::free);
  EXPECT_EQ(verdict(line, along({-9, 0}, {9, 0}), bar, {.max_touching_thickness = 9}).verdict,
            PathVerdict::clash);
  EXPECT_THROW((void)path(square, past, bar, kStill, {}), InvalidInput);
  EXPECT_EQ(verdict(square, along({-4, 0}, {4, 0}), bar, {.budget = {.max_work = 0}}).verdict,
            PathVerdict::undecided);
}

// Every sample of random paths agrees with the reference implementations.
// What open chains enclose is unknown, and only within their hull.
TEST(PlanePath, WhatLiesWithinOpenChainsIsUnknown) {
  Chain frame = box_chain(0, 0, 5, 5);
  frame.closed = false;
  frame.points.emplace_back(-5, -4.99);  // all but a hundredth of the last side
  const auto with = [&](std::vector<Chain> chains, const Motion& motion) {
    return path(box(1, 1), motion, Object(Outline(chains)), kStill, {.tolerance = 1e-6});
  };
  const Motion inside = along({0, 0}, {1, 0}), outside = along({20, 0}, {21, 0});
  const PathResult r = with({frame}, inside);
  EXPECT_EQ(r.verdict, PathVerdict::open);
  EXPECT_EQ(r.before, Containment::open);
  EXPECT_GT(r.min_clearance.lower, 2.9);
  EXPECT_EQ(with({frame}, outside).verdict, PathVerdict::free);
  // Four sides, none of which meets another one.
  std::vector<Chain> sides;
  for (const double at : {-5.0, 5.0}) {
    sides.push_back({{{at, -4.9}, {at, 4.9}}, false, ""});
    sides.push_back({{{-4.9, at}, {4.9, at}}, false, ""});
  }
  EXPECT_EQ(with(sides, inside).verdict, PathVerdict::open);
  // It is found at any time, here after an entry through a wide gap.
  const Chain hook{{{-5, 5}, {-5, -5}, {5, -5}, {5, 5}}, false, ""};
  EXPECT_EQ(with({hook}, along({0, 20}, {0, 0})).verdict, PathVerdict::open);
  EXPECT_EQ(with({hook}, along({0, 20}, {0, 5})).verdict, PathVerdict::free);
  // What sticks out by no more than surfaces that touch may pass each other may still be inside.
  const Object open_frame(Outline(std::vector<Chain>{frame}));
  for (const auto& [out, verdict] :
       {std::pair(0.0, PathVerdict::open), std::pair(0.05, PathVerdict::open)})
    EXPECT_EQ(path(box(1, 1), along({4 + out, 0}, {4 + out, 1}), open_frame, kStill,
                   {.tolerance = 1e-6, .max_touching_thickness = 0.1})
                  .verdict,
              verdict)
        << out;
  // Marks on a plate, a bend across it and points change nothing beside them.
  const Chain plate = box_chain(0, 0, 5, 5), mark{{{-4, -4}, {-3, -4}, {-3, -3}}, false, ""},
              bend{{{-4.5, 0}, {4.5, 0}}, false, ""}, point{{{4, 4}}, false, ""};
  EXPECT_EQ(with({plate, mark}, inside).verdict, PathVerdict::clash);
  EXPECT_EQ(with({plate, point, Chain{{{-4, 4}}, false, ""}}, inside).verdict, PathVerdict::clash);
  EXPECT_EQ(with({plate, bend}, along({0, 3}, {1, 3})).verdict, PathVerdict::clash);
  EXPECT_EQ(with({plate, bend}, outside).verdict, PathVerdict::free);
  // A hole that is not closed may be one.
  EXPECT_EQ(with({box_chain(0, 0, 9, 9), frame}, inside).verdict, PathVerdict::open);
  EXPECT_EQ(with({box_chain(0, 0, 9, 9), box_chain(0, 0, 5, 5)}, inside).verdict,
            PathVerdict::free);
  EXPECT_TRUE(Interior(Object(Outline(std::vector<Chain>{frame})).in_space()).is_open());
  EXPECT_FALSE(Interior(Object(Outline(std::vector<Chain>{plate, point})).in_space()).is_open());
}

TEST(PlanePath, AgreesWithTheTwinsAtManyTimes) {
  base::Random random(41);
  const int cases = test::scaled(60);
  int touched = 0, inside = 0;
  for (int n = 0; n < cases; ++n) {
    const double size = std::pow(10.0, random.uniform(-4, 4));
    const Object a(Outline(std::vector<Chain>{test::star_polygon(random, 7, 0.35 * size)}));
    const Object b(
        Outline(std::vector<Chain>{test::star_polygon(random, 3 + random.below(20), size)}));
    const Vec2 from = test::random_vec2(random, 1.5 * size);
    const Motion motion = Motion::turning(Pose(random.uniform(-3, 3), from), random.uniform(-3, 3),
                                          {0, 0}, test::random_vec2(random, 1.6 * size));
    const double tolerance = 1e-5 * size;
    const PathResult r =
        path(a, motion, b, kStill, {.tolerance = tolerance, .clearance = 0.01 * size});
    ASSERT_NE(r.verdict, PathVerdict::undecided) << n;
    touched += !r.contacts.empty();
    const Region region(b);
    for (int k = 0; k <= 64; ++k) {
      const double t = k / 64.0;
      const Pose pose = motion.pose(t);
      const double apart = brute_force::distance(a, pose, b, {}).distance.upper;
      bool in_contact = false, apart_for_sure = true;
      for (const ContactInterval& c : r.contacts) {
        in_contact = in_contact || (t >= c.start.upper && t <= c.end.lower);
        apart_for_sure = apart_for_sure && (t < c.start.lower || t > c.end.upper);
      }
      if (apart_for_sure) {
        EXPECT_GT(apart, 0) << n << " at " << t;
        const bool holds = region.place(pose * a.outline().vertex(0)) == Place::inside;
        inside += holds;
        if (holds) {
          EXPECT_EQ(r.verdict, PathVerdict::clash) << n;
        }
      }
      if (r.contacts.empty()) {
        EXPECT_GE(apart, r.min_clearance.lower);
      }
    }
    for (const ContactInterval& c : r.contacts) {
      EXPECT_LE(brute_force::distance(a, motion.pose(c.start.upper), b, {}).distance.upper,
                r.tolerance * (1 + 1e-9));
      if (!(c.deepest.diameter.lower > 0)) continue;
      // The disc fits into both.
      const Pose pose = motion.pose(c.deepest_at);
      const double radius = 0.5 * c.deepest.diameter.lower * (1 - 1e-9);
      EXPECT_LE(region.signed_distance(c.deepest.centre), -radius) << n;
      EXPECT_LE(Region(a).signed_distance(pose.inverse() * c.deepest.centre), -radius) << n;
    }
  }
  test::expect_about_half(touched, cases);
  if (cases >= 60) {  // fewer are left to chance
    EXPECT_GT(inside, 0);
  }
}

// The thickness of overlaps, at rest, against a fine grid of discs.
TEST(PlanePath, ThicknessesHoldForAGridOfDiscs) {
  base::Random random(42);
  int thick = 0;
  const int cases = test::scaled(60);
  for (int n = 0; n < cases; ++n) {
    const Object a(Outline(std::vector<Chain>{test::star_polygon(random, 5, 1)}));
    const Object b(Outline(std::vector<Chain>{test::star_polygon(random, 9, 1)}));
    const Pose pose(random.uniform(-3, 3), test::random_vec2(random, 1.3));
    const PathResult r = path(a, Motion::at(pose), b, kStill, {.tolerance = 1e-7});
    if (r.contacts.empty()) continue;
    const Thickness& found = r.contacts[0].deepest;
    const Region in_a(a), in_b(b);
    double best = 0;
    constexpr int kGrid = 60;
    for (int i = 0; i <= kGrid; ++i)
      for (int j = 0; j <= kGrid; ++j) {
        const Vec2 x(-1 + 2.0 * i / kGrid, -1 + 2.0 * j / kGrid);
        best = std::max(
            best, std::min(-in_b.signed_distance(x), -in_a.signed_distance(pose.inverse() * x)));
      }
    EXPECT_GE(found.diameter.upper, 2 * best - 1e-9) << n;
    // No point is farther from the grid than half a diagonal of its cells.
    EXPECT_LE(found.diameter.lower, 2 * (best + std::sqrt(2.0) / kGrid) + 1e-9) << n;
    thick += found.diameter.lower > 0.05;
  }
  EXPECT_GT(thick, cases / 6);
}

}  // namespace
}  // namespace touche::plane
