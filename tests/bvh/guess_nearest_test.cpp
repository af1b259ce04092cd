// SPDX-License-Identifier: Apache-2.0
// The pair of two leaves' triangles that is likely the nearest, against all pairs in double
// precision, on every instruction set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "bvh/kernels.h"
#include "bvh/object_data.h"
#include "geometry/triangle_pair.h"
#include "query/relative.h"
#include "test_scale.h"

namespace touche {
namespace {

/// Some triangles of a leaf, `flat` along z, far from the origin of coordinates.
PolygonSoup triangles_of_a_leaf(base::Random& random, Index count, double scale, double flat) {
  std::vector<double> coordinates;
  std::vector<Index> corners;
  for (Index t = 0; t < count; ++t) {
    const Vec3 at(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    for (int v = 0; v < 3; ++v) {
      corners.push_back(static_cast<Index>(corners.size()));
      for (int k = 0; k < 3; ++k)
        coordinates.push_back(scale *
                              (3 + (k == 2 ? flat : 1) * (at[k] + random.uniform(-0.5, 0.5))));
    }
  }
  return {coordinates, corners};
}

TEST(GuessNearest, IsMostlyThePairThatIs) {
  base::Random random(1);
  int nearest = 0, total = 0;
  for (int round = 0; round < test::scaled(2000, 400); ++round) {
    const double scale = std::ldexp(1.0, static_cast<int>(random.below(9)) - 4);
    const double flat = round % 3 == 0 ? 0 : 1;
    const Object a(triangles_of_a_leaf(random, 1 + random.below(8), 1, flat));
    const Object b(triangles_of_a_leaf(random, 1 + random.below(8), scale, flat));
    const Vec3 middle_b = 0.5 * (b.bounds().lo + b.bounds().hi);
    const Pose turn =
        flat == 0 ? Pose()
                  : Pose::from_axis_angle(random.direction(), random.uniform(-3, 3), Vec3::Zero());
    const Vec3 way = Vec3(3, 3, 3) + random.uniform(2, 4) * (1 + scale) * random.direction();
    const query::RelativePose pose({}, Pose::from_translation(way - turn * middle_b) * turn);
    const bvh::Bvh &bvh_a = bvh::bvh_of(a), &bvh_b = bvh::bvh_of(b);
    ASSERT_TRUE(bvh::is_leaf(bvh_a.root()) && bvh::is_leaf(bvh_b.root()));
    const bvh::BvhLeaf &leaf_a = bvh_a.leaf(bvh_a.root()), &leaf_b = bvh_b.leaf(bvh_b.root());
    const auto distance = [&](Index ta, Index tb) {
      return geometry::closest_points(query::triangle_of(a.soup(), ta),
                                      query::triangle_of(b.soup(), tb, pose))
          .distance;
    };
    double least = kInfinity;
    for (Index ta = 0; ta < a.soup().triangle_count(); ++ta)
      for (Index tb = 0; tb < b.soup().triangle_count(); ++tb)
        least = std::min(least, distance(ta, tb));
    if (least == 0) continue;

    const bvh::LocalMap map(bvh_a, bvh_b, pose.rotation, pose.translation);
    bvh::BoundsPairs bounds;
    const int lane = static_cast<int>(random.below(bvh::kBatch));
    for (; bounds.count <= lane; ++bounds.count) {
      bounds.a[bounds.count] = &leaf_a.bounds;
      bounds.b[bounds.count] = &leaf_b.bounds;
    }
    bounds.fill_up();
    Index ta = kNone, tb = kNone;
    for (const bvh::Kernels& kernel : bvh::all_kernels()) {
      bvh::PairFrames frames;
      float squared[bvh::kBatch];
      kernel.relate_near(map, bounds, {INFINITY, {}}, frames, squared);
      bvh::TriangleBatch batch;
      batch.count = 3;
      const int at = kernel.guess_nearest(leaf_a, leaf_b, frames, lane, batch);
      EXPECT_EQ(batch.count, 3);
      ASSERT_GE(at, 3);
      ASSERT_LT(at, 3 + bvh::kWidth);
      if (ta == kNone) ta = batch.triangle_a[at], tb = batch.triangle_b[at];
      EXPECT_EQ(batch.triangle_a[at], ta) << kernel.name;
      EXPECT_EQ(batch.triangle_b[at], tb) << kernel.name;
    }
    ASSERT_LT(ta, a.soup().triangle_count());
    ASSERT_LT(tb, b.soup().triangle_count());
    ++total;
    nearest += distance(ta, tb) == least;
  }
  EXPECT_GT(total, 100);
  EXPECT_GT(nearest, 0.7 * total);
}

}  // namespace
}  // namespace touche
