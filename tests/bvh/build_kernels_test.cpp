// SPDX-License-Identifier: Apache-2.0
// The builder's kernels: the same hierarchy to the last bit on every instruction set and with any
// number of threads, and triangles sorted by what the plain functions say.
#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "bvh/binned_cut.h"
#include "bvh/kernels.h"
#include "random.h"
#include "scenes.h"
#include "touche/simd.h"
#include "workload_meshes.h"

namespace touche {
namespace {

using scenes::Random;

template <class T>
std::string bytes_of(std::span<const T> all) {
  return {reinterpret_cast<const char*>(all.data()), all.size_bytes()};
}

TEST(BuildKernels, GiveTheSameHierarchy) {
  const PolygonSoup soups[] = {scenes::bumpy_sphere(20000, 1, 0.6),
                               scenes::random_soup(2, {.faces = 3000, .slivers = 0.5}),
                               scenes::scales(3, 10000),
                               scenes::bundle_of_rods(5000),
                               scenes::plate(2000),
                               scenes::box({-1, -1, -1}, {1, 1, 1})};
  for (const PolygonSoup& soup : soups) {
    const Bvh first(soup, {.threads = 1});
    first.validate(soup);
    for (const std::string& target : simd_targets()) {
      set_simd_target(target);
      for (const int threads : {1, 3}) {
        const Bvh bvh(soup, {.threads = threads});
        EXPECT_TRUE(bytes_of(bvh.nodes()) == bytes_of(first.nodes())) << target;
        EXPECT_TRUE(bytes_of(bvh.leaves()) == bytes_of(first.leaves())) << target;
        EXPECT_EQ(bvh.cost(), first.cost()) << target;
      }
    }
    set_simd_target(all_kernels().front().name);
  }
}

TEST(BuildKernels, SortByPointAndBox) {
  Random random(4);
  Normalization normalization;
  for (int round = 0; round < 1000; ++round) {
    normalization.centre = random.in_box(3);
    normalization.scale = 0.125;
    const double size = std::exp2(-random.uniform(0, 12));
    Vec3 corner[kWidth][3];
    LeafCorners corners;
    for (int lane = 0; lane < kWidth; ++lane) {
      const Vec3 at = random.in_box(1 - size);
      for (int v = 0; v < 3; ++v) {
        corner[lane][v] = normalization.centre + 8 * (at + size * random.in_box(0.5));
        for (int k = 0; k < 3; ++k) corners.corner[v][k][lane] = corner[lane][v][k];
      }
    }
    const int count = 1 + static_cast<int>(random.below(kWidth));
    for (const Kernels& kernel : all_kernels()) {
      TriangleItem items[kWidth] = {};
      kernel.make_items(corners, normalization, 100, count, items);
      for (int lane = 0; lane < kWidth; ++lane) {
        const auto local = [&](int v) {
          return Vec3((corner[lane][v] - normalization.centre) * normalization.scale);
        };
        const bool made = lane < count;
        const Vec3 middle = sorting_point(local(0), local(1), local(2));
        const GridBox box = grid_box(local(0), local(1), local(2));
        EXPECT_EQ(items[lane].triangle, made ? 100 + static_cast<Index>(lane) : 0);
        for (int k = 0; k < 3; ++k)
          EXPECT_EQ(items[lane].point[k], made ? static_cast<float>(middle[k]) : 0) << kernel.name;
        for (int i = 0; i < 8; ++i)
          EXPECT_EQ(items[lane].box.bound[i], made ? box.bound[i] : 0) << kernel.name;
      }
    }
  }
}

}  // namespace
}  // namespace touche
