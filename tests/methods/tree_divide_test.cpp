// SPDX-License-Identifier: Apache-2.0
// Dividing down to the leaves: a valid tree whatever the method, its stop rules, and Fig. 3.2
// against a second implementation that is written straight from it.
#include <gtest/gtest.h>

#include <algorithm>

#include "methods/tree/partition.h"
#include "progress_record.h"
#include "test_scale.h"
#include "tree_sets.h"

namespace touche::tree {
namespace {

using test::BoxFitter;

struct Shape {
  int depth = 0;
  Index largest_leaf = 0;
  std::vector<int> depths;  ///< of each node
};

/// Every face in one leaf, children side by side behind their parent and made of its faces.
Shape expect_tree(const Partition& tree, Index faces, int degree) {
  Shape shape;
  shape.depths.assign(tree.nodes.size(), -1);
  std::vector<Index> sorted = tree.order;
  std::ranges::sort(sorted);
  EXPECT_EQ(sorted.size(), faces);
  for (Index i = 0; i < sorted.size(); ++i) EXPECT_EQ(sorted[i], i);
  EXPECT_FALSE(tree.nodes.empty());
  EXPECT_EQ(tree.nodes[0].begin, 0u);
  EXPECT_EQ(tree.nodes[0].end, faces);
  shape.depths[0] = 0;
  Index next = 1;
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const Node& node = tree.nodes[n];
    EXPECT_LT(node.begin, node.end);
    EXPECT_GE(shape.depths[n], 0) << "no parent";
    if (node.degree == 0) {
      shape.largest_leaf = std::max(shape.largest_leaf, node.end - node.begin);
      shape.depth = std::max(shape.depth, shape.depths[n]);
      continue;
    }
    EXPECT_GE(node.degree, 2u);
    EXPECT_LE(node.degree, static_cast<std::uint32_t>(degree));
    EXPECT_EQ(node.first_child, next);
    Index begin = node.begin;
    for (Index c = 0; c < node.degree; ++c) {
      const Node& child = tree.nodes[node.first_child + c];
      EXPECT_EQ(child.begin, begin);
      begin = child.end;
      shape.depths[node.first_child + c] = shape.depths[n] + 1;
    }
    EXPECT_EQ(begin, node.end);
    next += node.degree;
  }
  EXPECT_EQ(next, tree.nodes.size());
  return shape;
}

bool operator==(const Node& a, const Node& b) {
  return a.begin == b.begin && a.end == b.end && a.first_child == b.first_child &&
         a.degree == b.degree;
}
void expect_same(const Partition& a, const Partition& b) {
  EXPECT_EQ(a.order, b.order);
  EXPECT_TRUE(
      std::ranges::equal(a.nodes, b.nodes, [](const Node& x, const Node& y) { return x == y; }));
  EXPECT_EQ(a.gap, b.gap);
}

TEST(Divide, EveryMethodAndDegreeGivesATree) {
  const PolygonSoup soup = scenes::random_soup(1, {.faces = 100, .extent = 1, .face_size = 0.1});
  const Faces faces(soup);
  const BoxFitter fitter(faces);
  for (const SplitMethod method : test::kAllMethods)
    for (int degree = 2; degree <= 8; ++degree)
      for (const double improvement : {0.0, 0.6}) {
        SCOPED_TRACE(std::string(test::name(method)) + " " + std::to_string(degree));
        TreeOptions options{.method = method, .degree = degree, .improvement = improvement};
        options.max_problems = 5;
        options.max_faces = 0;
        const Partition tree = divide(faces, fitter, options);
        const Shape shape = expect_tree(tree, faces.size(), degree);
        EXPECT_GE(shape.depth, 2);
        EXPECT_LE(shape.largest_leaf, 8u);
        // Halves can always be distinguished, so only single faces remain.
        if (method >= SplitMethod::insertion && method != SplitMethod::branch_and_bound &&
            improvement == 0) {
          EXPECT_EQ(shape.largest_leaf, 1u);
        }
      }
}

TEST(Divide, DegenerateSoups) {
  for (const Index count : {1u, 2u, 40u})
    for (const auto& [name, soup] : test::degenerate_soups(count))
      for (const SplitMethod method : test::kAllMethods)
        for (const double improvement : {0.0, 0.75, 1.0}) {
          SCOPED_TRACE(name + ": " + test::name(method));
          const Faces faces(soup);
          const BoxFitter fitter(faces);
          TreeOptions options{.method = method, .degree = 3, .improvement = improvement};
          options.max_problems = 5;
          expect_tree(divide(faces, fitter, options), faces.size(), 3);
        }
}

TEST(Divide, OneFaceIsALeafAndNoneIsRefused) {
  const PolygonSoup one = test::soup_of({test::tile(0)});
  const Faces faces(one);
  const BoxFitter fitter(faces);
  EXPECT_EQ(divide(faces, fitter, {}).nodes.size(), 1u);
  const PolygonSoup none;
  const Faces empty(none);
  EXPECT_THROW(divide(empty, BoxFitter(empty), {}), InvalidInput);
  EXPECT_THROW(divide(faces, fitter, {.degree = 9}), InvalidInput);
}

TEST(Divide, DoesNotDependOnThreads) {
  const PolygonSoup soup = scenes::bumpy_sphere(static_cast<Index>(test::scaled(3000, 500)), 2);
  const Faces faces(soup);
  const BoxFitter fitter(faces);
  for (const SplitMethod method : test::kAllMethods)
    for (const double improvement : {0.0, 0.7}) {
      if (method == SplitMethod::branch_and_bound && improvement > 0) continue;
      SCOPED_TRACE(test::name(method));
      TreeOptions options{.method = method, .degree = 5, .improvement = improvement};
      options.start = InsertionStart::random;
      options.max_problems = 2;
      options.threads = 1;
      const Partition one = divide(faces, fitter, options);
      for (const int threads : {0, 2}) {
        options.threads = threads;
        expect_same(one, divide(faces, fitter, options));
      }
    }
}

TEST(Divide, FollowsTheSeed) {
  const PolygonSoup soup = scenes::random_soup(1, {.faces = 150});
  const Faces faces(soup);
  const BoxFitter fitter(faces);
  TreeOptions options{.method = SplitMethod::insertion, .degree = 3};
  options.start = InsertionStart::random;
  const Partition first = divide(faces, fitter, options);
  expect_same(first, divide(faces, fitter, options));
  options.seed = 2;
  EXPECT_NE(first.order, divide(faces, fitter, options).order);
}

// ---- stop rules --------------------------------------------------------------------------------

TEST(Divide, StopsAtDepthAndAtSmallSets) {
  const PolygonSoup soup = scenes::random_soup(1, {.faces = 500, .extent = 1, .face_size = 0.1});
  const Faces faces(soup);
  const BoxFitter fitter(faces);
  for (int depth = 0; depth <= 4; ++depth) {
    const auto shape = expect_tree(divide(faces, fitter, {.max_depth = depth}), 500, 2);
    EXPECT_EQ(shape.depth, depth);
  }
  for (const Index leaf : {1u, 4u, 30u, 500u}) {
    TreeOptions options{.method = SplitMethod::median, .degree = 3, .leaf_faces = leaf};
    const Partition tree = divide(faces, fitter, options);
    EXPECT_EQ(expect_tree(tree, 500, 3).largest_leaf <= leaf, true);
    for (const Node& node : tree.nodes) EXPECT_EQ(node.degree == 0, node.end - node.begin <= leaf);
  }
}

// One face as large as the box keeps all middles in one region.
TEST(Divide, HalvesLargeSetsThatTheMethodCannotDivide) {
  std::vector<Triangle> triangles = {{Vec3(-9.7, -10, 0), Vec3(10.3, -10, 0), Vec3(0, 20, 0)}};
  for (int i = 0; i < 40; ++i) {
    const Vec3 at(0.1 * i / 40, 0, 0);
    triangles.push_back({at, at + Vec3(0.01, 0, 0), at - Vec3(0, 0.01, 0)});
  }
  const PolygonSoup soup = test::soup_of(triangles);
  const Faces faces(soup);
  const BoxFitter fitter(faces);
  for (const double improvement : {0.0, 0.5}) {
    TreeOptions options{.method = SplitMethod::zachmann, .degree = 3, .improvement = improvement};
    options.max_faces = 0;
    EXPECT_GT(expect_tree(divide(faces, fitter, options), faces.size(), 3).largest_leaf, 8u);
    for (const Index most : {1u, 8u}) {
      options.max_faces = most;
      EXPECT_LE(expect_tree(divide(faces, fitter, options), faces.size(), 3).largest_leaf, most);
    }
    if (improvement == 0) continue;
    options.min_split_faces = 1000;  // requested
    EXPECT_GT(expect_tree(divide(faces, fitter, options), faces.size(), 3).largest_leaf, 8u);
  }
}

TEST(Divide, CountsEveryFaceOnce) {
  const PolygonSoup soup = scenes::bumpy_sphere(2000, 2);
  const Faces faces(soup);
  const BoxFitter fitter(faces);
  for (const int max_depth : {0, 3, 100}) {
    test::ProgressRecord progress;
    TreeOptions options{.max_depth = max_depth};
    options.progress = progress.function();
    divide(faces, fitter, options);
    EXPECT_EQ(progress.done, faces.size());
  }
}

// ---- Fig. 3.2 ----------------------------------------------------------------------------------

/// Fig. 3.2 for one set, as it stands there: the parts, none for a leaf.
std::vector<std::vector<Index>> by_the_figure(const Faces& faces, const Fitter& fitter,
                                              const std::vector<Index>& set,
                                              const TreeOptions& options) {
  const auto splitter = make_splitter(faces, fitter, options);
  std::vector<std::vector<Index>> best;
  double least = kInfinity;
  for (int degree = 2; degree <= options.degree; ++degree) {
    const Split split = splitter->split(set, degree, 0);
    if (split.parts < 2) continue;
    std::vector<std::vector<Index>> parts(static_cast<std::size_t>(split.parts));
    for (std::size_t i = 0; i < set.size(); ++i) parts[split.part[i]].push_back(set[i]);
    double sum = 0, most = 0;
    for (const auto& part : parts) {
      sum += fitter.quality(part);
      most = std::max(most, fitter.quality(part));
    }
    const double mean = sum / static_cast<double>(parts.size());
    const double g = options.combine == Combine::mean ? mean : most;
    if (g <= options.improvement * fitter.quality(set)) return parts;
    if (g < least) least = g, best = parts;
  }
  return set.size() < options.min_split_faces ? std::vector<std::vector<Index>>{} : best;
}

void expect_as_in_the_figure(const Faces& faces, const Fitter& fitter, const Partition& tree,
                             std::size_t n, const std::vector<Index>& set,
                             const TreeOptions& options, std::array<int, 9>& degrees) {
  const Node& node = tree.nodes[n];
  const auto parts = set.size() < 2 ? std::vector<std::vector<Index>>{}
                                    : by_the_figure(faces, fitter, set, options);
  ++degrees[parts.size()];
  ASSERT_EQ(node.degree, parts.size()) << "node " << n;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Node& child = tree.nodes[node.first_child + p];
    std::vector<Index> expected = parts[p];
    std::vector<Index> held(tree.order.begin() + child.begin, tree.order.begin() + child.end);
    std::ranges::sort(expected);
    std::ranges::sort(held);
    ASSERT_EQ(held, expected);
    expect_as_in_the_figure(faces, fitter, tree, node.first_child + p, parts[p], options, degrees);
  }
}

