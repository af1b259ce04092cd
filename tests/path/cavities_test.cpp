// SPDX-License-Identifier: Apache-2.0
// Which closed surfaces of a mesh are cavities of others, and that none undoes what another one
// encloses.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "hit_share.h"
#include "mesh_sides.h"
#include "path/interior.h"
#include "path/orientation.h"
#include "random.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/overlap.h"
#include "touche/path.h"

namespace touche::cavities_test {
namespace {

using scenes::Random;
using test::joined;
using test::reversed;

struct Block {
  Vec3 lo, hi;
  bool inwards = false;
  Index cuts = 1;
};

PolygonSoup mesh_of(const Block& b) {
  const PolygonSoup box = scenes::box(b.lo, b.hi, b.cuts);
  return b.inwards ? reversed(box) : box;
}

PolygonSoup mesh_of(const std::vector<Block>& blocks) {
  std::vector<PolygonSoup> meshes;
  for (const Block& b : blocks) meshes.push_back(mesh_of(b));
  return joined(meshes);
}

Block block(double lo, double hi, bool inwards = false) {
  return {Vec3::Constant(lo), Vec3::Constant(hi), inwards};
}

/// Every second triangle the other way round.
PolygonSoup half_turned(const PolygonSoup& mesh, Index every = 2) {
  std::vector<double> xyz;
  std::vector<Index> corners;
  for (const Vec3& v : mesh.vertices()) xyz.insert(xyz.end(), v.begin(), v.end());
  for (Index t = 0; t < mesh.triangle_count(); ++t) {
    auto [i, j, k] = mesh.triangle(t);
    if (t % every == 0) std::swap(j, k);
    corners.insert(corners.end(), {i, j, k});
  }
  return PolygonSoup(xyz, corners);
}

/// Calls `check` for the mesh of all parts in each order.
template <typename Check>
void in_any_order(const std::vector<PolygonSoup>& parts, const Check& check) {
  std::vector<std::size_t> order(parts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    std::vector<PolygonSoup> meshes;
    for (const std::size_t i : order) meshes.push_back(parts[i]);
    check(joined(meshes));
  } while (std::next_permutation(order.begin(), order.end()));
}

struct Place {
  Vec3 x;
  bool inside;
};
void expect_in_any_order(const std::vector<PolygonSoup>& parts, InsideFault fault,
                         const std::vector<Place>& places) {
  in_any_order(parts, [&](const PolygonSoup& mesh) {
    for (const PolygonSoup& m : {mesh, reversed(mesh)}) {
      EXPECT_EQ(inside_fault(m), fault);
      EXPECT_EQ(paths::oriented(m).turned.empty(), fault == InsideFault::none);
      const Interior body{Object(m)};
      EXPECT_TRUE(body.closed());
      for (const auto& [x, inside] : places) EXPECT_EQ(body.contains(x), inside) << x.transpose();
    }
  });
}

const Block kBeside = {{9.2, 3, 3}, {12, 6, 6}};
const std::vector<Place> kInBoth = {{{9.6, 4.1, 4.1}, true}, {{5, 5, 5}, true}, {{11, 4, 4}, true}};

// A body and another one whose faces run the other way round: neither is a cavity of the other.
TEST(Cavities, WhatCrossesIsNone) {
  const PolygonSoup a = mesh_of(block(0, 10)), c = mesh_of(kBeside);
  expect_in_any_order({a, c}, InsideFault::none, kInBoth);
  expect_in_any_order({a, reversed(c)}, InsideFault::ambiguous, kInBoth);
  expect_in_any_order({half_turned(a, 4), reversed(c)}, InsideFault::ambiguous, kInBoth);
  // Apart from each other they may be as they are, though their boxes overlap.
  const PolygonSoup tilted =
      mesh_of(std::vector<Block>{{{0, 0, 0}, {10, 1, 1}}, {{20, 20, 0}, {21, 21, 1}}});
  expect_in_any_order({tilted, mesh_of(Block{{5, 5, 0}, {6, 6, 1}, true})}, InsideFault::none,
                      {{{5.5, 5.5, 0.5}, true}, {{5, 0.5, 0.5}, true}, {{5, 3, 0.5}, false}});
}

// A body that is half turned gets the way round of its outermost surface, not that of a cavity.
TEST(Cavities, AnOuterBodyHasNotTheWayRoundOfItsCavity) {
  const PolygonSoup a = half_turned(mesh_of(block(0, 10))), b = mesh_of(block(1, 9, true));
  expect_in_any_order({a, b, mesh_of(kBeside)}, InsideFault::ambiguous, kInBoth);
  // In the cavity and in the body around it alike there may be something solid.
  expect_in_any_order({mesh_of(block(0, 10)), half_turned(b)}, InsideFault::ambiguous,
                      {{{5, 5, 5}, true}, {{0.5, 5, 5}, true}});
}

TEST(Cavities, HollowsStayHollow) {
  const std::vector<Place> hollow = {{{5, 5, 5}, false}, {{0.4, 5, 5}, true}, {{11, 5, 5}, false}};
  const PolygonSoup outer = mesh_of(block(0, 10)), cavity = mesh_of(block(3, 7, true));
  expect_in_any_order({outer, cavity}, InsideFault::none, hollow);
  // Here the way round of some faces is wrong.
  EXPECT_FALSE(Interior{Object(joined({half_turned(outer, 6), half_turned(cavity, 6)}))}.contains(
      {5, 5, 5}));
  // A body in a cavity, with a cavity.
  expect_in_any_order(
      {outer, mesh_of(block(1, 9, true)), mesh_of(block(2, 8)), mesh_of(block(3, 7, true))},
      InsideFault::none, {{{5, 5, 5}, false}, {{2.5, 5, 5}, true}, {{1.5, 5, 5}, false}});
  // Bodies that reach through the wall into the cavity, or touch it from inside.
  expect_in_any_order({outer, mesh_of(block(1, 9, true)), mesh_of(Block{{-1, 4, 4}, {3, 6, 6}})},
                      InsideFault::none,
                      {{{5, 5, 5}, false}, {{2, 5, 5}, true}, {{0.5, 5, 5}, true}});
  expect_in_any_order({outer, mesh_of(block(1, 9, true)), mesh_of(Block{{1, 4, 4}, {3, 6, 6}})},
                      InsideFault::none, {{{5, 5, 5}, false}, {{2, 5, 5}, true}});
}

// The cavity touches the surface around it at a face, an edge or a vertex; in some of the poses up
// to rounding.
TEST(Cavities, HollowsThatTouchTheSurfaceStayHollow) {
  const Block outer = {{0, 0, 0}, {10, 10, 10}, false, 2};
  std::vector<PolygonSoup> cavities = {mesh_of(Block{{0, 3, 3}, {7, 7, 7}, true}),
                                       mesh_of(Block{{0, 0, 3}, {7, 7, 7}, true}),
                                       mesh_of(Block{{0, 0, 0}, {7, 7, 7}, true})};
  // Turned by 45 degrees about z it touches in edges, and an octahedron in vertices.
  const auto moved = [](const PolygonSoup& mesh, const Pose& pose) {
    std::vector<double> xyz;
    std::vector<Index> corners;
    for (const Vec3& v : mesh.vertices()) {
      const Vec3 x = pose * v;
      xyz.insert(xyz.end(), x.begin(), x.end());
    }
    for (const auto& t : mesh.triangles()) corners.insert(corners.end(), t.begin(), t.end());
    return PolygonSoup(xyz, corners);
  };
  std::vector<double> xyz = {0, 5, 5, 10, 5, 5, 5, 0, 5, 5, 10, 5, 5, 5, 0, 5, 5, 10};
  cavities.push_back(
      reversed(PolygonSoup(xyz, std::vector<Index>{1, 3, 5, 3, 0, 5, 0, 2, 5, 2, 1, 5,
                                                   3, 1, 4, 0, 3, 4, 2, 0, 4, 1, 2, 4})));
  xyz = {0, 5, 2, 5, 0, 2, 10, 5, 2, 5, 10, 2, 0, 5, 8, 5, 0, 8, 10, 5, 8, 5, 10, 8};
  cavities.push_back(reversed(PolygonSoup(
      xyz,
      std::vector<Index>{0, 3, 2, 1, 4, 5, 6, 7, 0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6, 3, 0, 4, 7},
      std::vector<Index>(6, 4))));
  base::Random random(7);
  for (const PolygonSoup& cavity : cavities)
    for (int round = 0; round < 20; ++round) {
      const Vec3 axis = random.in_box(1);
      const Pose pose =
          round == 0 ? Pose()
                     : Pose::from_axis_angle(axis.normalized(), 3 * axis.norm(), random.in_box(20));
      const PolygonSoup mesh = moved(joined({mesh_of(outer), cavity}), pose);
      EXPECT_EQ(inside_fault(mesh), InsideFault::none);
      EXPECT_FALSE(Interior{Object(mesh)}.contains(pose * Vec3(5, 5, 5)));
      EXPECT_TRUE(Interior{Object(mesh)}.contains(pose * Vec3(9, 9, 9)));
      // The same body beside it, which touches from outside, is none.
      const PolygonSoup beside =
          moved(joined({mesh_of(outer), moved(cavity, Pose::from_translation({-10, 0, 0}))}), pose);
      EXPECT_EQ(inside_fault(beside), InsideFault::none);
    }
}

TEST(Cavities, WhatIsNotInASolidIsSolid) {
  const PolygonSoup outer = mesh_of(block(0, 10)), cavity = mesh_of(block(1, 9, true));
  // A body in a cavity runs as the cavity does; then what is in that runs as the outermost does.
  const PolygonSoup inner = mesh_of(block(3, 7, true)), core = mesh_of(block(4, 6));
  expect_in_any_order({outer, cavity, inner}, InsideFault::ambiguous,
                      {{{5, 5, 5}, true}, {{2, 5, 5}, false}, {{0.5, 5, 5}, true}});
  expect_in_any_order({outer, cavity, inner, core}, InsideFault::ambiguous,
                      {{{5, 5, 5}, true}, {{2, 5, 5}, false}, {{0.5, 5, 5}, true}});
  // Something solid lies in two cavities that overlap.
  expect_in_any_order(
      {outer, mesh_of(Block{{1, 1, 1}, {7, 9, 9}, true}),
       mesh_of(Block{{4, 2, 2}, {9, 8, 8}, true}), mesh_of(Block{{5, 4, 4}, {6, 6, 6}})},
      InsideFault::ambiguous, {{{5.5, 5, 5}, true}, {{2, 5, 5}, false}});
  // A cavity that breaks through the wall may be a body.
  expect_in_any_order({outer, mesh_of(Block{{4, 4, 4}, {6, 6, 11}, true})}, InsideFault::ambiguous,
                      {{{5, 5, 5}, true}, {{5, 5, 10.5}, true}});
  // Flush with four sides, so that no edge passes through a face.
  expect_in_any_order({outer, mesh_of(Block{{5, 0, 0}, {15, 10, 10}, true})},
                      InsideFault::ambiguous, {{{7, 5, 5}, true}, {{12, 5, 5}, true}});
}

// A block lies across a thin slot of the body around it. Neither vertices nor edge midpoints nor
// face centres decide.
TEST(Cavities, WhatLiesAcrossASlotIsNone) {
  const double outline[8][2] = {{0, 0},   {10, 0}, {10, 10}, {3.1, 10},
                                {3.1, 2}, {3, 2},  {3, 10},  {0, 10}};
  std::vector<double> xyz;
  std::vector<Index> corners, sizes = {8, 8};
  for (const double y : {0.0, 10.0})
    for (const auto& [x, z] : outline) xyz.insert(xyz.end(), {x, y, z});
  for (Index i = 0; i < 8; ++i) corners.push_back(i);
  for (Index i = 0; i < 8; ++i) corners.push_back(15 - i);
  for (Index i = 0; i < 8; ++i) {
    const Index next = (i + 1) % 8;
    corners.insert(corners.end(), {next, i, 8 + i, 8 + next});
    sizes.push_back(4);
  }
  const PolygonSoup slotted(xyz, corners, sizes);
  int faults = 0;
  for (const bool inwards : {false, true}) {
    const PolygonSoup mesh = joined({slotted, mesh_of(Block{{1, 1, 3}, {9, 2, 4}, inwards})});
    const bool fault = inside_fault(mesh) == InsideFault::ambiguous;
    faults += fault;
    EXPECT_EQ(paths::oriented(mesh).turned.empty(), !fault);
    EXPECT_TRUE(Interior{Object(mesh)}.contains({5, 1.5, 3.5}));
  }
  EXPECT_EQ(faults, 1);
}

// There are many shells, so that hierarchies are worth it.
TEST(Cavities, AmongManyOneBreaksThroughTheWall) {
  for (const bool breaks : {false, true}) {
    std::vector<Block> blocks = {{Vec3::Zero(), Vec3(30, 3, 3)}};
    for (int i = 0; i < 20; ++i) {
      const double x = 0.5 + 1.45 * i;
      blocks.push_back({{x, 1, 1}, {x + 1, 2, breaks && i % 7 == 5 ? 3.5 : 2}, true});
    }
    const PolygonSoup mesh = mesh_of(blocks);
    EXPECT_EQ(inside_fault(mesh), breaks ? InsideFault::ambiguous : InsideFault::none);
    const Interior body{Object(mesh)};
    for (int i = 0; i < 20; ++i)
      EXPECT_EQ(body.contains({1 + 1.45 * i, 1.5, 1.5}), breaks && i % 7 == 5) << i;
    EXPECT_TRUE(
        Interior{Object(joined({mesh, mesh_of(Block{{28.2, 1, 1}, {28.9, 2, 2}})}))}.contains(
            {28.5, 1.5, 1.5}));
  }
}

// An edge of each body is cut on one side only: there are slits, and no closed piece.
TEST(Cavities, SlitsChangeNothing) {
  const auto with_slit = [](const PolygonSoup& box) {
    std::vector<double> xyz;
    std::vector<Index> corners;
    for (const Vec3& v : box.vertices()) xyz.insert(xyz.end(), v.begin(), v.end());
    for (const auto& t : box.triangles()) corners.insert(corners.end(), t.begin(), t.end());
    const Index a = corners[0], b = corners[1], c = corners[2], middle = box.vertex_count();
    const Vec3 x = 0.5 * (box.vertex(b) + box.vertex(a)) + Vec3::Constant(1e-10);
    xyz.insert(xyz.end(), x.begin(), x.end());
    corners[1] = middle;
    corners.insert(corners.end(), {middle, b, c});
    return PolygonSoup(xyz, corners);
  };
  const PolygonSoup a = with_slit(mesh_of(block(0, 10)));
  for (const bool inwards : {false, true}) {
    Block c = kBeside, cavity = block(3, 7, true);
    c.inwards = inwards;
    const PolygonSoup mesh = joined({a, with_slit(mesh_of(c))});
    EXPECT_EQ(inside_fault(mesh), inwards ? InsideFault::ambiguous : InsideFault::none);
    for (const auto& [x, inside] : kInBoth) EXPECT_EQ(Interior{Object(mesh)}.contains(x), inside);
    const PolygonSoup hollow = joined({a, with_slit(mesh_of(cavity))});
    EXPECT_EQ(inside_fault(hollow), InsideFault::none);
    EXPECT_FALSE(Interior{Object(hollow)}.contains({5, 5, 5}));
  }
}

/// Finds what sides_of() promises for blocks by comparing their corners.
class BruteForce {
 public:
  explicit BruteForce(std::vector<Block> blocks) : blocks_(std::move(blocks)) {
    const auto key = [](const Block& b) {
      const Vec3 size = b.hi - b.lo;
      return std::pair(size.squaredNorm(), size.prod());
    };
    std::stable_sort(blocks_.begin(), blocks_.end(),
                     [&](const Block& a, const Block& b) { return key(a) > key(b); });
    std::vector<std::size_t> around(blocks_.size());
    double volume = 0;  // of what is outermost
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      around[i] = i;
      for (std::size_t k = 0; k < i; ++k)
        if (blocks_[k].inwards != blocks_[i].inwards && holds(blocks_[k], blocks_[i]))
          around[i] = k;
      if (around[i] == i)
        volume += (blocks_[i].inwards ? -1 : 1) * (blocks_[i].hi - blocks_[i].lo).prod();
    }
    cavity_.assign(blocks_.size(), false);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (around[i] == i || blocks_[i].inwards == (volume < 0)) continue;
      cavity_[i] = true;
      for (std::size_t k = 0; k < i; ++k)
        if (cavity_[k] && around[k] == around[i] && overlap(blocks_[k], blocks_[i]))
          cavity_[i] = false;
    }
  }

