// SPDX-License-Identifier: Apache-2.0
// The tree of boxes against a test of every box, over random and degenerate boxes, as built and
// after any sequence of changes.
#include "aabb_tree/aabb_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "hit_share.h"
#include "random.h"
#include "test_scale.h"

namespace touche::aabb_tree_test {
namespace {

using scenes::Random;
using Pairs = std::vector<std::pair<Index, Index>>;

enum class Kind { random, mixed, equal, flat, line, points, nested, far_away, count };

Aabb some_box(base::Random& random, Kind kind, double size) {
  const Vec3 at = random.in_box(1);
  Vec3 half = size * Vec3(random.uniform(), random.uniform(), random.uniform());
  switch (kind) {
    case Kind::mixed:
      half *= std::pow(10, random.uniform(-6, 1));
      break;
    case Kind::equal:
      return {Vec3(-1, -2, -3), Vec3(1, 2, 3)};
    case Kind::flat:
      return {Vec3(at[0] - half[0], at[1] - half[1], 0.25),
              Vec3(at[0] + half[0], at[1] + half[1], 0.25)};
    case Kind::line:
      return {Vec3(at[0] - half[0], 7, 8), Vec3(at[0] + half[0], 7, 8)};
    case Kind::points:
      return {at, at};
    case Kind::nested: {
      const double r = std::ldexp(1.0, -static_cast<int>(random.below(900)));
      return {Vec3::Constant(r), Vec3::Constant(2 * r)};
    }
    case Kind::far_away:
      return {1e90 * at - 1e89 * half, 1e90 * at + 1e89 * half};
    default:
      break;
  }
  return {at - half, at + half};
}

std::vector<Aabb> some_boxes(base::Random& random, Kind kind, int count) {
  const double size = 0.7 / std::cbrt(count + 1.0);
  std::vector<Aabb> boxes;
  for (int i = 0; i < count; ++i) boxes.push_back(some_box(random, kind, size));
  return boxes;
}

Pairs sorted(Pairs pairs) {
  std::sort(pairs.begin(), pairs.end());
  EXPECT_TRUE(std::adjacent_find(pairs.begin(), pairs.end()) == pairs.end()) << "reported twice";
  return pairs;
}

Pairs self_pairs(const aabb_tree::AabbTree& tree, const std::vector<Aabb>& boxes) {
  Pairs pairs;
  tree.self_pairs([&](Index i, Index j) {
    if (overlap(boxes[i], boxes[j])) pairs.emplace_back(std::min(i, j), std::max(i, j));
  });
  return sorted(pairs);
}

/// All that are in the tree, one by one.
Pairs expected_self_pairs(const std::vector<Aabb>& boxes, const std::set<Index>& held) {
  Pairs pairs;
  for (const Index i : held)
    for (const Index j : held)
      if (i < j && overlap(boxes[i], boxes[j])) pairs.emplace_back(i, j);
  return pairs;
}

std::set<Index> all_of(const std::vector<Aabb>& boxes) {
  std::set<Index> all;
  for (Index i = 0; i < boxes.size(); ++i) all.insert(i);
  return all;
}

void compare(const aabb_tree::AabbTree& tree, const std::vector<Aabb>& boxes,
             const std::set<Index>& held, base::Random& random, Kind kind) {
  EXPECT_EQ(self_pairs(tree, boxes), expected_self_pairs(boxes, held));

  const std::vector<Aabb> others = some_boxes(random, kind, 20);
  const aabb_tree::AabbTree other(others, 2);
  Pairs found, expected;
  aabb_tree::AabbTree::pairs(
      tree, other, [](const Aabb& a, const Aabb& b) { return overlap(a, b); },
      [&](Index i, Index j) {
        if (overlap(boxes[i], others[j])) found.emplace_back(i, j);
      });
  for (const Index i : held)
    for (Index j = 0; j < others.size(); ++j)
      if (overlap(boxes[i], others[j])) expected.emplace_back(i, j);
  EXPECT_EQ(sorted(found), expected);

  for (const Aabb& query : others) {
    std::vector<Index> in_box, slow;
    tree.in_box(query, [&](Index i) {
      if (overlap(boxes[i], query)) in_box.push_back(i);
      return true;
    });
    std::sort(in_box.begin(), in_box.end());
    double nearest = kInfinity;
    for (const Index i : held) {
      if (overlap(boxes[i], query)) slow.push_back(i);
      nearest = std::min(nearest, aabb_tree::squared_distance(query.lo, boxes[i]));
    }
    EXPECT_EQ(in_box, slow);
    double found_nearest = kInfinity;
    tree.nearest(
        kInfinity, [&](const Aabb& b) { return aabb_tree::squared_distance(query.lo, b); },
        [&](Index i) {
          return found_nearest =
                     std::min(found_nearest, aabb_tree::squared_distance(query.lo, boxes[i]));
        });
    EXPECT_EQ(found_nearest, nearest);
    // Everything within a ball, its border included.
    std::vector<Index> in_ball, slow_ball;
    tree.nearest(
        nearest, [&](const Aabb& b) { return aabb_tree::squared_distance(query.lo, b); },
        [&](Index i) {
          if (aabb_tree::squared_distance(query.lo, boxes[i]) <= nearest) in_ball.push_back(i);
          return nearest;
        });
    std::sort(in_ball.begin(), in_ball.end());
    for (const Index i : held)
      if (aabb_tree::squared_distance(query.lo, boxes[i]) <= nearest) slow_ball.push_back(i);
    EXPECT_EQ(in_ball, slow_ball);
  }
}

TEST(AabbTree, AgreesWithLookingAtEveryBox) {
  base::Random random(1);
  int hits = 0, total = 0;
  for (int round = 0; round < test::scaled(400, 80); ++round) {
    const auto kind = static_cast<Kind>(round % static_cast<int>(Kind::count));
    const int count = round % 7 == 0 ? round % 3 : static_cast<int>(random.below(150)) + 3;
    std::vector<Aabb> boxes = some_boxes(random, kind, count);
    const Index leaf_items = 1 + random.below(5);
    aabb_tree::AabbTree tree(boxes, leaf_items);
    EXPECT_EQ(tree.size(), boxes.size());
    EXPECT_EQ(tree.empty(), boxes.empty());
    tree.validate(boxes);
    compare(tree, boxes, all_of(boxes), random, kind);
    if (kind == Kind::random && !boxes.empty())
      for (int k = 0; k < 20; ++k, ++total)
        hits += !tree.in_box(some_box(random, kind, 0.35), [](Index) { return false; });

    // Other boxes for the same items.
    for (Aabb& box : boxes)
      if (random.uniform() < 0.5) box = some_box(random, Kind::random, 0.1);
    tree.refit([&](Index i) { return boxes[i]; });
    tree.validate(boxes);
    compare(tree, boxes, all_of(boxes), random, Kind::random);
    if (testing::Test::HasFailure()) return;
  }
  test::expect_about_half(hits, total);
}

TEST(AabbTree, StaysWholeWhateverComesAndGoes) {
  base::Random random(2);
  for (int round = 0; round < test::scaled(64, 16); ++round) {
    const auto kind = static_cast<Kind>(round % static_cast<int>(Kind::count));
    std::vector<Aabb> boxes = some_boxes(random, kind, 60);
    std::set<Index> held;
    aabb_tree::AabbTree tree;
    if (round % 2 == 1) {
      boxes.resize(30);
      tree = aabb_tree::AabbTree(boxes);
      held = all_of(boxes);
      boxes.resize(60);
    }
    const double grows = random.uniform(0.2, 0.8);
    for (int step = 0; step < 200; ++step) {
      const Index item = random.below(60);
      if (!held.contains(item)) {
        if (random.uniform() > grows) continue;
        boxes[item] = some_box(random, kind, 0.2);
        tree.insert(item, boxes[item]);
        held.insert(item);
      } else if (random.uniform() < 0.4) {
        boxes[item] = random.uniform() < 0.5 ? some_box(random, kind, 0.2) : boxes[item];
        boxes[item].include(boxes[item].lo + 0.01 * random.in_box(1));
        tree.move(item, boxes[item]);
      } else {
        tree.remove(item);
        held.erase(item);
      }
      ASSERT_EQ(tree.size(), held.size());
      ASSERT_NO_THROW(tree.validate(boxes)) << "round " << round << ", step " << step;
      if (step % 20 == 0) compare(tree, boxes, held, random, kind);
    }
    for (const Index i : held) boxes[i] = some_box(random, kind, 0.1);
    tree.refit([&](Index i) { return boxes[i]; });
    tree.validate(boxes);
    compare(tree, boxes, held, random, kind);
    while (!held.empty()) {
      tree.remove(*held.begin());
      held.erase(held.begin());
      tree.validate(boxes);
    }
    EXPECT_TRUE(tree.empty());
  }
}

TEST(AabbTree, RefusesWhatItCannotDo) {
  const Aabb box = {Vec3::Zero(), Vec3::Ones()};
  aabb_tree::AabbTree tree;
  EXPECT_THROW(tree.remove(0), InvalidInput);
  tree.insert(3, box);
  EXPECT_THROW(tree.insert(3, box), InvalidInput);
  EXPECT_THROW(tree.move(2, box), InvalidInput);
  EXPECT_THROW(tree.validate({}), Error);
  aabb_tree::AabbTree several(std::vector<Aabb>(9, box), 4);
  EXPECT_THROW(several.insert(9, box), InvalidInput);
  EXPECT_THROW(several.remove(1), InvalidInput);
}

// The tree is nearly as good as one built at once, and at most a few times as high as by halving.
TEST(AabbTree, OneByOneIsNearlyAsGood) {
  base::Random random(3);
  const int count = test::scaled(20'000, 2'000);
  for (const char* order : {"random", "along a line", "by size"}) {
    std::vector<Aabb> boxes = some_boxes(random, Kind::random, count);
    if (order[0] == 'a')
      for (std::size_t i = 0; i < boxes.size(); ++i)
        boxes[i] = {Vec3(static_cast<double>(i), 0, 0), Vec3(static_cast<double>(i) + 0.5, 0, 0)};
    if (order[0] == 'b')
      for (std::size_t i = 0; i < boxes.size(); ++i)
        boxes[i] = {Vec3::Zero(), Vec3::Constant(static_cast<double>(i + 1))};
    const aabb_tree::AabbTree built(boxes);
    aabb_tree::AabbTree grown;
    for (Index i = 0; i < boxes.size(); ++i) grown.insert(i, boxes[i]);
    grown.validate(boxes);
    std::printf("%s: cost %.1f built, %.1f grown; height %u, %u\n", order, built.cost(),
                grown.cost(), built.nodes()[0].height, grown.nodes()[0].height);
    EXPECT_LT(grown.cost(), 1.5 * built.cost());
    if (order[0] != 'b') {
      EXPECT_LT(grown.nodes()[0].height, 5 * std::log2(count));
    }
  }
}

}  // namespace
}  // namespace touche::aabb_tree_test
