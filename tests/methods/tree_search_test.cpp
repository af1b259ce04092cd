// SPDX-License-Identifier: Apache-2.0
// Volume trees give the answers of brute force, whatever they are made of and however they are
// searched.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "hit_share.h"
#include "requested_cancel.h"
#include "test_scale.h"
#include "touche/methods/volume_tree.h"
#include "touche/query.h"
#include "touche/reference.h"
#include "tree_cases.h"

namespace touche {
namespace {

using test::TreeCases;

void expect_consistent(const TreeStats& stats) {
  std::uint64_t sum = 0;
  for (const auto& row : stats.by_kind)
    for (const std::uint64_t count : row) sum += count;
  EXPECT_EQ(sum, stats.volume_tests);
}

/// Both questions, against brute force. Returns whether they intersect.
bool expect_same(const VolumeTree& a, const Pose& pose_a, const VolumeTree& b, const Pose& pose_b,
                 const std::vector<FacePair>& truth, TraversalOptions how) {
  how.all_pairs = true;
  const TreeResult all = intersects(a, pose_a, b, pose_b, how);
  EXPECT_EQ(all.pairs, truth);
  EXPECT_EQ(all.intersects, !truth.empty());
  expect_consistent(all.stats);

  how.all_pairs = false;
  const TreeResult first = intersects(a, pose_a, b, pose_b, how);
  EXPECT_EQ(first.intersects, !truth.empty());
  EXPECT_EQ(first.pairs.size(), truth.empty() ? 0u : 1u);
  for (const FacePair& pair : first.pairs) EXPECT_TRUE(std::ranges::binary_search(truth, pair));
  expect_consistent(first.stats);
  EXPECT_LE(first.stats.volume_tests, all.stats.volume_tests);
  if (!first.intersects) {
    EXPECT_EQ(first.stats.front, all.stats.front);
  }
  return all.intersects;
}

std::vector<FacePair> truth_of(const PolygonSoup& a, const Pose& pose_a, const PolygonSoup& b,
                               const Pose& pose_b) {
  return brute_force::intersecting_faces(Object(a), pose_a, Object(b), pose_b).pairs;
}

class EveryVolume : public testing::TestWithParam<std::string_view> {};

int cases_of(std::string_view volume) {
  return test::shares_code(volume) ? test::scaled(28, 8) : test::scaled(96, 16);
}

/// The volumes with code of their own, and one that represents all others.
std::vector<std::string_view> volumes_apart() {
  std::vector<std::string_view> volumes = {"hull"};
  for (const std::string_view name : volume_names())
    if (!test::shares_code(name)) volumes.push_back(name);
  return volumes;
}

TEST_P(EveryVolume, GivesTheAnswersOfBruteForce) {
  TreeCases cases(1);
  int hits = 0;
  const int n = cases_of(GetParam());
  for (int i = 0; i < n && !HasFailure(); ++i) {
    const PolygonSoup a = cases.cloud(60), b = cases.cloud(40);
    TreeOptions options;
    options.volume = GetParam();
    options.method = SplitMethod::surface_area;
    options.degree = 2 + i % 7;
    options.leaf_faces = 1 + static_cast<Index>(i % 3);
    const VolumeTree tree_a(a, options);
    options.degree = 8 - i % 7;
    const VolumeTree tree_b(b, options);
    tree_a.validate();
    tree_b.validate();
    const Pose pose_a = cases.turned(cases.point()), pose_b = pose_a * cases.near(0.7);
    const TraversalOptions how = {static_cast<Expansion>(i % 4),
                                  static_cast<QueueOrder>(i / 4 % 4)};
    hits += expect_same(tree_a, pose_a, tree_b, pose_b, truth_of(a, pose_a, b, pose_b), how);
  }
  test::expect_about_half(hits, n);
}

// Corners on a grid that touch exactly, at poses that keep the grid: what overlaps has no room.
TEST_P(EveryVolume, FindsWhatOnlyTouches) {
  TreeCases cases(2);
  int hits = 0;
  const int n = cases_of(GetParam());
  for (int i = 0; i < n && !HasFailure(); ++i) {
    const PolygonSoup a = cases.degenerate(12), b = cases.degenerate(12);
    const TreeOptions options = {
        .volume = std::string(GetParam()), .method = SplitMethod::middle, .degree = 2 + i % 7};
    const VolumeTree tree_a(a, options), tree_b(b, options);
    tree_a.validate();
    const Vec3 step(cases.integer(2, 5), cases.integer(-2, 2), cases.integer(-2, 2));
    const Pose pose = i % 2 == 0 ? Pose::from_translation(0.25 * step)
                                 : Pose::from_fixed_xyz(0, 0, std::numbers::pi / 2, 0.25 * step);
    hits += expect_same(tree_a, {}, tree_b, pose, truth_of(a, {}, b, pose),
                        {static_cast<Expansion>(i / 2 % 4), static_cast<QueueOrder>(i / 8 % 4)});
  }
  test::expect_about_half(hits, n);
}

// Far from the origin, or tiny beside their distance from it, coordinates are rounded more than
// volumes are wide.
TEST_P(EveryVolume, SeesCoordinatesAsTheyAreRounded) {
  TreeCases cases(3);
  int hits = 0;
  const int n = cases_of(GetParam());
  for (int i = 0; i < n && !HasFailure(); ++i) {
    const double size = i % 2 == 0 ? 1e-9 : 1e-14;
    const PolygonSoup a = cases.scaled(cases.cloud(8), size, Vec3(1, 2, 3)),
                      b = cases.scaled(cases.cloud(8), size, Vec3(-2, 1, 0.5));
    const TreeOptions options = {.volume = std::string(GetParam()), .method = SplitMethod::median};
    const VolumeTree tree_a(a, options), tree_b(b, options);
    // Turned anyhow, with b's middle near a's.
    const Pose turn = cases.turned(Vec3::Zero());
    const Pose pose = Pose::from_translation(Vec3(1, 2, 3) - turn * Vec3(-2, 1, 0.5) +
                                             size * 0.25 * cases.point()) *
                      turn;
    hits += expect_same(tree_a, {}, tree_b, pose, truth_of(a, {}, b, pose), {});
  }
  test::expect_about_half(hits, n);
}

INSTANTIATE_TEST_SUITE_P(Trees, EveryVolume, testing::ValuesIn(volume_names()),
                         [](const auto& test) { return std::string(test.param); });

// ---- every method, degree and volume ------------------------------------------------------------

class EveryMethod : public testing::TestWithParam<std::tuple<int, std::string_view>> {};

TEST_P(EveryMethod, MakesTreesThatAnswerLikeBruteForce) {
  const auto method = static_cast<SplitMethod>(std::get<0>(GetParam()));
  TreeCases cases(4);
  const int faces = method == SplitMethod::branch_and_bound ? 16 : 40;
  int hits = 0, total = 0;
  const int stride = test::scaled(7, 3) == 7 ? 1 : 3;  // 2, 5 and 8 are enough
  for (int degree = 2; degree <= 8 && !HasFailure(); degree += stride) {
    TreeOptions options;
    options.volume = std::get<1>(GetParam());
    options.method = method;
    options.degree = degree;
    options.max_problems = 200;
    options.improvement = degree % 3 == 0 ? 0.75 : 0;
    options.min_split_faces = 3;
    const PolygonSoup a = degree == 5 ? cases.degenerate(faces) : cases.cloud(faces),
                      b = cases.cloud(faces);
    const VolumeTree tree_a(a, options), tree_b(b, options);
    tree_a.validate();
    tree_b.validate();
    const TreeShape shape = tree_a.shape();
    for (std::size_t k = static_cast<std::size_t>(degree) + 1; k < shape.degrees.size(); ++k)
      EXPECT_EQ(shape.degrees[k], 0u);
    for (int i = 0; i < test::scaled(12, 9); ++i, ++total) {
      const Pose pose = cases.near(0.75);
      hits += expect_same(tree_a, {}, tree_b, pose, truth_of(a, {}, b, pose),
                          {static_cast<Expansion>(i % 4), static_cast<QueueOrder>(i % 3)});
    }
  }
  test::expect_about_half(hits, total);
}

INSTANTIATE_TEST_SUITE_P(
    Trees, EveryMethod,
    testing::Combine(testing::Range(0, static_cast<int>(names<SplitMethod>().size())),
                     testing::ValuesIn(volumes_apart())),
    [](const auto& test) {
      std::string name(names<SplitMethod>()[static_cast<std::size_t>(std::get<0>(test.param))]);
      std::ranges::replace(name, '-', '_');
      return name + "_" + std::string(std::get<1>(test.param));
    });

// ---- traversals ---------------------------------------------------------------------------------

TEST(TreeSearch, CountsTheSameFrontInWhateverOrder) {
  TreeCases cases(5);
  for (const std::string_view volume : {"obb", "mixed"}) {
    TreeOptions options;
    options.volume = volume;
    const VolumeTree a(cases.cloud(300), options), b(cases.cloud(200), options);
    const Pose pose = cases.near(0.5);
    for (const Expansion expansion : {Expansion::worse_quality, Expansion::larger_volume,
                                      Expansion::simultaneous, Expansion::hybrid}) {
      TraversalOptions how = {.expansion = expansion, .all_pairs = true};
      const TreeStats first = intersects(a, {}, b, pose, how).stats;
      EXPECT_GT(first.front, 100u);
      for (const QueueOrder order :
           {QueueOrder::first_in, QueueOrder::best_first, QueueOrder::worst_first}) {
        how.order = order;
        const TreeStats stats = intersects(a, {}, b, pose, how).stats;
        EXPECT_EQ(stats.volume_tests, first.volume_tests);
        EXPECT_EQ(stats.by_kind, first.by_kind);
        EXPECT_EQ(stats.primitive_tests, first.primitive_tests);
        EXPECT_EQ(stats.front, first.front);
      }
    }
  }
}

// A square of two triangles: counted by hand.
TEST(TreeSearch, CountsWhatItTests) {
  const std::vector<double> square = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
  const std::vector<Index> two = {0, 1, 2, 0, 2, 3};
  const PolygonSoup soup(square, two);
  const TreeOptions options = {.volume = "aabb", .method = SplitMethod::median};
  const VolumeTree tree(soup, options);
  EXPECT_EQ(tree.shape().nodes, 3u);

  const TreeResult apart = intersects(tree, {}, tree, Pose::from_translation({5, 0, 0}));
  EXPECT_EQ(apart.stats.volume_tests, 1u);
  EXPECT_EQ(apart.stats.by_kind[TreeStats::aabb][TreeStats::aabb], 1u);
  EXPECT_EQ(apart.stats.front, 1u);
  EXPECT_EQ(apart.stats.primitive_tests, 0u);

  // In itself: both triangles' boxes are the square, so all pairs of nodes overlap.
  TraversalOptions how = {.expansion = Expansion::simultaneous, .all_pairs = true};
  const TreeResult both = intersects(tree, {}, tree, {}, how);
  EXPECT_EQ(both.stats.volume_tests, 1u + 4u);
  EXPECT_EQ(both.stats.node_pairs, 1u);
  EXPECT_EQ(both.stats.primitive_tests, 4u);
  EXPECT_EQ(both.stats.front, 4u);
  how.expansion = Expansion::worse_quality;
  const TreeResult one = intersects(tree, {}, tree, {}, how);
  EXPECT_EQ(one.stats.volume_tests, 1u + 2u + 4u);
  EXPECT_EQ(one.stats.node_pairs, 3u);
  EXPECT_EQ(one.pairs, both.pairs);
  EXPECT_EQ(one.pairs.size(), 4u);
}

TEST(TreeSearch, SaysWhenItsBudgetEnds) {
  TreeCases cases(8);
  const VolumeTree a(cases.cloud(200)), b(cases.cloud(200));
  const Pose pose = cases.near(0.3);
  const TreeResult whole = intersects(a, {}, b, pose, {.all_pairs = true});
  ASSERT_TRUE(whole.complete && whole.intersects);
  std::size_t found = 0;
  for (std::uint64_t work = 0;; work += 1 + work / 4) {
    const TreeResult r =
        intersects(a, {}, b, pose, {.all_pairs = true, .budget = {.max_work = work}});
    EXPECT_GE(r.pairs.size(), found);
    found = r.pairs.size();
    if (r.complete) break;
    EXPECT_LE(found, whole.pairs.size());
  }
  EXPECT_EQ(found, whole.pairs.size());
  const Cancel cancel = test::requested();
  EXPECT_FALSE(intersects(a, {}, b, pose, {.budget = {.cancel = cancel}}).complete);
}

TEST(TreeSearch, CountsKindsOfMixedVolumes) {
  TreeCases cases(6);
  TreeOptions options;
  options.volume = "mixed";
  options.costs.cost = {{"sphere sphere", 0.6}, {"obb sphere", 0.6}};
  const VolumeTree a(cases.cloud(400), options), b(cases.cloud(300), options);
  const TreeStats stats = intersects(a, {}, b, cases.near(0.4), {.all_pairs = true}).stats;
  std::uint64_t used = 0;
  for (const auto& row : stats.by_kind)
    for (const std::uint64_t count : row) used += count > 0;
  EXPECT_GE(used, 4u);
  EXPECT_EQ(stats.by_kind[TreeStats::other], (std::array<std::uint64_t, 4>{}));
}

TEST(TreeSearch, AsksForTreesOfOneVolume) {
  TreeCases cases(7);
  const PolygonSoup soup = cases.cloud(5);
  const VolumeTree a(soup, {.volume = "aabb"}), b(soup, {.volume = "obb"});
  EXPECT_THROW((void)intersects(a, {}, b, {}), InvalidInput);
}

}  // namespace
}  // namespace touche
