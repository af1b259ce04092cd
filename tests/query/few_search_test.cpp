// SPDX-License-Identifier: Apache-2.0
// A few large triangles against a fine mesh: the kernels must keep every child of a node that any
// of the triangles meets, and the search must say what brute force says.
#include "query/few_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "geometry/triangle_pair.h"
#include "hit_share.h"
#include "random.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/reference.h"
#include "touche/simd.h"
#include "touche/touche.h"
#include "workload_meshes.h"

namespace touche::few_search_test {
namespace {

using scenes::Random;

Pose random_pose(base::Random& random, double spread) {
  return Pose::from_axis_angle(random.direction(), random.uniform(-3, 3), random.in_box(spread));
}

PolygonSoup moved(const PolygonSoup& soup, const Vec3& scale, const Vec3& by) {
  std::vector<double> coordinates;
  std::vector<Index> corners;
  for (const Vec3& v : soup.vertices())
    for (int k = 0; k < 3; ++k) coordinates.push_back(v[k] * scale[k] + by[k]);
  for (const auto& t : soup.triangles()) corners.insert(corners.end(), t.begin(), t.end());
  return {coordinates, corners};
}

PolygonSoup ground() {
  return {std::vector<double>{-9, -9, 0, 9, -9, 0, 9, 9, 0, -9, 9, 0},
          std::vector<Index>{0, 1, 2, 0, 2, 3}};
}

PolygonSoup box() { return scenes::box(Vec3::Constant(-1), Vec3::Constant(1)); }

struct Few {
  const char* name;
  std::function<PolygonSoup(std::uint64_t seed)> make;
  double size, spread;  // of the fine mesh and of the poses, so that about half of them hit
};

void PrintTo(const Few& few, std::ostream* out) { *out << few.name; }

const Few kFew[] = {
    {"ground", [](std::uint64_t) { return ground(); }, 1, 2.0},
    {"box", [](std::uint64_t) { return box(); }, 0.5, 0.75},
    {"thin_wall",
     [](std::uint64_t) {
       return moved(box(), {3, 3, 1e-6}, Vec3::Zero());
     },
     1, 2.0},
    {"small_box", [](std::uint64_t) { return moved(box(), Vec3::Constant(0.25), Vec3::Zero()); }, 1,
     0.95},
    {"sixteen",
     [](std::uint64_t s) { return scenes::random_soup(s, {.faces = 16, .face_size = 1}); }, 0.5,
     1.5},
    {"needles",
     [](std::uint64_t s) {
       return scenes::random_soup(s, {.faces = 14, .face_size = 1.5, .slivers = 1});
     },
     0.5, 1.3},
    {"segments",  // two corners of each coincide
     [](std::uint64_t s) {
       const PolygonSoup soup = scenes::random_soup(s, {.faces = 12, .face_size = 1.5});
       std::vector<double> coordinates;
       std::vector<Index> corners;
       for (const auto& t : soup.triangles()) {
         const auto at = static_cast<Index>(coordinates.size() / 3);
         for (const Index v : {t[0], t[1], t[1]})
           for (int k = 0; k < 3; ++k) coordinates.push_back(soup.vertex(v)[k]);
         corners.insert(corners.end(), {at, at + 1, at + 2});
       }
       return PolygonSoup(coordinates, corners);
     },
     0.5, 1.3},
};

class FewSearchTest : public testing::TestWithParam<Few> {};

PolygonSoup fine_mesh(const Few& few, int round) {
  const auto seed = static_cast<std::uint64_t>(round);
  PolygonSoup mesh = round % 3 == 0   ? scenes::torus_knot(2, 3, 400)
                     : round % 3 == 1 ? scenes::bumpy_sphere(400, seed)
                                      : scenes::sphere(1, 400);
  const double size = few.size * (round % 3 == 0 ? 0.4 : 1);
  return moved(mesh, Vec3::Constant(size), Vec3::Zero());
}

// On either side, at any scale, near the origin and far from it.
TEST_P(FewSearchTest, SaysWhatBruteForceSays) {
  const Few& few = GetParam();
  base::Random random(1);
  int hits = 0;
  const int rounds = test::scaled(200);
  for (int round = 0; round < rounds; ++round) {
    const Vec3 scale = Vec3::Constant(std::pow(10, round % 5 == 0 ? random.uniform(-6, 6) : 0));
    const Vec3 by = scale[0] * random.in_box(round % 7 == 0 ? 1e4 : 0.01);
    const Object a(moved(few.make(static_cast<std::uint64_t>(round)), scale, by));
    const Object b(moved(fine_mesh(few, round), scale, by));
    ASSERT_TRUE(query::PlacedFew::suits(bvh::bvh_of(a), bvh::bvh_of(b)));
    const Pose pose_a = random_pose(random, 5 * scale[0]);
    const Pose apart = random_pose(random, 0);
    const Vec3 to = scale[0] * random.in_box(few.spread);
    // Both are turned about where they lie.
    const Pose pose_b =
        pose_a * Pose::from_translation(by + to) * apart * Pose::from_translation(-by);
    const bool expected = brute_force::intersects(a, pose_a, b, pose_b).intersects;
    hits += expected;
    EXPECT_EQ(intersects(a, pose_a, b, pose_b).intersects, expected) << round;
    EXPECT_EQ(intersects(b, pose_b, a, pose_a).intersects, expected) << round;
    EXPECT_EQ(distance(b, pose_b, a, pose_a).distance.upper == 0, expected) << round;
    if (round % 4 == 1) {
      const DistanceOptions how{.max_distance = round % 8 == 1 ? kInfinity : 0.3 * scale[0]};
      EXPECT_EQ(distance(a, pose_a, b, pose_b, how).distance.upper,
                brute_force::distance(a, pose_a, b, pose_b, how).distance.upper)
          << round;
    }
    const IntersectsResult hit = intersects(a, pose_a, b, pose_b);
    if (!expected) continue;
    const query::RelativePose pose(pose_a, pose_b);  // every face is a triangle here
    EXPECT_TRUE(geometry::triangles_intersect(query::triangle_of(a.soup(), hit.face_a),
                                              query::triangle_of(b.soup(), hit.face_b, pose)));
  }
  test::expect_about_half(hits, rounds);
}

// The lowest corner lies in the plane of the ground, or a trifle above or below it.
TEST(FewSearch, WhatJustTouches) {
  base::Random random(2);
  const Object floor(ground());
  int hits = 0;
  const int rounds = test::scaled(200, 60);
  for (int round = 0; round < rounds; ++round) {
    const Object thing(scenes::bumpy_sphere(400, static_cast<std::uint64_t>(round)));
    const double lowest = thing.bounds().lo.z();
    const double gap = round % 3 == 0 ? 0 : random.uniform(-1, 1) * 1e-15;
    const Pose pose =
        Pose::from_translation({random.uniform(-7, 7), random.uniform(-7, 7), gap - lowest});
    const bool expected = brute_force::intersects(floor, {}, thing, pose).intersects;
    hits += expected;
    EXPECT_EQ(intersects(floor, {}, thing, pose).intersects, expected) << round;
    EXPECT_EQ(intersects(thing, pose, floor, {}).intersects, expected) << round;
  }
  EXPECT_GE(hits, 0.3 * rounds);  // a third touches
  EXPECT_LE(hits, 0.85 * rounds);
}

// A fine plate lies on the ground, or as good as: its nodes have no height that could make up for
// bounds that are too narrow.
TEST(FewSearch, FlatUponFlat) {
  base::Random random(6);
  const Object floor(ground()), plate(scenes::plate(800));
  int hits = 0;
  const int rounds = test::scaled(300, 60);
  for (int round = 0; round < rounds; ++round) {
    const Pose pose_a = round % 3 != 0 ? Pose() : random_pose(random, round % 2 == 0 ? 1 : 1e3);
    const double gap = round % 4 != 0 ? 0 : random.uniform(-1, 1) * 1e-14;
    const Pose turn = Pose::from_axis_angle(Vec3::UnitZ(), random.uniform(-3, 3), Vec3::Zero());
    const Pose pose_b =
        pose_a * Pose::from_translation({random.uniform(-7, 7), random.uniform(-7, 7), gap}) *
        (round % 5 == 0 ? turn : Pose());
    const bool expected = brute_force::intersects(floor, pose_a, plate, pose_b).intersects;
    hits += expected;
    EXPECT_EQ(intersects(floor, pose_a, plate, pose_b).intersects, expected) << round;
    EXPECT_EQ(intersects(plate, pose_b, floor, pose_a).intersects,
              brute_force::intersects(plate, pose_b, floor, pose_a).intersects)
        << round;
  }
  test::expect_about_half(hits, rounds);
}

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

class TargetsInTurn {
 public:
  TargetsInTurn() : names_(simd_targets()) {}
  ~TargetsInTurn() { set_simd_target(names_.front()); }
  TargetsInTurn(const TargetsInTurn&) = delete;
  TargetsInTurn& operator=(const TargetsInTurn&) = delete;
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

// Holds what one instruction set finds for a node.
struct Answers {
  query::FewMeetings meetings{};
  query::FewNear near{};
  std::int32_t least_meeting = 0, least_near = 0;

