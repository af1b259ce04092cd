// SPDX-License-Identifier: Apache-2.0
// The kernels prove nearly exact times for bodies that only glide.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bvh/object_data.h"
#include "motion_kinds.h"
#include "moving_boxes.h"
#include "query/node_impact.h"
#include "query/pair_traversal.h"
#include "query/time_slices.h"
#include "test_scale.h"

namespace touche {
namespace {

using scenes::Random;
using test::for_axes;
using test::PlacedBox;
using test::random_leaf;
using test::random_object;

// A motion without rotation is not slowed by any allowance: the boxes of two nodes touch when the
// last of their 15 separating axes ends, and that time is returned.
TEST(GlidingKernels, TranslationsAreNearlyExact) {
  base::Random random(3);
  int tight = 0, total = 0;
  for (int round = 0; round < test::scaled(3000, 200); ++round) {
    const Object a = random_object(random), b = random_object(random);
    const Pose start = test::random_pose(random);
    const Vec3 way = random.in_box(4);
    const Motion motion = Motion::interpolated(start, Pose::from_translation(way) * start);
    const Motion still = Motion::at(Pose());
    std::vector<query::TimeSlice> memory;
    const query::TimeSlices slices(a, still, b, motion, {.tolerance = 1e-9}, memory);
    const query::Snapshot snapshot = slices.snapshot(slices[0], 0);
    const query::LocalSnapshot local(bvh::bvh_of(a), bvh::bvh_of(b), snapshot);
    bvh::BoundsPairs bounds;
    bounds.a[0] = &bvh::bvh_of(a).bounds(bvh::bvh_of(a).root());
    bounds.b[0] = &bvh::bvh_of(b).bounds(bvh::bvh_of(b).root());
    bounds.count = 1;
    bounds.fill_up();
    float time[bvh::kBatch];
    bvh::kernels().impact_nodes(local.map, bounds, local.velocities.in_a, 1, time);

    const PlacedBox at_a(bvh::bvh_of(a), *bounds.a[0], Pose()),
        at_b(bvh::bvh_of(b), *bounds.b[0], start);
    double exact = 0;
    for_axes(at_a, at_b, [&](const Vec3& n, double gap) {
      const double rate = -n.dot(way);
      if (gap > 0) exact = std::max(exact, rate > 0 ? gap / rate : kInfinity);
    });
    if (!(exact > 0.01 && exact < 1)) continue;
    ++total;
    EXPECT_LE(static_cast<double>(time[0]), exact * (1 + 1e-9));
    tight += static_cast<double>(time[0]) > 0.98 * exact;
  }
  EXPECT_GT(total, test::scaled(100, 5));
  EXPECT_GE(tight, 0.99 * total);
}

// The same of two triangles, for the last of their 11.
TEST(GlidingKernels, TranslationsOfTrianglesAreNearlyExact) {
  base::Random random(4);
  int tight = 0, total = 0;
  for (int round = 0; round < test::scaled(6000, 400); ++round) {
    const Object a = random_object(random), b = random_object(random);
    const query::NodePair leaves{random_leaf(bvh::bvh_of(a), random),
                                 random_leaf(bvh::bvh_of(b), random)};
    const bvh::BvhLeaf &leaf_a = bvh::bvh_of(a).leaf(leaves.a),
                       &leaf_b = bvh::bvh_of(b).leaf(leaves.b);
    const Triangle at_a = query::triangle_of(a.soup(), leaf_a.triangle[0]);
    // Towards each other, and not quite.
    const Pose turn = test::random_pose(random, 0);
    const Vec3 apart = random.in_box(1);
    const Pose start =
        Pose::from_translation(at_a[0] + apart -
                               turn * b.soup().vertex(b.soup().triangle(leaf_b.triangle[0])[0])) *
        turn;
    const Triangle at_b =
        query::triangle_of(b.soup(), leaf_b.triangle[0], query::RelativePose(Pose(), start));
    const Vec3 way = 2 * (random.in_box(0.2) - apart);
    const Motion motion = Motion::interpolated(start, Pose::from_translation(way) * start);
    std::vector<query::TimeSlice> memory;
    const Motion still = Motion::at(Pose());
    const query::TimeSlices slices(a, still, b, motion, {.tolerance = 1e-9}, memory);
    const query::Snapshot snapshot = slices.snapshot(slices[0], 0);
    const query::LocalSnapshot local(bvh::bvh_of(a), bvh::bvh_of(b), snapshot);
    query::FramedPair framed;
    framed.relate(bvh::kernels(), bvh::bvh_of(a), bvh::bvh_of(b), leaves, local.map);
    bvh::PairNumbers pairs;
    pairs.add(0);
    float time[bvh::kWidth];
    bvh::kernels().impact_triangles(leaf_a, leaf_b, pairs, framed.frame, local.velocities, false, 1,
                                    time);

    double exact = 0;
    const auto axis = [&](const Vec3& x) {
      if (x.norm() < 1e-6) return;
      for (const Vec3& n : {Vec3(x.normalized()), Vec3(-x.normalized())}) {
        double most_a = -kInfinity, least_b = kInfinity;
        for (const Vec3& p : at_a) most_a = std::max(most_a, n.dot(p));
        for (const Vec3& p : at_b) least_b = std::min(least_b, n.dot(p));
        const double gap = least_b - most_a, rate = -n.dot(way);
        if (gap > 0) exact = std::max(exact, rate > 0 ? gap / rate : kInfinity);
      }
    };
    const auto edge = [](const Triangle& t, std::size_t i) { return Vec3(t[(i + 1) % 3] - t[i]); };
    axis(edge(at_a, 0).cross(edge(at_a, 1)));
    axis(edge(at_b, 0).cross(edge(at_b, 1)));
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) axis(edge(at_a, i).cross(edge(at_b, j)));
    if (!(exact > 0.01 && exact < 1)) continue;
    ++total;
    const auto told = static_cast<double>(time[0]);
    tight += told > 0.98 * exact;
    // Not yet touching. A cross product that is mostly rounding may prove more than the axes above.
    const query::RelativePose then(Pose(), motion.pose(std::min(told, 1.0)));
    EXPECT_GT(geometry::closest_points(at_a, query::triangle_of(b.soup(), leaf_b.triangle[0], then))
                  .distance,
              0);
    EXPECT_LE(told, 1.01 * exact);
  }
  EXPECT_GT(total, test::scaled(300, 20));
  EXPECT_GE(tight, 0.98 * total);
}

}  // namespace
}  // namespace touche
