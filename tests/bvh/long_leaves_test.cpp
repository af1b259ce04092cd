// SPDX-License-Identifier: Apache-2.0
// Long thin triangles that pass each other: no pair that intersects is lost along the cross product
// of two long axes, and most others are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "base/random.h"
#include "bvh/object_data.h"
#include "geometry/triangle_pair.h"
#include "query/pair_traversal.h"
#include "query/relative.h"
#include "test_scale.h"
#include "touche/query.h"
#include "workloads.h"

namespace touche {
namespace {

constexpr double kRadius = 0.02;

/// Eight needles along x, as the sides of a rod lie: one leaf.
PolygonSoup needles(base::Random& random, double scale) {
  std::vector<double> coordinates;
  std::vector<Index> corners;
  for (Index t = 0; t < 8; ++t) {
    const double y = random.uniform(-kRadius, kRadius), z = random.uniform(-kRadius, kRadius);
    for (const double x : {-1.0, -1.0, 1.0}) {
      corners.push_back(static_cast<Index>(corners.size()));
      for (const double c :
           {x, y + random.uniform(-0.1, 0.1) * kRadius, z + random.uniform(-0.1, 0.1) * kRadius})
        coordinates.push_back(scale * c);
    }
  }
  return {coordinates, corners};
}

/// Across the other, so near that about half of the pairs of rods have needles that intersect.
Pose across(base::Random& random) {
  const Pose turn = Pose::from_axis_angle(
      Vec3(random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), 1).normalized(),
      random.uniform(0.1, 3.0), Vec3::Zero());
  const double above = random.uniform(0, 3) * kRadius;
  return Pose::from_translation({random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), above}) *
         turn;
}

using TrianglePairs = std::set<std::pair<Index, Index>>;

TrianglePairs pairs_of(const bvh::TriangleBatch& batch) {
  TrianglePairs pairs;
  for (int i = 0; i < batch.count; ++i) pairs.insert({batch.triangle_a[i], batch.triangle_b[i]});
  return pairs;
}

TEST(LongLeaves, LoseNoPairThatIntersects) {
  base::Random random(1);
  int hits = 0, apart = 0, wanted = 0, together = 0, all = 0;
  const int cases = test::scaled(2000, 200);
  for (int i = 0; i < cases; ++i) {
    const double scale = std::ldexp(1.0, static_cast<int>(random.below(3)) - 1);
    const Object a(needles(random, 1)), b(needles(random, scale));
    const query::RelativePose pose({}, across(random));
    const bvh::Bvh &bvh_a = bvh::bvh_of(a), &bvh_b = bvh::bvh_of(b);
    ASSERT_TRUE(bvh::is_leaf(bvh_a.root()) && bvh::is_leaf(bvh_b.root()));
    const bvh::BvhLeaf &leaf_a = bvh_a.leaf(bvh_a.root()), &leaf_b = bvh_b.leaf(bvh_b.root());
    TrianglePairs expected;
    for (Index ta = 0; ta < 8; ++ta)
      for (Index tb = 0; tb < 8; ++tb)
        if (geometry::triangles_intersect(query::triangle_of(a.soup(), ta),
                                          query::triangle_of(b.soup(), tb, pose)))
          expected.insert({ta, tb});
    hits += expected.empty() ? 0 : 1;

    const bvh::LocalMap map(bvh_a, bvh_b, pose.rotation, pose.translation);
    bvh::BoundsPairs bounds;
    bounds.a[0] = &leaf_a.bounds;
    bounds.b[0] = &leaf_b.bounds;
    bounds.count = 1;
    bounds.fill_up();
    for (const bvh::Kernels& kernel : bvh::all_kernels()) {
      query::FramedPair framed;
      framed.relate(kernel, bvh_a, bvh_b, {bvh_a.root(), bvh_b.root()}, map);
      const bool boxes_apart = kernel.apart_across(leaf_a.bounds, leaf_b.bounds, framed.frame);
      EXPECT_TRUE(expected.empty() || !boxes_apart);
      bvh::TriangleBatch batch, batch_in;
      kernel.add_triangles(leaf_a, leaf_b, framed.frame, batch);
      bvh::PairFrames frames;
      kernel.relate_pairs(map, bounds, frames);
      kernel.add_triangles_in(leaf_a, leaf_b, frames, 0, batch_in);
      const TrianglePairs one = pairs_of(batch), in = pairs_of(batch_in);
      for (const auto& pair : expected) {
        EXPECT_TRUE(one.contains(pair)) << kernel.name;
        EXPECT_TRUE(in.contains(pair)) << kernel.name;
      }
      if (boxes_apart) continue;
      wanted += batch.count;
      together += batch_in.count;
      all += 64;
    }
    apart += expected.empty() ? 1 : 0;
  }
  EXPECT_GT(hits, cases / 5);
  EXPECT_GT(apart, cases / 5);
  // Along the leaves' axes alone three quarters of the pairs would be wanted.
  EXPECT_LT(wanted, all / 3);
  EXPECT_LT(together, all / 3);
}

// Boxes around bundles that cross each other at an angle are apart along no axis of theirs.
TEST(LongLeaves, BundlesThatPassAreToldApartAtOnce) {
  const auto& workloads = scenes::workloads();
  const auto rods = std::find_if(workloads.begin(), workloads.end(),
                                 [](const auto& w) { return w.name == "rods"; });
  ASSERT_NE(rods, workloads.end());
  const scenes::Workload load = rods->make(5000, 30);
  const Object a(load.a), b(load.b);
  int looked_at = 0;
  for (const Pose& pose : load.poses) {
    const IntersectsResult result = intersects(a, {}, b, pose);
    if (result.intersects || result.stats.volume_tests == 0) continue;
    EXPECT_LE(result.stats.node_pairs, 1u);
    ++looked_at;
  }
  EXPECT_GT(looked_at, 3);
}

}  // namespace
}  // namespace touche