/// Methods without chance, so that both build the same splits.
TEST(Divide, VariableDegreeIsThatOfTheFigure) {
  std::array<int, 9> degrees{};
  int small_leaves = 0;
  for (const SplitMethod method : {SplitMethod::gottschalk, SplitMethod::zachmann,
                                   SplitMethod::hochbaum_shmoys, SplitMethod::surface_area})
    for (const Combine combine : {Combine::mean, Combine::maximum})
      for (const double alpha : {0.2, 0.5, 0.75, 0.9, 1.0})
        for (const Index min_split_faces : {0u, 6u}) {
          const PolygonSoup soup =
              scenes::random_soup(7, {.faces = 60, .extent = 1, .face_size = 0.5});
          const Faces faces(soup);
          const BoxFitter fitter(faces);
          SCOPED_TRACE(std::string(test::name(method)) + " " + std::to_string(alpha) + " combine " +
                       std::to_string(static_cast<int>(combine)));
          TreeOptions options{.method = method, .degree = 8, .improvement = alpha};
          options.min_split_faces = min_split_faces;
          options.combine = combine;
          const Partition tree = divide(faces, fitter, options);
          const Shape shape = expect_tree(tree, faces.size(), 8);
          small_leaves += min_split_faces > 0 && shape.largest_leaf > 1;
          EXPECT_TRUE(min_split_faces == 0 || shape.largest_leaf < min_split_faces ||
                      method == SplitMethod::hochbaum_shmoys);
          expect_as_in_the_figure(faces, fitter, tree, 0, test::all_of(faces), options, degrees);
        }
  EXPECT_GT(small_leaves, 0);
  for (int d = 2; d <= 8; ++d) EXPECT_GT(degrees[d], 0) << d;  // all of them are really met
}

