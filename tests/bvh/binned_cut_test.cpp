// SPDX-License-Identifier: Apache-2.0
#include "bvh/binned_cut.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace touche {
namespace {

class Items {
 public:
  explicit Items(unsigned seed) : engine_(seed) {}
  double real(double lo, double hi) { return std::uniform_real_distribution(lo, hi)(engine_); }
  /// Drawn in the order of the axes, whatever the compiler.
  Vec3 point(const Vec3& lo, const Vec3& hi) {
    Vec3 p;
    for (int k = 0; k < 3; ++k) p[k] = real(lo[k], hi[k]);
    return p;
  }
  Vec3 point(double lo, double hi) { return point(Vec3::Constant(lo), Vec3::Constant(hi)); }

  /// Small triangles in a box.
  void add(std::size_t count, const Vec3& lo, const Vec3& hi, double size = 0.01) {
    for (std::size_t i = 0; i < count; ++i) {
      Vec3 corner[3];
      const Vec3 at = point(lo, hi);
      for (Vec3& c : corner) c = at + size * point(-1, 1);
      const Vec3 sorted_by = bvh::sorting_point(corner[0], corner[1], corner[2]);
      bvh::TriangleItem item{};
      for (int k = 0; k < 3; ++k) item.point[k] = static_cast<float>(sorted_by[k]);
      item.triangle = static_cast<Index>(all.size());
      item.box = bvh::grid_box(corner[0], corner[1], corner[2]);
      all.push_back(item);
    }
  }

  /// Clusters of any size at any position, as in assemblies of parts.
  void add_clusters(std::size_t count) {
    while (all.size() < count) {
      const Vec3 at = point(-0.5, 0.5);
      const Vec3 half = 0.2 * point(0, 1);
      const auto some = static_cast<std::size_t>(real(1, 40));
      add(std::min(some, count - all.size()), at - half, at + half);
    }
  }

  std::vector<bvh::TriangleItem> all;

 private:
  std::mt19937 engine_;
};

void sort_along(std::vector<bvh::TriangleItem>& items, int axis) {
  std::sort(items.begin(), items.end(),
            [axis](const bvh::TriangleItem& x, const bvh::TriangleItem& y) {
              return x.key(axis) < y.key(axis);
            });
}

/// The weight of a part: the number of slots in the leaves and in the nodes that it fills.
double worth(std::size_t count, std::size_t step) {
  const auto up = [count](std::size_t places) { return (count + places - 1) / places * places; };
  return static_cast<double>(up(8) + up(step));
}

std::size_t step_of(std::size_t count) {
  std::size_t step = 8;
  while (8 * step < count) step *= 8;
  return step;
}

/// The cost of the cut with `before` items before it.
double cost_of(const std::vector<bvh::TriangleItem>& ordered, std::size_t before) {
  bvh::GridBox left = bvh::kNoBox, right = bvh::kNoBox;
  for (std::size_t i = 0; i < ordered.size(); ++i)
    bvh::grow(i < before ? left : right, ordered[i].box);
  const std::size_t step = step_of(ordered.size());
  return static_cast<double>(bvh::area(left)) * worth(before, step) +
         static_cast<double>(bvh::area(right)) * worth(ordered.size() - before, step);
}

/// The least cost of all cuts across all axes.
double least_cost(std::vector<bvh::TriangleItem> items) {
  double least = kInfinity;
  for (int axis = 0; axis < 3; ++axis) {
    sort_along(items, axis);
    std::vector<bvh::GridBox> after(items.size() + 1, bvh::kNoBox);
    for (std::size_t i = items.size(); i-- > 0;) {
      after[i] = after[i + 1];
      bvh::grow(after[i], items[i].box);
    }
    const std::size_t step = step_of(items.size());
    bvh::GridBox before = bvh::kNoBox;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0)
        least = std::min(
            least, static_cast<double>(bvh::area(before)) * worth(i, step) +
                       static_cast<double>(bvh::area(after[i])) * worth(items.size() - i, step));
      bvh::grow(before, items[i].box);
    }
  }
  return least;
}

std::size_t cut_of(std::vector<bvh::TriangleItem>& items) {
  bvh::TriangleItem* const first = items.data();
  const std::ptrdiff_t before = bvh::cut(first, first + items.size()) - first;
  EXPECT_GT(before, 0);
  EXPECT_LT(before, static_cast<std::ptrdiff_t>(items.size()));
  std::vector<char> seen(items.size());
  for (const bvh::TriangleItem& item : items) EXPECT_EQ(seen[item.triangle]++, 0);
  return static_cast<std::size_t>(before);
}

TEST(GridBox, HoldsTheTriangle) {
  Items items(1);
  for (int i = 0; i < 1000; ++i) {
    Vec3 c[3];
    for (Vec3& v : c) v = items.point(-1, 1);
    const bvh::GridBox box = bvh::grid_box(c[0], c[1], c[2]);
    for (int k = 0; k < 3; ++k) {
      const double lo = std::min({c[0][k], c[1][k], c[2][k]});
      const double hi = std::max({c[0][k], c[1][k], c[2][k]});
      EXPECT_NEAR(-box.bound[k] / 32767.0, lo, 1 / 32767.0);
      EXPECT_NEAR(box.bound[k + 4] / 32767.0, hi, 1 / 32767.0);
    }
  }
}

