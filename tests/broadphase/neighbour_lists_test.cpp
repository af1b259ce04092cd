// SPDX-License-Identifier: Apache-2.0
// The boxes that broad phases are made of, and what only the default method promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "broadphase/neighbour_lists.h"
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
  base::Random random(4);
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
    base::Random random(5);
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

double processor_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Removing a box takes about as long as inserting one, unless either processes all boxes.
TEST(NeighbourLists, BoxesGoAsFastAsTheyCame) {
  constexpr Index kBoxes = 50000;
  double least = std::numeric_limits<double>::infinity();
  for (int attempt = 0; attempt < 3; ++attempt) {
    broadphase::NeighbourLists tested;
    const double start = processor_time();
    for (Index i = 0; i < kBoxes; ++i) {
      const Vec3 corner(i % 100, i / 100 % 100, i / 10000);
      tested.insert({corner, corner + Vec3::Constant(0.5)});
    }
    const double between = processor_time();
    for (Index i = 0; i < kBoxes; ++i) tested.remove(i);
    least = std::min(least, (processor_time() - between) / (between - start));
    EXPECT_TRUE(tested.pairs().empty());
  }
  EXPECT_LT(least, 10);
}

// Boxes come and go, mostly without a list of pairs in between.
TEST(NeighbourLists, SearchesFindWhoIsThere) {
  base::Random random(6);
  std::size_t listed = 0, found_in_all = 0, asked_in_all = 0;
  for (int round = 0; round < test::scaled(20, 4); ++round) {
    broadphase::NeighbourLists tested;
    std::map<Index, Aabb> boxes;
    for (int step = 0; step < 400; ++step) {
      const bool come = random.uniform() < (step / 100 % 2 == 0 ? 0.7 : 0.3);
      if (boxes.empty() || come) {
        const Aabb box = some_box(random, Kind::cloud);
        boxes[tested.insert(box)] = box;
      } else {
        const auto which =
            std::next(boxes.begin(),
                      static_cast<std::ptrdiff_t>(random.below(static_cast<Index>(boxes.size()))));
        tested.remove(which->first);
        boxes.erase(which);
      }
      if (random.below(60) == 0) listed += tested.pairs().size();
      if (step % 10 != 0) continue;
      tested.validate();
      const Vec3 centre = random.in_box(0.5), half = Vec3::Constant(0.8);
      const Aabb region{centre - half, centre + half};
      std::vector<Index> found, expected;
      tested.in_box(region, [&](Index number) {
        found.push_back(number);
        return true;
      });
      for (const auto& [number, box] : boxes)
        if (RoundedBox(region).overlaps(RoundedBox(box))) expected.push_back(number);
      std::sort(found.begin(), found.end());
      ASSERT_EQ(found, expected);
      found.clear();
      tested.along_ray({region.lo, region.hi - region.lo, 1}, [&](Index number) {
        found.push_back(number);
        return 1;
      });
      for (const Index number : found) ASSERT_TRUE(boxes.contains(number));
      found_in_all += expected.size();
      asked_in_all += boxes.size();
    }
  }
  EXPECT_GT(listed, 0U);
  EXPECT_GT(10 * found_in_all, 3 * asked_in_all);
  EXPECT_LT(10 * found_in_all, 7 * asked_in_all);
}

enum class Way { walk, fall, rise };

// How many of 4,000 boxes get a new fat box in each round, while all of them move by one pattern.
// They are listed before they move for the first time, or only then.
std::vector<std::size_t> fattened_in_rounds(Way way, bool listed_at_rest, int rounds) {
  constexpr Index kBoxes = 4000;
  base::Random random(8);
  broadphase::NeighbourLists tested;
  std::vector<Aabb> boxes;
  std::vector<Vec3> edges;
  for (Index i = 0; i < kBoxes; ++i) {
    const Vec3 at = 16 * random.in_box(1);
    edges.emplace_back(random.uniform(0.5, 1.5), random.uniform(0.5, 1.5),
                       random.uniform(0.5, 1.5));
    boxes.push_back({at, at + edges.back()});
    tested.insert(boxes.back());
  }
  if (listed_at_rest) (void)tested.pairs();
  std::vector<std::size_t> fattened;
  for (int round = 0; round < rounds; ++round) {
    for (Index i = 0; i < kBoxes; ++i) {
      const Vec3 step = 0.02 * edges[i].cwiseProduct(random.in_box(1));
      const double up = way == Way::fall ? -0.02 * edges[i].z() : 0.02 * edges[i].z();
      const Vec3 by = way == Way::walk ? step : Vec3(step.x(), step.y(), up);
      boxes[i] = {boxes[i].lo + by, boxes[i].hi + by};
      tested.move(i, boxes[i]);
    }
    (void)tested.pairs();
    fattened.push_back(tested.fattened());
  }
  tested.validate();
  return fattened;
}

std::size_t sum(const std::vector<std::size_t>& numbers, std::size_t first = 0) {
  return std::accumulate(numbers.begin() + static_cast<std::ptrdiff_t>(first), numbers.end(),
                         std::size_t{0});
}

// Else nearly one in five would do so in the same round.
TEST(NeighbourLists, BoxesThatBeginToMoveTogetherDoNotLeaveTogether) {
  const std::vector<std::size_t> fattened = fattened_in_rounds(Way::fall, true, 60);
  EXPECT_LT(*std::max_element(fattened.begin(), fattened.end()), 4000 * 0.14);
  EXPECT_GT(sum(fattened), 4000u);
}

