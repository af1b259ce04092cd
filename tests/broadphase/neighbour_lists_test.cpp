// SPDX-License-Identifier: Apache-2.0
// The boxes that broad phases are made of, and what only the default method promises.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "random_boxes.h"
#include "test_scale.h"
#include "touche/simd.h"

namespace touche {
namespace {

using scenes::Random;
using test::Kind;
using test::moved;
using test::Pairs;
using test::some_box;

TEST(RoundedBox, HoldsTheBoxAndNoMore) {
  Random random(4);
  for (int round = 0; round < test::scaled(20000); ++round) {
    const double scale = std::pow(10, random.uniform(-46, 30));
    Aabb box;
    box.include(scale * random.in_box(1));
    if (round % 2 == 0) box.include(scale * random.in_box(1));
    const RoundedBox rounded(box);
    for (std::size_t k = 0; k < 3; ++k) {
      const double lo = box.lo[static_cast<int>(k)], hi = box.hi[static_cast<int>(k)];
      EXPECT_LE(rounded.lo[k], lo);
      EXPECT_GE(rounded.hi[k], hi);
      EXPECT_GT(std::nextafter(rounded.lo[k], std::numeric_limits<float>::infinity()), lo);
      EXPECT_LT(std::nextafter(rounded.hi[k], -std::numeric_limits<float>::infinity()), hi);
    }
  }
}

// The same calls give the same lists in the same order, whatever instructions are used.
TEST(NeighbourLists, OrderDoesNotDependOnInstructions) {
  const std::vector<std::string> targets = simd_targets();
  std::vector<Pairs> first;
  for (const std::string& target : targets) {
    set_simd_target(target);
    Random random(5);
    const auto tested = make_broad_phase();
    std::vector<Pairs> lists;
    std::vector<Aabb> boxes;
    for (Index i = 0; i < 300; ++i) {
      boxes.push_back(some_box(random, Kind::cloud));
      tested->insert(boxes.back());
    }
    for (int step = 0; step < 50; ++step) {
      for (Index i = 0; i < 300; ++i) {
        boxes[i] = moved(random, Kind::cloud, boxes[i]);
        if (step % 2 == 0 || i % 10 == 0) tested->move(i, boxes[i]);
      }
      const auto pairs = tested->pairs();
      lists.emplace_back(pairs.begin(), pairs.end());
    }
    if (first.empty()) first = lists;
    EXPECT_EQ(lists, first) << target;
  }
  set_simd_target(targets.front());
}

// Boxes that drift for long leave no holes in the lists and the tree that grow without end.
TEST(NeighbourLists, MemoryStaysInBounds) {
  Random random(6);
  const auto tested = make_broad_phase();
  constexpr Index kBoxes = 4000;
  std::vector<Aabb> boxes;
  for (Index i = 0; i < kBoxes; ++i) {
    const Vec3 at = 16 * random.in_box(1);
    boxes.push_back({at, at + Vec3::Constant(random.uniform(0.5, 1.5))});
    tested->insert(boxes.back());
  }
  const std::size_t pairs = tested->pairs().size();
  EXPECT_GT(pairs, kBoxes / 8);
  for (int step = 0; step < test::scaled(1000, 100); ++step) {
    for (Index i = 0; i < kBoxes; ++i) {
      const Vec3 by = 0.05 * random.in_box(1);
      boxes[i] = {boxes[i].lo + by, boxes[i].hi + by};
      tested->move(i, boxes[i]);
    }
    static_cast<void>(tested->pairs());
  }
  tested->validate();
  const BroadPhase::Memory memory = tested->memory();
  EXPECT_LT(memory.bytes - memory.pair_bytes, 170 * kBoxes);
}

}  // namespace
}  // namespace touche