  bool is_solid(const Vec3& x) const {
    int sum = 0;
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      if (holds(blocks_[i], {x, x})) sum += cavity_[i] ? -1 : 1;
    EXPECT_GE(sum, 0);
    return sum > 0;
  }
  bool in_any(const Vec3& x) const {
    return std::any_of(blocks_.begin(), blocks_.end(), [&](const Block& b) {
      return holds(b, {x, x});
    });
  }

 private:
  static bool holds(const Block& a, const Block& b) {
    return (a.lo.array() <= b.lo.array()).all() && (b.hi.array() <= a.hi.array()).all();
  }
  static bool overlap(const Block& a, const Block& b) {
    return (a.lo.array() < b.hi.array()).all() && (b.lo.array() < a.hi.array()).all();
  }

  std::vector<Block> blocks_;
  std::vector<bool> cavity_;
};

// Blocks with integer corners, so that many touch or are flush. They are triangulated differently,
// so that no edges are the same.
TEST(Cavities, AgreeWithBruteForce) {
  base::Random random(11);
  int hollow = 0, total = 0, faults = 0;
  const int rounds = test::scaled(60, 20);
  for (int round = 0; round < rounds; ++round) {
    const int size = 6;
    std::vector<Block> blocks = {block(0, size, random.below(2) == 0)};
    const Index count = 1 + random.below(4);
    for (Index i = 0; i < count; ++i) {
      Block b;
      for (int k = 0; k < 3; ++k) {
        b.lo[k] = random.below(size - 1);
        b.hi[k] = b.lo[k] + 1 + random.below(size - static_cast<int>(b.lo[k]) + (i == 3 ? 2 : 0));
      }
      b.inwards = blocks[0].inwards != (random.below(4) != 0);
      b.cuts = std::array<Index, 4>{9, 10, 11, 13}[i];
      if (b.lo == blocks[0].lo && b.hi == blocks[0].hi) continue;
      blocks.push_back(b);
    }
    std::rotate(blocks.begin(), blocks.begin() + random.below(static_cast<Index>(blocks.size())),
                blocks.end());
    const BruteForce expected(blocks);
    const PolygonSoup mesh = mesh_of(blocks);
    const Interior body{Object(mesh)};
    faults += inside_fault(mesh) != InsideFault::none;
    for (int i = 0; i < 60; ++i) {
      Vec3 x;
      for (int k = 0; k < 3; ++k) x[k] = random.below(size) + 0.31 + 0.1 * k;
      const bool solid = expected.is_solid(x);
      EXPECT_EQ(body.contains(x), solid) << round << ": " << x.transpose();
      hollow += expected.in_any(x) && !solid;
      ++total;
    }
  }
  EXPECT_GT(hollow, total / 20);
  EXPECT_GE(faults, rounds / 6);
}