// Their fat boxes reach ahead from the start, differently far.
TEST(NeighbourLists, BoxesThatFellBeforeTheyWereListedLeaveEvenly) {
  for (const Way way : {Way::fall, Way::rise}) {
    const std::vector<std::size_t> fattened = fattened_in_rounds(way, false, 100);
    EXPECT_EQ(fattened[0], 4000u);
    EXPECT_LT(*std::max_element(fattened.begin() + 1, fattened.end()), 4000 * 0.04);
    EXPECT_GT(sum(fattened, 1), 4000u);
  }
}

// It is known how far a box went whether its fat box was longer above or below.
TEST(NeighbourLists, WhatFallsLeavesAsSeldomAsWhatRises) {
  const auto falling = static_cast<double>(sum(fattened_in_rounds(Way::fall, true, 200)));
  const auto rising = static_cast<double>(sum(fattened_in_rounds(Way::rise, true, 200)));
  EXPECT_NEAR(falling / rising, 1, 0.05);
}

// To leave early would cost what walks about: it might have turned back.
TEST(NeighbourLists, BoxesThatWalkAboutDoNotLeaveEarly) {
  const std::vector<std::size_t> fattened = fattened_in_rounds(Way::walk, true, 60);
  EXPECT_EQ(std::accumulate(fattened.begin(), fattened.begin() + 4, 0u), 0u);
  EXPECT_LT(sum(fattened), 4000 * 0.6);
}

// A single step does not indicate a common motion if each box moves in a direction of its own.
TEST(NeighbourLists, BoxesThatWalkedBeforeTheyWereListedDoNotLeaveEarly) {
  const std::vector<std::size_t> fattened = fattened_in_rounds(Way::walk, false, 61);
  EXPECT_EQ(std::accumulate(fattened.begin() + 1, fattened.begin() + 5, 0u), 0u);
  EXPECT_LT(sum(fattened, 1), 4000 * 0.6);
}

// If few boxes move, boxes that are about to leave do so one by one before they must.
TEST(NeighbourLists, FewThatWalkAboutLeaveOneByOne) {
  constexpr Index kBoxes = 4000, kMoving = 100;
  constexpr int kRounds = 400;
  base::Random random(11);
  broadphase::NeighbourLists tested;
  std::vector<Aabb> boxes;
  for (Index i = 0; i < kBoxes; ++i) {
    const Vec3 at = 16 * random.in_box(1);
    boxes.push_back({at, at + Vec3::Constant(random.uniform(0.5, 1.5))});
    tested.insert(boxes.back());
  }
  std::size_t all = 0, many = 0;
  for (int round = 0; round < kRounds; ++round) {
    for (Index i = 0; i < kMoving; ++i) {
      const Vec3 by = 0.02 * (boxes[i].hi - boxes[i].lo).cwiseProduct(random.in_box(1));
      boxes[i] = {boxes[i].lo + by, boxes[i].hi + by};
      tested.move(i, boxes[i]);
    }
    (void)tested.pairs();
    if (round == 0) continue;
    all += tested.fattened();
    many += tested.fattened() > 2 ? 1 : 0;
  }
  tested.validate();
  EXPECT_GT(all, kRounds / 4u);
  EXPECT_LE(many, 2u);
}

// A box that leaves early meets what is near in the rounds after. Large boxes have more neighbours
// than they meet in a round; some jump out of the fat box that they just left, and some are gone,
// for some rounds.
TEST(NeighbourLists, FewThatMoveMissNobody) {
  constexpr Index kBoxes = 1000, kMoving = 60;
  base::Random random(12);
  broadphase::NeighbourLists tested;
  const auto obvious = make_broad_phase(BroadPhaseMethod::brute_force);
  std::vector<Aabb> boxes;
  const auto box = [&](Index i) {
    const double edge = i < kMoving ? random.uniform(3, 5) : random.uniform(0.1, 0.3);
    const Vec3 at = 5 * random.in_box(1);
    return Aabb{at, at + Vec3::Constant(edge)};
  };
  for (Index i = 0; i < kBoxes; ++i) {
    boxes.push_back(box(i));
    tested.insert(boxes[i]);
    obvious->insert(boxes[i]);
  }
  Index gone = kNone;
  for (int round = 0; round < test::scaled(600, 200); ++round) {
    for (Index i = 0; i < kMoving; ++i) {
      if (i == gone) continue;
      const double step = random.uniform() < 0.04 ? 0.2 : 0.02;
      const Vec3 way = random.in_box(1);
      const Vec3 by = step * (boxes[i].hi - boxes[i].lo).cwiseProduct(way);
      boxes[i] = {boxes[i].lo + by, boxes[i].hi + by};
      if ((boxes[i].lo.array().abs() > 8).any()) boxes[i] = box(i);
      tested.move(i, boxes[i]);
      obvious->move(i, boxes[i]);
    }
    if (gone != kNone && random.uniform() < 0.5) {  // its number is given again
      boxes[gone] = box(gone);
      EXPECT_EQ(tested.insert(boxes[gone]), gone);
      EXPECT_EQ(obvious->insert(boxes[gone]), gone);
      gone = kNone;
    }
    if (gone == kNone && random.uniform() < 0.5) {
      gone = random.below(2 * kMoving);
      tested.remove(gone);
      obvious->remove(gone);
    }
    const std::span<const BoxPair> found = tested.pairs(), expected = obvious->pairs();
    ASSERT_EQ(std::set(found.begin(), found.end()), std::set(expected.begin(), expected.end()))
        << round;
    if (round % 20 == 0) tested.validate();
  }
}

// Boxes that drift for long leave no holes in the lists and the tree that grow without end.
TEST(NeighbourLists, MemoryStaysInBounds) {
  base::Random random(6);
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
