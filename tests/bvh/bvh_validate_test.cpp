// SPDX-License-Identifier: Apache-2.0
// validate() finds each kind of harm to a hierarchy, and names it.
#include <gtest/gtest.h>

#include <functional>

#include "bvh/bvh.h"
#include "bvh/object_data.h"
#include "scenes.h"

namespace touche {
namespace {

class BvhValidate : public testing::Test {
 protected:
  using Nodes = std::vector<bvh::BvhNode>;
  using Leaves = std::vector<bvh::BvhLeaf>;

  /// The complaint of validate() about the hierarchy after `harm`.
  std::string complaint(const std::function<void(Nodes&, Leaves&)>& harm) const {
    Nodes nodes(bvh_.nodes().begin(), bvh_.nodes().end());
    Leaves leaves(bvh_.leaves().begin(), bvh_.leaves().end());
    harm(nodes, leaves);
    bvh::BvhArrays arrays;
    arrays.nodes = {std::shared_ptr<const void>(), &nodes[0].bounds};
    arrays.leaves = leaves.data();
    arrays.node_count = static_cast<std::uint32_t>(nodes.size());
    arrays.leaf_count = static_cast<std::uint32_t>(leaves.size());
    arrays.root = bvh_.root();
    arrays.height = bvh_.height();
    arrays.normalization = bvh_.normalization();
    try {
      bvh::Bvh(arrays).validate(soup_);
    } catch (const Error& e) {
      return e.what();
    }
    return "sound";
  }

  const PolygonSoup soup_ = scenes::bumpy_sphere(1000, 1);
  const Object object_{soup_};
  const bvh::Bvh& bvh_ = bvh::bvh_of(object_);
};

bool has(const std::string& text, const std::string& piece) {
  return text.find(piece) != std::string::npos;
}

TEST_F(BvhValidate, AcceptsWhatIsSound) {
  EXPECT_EQ(complaint([](Nodes&, Leaves&) {}), "sound");
}

TEST_F(BvhValidate, FindsTrianglesThatAreMissingOrHeldTwice) {
  const Index held = bvh_.leaves()[0].triangle[0], twice = bvh_.leaves()[0].triangle[1];
  const std::string swapped =
      complaint([&](Nodes&, Leaves& leaves) { leaves[0].triangle[0] = twice; });
  EXPECT_TRUE(has(swapped, "triangle " + std::to_string(std::min(held, twice)) + ": is held "))
      << swapped;
  EXPECT_TRUE(has(swapped, " times, expected once")) << swapped;
  EXPECT_TRUE(has(complaint([](Nodes&, Leaves& leaves) { leaves[2].triangle[0] = 1000; }),
                  "leaf 2: names no triangle"));
}

TEST_F(BvhValidate, FindsBoxesThatAreTooSmall) {
  const auto shrunk = [](float& half) { half *= 0.9f; };
  EXPECT_TRUE(has(complaint([&](Nodes& nodes, Leaves&) {
                    for (auto& axis : nodes[0].children.half) shrunk(axis[1]);
                  }),
                  "node 0: does not contain triangle "));
  EXPECT_TRUE(has(complaint([&](Nodes& nodes, Leaves&) { shrunk(nodes[1].bounds.box.half[0]); }),
                  "node 1: does not contain triangle "));
  EXPECT_TRUE(has(complaint([&](Nodes&, Leaves& leaves) { shrunk(leaves[3].bounds.box.half[0]); }),
                  "leaf 3: does not contain triangle "));
}

TEST_F(BvhValidate, FindsNodesAndLeavesOutOfPlace) {
  const auto last_node = static_cast<bvh::NodeRef>(bvh_.node_count() - 1);
  ASSERT_FALSE(bvh::is_leaf(bvh_.root()));
  ASSERT_GT(bvh_.node_count(), 2u);
  ASSERT_TRUE(bvh::is_leaf(bvh_.nodes()[static_cast<std::size_t>(last_node)].child[0]));
  ASSERT_GT(bvh_.nodes()[0].bounds.count(), 1);
  EXPECT_TRUE(has(complaint([](Nodes& nodes, Leaves&) { nodes[0].child[1] = nodes[0].child[0]; }),
                  "is held twice"));
  for (auto count : {0, bvh::kWidth + 1})
    EXPECT_TRUE(has(complaint([&](Nodes& nodes, Leaves&) { nodes[0].bounds.set_count(count); }),
                    "node 0: has a wrong count"));
  for (auto count : {0, bvh::kWidth + 1})
    EXPECT_TRUE(has(complaint([&](Nodes&, Leaves& leaves) { leaves[1].bounds.set_count(count); }),
                    "leaf 1: has a wrong count"));
  // Not followed when they lead nowhere, or round in circles.
  for (const bvh::NodeRef nowhere : {bvh::NodeRef{1'000'000}, ~bvh::NodeRef{1'000'000}})
    EXPECT_TRUE(has(complaint([&](Nodes& nodes, Leaves&) { nodes[0].child[0] = nowhere; }),
                    " 1000000: does not exist"));
  EXPECT_TRUE(has(complaint([&](Nodes& nodes, Leaves&) {
                    nodes[static_cast<std::size_t>(last_node)].child[0] = bvh_.root();
                  }),
                  "is held twice"));
  EXPECT_TRUE(has(complaint([](Nodes&, Leaves& leaves) { leaves.push_back(leaves.front()); }),
                  "is not held"));
}

}  // namespace
}  // namespace touche