TEST(Select, PutsItemsInPlaceWhateverTheHints) {
  Items items(2);
  for (int i = 0; i < 500; ++i) {
    items.all.clear();
    items.add(static_cast<std::size_t>(items.real(1, 200)), {-0.5, -0.5, 0}, {0.5, 0.5, 0.5});
    if (i % 3 == 0)
      for (bvh::TriangleItem& item : items.all)
        item.point[0] = 0.25f;  // distinguished by their numbers
    std::vector<bvh::TriangleItem> sorted = items.all;
    sort_along(sorted, 0);
    const auto middle =
        static_cast<std::size_t>(items.real(0, static_cast<double>(items.all.size())));
    const auto low = static_cast<float>(items.real(-2, 2)), high = low + 0.1f;
    bvh::TriangleItem* first = items.all.data();
    bvh::select(first, first + middle, first + items.all.size(), 0, low, high);
    EXPECT_EQ(items.all[middle].triangle, sorted[middle].triangle);
    for (std::size_t k = 0; k < items.all.size(); ++k)
      EXPECT_EQ(items.all[k].key(0) < sorted[middle].key(0), k < middle);
  }
}

TEST(BinnedCut, FallsIntoAGapAnywhere) {
  for (const std::size_t near : {24u, 27u, 300u})
    for (int axis = 0; axis < 3; ++axis) {
      Items items(3);
      Vec3 far = Vec3::Zero();
      far[axis] = 0.5;
      items.add(40, Vec3::Constant(-0.1) + far, Vec3::Constant(0.1) + far);
      items.add(near, Vec3::Constant(-0.1), Vec3::Constant(0.1));
      ASSERT_EQ(cut_of(items.all), near);
      for (std::size_t i = 0; i < items.all.size(); ++i)
        EXPECT_EQ(items.all[i].triangle >= 40, i < near);
    }
}

/// The cost of the cut over that of the best one.
double cost_over_least(std::vector<bvh::TriangleItem> items) {
  const double least = least_cost(items);
  const std::size_t before = cut_of(items);
  return cost_of(items, before) / least;
}

TEST(BinnedCut, IsNearlyTheBest) {
  Items items(4);
  double sum = 0;
  int far = 0;
  constexpr int kSets = 300;
  for (int i = 0; i < kSets; ++i) {
    items.all.clear();
    const std::size_t step = i % 2 == 0 ? 8 : 64;
    const auto count =
        step + static_cast<std::size_t>(items.real(1, 7.0 * static_cast<double>(step)));
    i % 3 == 0 ? items.add(count, {-0.5, -0.3, -0.1}, {0.5, 0.3, 0.1}) : items.add_clusters(count);
    const double ratio = cost_over_least(items.all);
    sum += ratio;
    far += ratio > 1.2 ? 1 : 0;
  }
  EXPECT_LT(sum / kSets, 1.04);
  EXPECT_LT(far, kSets / 20);
}

// Examining only a sample of many items is enough.
TEST(BinnedCut, IsNearlyTheBestOfMany) {
  Items items(6);
  for (int i = 0; i < 12; ++i) {
    items.all.clear();
    const auto count = static_cast<std::size_t>(items.real(2, 8) * 4096) + 1;
    i % 2 == 0 ? items.add(count, {-0.5, -0.3, -0.1}, {0.5, 0.3, 0.1}) : items.add_clusters(count);
    EXPECT_LT(cost_over_least(items.all), 1.15) << count;
  }
}

TEST(BinnedCut, PartsLargeTrianglesFromSmallOnes) {
  for (const std::size_t small : {64u, 500u, 20000u}) {
    Items items(7);
    items.add(small, Vec3::Constant(-0.1), Vec3::Constant(0.1), 0.001);
    items.add(3, Vec3::Constant(-0.01), Vec3::Constant(0.01), 0.5);
    const std::size_t before = cut_of(items.all);
    const auto is_small = [&](const bvh::TriangleItem& item) { return item.triangle < small; };
    EXPECT_TRUE(std::all_of(items.all.begin(),
                            items.all.begin() + static_cast<std::ptrdiff_t>(before), is_small));
    EXPECT_GT(before, small * 7 / 8);  // where that fills leaves and nodes as well, not all of them
  }
}

TEST(BinnedCut, PartsWhatAllLiesInOnePlace) {
  Items items(5);
  for (const std::size_t count : {2u, 9u, 20u, 5000u}) {
    items.all.clear();
    items.add(count, Vec3::Constant(0.25), Vec3::Constant(0.25), 0);
    const std::size_t before = cut_of(items.all);
    EXPECT_LE(std::max(before, count - before), std::max<std::size_t>(8, count * 4 / 5));
  }
}

}  // namespace
}  // namespace touche
