// SPDX-License-Identifier: Apache-2.0
// Hierarchies of two leaves keep their root in less memory than others do, and answer as if it were
// one of eight lanes.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <vector>

#include "all_answers.h"
#include "bvh/object_data.h"
#include "moved_vertices.h"
#include "random.h"
#include "scenes.h"
#include "shapes.h"
#include "test_scale.h"

namespace touche {
namespace {

using scenes::Random;

/// The same hierarchy with a BvhNode as its root. A third leaf, which the root does not have, makes
/// it differ from hierarchies of two.
class WideRoot {
 public:
  explicit WideRoot(const Object& object) {
    const bvh::Bvh& bvh = bvh::bvh_of(object);
    bvh::Boxes8 room;
    const bvh::NodeView root = bvh.node(bvh.root(), room);
    bvh::BvhNode& node = nodes_.emplace_back();
    node.bounds = root.bounds;
    for (int lane = 0; lane < bvh::kWidth; ++lane) {
      for (int k = 0; k < 3; ++k) {
        node.children.centre[k][lane] = lane < 2 ? root.children.centre[k][lane] : 0;
        node.children.half[k][lane] = lane < 2 ? root.children.half[k][lane] : bvh::kUnusedHalf;
      }
      node.child[lane] = lane == 1 ? ~1 : ~0;
    }
    leaves_.assign(bvh.leaves().begin(), bvh.leaves().end());
    leaves_.push_back(leaves_.front());
    bvh::BvhArrays arrays;
    arrays.nodes = {std::shared_ptr<const void>(), &nodes_[0].bounds};
    arrays.leaves = leaves_.data();
    arrays.node_count = 1;
    arrays.leaf_count = 3;
    arrays.root = 0;
    arrays.height = 1;
    arrays.normalization = bvh.normalization();
    object_.emplace(bvh::object_of(object.soup(), bvh::Bvh(arrays), object.name()));
  }
  WideRoot(const WideRoot&) = delete;
  WideRoot& operator=(const WideRoot&) = delete;

  const Object& object() const { return *object_; }

 private:
  std::vector<bvh::BvhNode> nodes_;
  std::vector<bvh::BvhLeaf> leaves_;
  std::optional<Object> object_;
};

TEST(TwoLeaves, ABoxTakesAtMostNinetyBytesATriangle) {
  const Object box(scenes::box({0, 0, 0}, {1, 1, 1}));
  ASSERT_EQ(box.soup().triangle_count(), 12u);
  ASSERT_TRUE(bvh::bvh_of(box).has_two_leaves());
  EXPECT_LE(box.memory().hierarchy_bytes, 90 * 12u);
  EXPECT_EQ(box.memory().hierarchy_bytes, sizeof(bvh::Bvh) + bvh::bvh_of(box).bytes().size());
}

TEST(TwoLeaves, AnswersAreThoseOfARootOfEightLanes) {
  base::Random random(1);
  const Object others[] = {Object(scenes::box({-1, -0.2, -0.5}, {1, 0.2, 0.5})),
                           Object(scenes::sphere(0.7, 6)), Object(scenes::sphere(1, 60)),
                           Object(scenes::random_soup(3, {.faces = 90, .slivers = 0.5}))};
  int compared = 0, hits = 0;
  const int rounds = test::scaled(400, 100);
  for (int round = 0; round < rounds; ++round) {
    const auto seed = static_cast<std::uint64_t>(round);
    const Object two(random.below(2) == 0
                         ? scenes::box(Vec3::Constant(-1), Vec3(1, 1, random.uniform(-0.9, 1)))
                         : scenes::random_soup(seed, {.faces = 10 + random.below(6)}));
    if (!bvh::bvh_of(two).has_two_leaves()) continue;
    ++compared;
    const WideRoot wide(two);
    const Object& other = others[random.below(static_cast<Index>(std::size(others)))];
    const Pose pose = Pose::from_axis_angle(random.direction(), random.uniform(0, 3),
                                            random.uniform(0, 3) * random.direction());
    EXPECT_EQ(test::answers(two, other, pose), test::answers(wide.object(), other, pose)) << round;
    EXPECT_EQ(test::answers(other, two, pose), test::answers(other, wide.object(), pose)) << round;
    hits += intersects(two, {}, other, pose).intersects ? 1 : 0;
  }
  EXPECT_GT(compared, rounds / 2);
  EXPECT_GT(hits, compared / 4);
  EXPECT_LT(hits, compared * 3 / 4);
}

TEST(TwoLeaves, RefittingIsBuildingAnew) {
  base::Random random(2);
  const Object box(scenes::box({0, 0, 0}, {1, 1, 1}));
  const Object moved = box.refitted(test::randomly_moved(box.soup(), random, 0.1));
  ASSERT_TRUE(bvh::bvh_of(moved).has_two_leaves());
  EXPECT_NO_THROW(moved.validate());
  EXPECT_NO_THROW(moved.refitted(test::coordinates_of(box.soup())).validate());
  test::expect_same_bits(moved.refitted(test::coordinates_of(box.soup())), box);
}

}  // namespace
}  // namespace touche
