// SPDX-License-Identifier: Apache-2.0
// Gaps that are narrow, but wider than slits: they count as closed when the question is what lies
// inside. Nothing is said of what is as near to faces as they are wide, nor with wider gaps.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "mesh_builder.h"
#include "motion_kinds.h"
#include "path/interior.h"
#include "path/parts_inside.h"
#include "random.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/path.h"

namespace touche::narrow_gaps_test {
namespace {

/// Edges of some triangles are cut at a point that lies beside the edge, up to `width` away: gaps
/// where neighbours are divided differently.
PolygonSoup with_gaps(const PolygonSoup& soup, base::Random& random, int count, double width) {
  std::vector<Vec3> vertices(soup.vertices().begin(), soup.vertices().end());
  std::vector<std::array<Index, 3>> triangles(soup.triangles().begin(), soup.triangles().end());
  for (int i = 0; i < count; ++i) {
    const Index t = random.below(static_cast<Index>(triangles.size())), k = random.below(3);
    const auto [a, b, c] =
        std::array{triangles[t][k], triangles[t][(k + 1) % 3], triangles[t][(k + 2) % 3]};
    const double share = random.uniform(0.3, 0.7);
    const Vec3 inwards = (vertices[c] - 0.5 * (vertices[a] + vertices[b])).normalized();
    const auto middle = static_cast<Index>(vertices.size());
    vertices.emplace_back((1 - share) * vertices[a] + share * vertices[b] + width * inwards);
    triangles[t] = {a, middle, c};
    triangles.push_back({middle, b, c});
  }
  std::vector<double> xyz;
  std::vector<Index> corners;
  for (const Vec3& v : vertices) xyz.insert(xyz.end(), v.begin(), v.end());
  for (const auto& t : triangles) corners.insert(corners.end(), t.begin(), t.end());
  return PolygonSoup(xyz, corners);
}

PolygonSoup cracked_box(base::Random& random, double width) {
  return with_gaps(scenes::box({-1, -1, -1}, {1, 1, 1}, 2), random, 3, width);
}

TEST(NarrowGaps, CountAsClosedForWhatLiesInside) {
  base::Random random(1);
  int inside = 0, outside = 0;
  for (int round = 0; round < test::scaled(60, 20) && !HasFailure(); ++round) {
    const double width = std::pow(10, random.uniform(-4.5, -3.1));
    const Interior outer(Object(cracked_box(random, width)));
    EXPECT_FALSE(outer.closed());
    EXPECT_FALSE(outer.is_open());
    EXPECT_GE(outer.closed_gap(), 0.5 * width);
    EXPECT_LE(outer.closed_gap(), 2 * width);
    const Interior inner(Object(scenes::bumpy_sphere(200, random.below(20))));
    for (int i = 0; i < 10; ++i) {
      const Pose pose = Pose::from_translation(random.in_box(5)) * test::random_pose(random, 0);
      const Containment found = containment(inner, pose, outer, Pose());
      const bool holds = std::ranges::all_of(inner.object().soup().vertices(), [&](const Vec3& v) {
        return (pose * v).cwiseAbs().maxCoeff() < 1;
      });
      EXPECT_EQ(found, holds ? Containment::a_in_b : Containment::none);
    }
    // A small part anywhere inside, and outside.
    const Interior small(Object(scenes::box({-0.01, -0.01, -0.01}, {0.01, 0.01, 0.01})));
    for (int i = 0; i < 20; ++i) {
      const Pose pose = Pose::from_translation(random.in_box(1.4)) * test::random_pose(random, 0);
      if (intersects(small.object(), pose, outer.object(), Pose())) continue;
      const bool holds = pose.translation().cwiseAbs().maxCoeff() < 1;
      EXPECT_EQ(containment(small, pose, outer, Pose()),
                holds ? Containment::a_in_b : Containment::none);
      (holds ? inside : outside) += 1;
    }
  }
  EXPECT_GT(inside, 50);
  EXPECT_GT(outside, 50);
}

TEST(NarrowGaps, WiderOnesLeaveItUnknown) {
  base::Random random(2);
  for (int round = 0; round < test::scaled(40, 12) && !HasFailure(); ++round) {
    const Interior outer(Object(cracked_box(random, std::pow(10, random.uniform(-2, -1)))));
    EXPECT_TRUE(outer.is_open());
    EXPECT_EQ(outer.closed_gap(), 0);
    const Interior inner(Object(scenes::box({-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1})));
    EXPECT_EQ(containment(inner, Pose(), outer, Pose()), Containment::open);
    EXPECT_EQ(containment(inner, Pose::from_translation({3, 0, 0}), outer, Pose()),
              Containment::none);
  }
}

// What is smaller than a gap and as near to faces may have come through it.
TEST(NarrowGaps, WhatIsAsNearToFacesAsTheyAreWideIsNotDecided) {
  base::Random random(3);
  const double width = 1e-3;
  const Interior outer(Object(cracked_box(random, width)));
  ASSERT_FALSE(outer.is_open());
  const double size = 1e-5;
  const Interior grain(Object(scenes::box(-size * Vec3(1, 1, 1), size * Vec3(1, 1, 1))));
  EXPECT_EQ(containment(grain, Pose::from_translation({0.9, 0.31, 1 - 2e-4}), outer, Pose()),
            Containment::open);
  // Beyond the convex hull nothing is inside.
  EXPECT_EQ(containment(grain, Pose::from_translation({0.9, 0.31, 1 + 2e-4}), outer, Pose()),
            Containment::none);
  EXPECT_EQ(containment(grain, Pose::from_translation({0.9, 0.31, 0.9}), outer, Pose()),
            Containment::a_in_b);
}

// What is proved of a pair on the spot and on a path that is too short to leave it: neither lies
// inside the other, and whether one may reach into the other.
void expect_apart(const Interior& a, const Pose& pose, const Interior& b, bool reaches_in) {
  EXPECT_EQ(containment(a, pose, b, Pose()), Containment::none);
  EXPECT_EQ(paths::may_reach_in(a, pose, b, Pose(), 0), reaches_in);
  const Motion moves = Motion::interpolated(pose, Pose::from_translation({0, 1e-5, 1e-2}) * pose);
  const PathResult r =
      path(a.object(), moves, b.object(), Motion::at(Pose()), {.tolerance = 1e-6, .step = 1.0 / 8});
  EXPECT_EQ(r.verdict, PathVerdict::free);
  EXPECT_EQ(r.may_reach_in, reaches_in);
}

// A wire that is thinner than a gap may run through it and cross no face.
TEST(NarrowGaps, WhatRunsThroughOneReachesIn) {
  // A box without a strip of its top, 0.001 wide, at x = 0.
  scenes::MeshBuilder mesh;
  const double half = 5e-4;
  mesh.add(scenes::box({-1, -1, -1}, {1, 1, 1}));
  const PolygonSoup whole = mesh.soup();
  std::vector<double> xyz;
  std::vector<Index> corners, sizes;
  for (const Vec3& v : whole.vertices()) xyz.insert(xyz.end(), v.begin(), v.end());
  for (Index f = 0; f < whole.face_count(); ++f) {
    const auto face = whole.face(f);
    if (std::ranges::all_of(face, [&](Index v) { return whole.vertex(v).z() == 1; })) continue;
    corners.insert(corners.end(), face.begin(), face.end());
    sizes.push_back(static_cast<Index>(face.size()));
  }
  for (const auto& [lo, hi] : {std::pair(-1.0, -half), std::pair(half, 1.0)}) {
    const auto first = static_cast<Index>(xyz.size() / 3);
    for (const Vec3& v : {Vec3(lo, -1, 1), Vec3(hi, -1, 1), Vec3(hi, 1, 1), Vec3(lo, 1, 1)})
      xyz.insert(xyz.end(), v.begin(), v.end());
    corners.insert(corners.end(), {first, first + 1, first + 2, first + 3});
    sizes.push_back(4);
  }
  const Interior outer(Object(PolygonSoup(xyz, corners, sizes)));
  ASSERT_FALSE(outer.is_open());
  ASSERT_GT(outer.closed_gap(), 0);
  const double thin = 1e-4;
  for (const bool swapped : {false, true}) {
    // Its first vertices are outside, or inside.
    const double from = swapped ? 0.2 : 2.0, to = swapped ? 2.0 : 0.2;
    const Interior wire(
        Object(scenes::box({-thin, -thin, std::min(from, to)}, {thin, thin, std::max(from, to)})));
    const Pose pose = swapped ? Pose::from_axis_angle({1, 0, 0}, M_PI, {0, 0, 2.2}) : Pose();
    ASSERT_FALSE(intersects(wire.object(), pose, outer.object(), Pose()).intersects);
    expect_apart(wire, pose, outer, true);
  }
}

// In at one gap and out at another: no vertex is inside.
TEST(NarrowGaps, WhatRunsThroughTwoReachesIn) {
  const double half = 5e-4, thin = 1e-4;
  std::vector<double> xyz;  // a box with a gap at x = 0 in its top and its bottom
  std::vector<Index> corners;
  const auto rectangle = [&](const std::array<Vec3, 4>& at) {
    for (const Vec3& v : at) {
      corners.push_back(static_cast<Index>(xyz.size() / 3));
      xyz.insert(xyz.end(), v.begin(), v.end());
    }
  };
  rectangle({Vec3(1, -1, -1), Vec3(1, 1, -1), Vec3(1, 1, 1), Vec3(1, -1, 1)});
  rectangle({Vec3(-1, -1, -1), Vec3(-1, -1, 1), Vec3(-1, 1, 1), Vec3(-1, 1, -1)});
  rectangle({Vec3(-1, 1, -1), Vec3(-1, 1, 1), Vec3(1, 1, 1), Vec3(1, 1, -1)});
  rectangle({Vec3(-1, -1, -1), Vec3(1, -1, -1), Vec3(1, -1, 1), Vec3(-1, -1, 1)});
  for (const auto& [lo, hi] : {std::pair(-1.0, -half), std::pair(half, 1.0)}) {
    rectangle({Vec3(lo, -1, 1), Vec3(hi, -1, 1), Vec3(hi, 1, 1), Vec3(lo, 1, 1)});
    rectangle({Vec3(lo, -1, -1), Vec3(lo, 1, -1), Vec3(hi, 1, -1), Vec3(hi, -1, -1)});
  }
  const std::vector<Index> sizes(corners.size() / 4, 4);
  const Interior outer(Object(PolygonSoup(xyz, corners, sizes)));
  ASSERT_GT(outer.closed_gap(), 0);
  ASSERT_FALSE(outer.is_open());
  const Interior wire(Object(scenes::box({-thin, -thin, -2}, {thin, thin, 3})));
  ASSERT_FALSE(intersects(wire.object(), Pose(), outer.object(), Pose()).intersects);
  expect_apart(wire, Pose(), outer, true);
  // One that passes by, and a lid above the gap, are outside.
  expect_apart(wire, Pose::from_translation({2, 0, 0}), outer, false);
  const Interior lid(Object(scenes::box({-0.5, -0.5, 1.01}, {0.5, 0.5, 1.2})));
  expect_apart(lid, Pose(), outer, false);
}

TEST(NarrowGaps, PathsSayWhetherAPartGetsInside) {
  base::Random random(4);
  for (int round = 0; round < test::scaled(20, 6) && !HasFailure(); ++round) {
    const Object outer(cracked_box(random, 5e-4));
    const Object inner(scenes::box({-0.2, -0.2, -0.2}, {0.2, 0.2, 0.2}));
    const Motion rests = Motion::at(Pose());
    const auto along = [](const Vec3& from, const Vec3& to) {
      return Motion::interpolated(Pose::from_translation(from), Pose::from_translation(to));
    };
    const PathOptions options{
        .tolerance = 1e-6, .step = 1.0 / 16, .profile = false, .thickness_points = 0};
    EXPECT_EQ(path(outer, rests, inner, along({-0.5, 0, 0}, {0.5, 0.1, 0}), options).verdict,
              PathVerdict::clash);
    EXPECT_EQ(path(outer, rests, inner, along({1.5, -2, 0}, {1.5, 2, 0.5}), options).verdict,
              PathVerdict::free);
    // Much of it lies nearer to the walls than gaps are wide, and some of it does not.
    const Object near(scenes::box(Vec3::Constant(-0.9999), {0.2, 0.9999, 0.9999}, 3));
    const PathResult inside = path(outer, rests, near, along({0, 0, 0}, {1e-6, 0, 0}), options);
    EXPECT_EQ(inside.verdict, PathVerdict::clash);
    EXPECT_EQ(inside.before, Containment::b_in_a);
  }
}

}  // namespace
}  // namespace touche::narrow_gaps_test
