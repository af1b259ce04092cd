// SPDX-License-Identifier: Apache-2.0
// Bundles of rods that cross: along the cross product of two long axes no pair of children is lost
// whose triangles intersect, most others are, and all instruction sets rank alike.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "base/random.h"
#include "bvh/object_data.h"
#include "geometry/triangle_pair.h"
#include "moving_boxes.h"
#include "query/long_nodes.h"
#include "query/pair_traversal.h"
#include "query/relative.h"
#include "test_scale.h"

namespace touche {
namespace {

using test::triangles_below;

/// Rods of eight needles each along x, one above the other, 0.1 apart.
PolygonSoup stack_of_rods(base::Random& random, double scale) {
  std::vector<double> coordinates;
  std::vector<Index> corners;
  const auto some = [&] { return random.uniform(-0.02, 0.02); };
  for (int rod = 0; rod < 8; ++rod)
    for (int needle = 0; needle < 8; ++needle) {
      const double y = some(), z = 0.1 * rod + some();
      for (const double x : {-5.0, -5.0, 5.0}) {
        corners.push_back(static_cast<Index>(corners.size()));
        for (const double c : {x, y + 0.1 * some(), z + 0.1 * some()})
          coordinates.push_back(scale * c);
      }
    }
  return {coordinates, corners};
}

std::set<int> ranked(const bvh::PairKeys& keys, std::int32_t first) {
  std::set<int> pairs;
  if (first == bvh::PairKeys::kNone) return pairs;  // the keys are not set then
  for (const std::int32_t key : keys.key)
    if (key != bvh::PairKeys::kNone) pairs.insert(bvh::PairKeys::pair(key));
  return pairs;
}

TEST(RankAcross, LosesNoPairOfChildrenThatMeet) {
  base::Random random(1);
  std::size_t with_hits = 0, without = 0, across_count = 0, plain_count = 0;
  for (int round = 0; round < test::scaled(300, 120); ++round) {
    const double scale = std::ldexp(1.0, static_cast<int>(random.below(3)) - 1);
    const Object a(stack_of_rods(random, 1)), b(stack_of_rods(random, scale));
    const bvh::Bvh &bvh_a = bvh::bvh_of(a), &bvh_b = bvh::bvh_of(b);
    ASSERT_FALSE(bvh::is_leaf(bvh_a.root()) || bvh::is_leaf(bvh_b.root()));
    bvh::Boxes8 room_a, room_b;
    const bvh::NodeView root_a = bvh_a.node(bvh_a.root(), room_a),
                        root_b = bvh_b.node(bvh_b.root(), room_b);
    ASSERT_TRUE(query::is_elongated(root_a.bounds.box) && query::is_elongated(root_b.bounds.box));
    const Pose turn = Pose::from_axis_angle(
        Vec3(random.uniform(-0.02, 0.02), random.uniform(-0.02, 0.02), 1).normalized(),
        random.uniform(0.1, 3), Vec3::Zero());
    const Pose up = Pose::from_translation(
        {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-0.8, 0.8)});
    const query::RelativePose pose({}, up * turn);

    std::set<int> meeting;
    for (int i = 0; i < root_a.count(); ++i)
      for (int j = 0; j < root_b.count(); ++j)
        for (const Index ta : triangles_below(bvh_a, root_a.child[i]))
          for (const Index tb : triangles_below(bvh_b, root_b.child[j]))
            if (geometry::triangles_intersect(query::triangle_of(a.soup(), ta),
                                              query::triangle_of(b.soup(), tb, pose)))
              meeting.insert(bvh::kWidth * i + j);
    ++(meeting.empty() ? without : with_hits);

    const bvh::LocalMap map(bvh_a, bvh_b, pose.rotation, pose.translation);
    const query::OpenedPair opened(bvh_a, bvh_b, {bvh_a.root(), bvh_b.root()}, map.ratio);
    std::vector<std::int32_t> of_first;
    for (const bvh::Kernels& kernel : bvh::all_kernels()) {
      query::FramedPair framed;
      framed.relate(kernel, bvh_a, bvh_b, {bvh_a.root(), bvh_b.root()}, map);
      bvh::PairKeys keys, plain_keys;
      const std::int32_t first = kernel.rank_across(
          opened.contents_a(), query::long_axis(root_a.bounds.box), opened.contents_b(),
          query::long_axis(root_b.bounds.box), framed.frame, keys);
      const std::set<int> across = ranked(keys, first);
      const std::set<int> plain =
          ranked(plain_keys,
                 kernel.rank(opened.contents_a(), opened.contents_b(), framed.frame, plain_keys));
      EXPECT_TRUE(std::includes(plain.begin(), plain.end(), across.begin(), across.end()));
      EXPECT_TRUE(std::includes(across.begin(), across.end(), meeting.begin(), meeting.end()))
          << kernel.name << " " << round;
      if (!across.empty()) {
        EXPECT_EQ(first, *std::min_element(std::begin(keys.key), std::end(keys.key)));
      }
      across_count += across.size();
      plain_count += plain.size();
      std::vector<std::int32_t> all{first};
      if (first != bvh::PairKeys::kNone)
        all.insert(all.end(), keys.key, keys.key + bvh::kWidth * bvh::kWidth);
      if (of_first.empty()) of_first = all;
      EXPECT_EQ(all, of_first) << kernel.name;
    }
  }
  EXPECT_GT(with_hits, 0.3 * static_cast<double>(with_hits + without));
  EXPECT_GT(without, 0.1 * static_cast<double>(with_hits + without));
  // Along the nodes' own axes alone many more seem to meet.
  EXPECT_LT(2 * across_count, plain_count);
}

}  // namespace
}  // namespace touche
