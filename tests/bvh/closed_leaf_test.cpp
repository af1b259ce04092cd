// SPDX-License-Identifier: Apache-2.0
// A leaf that stays closed against a node's children: bounds against what is true of the triangles
// in them, and how few pairs are opened where a box would be one solid block.
#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"
#include "bvh/object_data.h"
#include "geometry/triangle_pair.h"
#include "query/pair_traversal.h"
#include "query/relative.h"
#include "scenes.h"
#include "test_scale.h"
#include "touche/query.h"

namespace touche {
namespace {

void add_triangles(const bvh::Bvh& bvh, bvh::NodeRef ref, std::vector<Index>& to) {
  if (bvh::is_leaf(ref)) {
    const bvh::BvhLeaf& leaf = bvh.leaf(ref);
    to.insert(to.end(), leaf.triangle, leaf.triangle + leaf.count());
    return;
  }
  bvh::Boxes8 room;
  const bvh::NodeView node = bvh.node(ref, room);
  for (int i = 0; i < node.count(); ++i) add_triangles(bvh, node.child[i], to);
}

double distance_of(const Object& a, bvh::NodeRef ref_a, const Object& b, bvh::NodeRef ref_b,
                   const query::RelativePose& pose) {
  std::vector<Index> of_a, of_b;
  add_triangles(bvh::bvh_of(a), ref_a, of_a);
  add_triangles(bvh::bvh_of(b), ref_b, of_b);
  double least = kInfinity;
  for (const Index ta : of_a)
    for (const Index tb : of_b)
      least = std::min(least, geometry::closest_points(query::triangle_of(a.soup(), ta),
                                                       query::triangle_of(b.soup(), tb, pose))
                                  .distance);
  return least;
}

bvh::NodeRef any_leaf(const bvh::Bvh& bvh, base::Random& random) {
  return ~static_cast<bvh::NodeRef>(random.below(static_cast<Index>(bvh.leaf_count())));
}

struct Counts {
  int pairs = 0, met = 0, kept = 0;
};

// One leaf against one node, either of which may be a's.
void compare(const Object& a, bvh::NodeRef ref_a, const Object& b, bvh::NodeRef ref_b,
             const query::RelativePose& pose, Counts& counts) {
  const bvh::LocalMap map(bvh::bvh_of(a), bvh::bvh_of(b), pose.rotation, pose.translation);
  const query::OpenedPair opened(bvh::bvh_of(a), bvh::bvh_of(b), {ref_a, ref_b}, map.ratio);
  ASSERT_FALSE(opened.leaves());
  if (!opened.contents_a().corner && !opened.contents_b().corner)
    return;  // a small leaf is one box
  bvh::BoundsPairs bounds;
  bounds.a[0] = &bvh::bvh_of(a).bounds(ref_a);
  bounds.b[0] = &bvh::bvh_of(b).bounds(ref_b);
  bounds.count = 1;
  bounds.fill_up();
  for (const bvh::Kernels& kernel : bvh::all_kernels()) {
    bvh::PairFrames frames;
    kernel.relate_pairs(map, bounds, frames);
    query::FramedPair framed;
    framed.relate(kernel, bvh::bvh_of(a), bvh::bvh_of(b), {ref_a, ref_b}, map);
    const std::uint64_t overlap =
        kernel.overlap(opened.contents_a(), opened.contents_b(), frames, 0);
    float squared[bvh::kWidth * bvh::kWidth];
    const std::uint64_t near =
        kernel.near(opened.contents_a(), opened.contents_b(), frames, 0, INFINITY, squared);
    bvh::PairKeys keys;
    const std::int32_t first =
        kernel.rank(opened.contents_a(), opened.contents_b(), framed.frame, keys);

    const bool a_is_leaf = bvh::is_leaf(ref_a);
    bvh::Boxes8 room;
    const bvh::NodeView node =
        a_is_leaf ? bvh::bvh_of(b).node(ref_b, room) : bvh::bvh_of(a).node(ref_a, room);
    std::uint64_t all = 0;
    std::int32_t least = bvh::PairKeys::kNone;
    for (int child = 0; child < node.count(); ++child) {
      const int pair = a_is_leaf ? child : bvh::kWidth * child;
      const query::NodePair refs = opened.children()[pair];
      EXPECT_EQ(refs.a, a_is_leaf ? ref_a : node.child[child]);
      EXPECT_EQ(refs.b, a_is_leaf ? node.child[child] : ref_b);
      const double distance = distance_of(a, refs.a, b, refs.b, pose) * bvh::bvh_of(a).scale();
      all |= std::uint64_t{1} << pair;
      const bool kept = (overlap >> pair & 1) != 0;
      EXPECT_LE(static_cast<double>(squared[pair]), distance * distance);
      EXPECT_TRUE(kept || distance > 0);
      EXPECT_EQ(keys.key[pair] != bvh::PairKeys::kNone, kept);
      least = std::min(least, keys.key[pair]);
      EXPECT_TRUE(!kept || squared[pair] == 0);
      ++counts.pairs;
      counts.met += distance == 0 ? 1 : 0;
      counts.kept += kept ? 1 : 0;
    }
    EXPECT_EQ(near, all);
    EXPECT_EQ(overlap & ~all, 0u);
    EXPECT_EQ(first, least);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(ClosedLeaf, BoundsHoldOnEitherSide) {
  base::Random random(1);
  Counts counts;
  const Object coarse[] = {Object(scenes::box(Vec3::Constant(-1), Vec3::Constant(1))),
                           Object(scenes::sphere(1, 60)),
                           Object(scenes::random_soup(3, {.faces = 60, .face_size = 0.8})),
                           Object(scenes::random_soup(4, {.faces = 60, .slivers = 1}))};
  const Object fine(scenes::bumpy_sphere(500, 5));
  for (int i = 0; i < test::scaled(400); ++i) {
    const Object& a = coarse[random.below(static_cast<Index>(std::size(coarse)))];
    const bvh::NodeRef leaf = any_leaf(bvh::bvh_of(a), random);
    const auto node =
        static_cast<bvh::NodeRef>(random.below(static_cast<Index>(bvh::bvh_of(fine).node_count())));
    const Pose turned =
        Pose::from_axis_angle(random.direction(), random.uniform(0, 3), 1.5 * random.in_box(1));
    compare(a, leaf, fine, node, query::RelativePose(Pose(), turned), counts);
    compare(fine, node, a, leaf, query::RelativePose(turned, Pose()), counts);
    if (HasFailure()) return;
  }
  // Hits are neither rare nor all there is, and hardly more is kept.
  EXPECT_GT(counts.met, counts.pairs / 20);
  EXPECT_LT(counts.kept, counts.pairs / 2);
  EXPECT_LT(2 * counts.kept, 5 * counts.met);
}

TEST(ClosedLeaf, AMeshInABoxOfTwelveTrianglesIsSoonFree) {
  const Object room(scenes::box(Vec3::Constant(-2), Vec3::Constant(2)));
  const Object ball(scenes::sphere(1, 20000));
  base::Random random(2);
  for (int i = 0; i < 20; ++i) {
    const Pose pose =
        Pose::from_axis_angle(random.direction(), random.uniform(0, 3), 0.5 * random.direction());
    for (const bool swapped : {false, true}) {
      const Object &a = swapped ? ball : room, &b = swapped ? room : ball;
      const IntersectsResult hit = intersects(a, pose, b, Pose());
      EXPECT_FALSE(hit.intersects);
      EXPECT_LT(hit.stats.node_pairs, 30u);
      EXPECT_LT(distance(a, pose, b, Pose()).stats.node_pairs, 300u);
    }
  }
}

}  // namespace
}  // namespace touche