/// The less improvement a split requires, the more splits qualify, and the lower the degrees that
/// suffice.
TEST(Divide, ImprovementDecidesTheDegree) {
  const PolygonSoup soup = scenes::bumpy_sphere(1000, 3);
  const Faces faces(soup);
  const BoxFitter fitter(faces);
  const auto quality = [&](const Partition& tree, const Node& node) {
    return fitter.quality(std::span(tree.order).subspan(node.begin, node.end - node.begin));
  };
  double last_degree = 10, last_share = 0;
  for (const double alpha : {0.3, 0.5, 0.75, 0.9}) {
    const Partition tree = divide(faces, fitter, {.degree = 8, .improvement = alpha});
    double inner = 0, improved = 0, degrees = 0;
    for (const Node& node : tree.nodes) {
      if (node.degree == 0) continue;
      double mean = 0;
      for (Index c = 0; c < node.degree; ++c)
        mean += quality(tree, tree.nodes[node.first_child + c]) / node.degree;
      ++inner;
      improved += mean <= alpha * quality(tree, node) * (1 + 1e-12);
      degrees += node.degree;
    }
    EXPECT_GT(improved / inner, last_share) << alpha;
    EXPECT_LT(degrees / inner, last_degree) << alpha;
    last_share = improved / inner;
    last_degree = degrees / inner;
  }
  EXPECT_GT(last_share, 0.95);
}

}  // namespace
}  // namespace touche::tree
