// SPDX-License-Identifier: Apache-2.0
// Volume trees as such: what they contain, their shape, threads, refitting, bad input.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "exact_volumes.h"
#include "hit_share.h"
#include "methods/tree/typed_tree.h"
#include "methods/tree/with_volume.h"
#include "moved_vertices.h"
#include "progress_record.h"
#include "shapes.h"
#include "temporary_folder.h"
#include "test_scale.h"
#include "touche/query.h"
#include "touche/reference.h"
#include "tree_cases.h"

namespace touche {
namespace {

using test::TreeCases;

std::string bytes_of(const VolumeTree& tree) {
  const test::TemporaryFolder folder;
  save_tree(tree, folder.path() / "saved.tree");
  std::ifstream in(folder.path() / "saved.tree", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TreeOptions options_of(std::string_view volume, SplitMethod method = SplitMethod::median) {
  TreeOptions options;
  options.volume = volume;
  options.method = method;
  return options;
}

class TreeOf : public testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(Volumes, TreeOf, testing::ValuesIn(volume_names()),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(TreeOf, IsTheSameForAnyNumberOfThreads) {
  const PolygonSoup soup =
      test::shares_code(GetParam()) ? scenes::torus(2, 0.5, 12, 8) : scenes::torus(2, 0.5, 40, 20);
  for (const SplitMethod method : {SplitMethod::surface_area, SplitMethod::insertion}) {
    TreeOptions options = options_of(GetParam(), method);
    options.degree = 3;
    options.threads = 1;
    const VolumeTree one(soup, options);
    const std::string bytes = bytes_of(one);
    options.threads = 3;
    EXPECT_EQ(bytes_of(VolumeTree(soup, options)), bytes);
    const std::vector<double> bent = test::coordinates_of(soup);
    EXPECT_EQ(bytes_of(one.refitted(bent, 1)), bytes_of(one.refitted(bent, 3)));
  }
}

TEST_P(TreeOf, CountsItsProgress) {
  const PolygonSoup soup = scenes::torus(2, 0.5, 20, 10);
  test::ProgressRecord progress;
  TreeOptions options = options_of(GetParam());
  options.progress = progress.function();
  const VolumeTree tree(soup, options);
  EXPECT_EQ(progress.done, soup.triangle_count());
}

TEST_P(TreeOf, TellsItsShape) {
  const PolygonSoup soup = scenes::torus(2, 0.5, 16, 16);  // 512 triangles
  TreeOptions options = options_of(GetParam());
  options.degree = 8;
  const TreeShape shape = VolumeTree(soup, options).shape();
  EXPECT_EQ(shape.nodes, 1u + 8 + 64 + 512);
  EXPECT_EQ(shape.leaves, 512u);
  EXPECT_EQ(shape.depth, 3);
  EXPECT_EQ(shape.largest_leaf, 1u);
  EXPECT_EQ(shape.degrees[8], 73u);
  EXPECT_EQ(shape.degrees[0], 512u);
  ASSERT_EQ(shape.quality.size(), 4u);
  for (std::size_t level = 1; level < 4; ++level)
    EXPECT_LT(shape.quality[level], shape.quality[level - 1]);

  options.leaf_faces = 10;
  options.max_depth = 1;
  const TreeShape low = VolumeTree(soup, options).shape();
  EXPECT_EQ(low.nodes, 9u);
  EXPECT_EQ(low.largest_leaf, 64u);
  options.max_depth = 0;
  EXPECT_EQ(VolumeTree(soup, options).shape().nodes, 1u);
}

// ---- refitting ---------------------------------------------------------------------------------

TEST_P(TreeOf, RefitsToMovedVertices) {
  TreeCases cases(11);
  int hits = 0, total = 0;
  for (int i = 0, n = test::scaled(12, 3); i < n && !HasFailure(); ++i) {
    const PolygonSoup soup = cases.cloud(80), other = cases.cloud(40);
    TreeOptions options = options_of(GetParam());
    options.degree = 2 + i % 4;
    options.leaf_faces = 1 + static_cast<Index>(i % 2);
    const VolumeTree tree(soup, options), tree_other(other, options);
    std::vector<double> coordinates = test::coordinates_of(soup);
    for (double& x : coordinates) x += 0.3 * std::sin(7 * x) + cases.real(-0.05, 0.05);
    const VolumeTree moved = tree.refitted(coordinates);
    moved.validate();
    EXPECT_EQ(moved.shape().degrees, tree.shape().degrees);
    EXPECT_EQ(test::coordinates_of(tree.soup()), test::coordinates_of(soup));
    for (int k = 0; k < 12; ++k, ++total) {
      const Pose pose = cases.near(0.95);
      const auto truth =
          brute_force::intersecting_faces(Object(moved.soup()), {}, Object(other), pose).pairs;
      EXPECT_EQ(intersects(moved, {}, tree_other, pose, {.all_pairs = true}).pairs, truth);
      hits += !truth.empty();
    }
    // Back again: answers and, where volumes have no memory, all of the tree are as before.
    const VolumeTree back = moved.refitted(test::coordinates_of(soup));
    back.validate();
    const std::string_view v = GetParam();
    if (v == "aabb" || v == "sphere" || v.starts_with("dop") || v == "capsule" || v == "rss") {
      EXPECT_EQ(bytes_of(back), bytes_of(tree));
    }
  }
  test::expect_about_half(hits, total);
}

TEST_P(TreeOf, RefitsToNothingElseThanCoordinates) {
  TreeCases cases(12);
  const VolumeTree tree(cases.cloud(20), options_of(GetParam()));
  std::vector<double> coordinates = test::coordinates_of(tree.soup());
  coordinates[5] = std::nan("");
  EXPECT_THROW((void)tree.refitted(coordinates), InvalidInput);
  coordinates.pop_back();
  EXPECT_THROW((void)tree.refitted(coordinates), InvalidInput);
}

// ---- validation --------------------------------------------------------------------------------

// The volumes' promise in rationals: every corner of every face of every node.
TEST_P(TreeOf, ContainsItsFacesAsRealNumbers) {
  TreeCases cases(13);
  for (int i = 0, n = test::scaled(10, 4); i < n && !HasFailure(); ++i) {
    const PolygonSoup soup = i % 2 == 0
                                 ? cases.degenerate(30)
                                 : TreeCases::scaled(cases.cloud(30), 1e-3, Vec3(1e3, -1e2, 7));
    const tree::Faces faces(soup);
    const VolumeTree tree(soup, options_of(GetParam(), static_cast<SplitMethod>(i)));
    tree::with_volume(GetParam(), [&]<typename V>(std::type_identity<V>) {
      const auto& typed = static_cast<const tree::TypedTree<V>&>(*base::data_of(tree).tree);
      for (const auto& node : typed.nodes())
        for (Index k = node.node.begin; k < node.node.end; ++k)
          for (const Vec3& p : faces.corners(typed.order()[k]))
            EXPECT_TRUE(test::holds(node.volume, p));
    });
  }
}

// ---- bad input ---------------------------------------------------------------------------------

std::string error_of(const TreeOptions& options) {
  TreeCases cases(14);
  try {
    const VolumeTree tree(cases.cloud(10), options);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "none";
}

TEST(Tree, RefusesOptionsOutOfRange) {
  const auto with = [](auto&& change) {
    TreeOptions options;
    change(options);
    return error_of(options);
  };
  EXPECT_EQ(with([](TreeOptions&) {}), "none");
  EXPECT_NE(with([](TreeOptions& o) { o.volume = "cube"; }).find("cube"), std::string::npos);
  EXPECT_NE(with([](TreeOptions& o) { o.degree = 1; }).find("degree"), std::string::npos);
  EXPECT_NE(with([](TreeOptions& o) { o.degree = 9; }).find("degree"), std::string::npos);
  EXPECT_NE(with([](TreeOptions& o) { o.improvement = 1.5; }).find("improvement"),
            std::string::npos);
  EXPECT_NE(with([](TreeOptions& o) { o.improvement = std::nan(""); }).find("improvement"),
            std::string::npos);
  EXPECT_NE(with([](TreeOptions& o) { o.leaf_faces = 0; }).find("leaf"), std::string::npos);
  EXPECT_NE(with([](TreeOptions& o) { o.max_depth = -1; }).find("depth"), std::string::npos);
  EXPECT_NE(with([](TreeOptions& o) { o.max_depth = 1001; }).find("depth"), std::string::npos);
  EXPECT_NE(with([](TreeOptions& o) { o.costs.cost["obb obb"] = -1; }).find("cost"),
            std::string::npos);
  EXPECT_NE(with([](TreeOptions& o) { o.costs.triangles = 0; }).find("cost"), std::string::npos);
  EXPECT_NE(with([](TreeOptions& o) {
              o.volume = "dop14";
              o.quality = Quality::hausdorff;
            }).find("Hausdorff"),
            std::string::npos);
  const PolygonSoup nothing;
  EXPECT_THROW(VolumeTree(nothing, {}), InvalidInput);
}

TEST(Tree, TakesCostsOfKindsIntoAccount) {
  const PolygonSoup soup = scenes::torus(2, 0.5, 30, 20);
  const auto kinds = [&](double sphere, double box) {
    TreeOptions options = options_of("mixed");
    for (const char* pair : {"sphere sphere", "obb sphere", "aabb sphere"})
      options.costs.cost[pair] = sphere;
    for (const char* pair : {"obb obb", "aabb obb", "aabb aabb"}) options.costs.cost[pair] = box;
    const VolumeTree tree(soup, options);
    tree.validate();
    const auto& typed =
        static_cast<const tree::TypedTree<bounds::Mixed>&>(*base::data_of(tree).tree);
    std::array<int, 3> count{};
    for (const auto& node : typed.nodes()) ++count[tree::kind_of(node.volume)];
    return count;
  };
  EXPECT_GT(kinds(1e-3, 1)[0], 1000);
  EXPECT_GT(kinds(1, 1)[2], 1000);
}

TEST(CostMatrix, KnowsPairsInEitherOrder) {
  CostMatrix costs;
  costs.cost["obb sphere"] = 3;
  EXPECT_EQ(costs.of("obb", "sphere"), 3);
  EXPECT_EQ(costs.of("sphere", "obb"), 3);
  EXPECT_EQ(costs.of("sphere", "sphere"), 1);
}

TEST(Tree, NamesItsEnumerations) {
  EXPECT_EQ(names<SplitMethod>()[static_cast<std::size_t>(SplitMethod::surface_area)],
            "surface_area");
  EXPECT_EQ(names<Quality>()[static_cast<std::size_t>(Quality::hausdorff)], "hausdorff");
  EXPECT_EQ(names<Expansion>()[static_cast<std::size_t>(Expansion::hybrid)], "hybrid");
  EXPECT_EQ(names<QueueOrder>()[static_cast<std::size_t>(QueueOrder::worst_first)], "worst_first");
}

}  // namespace
}  // namespace touche
