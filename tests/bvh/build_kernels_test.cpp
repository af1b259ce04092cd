// SPDX-License-Identifier: Apache-2.0
// The builder's kernels: the same hierarchy to the last bit on every instruction set and with any
// number of threads, and triangles sorted by what the plain functions say.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "bvh/binned_cut.h"
#include "bvh/kernels.h"
#include "bvh/surface_frame.h"
#include "random.h"
#include "scenes.h"
#include "touche/pose.h"
#include "touche/simd.h"
#include "workload_meshes.h"

namespace touche {
namespace {

using scenes::Random;

TEST(BuildKernels, GiveTheSameHierarchy) {
  const PolygonSoup soups[] = {scenes::bumpy_sphere(20000, 1, 0.6),
                               scenes::random_soup(2, {.faces = 3000, .slivers = 0.5}),
                               scenes::scales(3, 10000),
                               scenes::bundle_of_rods(5000),
                               scenes::plate(2000),
                               scenes::box({-1, -1, -1}, {1, 1, 1})};
  for (const PolygonSoup& soup : soups) {
    const bvh::Bvh first(soup, {.threads = 1});
    first.validate(soup);
    for (const std::string& target : simd_targets()) {
      set_simd_target(target);
      for (const int threads : {1, 3}) {
        const bvh::Bvh bvh(soup, {.threads = threads});
        EXPECT_TRUE(std::ranges::equal(bvh.bytes(), first.bytes())) << target;
        EXPECT_EQ(bvh.cost(), first.cost()) << target;
      }
    }
    set_simd_target(bvh::all_kernels().front().name);
  }
}

TEST(BuildKernels, SortByPointAndBox) {
  base::Random random(4);
  bvh::Normalization normalization;
  for (int round = 0; round < 1000; ++round) {
    normalization.centre = random.in_box(3);
    normalization.scale = 0.125;
    const double size = std::exp2(-random.uniform(0, 12));
    Vec3 corner[bvh::kWidth][3];
    bvh::LeafCorners corners;
    for (int lane = 0; lane < bvh::kWidth; ++lane) {
      const Vec3 at = random.in_box(1 - size);
      for (int v = 0; v < 3; ++v) {
        corner[lane][v] = normalization.centre + 8 * (at + size * random.in_box(0.5));
        for (int k = 0; k < 3; ++k) corners.corner[v][k][lane] = corner[lane][v][k];
      }
    }
    const int count = 1 + static_cast<int>(random.below(bvh::kWidth));
    for (const bvh::Kernels& kernel : bvh::all_kernels()) {
      bvh::TriangleItem items[bvh::kWidth] = {};
      kernel.make_items(corners, normalization, 100, count, items);
      for (int lane = 0; lane < bvh::kWidth; ++lane) {
        const auto local = [&](int v) {
          return Vec3((corner[lane][v] - normalization.centre) * normalization.scale);
        };
        const bool made = lane < count;
        const Vec3 middle = bvh::sorting_point(local(0), local(1), local(2));
        const bvh::GridBox box = bvh::grid_box(local(0), local(1), local(2));
        EXPECT_EQ(items[lane].triangle, made ? 100 + static_cast<Index>(lane) : 0);
        for (int k = 0; k < 3; ++k)
          EXPECT_EQ(items[lane].point[k], made ? static_cast<float>(middle[k]) : 0) << kernel.name;
        for (int i = 0; i < 8; ++i)
          EXPECT_EQ(items[lane].box.bound[i], made ? box.bound[i] : 0) << kernel.name;
      }
    }
  }
}

// The axes of principal_frame(), found by another method.
TEST(BuildKernels, FindPrincipalFrames) {
  base::Random random(5);
  int compared = 0;
  for (int round = 0; round < 500; ++round) {
    double sums[bvh::kMoments][bvh::kWidth] = {};
    bvh::SurfaceMoments moments[bvh::kWidth];
    for (std::size_t lane = 0; lane < bvh::kWidth; ++lane) {
      // A box of some sides about a centre, in any direction; sometimes it has no area.
      const Mat3 axes =
          Pose::from_axis_angle(random.direction(), random.uniform(0, 3), Vec3::Zero()).matrix();
      const Vec3 mean = random.in_box(0.5);
      const Vec3 variance(std::exp2(-random.uniform(5, 15)), std::exp2(-random.uniform(5, 15)),
                          std::exp2(-random.uniform(5, 15)));
      bvh::SurfaceMoments& m = moments[lane];
      m.area = random.below(8) == 0 ? 0 : std::exp2(-random.uniform(0, 20));
      m.first = m.area * mean;
      const Mat3 second = axes * variance.asDiagonal() * axes.transpose() + mean * mean.transpose();
      for (int i = 0, n = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j) m.second[n++] = m.area * second(i, j);
      sums[0][lane] = m.area;
      for (int k = 0; k < 3; ++k) sums[1 + k][lane] = m.first[k];
      for (int k = 0; k < 6; ++k) sums[4 + k][lane] = m.second[k];
    }
    bvh::Frame frames[bvh::kWidth], first[bvh::kWidth];
    bvh::kernels().principal_frames(sums, first);
    for (const bvh::Kernels& kernel : bvh::all_kernels()) {
      kernel.principal_frames(sums, frames);
      EXPECT_EQ(std::memcmp(frames, first, sizeof frames), 0) << kernel.name;
    }
    for (std::size_t lane = 0; lane < bvh::kWidth; ++lane) {
      const bvh::Frame expected = bvh::principal_frame(moments[lane]);
      Mat3 axes, others;
      for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(first[lane].origin[i], expected.origin[i], 1e-7);
        for (int k = 0; k < 3; ++k) {
          axes(i, k) = static_cast<double>(first[lane].axis(i, k));
          others(i, k) = static_cast<double>(expected.axis(i, k));
        }
      }
      EXPECT_NEAR((axes * axes.transpose() - Mat3::Identity()).norm(), 0, 1e-6);
      EXPECT_NEAR(axes.determinant(), 1, 1e-6);
      if (!(moments[lane].area > 0)) {
        EXPECT_TRUE(axes.isIdentity(0));
        continue;
      }
      // Axes may point in either direction; axes of nearly the same variance are arbitrary.
      const Vec3 along = (axes * others.transpose()).diagonal().cwiseAbs();
      compared += (along.array() > 1 - 1e-6).all();
    }
  }
  EXPECT_GT(compared, 500 * bvh::kWidth * 3 / 4);
}

// A flat square has no principal axes in its plane, and keeps the axes along its sides.
TEST(BuildKernels, LeaveAxesWhereRoundingAloneWouldTurnThem) {
  const bvh::Bvh bvh(scenes::plate(128), {});
  for (const bvh::BvhLeaf& leaf : bvh.leaves())
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) {
        const float x = std::abs(leaf.bounds.frame.axis(i, k));
        EXPECT_TRUE(x < 1e-6f || x > 1 - 1e-6f) << x;
      }
}

}  // namespace
}  // namespace touche
