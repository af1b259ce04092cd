// SPDX-License-Identifier: Apache-2.0
// Blocks and hollow blocks with integer coordinates, rotated by right angles and moved together:
// many faces and corners lie in faces of others, up to rounding. The integers determine which of
// them overlap, and which only touch.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "clash_scenes.h"
#include "motion_kinds.h"
#include "random.h"
#include "test_scale.h"

namespace touche::flush_parts_test {
namespace {

using scenes::Random;

struct Block {
  Vec3 lo, hi;  // whole numbers
};

struct Body {
  PolygonSoup soup;
  std::vector<Block> solid;  // all that it consists of
};

Vec3 whole(base::Random& random, Index most) {
  return {1.0 + random.below(most), 1.0 + random.below(most), 1.0 + random.below(most)};
}

Body block(const Vec3& size, double scale) {
  return {scenes::box(Vec3::Zero(), scale * size), {{Vec3::Zero(), size}}};
}

/// Walls of thickness `wall` around a hollow.
Body hollow(const Vec3& inner, double wall, double scale) {
  const Vec3 size = inner + Vec3::Constant(2 * wall), one = Vec3::Constant(wall);
  std::vector<double> xyz;
  std::vector<Index> corners;
  const PolygonSoup outside = scenes::box(Vec3::Zero(), scale * size),
                    inside = scenes::box(scale * one, scale * (one + inner));
  for (const PolygonSoup* part : {&outside, &inside}) {
    const auto first = static_cast<Index>(xyz.size() / 3);
    for (const Vec3& v : part->vertices()) xyz.insert(xyz.end(), v.begin(), v.end());
    for (const auto& t : part->triangles())
      for (std::size_t k = 0; k < 3; ++k) corners.push_back(first + t[part == &inside ? 2 - k : k]);
  }
  Body body{PolygonSoup(xyz, corners), {}};
  for (int axis = 0; axis < 3; ++axis) {
    Block low = {Vec3::Zero(), size}, high = low;
    low.hi[axis] = wall;
    high.lo[axis] = size[axis] - wall;
    body.solid.insert(body.solid.end(), {low, high});
  }
  return body;
}

/// A turn by right angles.
Mat3 right_turn(base::Random& random) {
  Mat3 turn;
  do {
    std::array<int, 3> order = {0, 1, 2};
    for (Index i = 2; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
    turn.setZero();
    for (int i = 0; i < 3; ++i) turn(i, order[i]) = random.below(2) == 0 ? 1 : -1;
  } while (turn.determinant() < 0);
  return turn;
}

std::vector<Block> placed(const std::vector<Block>& blocks, const Mat3& turn, const Vec3& shift) {
  std::vector<Block> moved;
  for (const Block& b : blocks) {
    const Vec3 p = turn * b.lo + shift, q = turn * b.hi + shift;
    moved.push_back({p.cwiseMin(q), p.cwiseMax(q)});
  }
  return moved;
}

/// The largest gap between two blocks along an axis: negative where they overlap.
double gap(const Block& a, const Block& b) {
  return (a.lo - b.hi).cwiseMax(b.lo - a.hi).maxCoeff();
}

TEST(FlushParts, OverlapOrTouchAsWholeNumbersSay) {
  base::Random random(1);
  std::array<int, 3> seen{};  // apart, touching, overlapping
  int held = 0;
  for (int round = 0; round < test::scaled(4000, 400); ++round) {
    const double scale = std::pow(10, random.uniform(-2, 2));
    const Vec3 inner = whole(random, 4);
    const double wall = 2.0 + random.below(3);
    const Body a = random.below(4) == 0 ? block(inner, scale) : hollow(inner, wall, scale);
    const Body b = block(whole(random, 3), scale);
    const Mat3 turn_a = right_turn(random), turn_b = right_turn(random);
    const Vec3 shift_a = whole(random, 8), shift_b = whole(random, 8);
    double least = kInfinity;
    for (const Block& x : placed(a.solid, turn_a, shift_a))
      for (const Block& y : placed(b.solid, turn_b, shift_b)) least = std::min(least, gap(x, y));
    const bool turned = random.below(2) == 0;
    const Pose all = turned ? test::random_pose(random, 5 * scale) : Pose();
    const auto pose = [&](const Mat3& turn, const Vec3& shift) {
      return all * Pose::from_matrix(turn, scale * shift);
    };
    const ClashParts parts = test::PartsBuilder()
                                 .part("a", a.soup, pose(turn_a, shift_a))
                                 .part("b", b.soup, pose(turn_b, shift_b))
                                 .take();
    const ClashResult result = find_clashes(parts);
    const ClashPairVerdict found =
        result.pairs.empty() ? ClashPairVerdict::free : result.pairs[0].verdict;
    const int truth = least > 0 ? 0 : least == 0 ? 1 : 2;
    ++seen[static_cast<std::size_t>(truth)];
    if (truth < 2) {
      EXPECT_EQ(found, truth == 0 ? ClashPairVerdict::free : ClashPairVerdict::touching)
          << "round " << round;
    } else {
      EXPECT_TRUE(found == ClashPairVerdict::clash || found == ClashPairVerdict::contains)
          << name(found) << " round " << round;
      const bool listed = !result.pairs.empty();
      EXPECT_GT(listed ? result.pairs[0].thickness.diameter.upper : 0, 0.5 * scale);
    }
    held += found == ClashPairVerdict::contains;
  }
  EXPECT_GT(seen[0], test::scaled(400, 40));
  EXPECT_GT(seen[1], test::scaled(400, 40));
  EXPECT_GT(seen[2], test::scaled(400, 40));
  EXPECT_GT(held, test::scaled(40, 4));
}

// A block that just fits into a hollow cannot be shifted out, and all its corners coincide with the
// hollow's. A block that is shifted by more than single precision is a clash.
TEST(FlushParts, ABlockThatJustFitsIntoAHollowTouches) {
  base::Random random(3);
  for (int round = 0; round < test::scaled(40, 10); ++round) {
    const double scale = std::pow(10, random.uniform(-2, 2));
    const Vec3 inner = whole(random, 4);
    const Pose all = test::random_pose(random, 5 * scale);
    for (const double aside : {0.0, 1e-3}) {
      const Vec3 place(2 + aside, 2, 2);
      const ClashParts parts =
          test::PartsBuilder()
              .part("hollow", hollow(inner, 2, scale).soup, all)
              .part("block", block(inner, scale).soup, all * Pose::from_translation(scale * place))
              .take();
      const ClashResult result = find_clashes(parts);
      ASSERT_EQ(result.pairs.size(), 1U);
      EXPECT_EQ(result.pairs[0].verdict,
                aside > 0 ? ClashPairVerdict::clash : ClashPairVerdict::touching)
          << round;
    }
  }
}

// A part twice at one pose, once rounded differently: all its vertices and faces lie on each other.
TEST(FlushParts, APartTwiceAtOnePlaceIsAClash) {
  base::Random random(2);
  for (int round = 0; round < test::scaled(60, 20); ++round) {
    const PolygonSoup soup = scenes::bumpy_sphere(100, random.below(1000));
    const Pose pose = test::random_pose(random, 3), turn = test::random_pose(random, 3);
    std::vector<double> xyz;
    std::vector<Index> corners;
    for (const Vec3& v : soup.vertices()) {
      const Vec3 x = turn * v;
      xyz.insert(xyz.end(), x.begin(), x.end());
    }
    for (const auto& t : soup.triangles()) corners.insert(corners.end(), t.begin(), t.end());
    const ClashParts parts = test::PartsBuilder()
                                 .part("a", soup, pose)
                                 .part("b", PolygonSoup(xyz, corners), pose * turn.inverse())
                                 .take();
    const ClashResult result = find_clashes(parts, {.max_touching_thickness = 0.01});
    ASSERT_EQ(result.pairs.size(), 1U);
    EXPECT_TRUE(result.pairs[0].verdict == ClashPairVerdict::clash ||
                result.pairs[0].verdict == ClashPairVerdict::contains)
        << name(result.pairs[0].verdict);
  }
}

}  // namespace
}  // namespace touche::flush_parts_test