// Nests in which solids and cavities alternate: nothing is turned.
TEST(Cavities, SoundNestsStay) {
  base::Random random(13);
  for (int round = 0; round < test::scaled(60, 20); ++round) {
    std::vector<PolygonSoup> meshes;
    const bool inside_out = random.below(2) == 0;
    const auto nest = [&](const auto& self, const Vec3& lo, const Vec3& hi, int depth) -> void {
      const PolygonSoup mesh =
          depth % 2 == 0 ? scenes::box(lo, hi, 1 + random.below(3)) : scenes::box(lo, hi, 1);
      meshes.push_back((depth % 2 == 1) != inside_out ? reversed(mesh) : mesh);
      if (depth == 4) return;
      // Beside each other, as far as the middle plane.
      for (const int side : {0, 1}) {
        if (random.below(3) == 0) continue;
        const Vec3 rim = 0.1 * (hi - lo);
        Vec3 a = lo + rim, b = hi - rim;
        (side == 0 ? b : a).x() = 0.5 * (lo + hi).x();
        self(self, a, b, depth + 1);
      }
    };
    nest(nest, {0, 0, 0}, {8, 3, 3}, 0);
    nest(nest, {8, 1, 1}, {16, 4, 4}, 0);
    for (std::size_t i = meshes.size(); i > 1; --i)
      std::swap(meshes[i - 1], meshes[random.below(static_cast<Index>(i))]);
    const PolygonSoup mesh = joined(meshes);
    EXPECT_TRUE(paths::oriented(mesh).turned.empty()) << round;
    EXPECT_EQ(inside_fault(mesh), InsideFault::none) << round;
  }
}

}  // namespace
}  // namespace touche::cavities_test