  Answers(const bvh::BvhNode& node, const query::FewTriangles& triangles, std::uint32_t asked,
          float target) {
    std::fill_n(meetings.key, bvh::kWidth, bvh::PairKeys::kNone);
    std::fill_n(near.key, bvh::kWidth, bvh::PairKeys::kNone);
    least_meeting = query::few_kernels().meet(node, triangles, asked, meetings);
    least_near = query::few_kernels().near(node, triangles, asked, target, near);
  }
  bool operator==(const Answers& other) const {
    return std::memcmp(&meetings, &other.meetings, sizeof(meetings)) == 0 &&
           std::memcmp(&near, &other.near, sizeof(near)) == 0 &&
           least_meeting == other.least_meeting && least_near == other.least_near;
  }
};

template <class Found>
void expect_keys(const Found& found, std::int32_t least, std::uint32_t asked, int children) {
  std::int32_t first = bvh::PairKeys::kNone;
  for (int child = 0; child < bvh::kWidth; ++child) {
    const auto triangles = static_cast<std::uint32_t>(found.triangles[child]);
    EXPECT_EQ(triangles & ~(child < children ? asked : 0u), 0u);
    EXPECT_EQ(triangles == 0, found.key[child] == bvh::PairKeys::kNone);
    if (triangles != 0) {
      EXPECT_EQ(bvh::PairKeys::pair(found.key[child]), child);
    }
    first = std::min(first, found.key[child]);
  }
  EXPECT_EQ(least, first);
}

// Every child that a triangle meets, or is near to, is kept, and all instruction sets say the same.
TEST_P(FewSearchTest, KernelsKeepWhatMeetsAndWhatIsNear) {
  const Few& few = GetParam();
  const TargetsInTurn targets;
  base::Random random(3);
  int kept = 0, met = 0, near = 0, total = 0;
  for (int round = 0; round < test::scaled(12, 6); ++round) {
    const Object a(few.make(static_cast<std::uint64_t>(round))), b(fine_mesh(few, round));
    const query::RelativePose pose(random_pose(random, few.spread), Pose());
    const query::PlacedFew placed(bvh::bvh_of(a), bvh::bvh_of(b), pose, false);
    for (const bvh::BvhNode& node : bvh::bvh_of(b).nodes()) {
      const std::uint32_t asked =
          placed.all() &
          (round % 2 == 0 ? ~0u : static_cast<std::uint32_t>(random.below(0xffffffff)));
      const double limit = random.uniform(0, 1) * few.size * bvh::bvh_of(b).scale();
      const auto target = static_cast<float>(limit * limit);
      std::optional<Answers> first;
      for (const std::string& name : targets.names()) {
        set_simd_target(name);
        const query::PlacedFew again(bvh::bvh_of(a), bvh::bvh_of(b), pose, false);
        const Answers answers(node, again.triangles(), asked, target);
        if (!first) first = answers;
        EXPECT_TRUE(answers == *first) << name;
      }
      expect_keys(first->meetings, first->least_meeting, asked, node.bounds.count());
      expect_keys(first->near, first->least_near, asked, node.bounds.count());
      for (int child = 0; child < node.bounds.count(); ++child) {
        std::vector<Index> below;
        add_triangles(bvh::bvh_of(b), node.child[child], below);
        for (std::size_t lane = 0; lane < query::FewTriangles::kMost; ++lane) {
          if ((asked >> lane & 1) == 0) continue;
          const bvh::BvhLeaf& leaf =
              bvh::bvh_of(a).leaf(~static_cast<bvh::NodeRef>(lane / bvh::kWidth));
          const Triangle at = query::triangle_of(a.soup(), leaf.triangle[lane % bvh::kWidth]);
          double distance = kInfinity;
          for (const Index t : below)
            distance = std::min(
                distance,
                geometry::closest_points(at, query::triangle_of(b.soup(), t, pose)).distance);
          distance *= bvh::bvh_of(b).scale();
          const bool may_meet = (first->meetings.triangles[child] >> lane & 1) != 0;
          const bool may_be_near = (first->near.triangles[child] >> lane & 1) != 0;
          EXPECT_TRUE(may_meet || distance > 0);
          EXPECT_TRUE(may_be_near || distance * distance > static_cast<double>(target));
          if (may_be_near) {
            EXPECT_LE(static_cast<double>(first->near.squared[child]), distance * distance);
          }
          ++total;
          met += distance == 0;
          kept += may_meet;
          near += may_be_near;
        }
      }
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(met, 0);
  EXPECT_LT(kept, total / 2);
  EXPECT_GT(near, kept);
  EXPECT_LT(near, 0.9 * total);
}

INSTANTIATE_TEST_SUITE_P(Query, FewSearchTest, testing::ValuesIn(kFew),
                         [](const auto& made) { return std::string(made.param.name); });

// A budget that ends is no proof.
TEST(FewSearch, StopsWhenTheBudgetEnds) {
  const Object around(box()),
      ball(moved(scenes::bumpy_sphere(500, 1), Vec3::Constant(0.5), Vec3::Zero()));
  base::Random random(4);
  int undecided = 0, unproved = 0;
  for (int round = 0; round < 60; ++round) {
    const Pose pose = random_pose(random, 0.65);
    const bool expected = brute_force::intersects(around, {}, ball, pose).intersects;
    const IntersectsResult stopped =
        intersects(around, {}, ball, pose, {.max_work = random.below(8)});
    EXPECT_TRUE(!stopped.complete || stopped.intersects == expected) << round;
    EXPECT_TRUE(stopped.complete || !stopped.intersects) << round;
    DistanceOptions how;
    how.budget.max_work = random.below(40);
    const DistanceResult near = distance(around, {}, ball, pose, how);
    EXPECT_LE(near.distance.lower, brute_force::distance(around, {}, ball, pose).distance.upper);
    EXPECT_TRUE(near.complete || near.distance.lower < kInfinity);
    unproved += !near.complete;
    undecided += !stopped.complete;
  }
  test::expect_about_half(undecided, 60);
  test::expect_about_half(unproved, 60);
}

// Few nodes are opened, where a box of twelve triangles would be a solid block.
TEST(FewSearch, OpensFewNodes) {
  const Object around(box()),
      ball(moved(scenes::bumpy_sphere(20000, 1), Vec3::Constant(0.5), Vec3::Zero()));
  base::Random random(5);
  std::uint64_t opened = 0;
  for (int round = 0; round < 30; ++round)
    opened += intersects(around, {}, ball, random_pose(random, 0.65)).stats.node_pairs;
  EXPECT_LT(opened, 30u * 9);
}

TEST(FewSearch, IsForFewTriangles) {
  const Object large(box()), small(moved(box(), Vec3::Constant(0.1), Vec3::Zero())),
      mesh(scenes::bumpy_sphere(500, 1)), many(scenes::sphere(1, 60));
  const auto suits = [](const Object& few, const Object& fine) {
    const bool any = query::PlacedFew::suits(bvh::bvh_of(few), bvh::bvh_of(fine));
    return std::pair(any, query::PlacedFew::suits_distance(bvh::bvh_of(few), bvh::bvh_of(fine)));
  };
  EXPECT_EQ(suits(large, mesh), std::pair(true, true));
  EXPECT_EQ(suits(small, mesh), std::pair(true, false));
  EXPECT_EQ(suits(many, mesh), std::pair(false, false));
  EXPECT_EQ(suits(mesh, large), std::pair(false, false));
  EXPECT_EQ(suits(large, large), std::pair(false, false));
}

}  // namespace
}  // namespace touche::few_search_test
