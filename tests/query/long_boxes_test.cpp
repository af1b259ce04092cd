// SPDX-License-Identifier: Apache-2.0
// For how long long boxes, and long triangles, are proved apart, against where they are in that
// time.
#include "query/long_boxes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "bvh/object_data.h"
#include "hit_share.h"
#include "motion_kinds.h"
#include "moving_boxes.h"
#include "query/node_impact.h"
#include "query/pair_traversal.h"
#include "query/time_slices.h"
#include "scenes.h"
#include "test_scale.h"

namespace touche::long_boxes_test {
namespace {

using scenes::Random;

bvh::NodeRef any_node(const bvh::Bvh& bvh, base::Random& random) {
  const auto nodes = static_cast<Index>(bvh.node_count());
  const Index n = random.below(nodes + static_cast<Index>(bvh.leaf_count()));
  return n < nodes ? static_cast<bvh::NodeRef>(n) : ~static_cast<bvh::NodeRef>(n - nodes);
}

/// Two rods, which mostly pass each other near their middles, or anyhow.
struct Rods {
  Object a, b;
  Motion motion_a, motion_b;

  explicit Rods(base::Random& random)
      : a(rod(random)), b(rod(random)), motion_a(move(random)), motion_b(move(random)) {}

  static Object rod(base::Random& random) {
    const double length = std::exp2(random.uniform(3, 5));
    return Object(
        scenes::cylinder(std::exp2(-random.uniform(5, 6)) * length, length, 3 + random.below(4)));
  }
  static Motion move(base::Random& random) {
    if (random.below(2) == 0) {
      auto kinds = test::all_kinds(random);
      return kinds[random.below(static_cast<Index>(kinds.size()))];
    }
    const Pose start = test::random_pose(random, 0.5);
    const Vec3 axis = random.direction();
    return Motion::screw(start, start.translation(), axis, random.uniform(-3, 3),
                         random.uniform(-1, 1));
  }
};

TEST(LongBoxes, StayApartForAsLongAsIsProved) {
  base::Random random(1);
  int proved = 0, total = 0;
  for (int round = 0; round < test::scaled(3000, 200); ++round) {
    const Rods rods(random);
    const double clearance = random.below(4) == 0 ? 0.05 : 0;
    std::vector<query::TimeSlice> memory;
    const query::TimeSlices slices(rods.a, rods.motion_a, rods.b, rods.motion_b,
                                   {.tolerance = 1e-9, .clearance = clearance}, memory);
    const query::TimeSpan span = slices.span(random.below(static_cast<Index>(slices.size())));
    const double t = span.begin + random.uniform(0, 0.9) * (span.end - span.begin);
    const query::Snapshot snapshot = slices.snapshot(span, t);
    const bvh::Bvh &bvh_a = bvh::bvh_of(rods.a), &bvh_b = bvh::bvh_of(rods.b);
    for (int i = 0; i < 4; ++i) {
      const bvh::NodeRef ref_a = any_node(bvh_a, random), ref_b = any_node(bvh_b, random);
      const bvh::Bounds &bounds_a = bvh_a.bounds(ref_a), &bounds_b = bvh_b.bounds(ref_b);
      if (!query::is_long(bounds_a) || !query::is_long(bounds_b)) continue;
      ++total;
      const double dt = std::min(
          query::time_apart_across(bvh_a, bounds_a, bvh_b, bounds_b, snapshot), span.end - t);
      EXPECT_GE(dt, 0);
      if (!(dt > 0)) continue;
      ++proved;
      const auto of_a = test::triangles_below(bvh_a, ref_a),
                 of_b = test::triangles_below(bvh_b, ref_b);
      constexpr int kSamples = 8;
      for (int k = 0; k <= kSamples; ++k) {
        const double at = std::min(t + dt * k / kSamples, span.end);
        const query::RelativePose pose(rods.motion_a.pose(at), rods.motion_b.pose(at));
        ASSERT_GT(test::least_distance(rods.a, of_a, rods.b, of_b, pose), clearance)
            << round << ' ' << k;
      }
    }
  }
  test::expect_about_half(proved, total);
}

// Triangles of two leaves are tested together, in single precision, by every instruction set.
TEST(LongTriangles, StayApartForAsLongAsKernelsProve) {
  base::Random random(3);
  int proved = 0, longer = 0, total = 0;
  for (int round = 0; round < test::scaled(3000, 200); ++round) {
    const Rods rods(random);
    const double clearance = random.below(4) == 0 ? 0.05 : 0;
    std::vector<query::TimeSlice> memory;
    const query::TimeSlices slices(rods.a, rods.motion_a, rods.b, rods.motion_b,
                                   {.tolerance = 1e-9, .clearance = clearance}, memory);
    const query::TimeSpan span = slices.span(random.below(static_cast<Index>(slices.size())));
    const double t = span.begin + random.uniform(0, 0.9) * (span.end - span.begin);
    const query::Snapshot snapshot = slices.snapshot(span, t);
    const bvh::Bvh &bvh_a = bvh::bvh_of(rods.a), &bvh_b = bvh::bvh_of(rods.b);
    const query::LocalSnapshot local(bvh_a, bvh_b, snapshot);
    const auto limit = static_cast<float>(span.end - t);
    const auto any_leaf = [&](const bvh::Bvh& bvh) {
      return ~static_cast<bvh::NodeRef>(random.below(static_cast<Index>(bvh.leaf_count())));
    };
    const query::NodePair leaves{any_leaf(bvh_a), any_leaf(bvh_b)};
    const bvh::BvhLeaf &leaf_a = bvh_a.leaf(leaves.a), &leaf_b = bvh_b.leaf(leaves.b);
    query::FramedPair framed;
    framed.relate(bvh::kernels(), bvh_a, bvh_b, leaves, local.map);
    bvh::PairNumbers pairs;
    const int row = static_cast<int>(random.below(static_cast<Index>(leaf_a.count())));
    for (int lane = 0; lane < leaf_b.count(); ++lane) pairs.add(bvh::kWidth * row + lane);
    const auto times = [&](const bvh::Kernels& kernel, bool tilting) {
      std::array<float, bvh::kWidth> time;
      kernel.impact_triangles(leaf_a, leaf_b, pairs, framed.frame, local.velocities, tilting, limit,
                              time.data());
      return time;
    };
    const auto time = times(bvh::kernels(), true), without = times(bvh::kernels(), false);
    for (const bvh::Kernels& kernel : bvh::all_kernels()) {
      const auto its = times(kernel, true);
      EXPECT_TRUE(std::equal(its.begin(), its.begin() + pairs.count, time.begin())) << kernel.name;
    }
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(pairs.count); ++lane) {
      ++total;
      EXPECT_GE(time[lane], without[lane]);
      longer += time[lane] > 1.5f * without[lane];
      const double dt = std::min(static_cast<double>(time[lane]), span.end - t);
      if (!(dt > 0)) continue;
      ++proved;
      constexpr int kSamples = 8;
      for (int k = 0; k <= kSamples; ++k) {
        const double at = std::min(t + dt * k / kSamples, span.end);
        const query::RelativePose pose(rods.motion_a.pose(at), rods.motion_b.pose(at));
        ASSERT_GT(
            geometry::closest_points(query::triangle_of(rods.a.soup(), leaf_a.triangle[row]),
                                     query::triangle_of(rods.b.soup(), leaf_b.triangle[lane], pose))
                .distance,
            clearance)
            << round << ' ' << lane << ' ' << k;
      }
    }
  }
  EXPECT_GT(proved, total / 2);
  EXPECT_GT(longer, total / 20);
}

// A pair of triangles is followed until it touches, or is proved apart to the end.
TEST(LongTriangles, AreFollowedInFewSteps) {
  base::Random random(2);
  int touched = 0, steps = 0, total = 0;
  for (int round = 0; round < test::scaled(3000, 300); ++round) {
    const Rods rods(random);
    std::vector<query::TimeSlice> memory;
    const query::TimeSlices slices(rods.a, rods.motion_a, rods.b, rods.motion_b,
                                   {.tolerance = 1e-7}, memory);
    const query::TimeSlice& slice = slices[random.below(static_cast<Index>(slices.size()))];
    const auto any_triangle = [&](const Object& object) {
      return random.below(static_cast<Index>(object.soup().triangle_count()));
    };
    const Index ta = any_triangle(rods.a), tb = any_triangle(rods.b);
    double t = slice.begin;
    bool touching = false;
    for (int step = 0; step < 100000 && t < slice.end && !touching; ++step, ++steps) {
      const query::TriangleImpact impact = query::conservative_advancement(
          rods.a, ta, rods.b, tb, slices.snapshot(slice, t), slices.tolerance());
      touching = impact.touching;
      if (touching) break;
      ASSERT_GT(impact.dt, 0);
      for (int k = 0; k <= 4; ++k) {
        const double at = t + std::min(impact.dt, slice.end - t) * k / 4;
        const query::RelativePose pose(rods.motion_a.pose(at), rods.motion_b.pose(at));
        ASSERT_GT(test::least_distance(rods.a, {ta}, rods.b, {tb}, pose), 0)
            << round << ' ' << step;
      }
      t += impact.dt;
    }
    touched += touching;
    ++total;
  }
  EXPECT_GT(touched, total / 50);
  EXPECT_LT(steps, 60 * total);
}

}  // namespace
}  // namespace touche::long_boxes_test
