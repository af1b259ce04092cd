// SPDX-License-Identifier: Apache-2.0
// Octree, quadtree and kd-tree against a test of each item and each cell: random, degenerate, huge
// and tiny boxes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "aabb_tree/aabb_tree.h"
#include "hit_share.h"
#include "random.h"
#include "test_scale.h"
#include "touche/spatial.h"

namespace touche::cell_tree_test {
namespace {

using scenes::Random;
using Boxes = std::vector<Aabb>;

enum class Kind {
  cloud,
  points,
  mixed_sizes,
  lattice,
  equal,
  one_point,
  coplanar,
  collinear,
  parallel,
  diagonal,
  huge,
  tiny,
  one_far_away,
  count
};

Boxes some_boxes(base::Random& random, Kind kind, Index count) {
  Boxes boxes;
  for (Index i = 0; i < count; ++i) {
    const Vec3 at = random.in_box(1);
    const Vec3 half = 0.1 * (random.in_box(0.5) + Vec3::Constant(0.5));
    Aabb box{at - half, at + half};
    const double power = random.uniform(-5, 0.5);
    switch (kind) {
      case Kind::points:
        box = {at, at};
        break;
      case Kind::mixed_sizes:
        box = {at - std::pow(10, power) * half, at + std::pow(10, power) * half};
        break;
      case Kind::lattice:  // many touch exactly
        box.lo = (4 * at).array().round();
        box.hi = box.lo + Vec3::Ones();
        break;
      case Kind::equal:
        box = {Vec3(-1, -1, -1), Vec3(1, 1, 1)};
        break;
      case Kind::one_point:
        box = {Vec3(0.5, 0.25, -0.125), Vec3(0.5, 0.25, -0.125)};
        break;
      case Kind::coplanar:
        box.lo[2] = box.hi[2] = 0.3;
        break;
      case Kind::collinear:
        box.lo[1] = box.hi[1] = box.lo[2] = box.hi[2] = 0;
        break;
      case Kind::parallel:  // copies of one segment
        box = {Vec3(-1, 0, 0), Vec3(1, 0, 0)};
        break;
      case Kind::diagonal:
        box = {Vec3::Constant(at[0] - 0.1), Vec3::Constant(at[0] + 0.1)};
        break;
      case Kind::huge:
        box = {1e89 * box.lo, 1e89 * box.hi};
        break;
      case Kind::tiny:
        box = {1e-80 * box.lo, 1e-80 * box.hi};
        break;
      case Kind::one_far_away:
        if (i == 0) box = {Vec3::Constant(1e15), Vec3::Constant(1e15)};
        break;
      default:
        break;
    }
    boxes.push_back(box);
  }
  return boxes;
}

// Near the boxes: at one of their corners, in the room that they take, or around it.
Vec3 some_point(base::Random& random, const Boxes& boxes) {
  const Aabb& box = boxes[random.below(static_cast<Index>(boxes.size()))];
  const Vec3 share = random.in_box(1);
  const double how = random.uniform();
  if (how < 0.2) return box.lo;
  if (how < 0.4) return box.hi;
  Aabb room;
  for (const Aabb& other : boxes) room.include(other);
  return room.centre() + (how < 0.8 ? 0.5 : 0.8) * share.cwiseProduct(room.hi - room.lo);
}

struct Made {
  const char* name;
  std::function<std::unique_ptr<CellTree>(const Boxes&, const CellOptions&)> make;
};

void PrintTo(const Made& made, std::ostream* out) { *out << made.name; }

const Made kTrees[] = {
    {"octree", [](const Boxes& b, const CellOptions& o) { return std::make_unique<Octree>(b, o); }},
    {"quadtree",
     [](const Boxes& b, const CellOptions& o) { return std::make_unique<Quadtree>(b, o); }},
    {"quadtree_along_x",
     [](const Boxes& b, const CellOptions& o) { return std::make_unique<Quadtree>(b, o, 0); }},
    {"kd_tree",
     [](const Boxes& b, const CellOptions& o) { return std::make_unique<KdTree>(b, o); }},
};

class CellTrees : public testing::TestWithParam<Made> {};
INSTANTIATE_TEST_SUITE_P(All, CellTrees, testing::ValuesIn(kTrees),
                         [](const auto& tested) { return std::string(tested.param.name); });

// Calls `judge(boxes, tree, random)` for all kinds and several options.
template <class Judge>
void on_all_kinds(const Made& made, int rounds, Judge&& judge) {
  base::Random random(1);
  for (int round = 0; round < test::scaled(rounds, 26); ++round) {
    const auto kind = static_cast<Kind>(round % static_cast<int>(Kind::count));
    const Index count = 1 + random.below(round % 3 == 0 ? 20 : 300);
    const Boxes boxes = some_boxes(random, kind, count);
    CellOptions options;
    options.max_items = 1 + random.below(10);
    options.max_depth = random.below(49);
    options.max_copies = random.uniform(1, 10);
    const auto tree = made.make(boxes, options);
    SCOPED_TRACE(round);
    tree->validate();
    judge(boxes, *tree, random);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST_P(CellTrees, OneLeafOwnsAPoint) {
  int inside = 0, asked = 0;
  on_all_kinds(GetParam(), 260,
               [&](const Boxes& boxes, const CellTree& tree, base::Random& random) {
                 const Aabb& root = tree.cells()[0].box;
                 for (int i = 0; i < 10; ++i) {
                   const Vec3 point = some_point(random, boxes);
                   std::vector<Index> owners;
                   for (Index c = 0; c < tree.cells().size(); ++c) {
                     const CellTree::Cell& cell = tree.cells()[c];
                     bool owns = cell.is_leaf();
                     for (int k = 0; k < 3; ++k)
                       owns &= cell.box.lo[k] <= point[k] &&
                               (point[k] < cell.box.hi[k] ||
                                (point[k] == root.hi[k] && cell.box.hi[k] == root.hi[k]));
                     if (owns) owners.push_back(c);
                   }
                   const Index leaf = tree.leaf_at(point);
                   if (leaf == kNone) {
                     ASSERT_TRUE(owners.empty());
                     ASSERT_FALSE(overlap(root, {point, point}));
                   } else {
                     ASSERT_EQ(owners, std::vector{leaf});
                     const auto held = tree.items(tree.cells()[leaf]);
                     for (Index item = 0; item < boxes.size(); ++item) {
                       if (overlap(boxes[item], {point, point})) {
                         ASSERT_TRUE(std::binary_search(held.begin(), held.end(), item));
                       }
                     }
                   }
                   inside += leaf != kNone;
                   ++asked;
                 }
               });
  EXPECT_GT(inside, asked / 2);
  EXPECT_LT(inside, asked - asked / 50);
}

TEST_P(CellTrees, FindsItemsInABox) {
  int hits = 0, asked = 0;
  on_all_kinds(GetParam(), 260,
               [&](const Boxes& boxes, const CellTree& tree, base::Random& random) {
                 for (int i = 0; i < 10; ++i) {
                   Aabb box;
                   box.include(some_point(random, boxes));
                   const Vec3 other = some_point(random, boxes);
                   if (i % 3 != 0) box.include(box.lo + 0.5 * random.uniform() * (other - box.lo));
                   std::vector<Index> expected;
                   for (Index item = 0; item < boxes.size(); ++item)
                     if (overlap(boxes[item], box)) expected.push_back(item);
                   ASSERT_EQ(tree.items_in_box(box), expected);
                   hits += static_cast<int>(20 * expected.size() > boxes.size());
                   ++asked;
                 }
               });
  test::expect_about_half(hits, asked);
}

TEST_P(CellTrees, FindsTheNearestItems) {
  int inside = 0, asked = 0;
  on_all_kinds(
      GetParam(), 260, [&](const Boxes& boxes, const CellTree& tree, base::Random& random) {
        for (int i = 0; i < 5; ++i) {
          const Vec3 point = some_point(random, boxes);
          const Index count = random.below(12);
          std::vector<NearItem> expected;
          for (Index item = 0; item < boxes.size(); ++item)
            expected.push_back({item, std::sqrt(aabb_tree::squared_distance(point, boxes[item]))});
          std::stable_sort(
              expected.begin(), expected.end(),
              [](const NearItem& a, const NearItem& b) { return a.distance < b.distance; });
          expected.resize(std::min<std::size_t>(count, boxes.size()));
          ASSERT_EQ(tree.nearest_items(point, count), expected);
          if (expected.empty()) continue;
          inside += expected[0].distance == 0;
          ++asked;
        }
      });
  test::expect_about_half(inside, asked);
}

// If items can be separated, leaves are small; if not, memory remains bounded.
TEST_P(CellTrees, CellsAreFewAndSmall) {
  base::Random random(2);
  for (int k = 0; k < static_cast<int>(Kind::count); ++k) {
    const auto kind = static_cast<Kind>(k);
    const Boxes boxes = some_boxes(random, kind, 3000);
    const auto tree = GetParam().make(boxes, {});
    tree->validate();
    std::size_t held = 0;
    Index largest = 0;
    for (const CellTree::Cell& cell : tree->cells()) {
      if (!cell.is_leaf()) continue;
      held += cell.item_count;
      largest = std::max(largest, cell.item_count);
    }
    EXPECT_LE(held, 8 * boxes.size()) << k;
    EXPECT_LE(tree->cells().size(), 8 * boxes.size()) << k;
    if (kind == Kind::points) {
      EXPECT_LE(largest, 8u);
      EXPECT_EQ(held, boxes.size());
    }
    if (kind == Kind::equal || kind == Kind::one_point) {
      EXPECT_EQ(largest, boxes.size());
    }
  }
}

TEST_P(CellTrees, RefuseWhatIsNoBox) {
  const Aabb good{Vec3::Zero(), Vec3::Ones()};
  const double nan = std::nan("");
  const auto make = [&](const Aabb& box, const CellOptions& options = {}) {
    return GetParam().make({good, box}, options);
  };
  EXPECT_THROW(make({}), InvalidInput);
  EXPECT_THROW(make({Vec3(nan, 0, 0), Vec3::Ones()}), InvalidInput);
  EXPECT_THROW(make({Vec3::Zero(), Vec3(1, 1, kInfinity)}), InvalidInput);
  EXPECT_THROW(make({Vec3::Zero(), Vec3(1, 1.1e90, 1)}), InvalidInput);
  EXPECT_THROW(make(good, {.max_items = 0}), InvalidInput);
  EXPECT_THROW(make(good, {.max_depth = 49}), InvalidInput);
  EXPECT_THROW(make(good, {.max_copies = 0.5}), InvalidInput);
  EXPECT_THROW(make(good, {.max_copies = nan}), InvalidInput);
  const auto tree = make(good);
  EXPECT_THROW(static_cast<void>(tree->leaf_at(Vec3(0, nan, 0))), InvalidInput);
  EXPECT_THROW(static_cast<void>(tree->items_in_box({})), InvalidInput);
  EXPECT_THROW(static_cast<void>(tree->nearest_items(Vec3(0, 0, 1e91), 1)), InvalidInput);
  EXPECT_THROW(Quadtree(Boxes{good}, {}, 3), InvalidInput);
}

TEST_P(CellTrees, NothingAtAll) {
  const auto tree = GetParam().make({}, {});
  tree->validate();
  EXPECT_TRUE(tree->cells().empty());
  EXPECT_EQ(tree->leaf_at(Vec3::Zero()), kNone);
  EXPECT_TRUE(tree->items_in_box({Vec3::Zero(), Vec3::Ones()}).empty());
  EXPECT_TRUE(tree->nearest_items(Vec3::Zero(), 3).empty());
}

// Which axes cells are divided along, and where.
TEST(CellTree, DividesAsItsNameSays) {
  base::Random random(3);
  const Boxes boxes = some_boxes(random, Kind::points, 500);
  const Octree octree(boxes);
  for (const CellTree::Cell& cell : octree.cells()) {
    EXPECT_EQ(cell.axes, cell.is_leaf() ? 0 : 0b111);
    EXPECT_EQ(cell.child_count(), cell.is_leaf() ? 0u : 8u);
    if (!cell.is_leaf()) {
      EXPECT_EQ(cell.middle, cell.box.centre());
    }
  }
  const Quadtree quadtree(boxes, {}, 1);
  for (const CellTree::Cell& cell : quadtree.cells()) {
    EXPECT_EQ(cell.axes, cell.is_leaf() ? 0 : 0b101);
    EXPECT_EQ(cell.box.hi[1], quadtree.cells()[0].box.hi[1]);
  }
  // 500 points halved until eight are left: all leaves have the same depth, except one.
  std::vector<int> depths;
  const KdTree kd_tree(boxes);
  for (const CellTree::Cell& cell : kd_tree.cells()) {
    EXPECT_EQ(cell.child_count(), cell.is_leaf() ? 0u : 2u);
    if (cell.is_leaf()) depths.push_back(cell.depth);
  }
  const auto [least, most] = std::minmax_element(depths.begin(), depths.end());
  EXPECT_GE(*least, 6);
  EXPECT_LE(*most, 7);
}

}  // namespace
}  // namespace touche::cell_tree_test
