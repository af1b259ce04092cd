// SPDX-License-Identifier: Apache-2.0
// Every method of the broad phase against a test of each pair: random and degenerate boxes that are
// inserted, moved by several patterns and removed.
#include "touche/broadphase.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "broadphase/ray_box.h"
#include "hit_share.h"
#include "random.h"
#include "random_boxes.h"
#include "test_scale.h"

namespace touche {
namespace {

using scenes::Random;
using test::Kind;
using test::moved;
using test::Pairs;
using test::some_box;
using test::sorted;

class BroadPhaseMethods : public testing::TestWithParam<BroadPhaseMethod> {};
INSTANTIATE_TEST_SUITE_P(All, BroadPhaseMethods, testing::ValuesIn([] {
                           std::vector<BroadPhaseMethod> methods;
                           for (std::size_t i = 0; i < names<BroadPhaseMethod>().size(); ++i)
                             methods.push_back(static_cast<BroadPhaseMethod>(i));
                           return methods;
                         }()),
                         [](const auto& tested) { return std::string(name(tested.param)); });

TEST_P(BroadPhaseMethods, ListsThePairsThatBruteForceLists) {
  base::Random random(1);
  int overlapping = 0, asked = 0;
  for (int round = 0; round < test::scaled(160, 16); ++round) {
    const auto kind = static_cast<Kind>(round % static_cast<int>(Kind::count));
    const auto tested = make_broad_phase(GetParam());
    const auto twin = make_broad_phase(BroadPhaseMethod::brute_force);
    std::vector<Aabb> boxes;
    std::vector<Index> there;
    const int most = static_cast<int>(random.below(120)) + 1;
    for (int step = 0; step < 30; ++step) {
      // Some come, some go, some move: one by one or together.
      const int change = static_cast<int>(random.below(step == 0 ? 60 : 12));
      for (int i = 0; i < change; ++i) {
        if (static_cast<int>(there.size()) < most) {
          const Aabb box = some_box(random, kind);
          const Index number = tested->insert(box);
          ASSERT_EQ(number, twin->insert(box));
          boxes.resize(std::max<std::size_t>(boxes.size(), number + 1));
          boxes[number] = box;
          there.push_back(number);
        }
        if (random.uniform() < 0.4 && !there.empty()) {
          const auto at =
              static_cast<std::ptrdiff_t>(random.below(static_cast<Index>(there.size())));
          const Index number = there[static_cast<std::size_t>(at)];
          tested->remove(number);
          twin->remove(number);
          there.erase(there.begin() + at);
        }
      }
      const double share = step % 3 == 0 ? 1 : step % 3 == 1 ? 0.1 : 0;
      std::vector<Index> numbers;
      std::vector<Aabb> to;
      for (const Index number : there) {
        if (random.uniform() >= share) continue;
        boxes[number] = moved(random, kind, boxes[number]);
        if (random.uniform() < 0.1) {
          tested->move(number, boxes[number]);
          twin->move(number, boxes[number]);
        } else {
          numbers.push_back(number);
          to.push_back(boxes[number]);
        }
      }
      if (step % 2 == 0) {
        tested->move(numbers, to);
      } else {
        const std::vector<RoundedBox> rounded(to.begin(), to.end());
        tested->move(numbers, rounded);
      }
      twin->move(numbers, to);
      ASSERT_EQ(tested->size(), there.size());

      // Searches must work although pairs were not listed before.
      const Aabb area = some_box(random, kind);
      std::set<Index> in_box, expected;
      tested->in_box(area, [&](Index i) { return in_box.insert(i).second; });
      twin->in_box(area, [&](Index i) { return expected.insert(i).second; });
      ASSERT_EQ(in_box, expected);

      if (random.uniform() < 0.2) continue;  // several rounds of changes at once
      const Pairs pairs = sorted(tested->pairs());
      ASSERT_EQ(pairs, sorted(twin->pairs())) << "round " << round << " step " << step;
      tested->validate();
      overlapping += static_cast<int>(2 * pairs.size() > there.size());
      ++asked;
      if (random.uniform() < 0.3) continue;
      const PairChanges changes = tested->changes(), truth = twin->changes();
      ASSERT_EQ(changes.began, truth.began) << "round " << round << " step " << step;
      ASSERT_EQ(changes.ended, truth.ended) << "round " << round << " step " << step;
    }
  }
  test::expect_about_half(overlapping, asked);
}

TEST_P(BroadPhaseMethods, RaysMeetWhatBruteForceMeets) {
  base::Random random(2);
  int hits = 0, rays = 0;
  for (int round = 0; round < test::scaled(80, 16); ++round) {
    const auto kind = static_cast<Kind>(round % static_cast<int>(Kind::count));
    const auto tested = make_broad_phase(GetParam());
    const auto twin = make_broad_phase(BroadPhaseMethod::brute_force);
    std::vector<Aabb> boxes;
    for (int i = 0; i < 60; ++i) {
      boxes.push_back(some_box(random, kind));
      tested->insert(boxes.back());
      twin->insert(boxes.back());
    }
    if (round % 2 == 0) {
      EXPECT_EQ(tested->pairs().size(), twin->pairs().size());
    }
    for (int shot = 0; shot < 10; ++shot) {
      // At a box, at a corner of one, along an axis, or anywhere.
      const Aabb& aim = boxes[random.below(static_cast<Index>(boxes.size()))];
      RayPiece ray{.origin = aim.centre() + 2 * aim.diagonal() * random.direction()};
      ray.direction = shot % 3 == 0 ? Vec3(aim.lo - ray.origin) : Vec3(aim.centre() - ray.origin);
      if (shot % 4 == 3) ray.direction = Vec3::UnitY();
      if (shot % 5 == 4) ray.direction = random.direction();
      if (ray.direction.isZero(0)) continue;
      if (shot % 2 == 0) ray.length = random.uniform(0, 2);
      std::set<Index> met, expected;
      tested->along_ray(ray, [&](Index i) {
        EXPECT_TRUE(met.insert(i).second);
        return ray.length;
      });
      twin->along_ray(ray, [&](Index i) {
        expected.insert(i);
        return ray.length;
      });
      ASSERT_EQ(met, expected);
      hits += !met.empty();
      ++rays;
      // A ray that is given up meets nothing more.
      int visits = 0;
      tested->along_ray(ray, [&](Index) {
        ++visits;
        return -1.0;
      });
      ASSERT_EQ(visits, met.empty() ? 0 : 1);
    }
  }
  EXPECT_GT(hits, rays / 2);
}

// Many boxes, some of which moved or were removed since pairs were last listed.
TEST_P(BroadPhaseMethods, RaysThroughLargeWorldsMeetWhatBruteForceMeets) {
  base::Random random(4);
  int hits = 0, rays = 0;
  for (int round = 0; round < test::scaled(12, 6); ++round) {
    const auto tested = make_broad_phase(GetParam());
    const auto twin = make_broad_phase(BroadPhaseMethod::brute_force);
    const auto some = [&] {
      const double size = round % 3 == 0 ? std::pow(10, random.uniform(-2, 1)) : 1;
      const Vec3 at = random.in_box(round % 2 == 0 ? 15 : 30),
                 half = random.in_box(size).cwiseAbs();
      return Aabb{at - half, at + half};
    };
    const Index count = 1500;
    for (Index i = 0; i < count; ++i) {
      const Aabb box = some();
      tested->insert(box);
      twin->insert(box);
    }
    EXPECT_EQ(tested->pairs().size(), twin->pairs().size());
    for (Index i = 0; i < 40 * (round % 4u); ++i) {
      const Aabb box = some();
      const Index moved = random.below(count / 2), gone = count / 2 + random.below(count / 2);
      for (BroadPhase* const boxes : {tested.get(), twin.get()}) {
        boxes->move(moved, box);
        if (boxes->has(gone)) boxes->remove(gone);
        if (i % 50 == 49) (void)boxes->pairs();
      }
    }
    for (int shot = 0; shot < 40; ++shot) {
      RayPiece ray{.origin = random.in_box(shot % 3 == 0 ? 60 : 20)};
      const double speed = std::pow(10, random.uniform(-3, 3));
      ray.direction = speed * random.direction();
      if (shot % 4 == 3) ray.direction = speed * (random.in_box(10) - ray.origin);
      if (shot % 4 == 1) ray.direction[shot % 3] = 0;
      if (shot % 4 == 2) ray.direction = Vec3::Unit(shot % 3) * (shot % 8 == 2 ? 2 : -2);
      if (shot % 5 == 0) ray.length = random.uniform(0, 20) / ray.direction.norm();
      const broadphase::RayToBoxes along(ray);
      std::set<Index> met, expected;
      double nearest = kInfinity, first = kInfinity;
      tested->along_ray(ray, [&](Index i) {
        EXPECT_TRUE(met.insert(i).second);
        return ray.length;
      });
      twin->along_ray(ray, [&](Index i) {
        expected.insert(i);
        nearest = std::min(nearest, along.enters(twin->box(i)));
        return ray.length;
      });
      ASSERT_EQ(met, expected);
      // A function that shortens the ray at each hit ends with the first one.
      tested->along_ray(ray, [&](Index i) {
        first = std::min(first, along.enters(twin->box(i)));
        return std::min(first, ray.length);
      });
      ASSERT_EQ(first, nearest);
      hits += !met.empty();
      ++rays;
    }
  }
  EXPECT_GT(hits, rays / 3);
  EXPECT_LT(hits, rays);
}

// A ray through points of boxes, computed with few roundings, is never lost.
TEST_P(BroadPhaseMethods, RaysMissNoBoxTheyPass) {
  base::Random random(3);
  for (int round = 0; round < test::scaled(2000); ++round) {
    const auto tested = make_broad_phase(GetParam());
    const double scale = std::pow(10, random.uniform(-20, 20));
    const Vec3 at = scale * random.in_box(1);
    const Aabb box{at, at + scale * Vec3(random.uniform(), random.uniform(), 0)};
    tested->insert(box);
    // Through the lower corner, which lies on the box's border.
    const Vec3 direction = scale * random.direction();
    const RayPiece ray{.origin = at - random.uniform(0, 3) * direction, .direction = direction};
    int visits = 0;
    tested->along_ray(ray, [&](Index) { return ++visits; });
    ASSERT_EQ(visits, 1);
  }
}

// Many boxes that drift together, so that a structure made for where they were has to be made anew.
TEST_P(BroadPhaseMethods, KeepsUpWithBoxesThatDrift) {
  base::Random random(7);
  for (const bool gather : {true, false}) {
    const auto tested = make_broad_phase(GetParam());
    const auto twin = make_broad_phase(BroadPhaseMethod::brute_force);
    std::vector<Aabb> boxes;
    for (Index i = 0; i < 400; ++i) {
      const Vec3 at = (gather ? 6 : 1.5) * random.in_box(1);
      const double edge = random.uniform(0.2, 0.6);
      boxes.push_back({at, at + Vec3::Constant(edge)});
      tested->insert(boxes.back());
      twin->insert(boxes.back());
    }
    std::size_t fewest = tested->pairs().size(), most = fewest;
    for (int step = 0; step < test::scaled(50, 20); ++step) {
      const double factor = gather ? 0.95 : 1.05;
      for (Index i = 0; i < 400; ++i) {
        if (i % 7 == 6 && step % 5 != 0) continue;
        const Vec3 to = factor * boxes[i].lo + 0.02 * random.in_box(1);
        boxes[i] = {to, to + boxes[i].hi - boxes[i].lo};
        tested->move(i, boxes[i]);
        twin->move(i, boxes[i]);
      }
      ASSERT_EQ(sorted(tested->pairs()), sorted(twin->pairs())) << "step " << step;
      tested->validate();
      fewest = std::min(fewest, tested->pairs().size());
      most = std::max(most, tested->pairs().size());
    }
    EXPECT_GT(most, 2 * fewest);
    const BroadPhase::Memory memory = tested->memory();
    EXPECT_LT(memory.bytes - memory.pair_bytes, 1000 * boxes.size());
    for (Index i = 20; i < 400; ++i) {
      tested->remove(i);
      twin->remove(i);
    }
    EXPECT_EQ(sorted(tested->pairs()), sorted(twin->pairs()));
    tested->validate();
  }
}

// Few boxes move at a time, some a little, others to where some are already: parts of a structure
// become full while boxes in them wait to be inserted.
TEST_P(BroadPhaseMethods, KeepsUpWithBoxesThatGatherFewAtATime) {
  base::Random random(8);
  const auto tested = make_broad_phase(GetParam());
  const auto twin = make_broad_phase(BroadPhaseMethod::brute_force);
  std::vector<Aabb> boxes;
  for (Index i = 0; i < 600; ++i) {
    const Vec3 at = 4 * random.in_box(1);
    boxes.push_back({at, at + Vec3::Constant(0.3)});
    tested->insert(boxes.back());
    twin->insert(boxes.back());
  }
  const std::size_t first = tested->pairs().size();
  for (Index step = 0; step < 100; ++step) {
    for (Index i = step % 9; i < 600; i += 9) {
      const Vec3 aside = random.in_box(0.3);
      const Index host = random.below(30);
      const Vec3 to = boxes[i % 2 == 0 ? i : host].lo + aside;
      boxes[i] = {to, to + Vec3::Constant(0.3)};
      tested->move(i, boxes[i]);
      twin->move(i, boxes[i]);
    }
    ASSERT_EQ(sorted(tested->pairs()), sorted(twin->pairs())) << "step " << step;
    tested->validate();
  }
  EXPECT_GT(tested->pairs().size(), 4 * first);
}

TEST_P(BroadPhaseMethods, RefusesWhatIsNoBox) {
  const auto tested = make_broad_phase(GetParam());
  const double nan = std::nan("");
  const Aabb good{Vec3::Zero(), Vec3::Ones()};
  EXPECT_THROW(tested->insert({}), InvalidInput);
  EXPECT_THROW(tested->insert({Vec3(0, nan, 0), Vec3::Ones()}), InvalidInput);
  EXPECT_THROW(tested->insert({Vec3::Zero(), Vec3(1, nan, 1)}), InvalidInput);
  EXPECT_THROW(tested->insert({Vec3::Zero(), Vec3(1, kInfinity, 1)}), InvalidInput);
  EXPECT_THROW(tested->insert({Vec3::Zero(), Vec3(1, 1.1e30, 1)}), InvalidInput);
  EXPECT_THROW(tested->move(0, good), InvalidInput);
  EXPECT_THROW(tested->remove(0), InvalidInput);
  EXPECT_EQ(tested->insert(good), 0u);
  EXPECT_EQ(tested->insert(good), 1u);
  EXPECT_EQ(tested->insert(good), 2u);
  tested->remove(1);
  tested->remove(0);
  EXPECT_THROW(tested->remove(1), InvalidInput);
  EXPECT_THROW(static_cast<void>(tested->box(1)), InvalidInput);
  EXPECT_EQ(tested->insert(good), 0u);
  EXPECT_EQ(tested->insert(good), 1u);
  EXPECT_EQ(tested->pairs().size(), 3u);
  EXPECT_THROW(tested->in_box({}, [](Index) { return true; }), InvalidInput);
  const auto anything = [](Index) { return 1.0; };
  EXPECT_THROW(tested->along_ray({.direction = Vec3::Zero()}, anything), InvalidInput);
  for (int k = 0; k < 3; ++k)
    for (const double bad : {nan, kInfinity, 1.1e30}) {
      Vec3 x = Vec3::Ones();
      x[k] = bad;
      EXPECT_THROW(tested->along_ray({.origin = x}, anything), InvalidInput);
      EXPECT_THROW(tested->along_ray({.direction = x}, anything), InvalidInput);
    }
  EXPECT_THROW(tested->along_ray({.length = nan}, anything), InvalidInput);
  const Index one[] = {0};
  EXPECT_THROW(tested->move(one, std::vector<Aabb>{}), InvalidInput);
  RoundedBox inside_out{good};
  std::swap(inside_out.lo[1], inside_out.hi[1]);
  EXPECT_THROW(tested->move(one, std::vector{inside_out}), InvalidInput);
  RoundedBox no_number{good};
  no_number.hi[2] = std::nanf("");
  EXPECT_THROW(tested->move(one, std::vector{no_number}), InvalidInput);
}

// If one of many boxes that are moved together is invalid, the boxes before it have moved, the
// others have not.
TEST_P(BroadPhaseMethods, MovesWhatComesBeforeAFault) {
  constexpr Index kCount = 600;
  const auto box_at = [](double x) { return Aabb{Vec3(x, 0, 0), Vec3(x + 0.5, 1, 1)}; };
  for (const Index bad : {0u, 255u, 256u, 400u, 599u})
    for (int fault = 0; fault < 7; ++fault)
      for (const bool rounded : {false, true}) {
        const auto tested = make_broad_phase(GetParam());
        std::vector<Index> numbers;
        std::vector<Aabb> boxes;
        for (Index i = 0; i < kCount; ++i) {
          numbers.push_back(tested->insert(box_at(i)));
          boxes.push_back(box_at(i + 1000.0));
        }
        std::vector<RoundedBox> rounded_boxes(boxes.begin(), boxes.end());
        const auto k = static_cast<std::size_t>(fault % 3);
        if (fault == 6) {  // empty
          std::swap(boxes[bad].lo.x(), boxes[bad].hi.x());
          std::swap(rounded_boxes[bad].lo[0], rounded_boxes[bad].hi[0]);
        } else if (fault < 3) {
          boxes[bad].hi[fault % 3] = rounded_boxes[bad].hi[k] = std::nanf("");
        } else {
          boxes[bad].lo[fault % 3] = rounded_boxes[bad].lo[k] = -1.1e30f;
        }
        if (rounded) {
          EXPECT_THROW(tested->move(numbers, rounded_boxes), InvalidInput);
        } else {
          EXPECT_THROW(tested->move(numbers, boxes), InvalidInput);
        }
        for (Index i = 0; i < kCount; ++i)
          EXPECT_EQ(tested->box(i), RoundedBox(box_at(i < bad ? i + 1000.0 : i)));
      }
}

TEST_P(BroadPhaseMethods, NothingAtAll) {
  const auto tested = make_broad_phase(GetParam());
  EXPECT_TRUE(tested->pairs().empty());
  EXPECT_TRUE(tested->changes().began.empty());
  tested->in_box({Vec3::Zero(), Vec3::Ones()}, [](Index) -> bool { throw Error("nothing"); });
  tested->along_ray({}, [](Index) -> double { throw Error("nothing"); });
  tested->remove(tested->insert({Vec3::Zero(), Vec3::Ones()}));
  EXPECT_TRUE(tested->pairs().empty());
  EXPECT_EQ(tested->size(), 0u);
  tested->validate();
}

}  // namespace
}  // namespace touche
