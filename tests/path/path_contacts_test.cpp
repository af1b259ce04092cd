// SPDX-License-Identifier: Apache-2.0
// Contacts on whole paths: where they begin and end, whether they touch or clash, and what lies
// inside.
#include "touche/path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "motion_kinds.h"
#include "path_judge.h"
#include "shapes.h"
#include "test_scale.h"

namespace touche::path_contacts_test {
namespace {

using test::box;
using test::judge;
using test::kPi;
using test::shifted;

const Motion kStill = test::still();

// A bar goes through a wall: in at 2, out at 8 of 10.
TEST(Path, ThroughAWall) {
  const Object bar = box({-1, -0.2, -0.2}, {1, 0.2, 0.2}), wall = box({-2, -3, -3}, {2, 3, 3});
  const Motion through = shifted({-5, 0, 0}, {5, 0, 0});
  const PathResult r = path(bar, through, wall, kStill, {.tolerance = 1e-6});
  EXPECT_EQ(r.verdict, PathVerdict::clash);
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
      path(blade, turns, posts, kStill, {.tolerance = 1e-7, .thickness_points = 1000});
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

// Down onto a table by a hair, or clearly into it; likewise a sheet, whose surface alone counts.
TEST(Path, TouchingIsNotClashing) {
  const Object cube = box({-1, -1, -1}, {1, 1, 1}), table = box({-3, -3, -2}, {3, 3, -1});
  const auto down = [&](const Object& a, double depth) {
    return path(a, shifted({0, 0, 1}, {0.1, 0, -depth}), table, kStill,
                {.tolerance = 1e-6,
                 .max_touching_thickness = 0.01,
                 .profile = false,
                 .thickness_points = 5000})
        .verdict;
  };
  EXPECT_EQ(down(cube, 0.005), PathVerdict::touching);
  EXPECT_EQ(down(cube, 0.2), PathVerdict::clash);
  EXPECT_EQ(down(cube, -0.005), PathVerdict::free);
  const std::vector<double> sheet = {-1, -1, -1, 1, -1, -1, 0, 1, -1};
  const Object triangle(PolygonSoup(sheet, std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(down(triangle, 0), PathVerdict::touching);
  EXPECT_EQ(down(triangle, 0.005), PathVerdict::clash);  // it is inside the table then
  EXPECT_EQ(down(triangle, -0.005), PathVerdict::free);
}

TEST(Path, StartsInContactAndSlides) {
  const Object cube = box({-1, -1, -1}, {1, 1, 1}), table = box({-3, -3, -2}, {3, 3, -1});
  // Along the table, and off it at half of the path.
  const Motion legs[] = {shifted({-1, 0, 0}, {0, 0, 0}), shifted({0, 0, 0}, {0, 0, 1})};
  const PathResult r = path(cube, Motion::chain(legs), table, kStill, {.tolerance = 1e-6});
  ASSERT_EQ(r.contacts.size(), 1u);
  EXPECT_EQ(r.contacts[0].start.upper, 0);
  EXPECT_NEAR(r.contacts[0].end.lower, 0.5, 1e-5);
  EXPECT_NEAR(r.contacts[0].end.upper, 0.5, 1e-5);
  EXPECT_GE(r.contacts[0].end.upper, 0.5);
  EXPECT_LE(r.contacts[0].deepest.diameter.upper, 1e-6);
  EXPECT_EQ(r.verdict, PathVerdict::touching);
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
  EXPECT_EQ(verdict({3, 0, 0}, 0), PathVerdict::touching);  // along both walls
  EXPECT_EQ(verdict({3, 0, 2}, 0), PathVerdict::touching);  // along one
  EXPECT_EQ(verdict({3, -1, 2}, 0), PathVerdict::touching);
  EXPECT_EQ(verdict({3, 0, -1e-3}, 0), PathVerdict::clash);
  EXPECT_EQ(verdict({3, 1e-3, 1}, 0), PathVerdict::clash);
  EXPECT_EQ(verdict({3, 0, -1e-3}, 2e-3), PathVerdict::touching);
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
  EXPECT_EQ(all.verdict, PathVerdict::clash);
}

TEST(Path, Containment) {
  const Object small = box({-1, -1, -1}, {1, 1, 1}), large = box({-4, -4, -4}, {4, 4, 4});
  const PathResult r =
      path(small, shifted({0, 0, 0}, {1, 1, 1}), large, kStill, {.tolerance = 1e-6});
  EXPECT_EQ(r.verdict, PathVerdict::clash);  // though no face touches another
  EXPECT_EQ(r.before, Containment::a_in_b);
  EXPECT_TRUE(r.contacts.empty());
}

// One part of it lies inside of the other body, one grazes that from outside.
TEST(Path, APartInsideIsNoTouch) {
  const PolygonSoup block = scenes::box({-1, -1, -1}, {-0.9, -0.9, -0.9});
  const PolygonSoup plate = scenes::box({4, -3, -3}, {5, 3, 3});
  const PolygonSoup* const both[] = {&block, &plate};
  const Object large = box({-4, -4, -4}, {4, 4, 4});
  const PathOptions how{.tolerance = 1e-6, .thickness_points = 8};
  EXPECT_EQ(path(Object(merged(both)), shifted({0, 0, 0}, {0, 0.1, 0}), large, kStill, how).verdict,
            PathVerdict::clash);
  const PathResult apart =
      path(Object(merged(both)), shifted({0.1, 0, 0}, {0.2, 0, 0}), large, kStill, how);
  EXPECT_EQ(apart.verdict, PathVerdict::clash);
  EXPECT_EQ(apart.before, Containment::a_in_b);
}

}  // namespace
}  // namespace touche::path_contacts_test
