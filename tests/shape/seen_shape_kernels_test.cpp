// SPDX-License-Identifier: Apache-2.0
// Finds what of a soup lies near the span of a shape, on all instruction sets.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "shape/seen_shape_kernels.h"
#include "shape_cases.h"
#include "test_scale.h"

namespace touche {
namespace {

using namespace test;

// Eight lanes at a time, against one after the other.
TEST(ShapeFaces, LanesAreTheSameOnAllInstructionSets) {
  base::Random random(1850);
  const auto targets = shape::seen_shape_kernels_of_targets();
  ASSERT_GE(targets.size(), 1u);
  int apart = 0, lanes = 0;
  for (int i = 0; i < scaled(200); ++i) {
    const auto single = [&](double size) {
      return static_cast<float>(random.uniform(-size, size));
    };
    const std::size_t padded = 8 * (1 + random.below(16));
    std::vector<float> x(padded), y(padded), z(padded);
    for (std::size_t k = 0; k < padded; ++k) x[k] = single(1), y[k] = single(1), z[k] = single(1);
    bvh::BvhNode node = {};
    bvh::BvhLeaf leaf = {};
    for (auto& column : node.bounds.frame.columns)
      for (float& c : column) c = single(1);
    shape::FloatSpan span = {};
    for (int k = 0; k < 3; ++k) {
      span.lo[k] = single(1);
      span.hi[k] = span.lo[k] + std::abs(single(1));
      for (int lane = 0; lane < bvh::kWidth; ++lane) {
        node.children.centre[k][lane] = single(2);
        node.children.half[k][lane] = std::abs(single(0.5));
        for (auto& corner : leaf.corner) corner[k][lane] = single(2);
      }
    }
    const auto square = [&](const auto& low, const auto& high) {
      float sum = 0;
      for (int k = 0; k < 3; ++k) {
        const float gap = std::max({low(k) - span.hi[k], span.lo[k] - high(k), 0.0F});
        sum += gap * gap;
      }
      return sum;
    };
    for (const shape::SeenShapeKernels& kernels : targets) {
      shape::FloatSpan found = {};
      kernels.span({x.data(), y.data(), z.data()}, padded, node.bounds.frame, found);
      for (int k = 0; k < 3; ++k) {
        float least = 1e30F, most = -1e30F;
        for (std::size_t c = 0; c < padded; ++c) {
          const bvh::Frame& f = node.bounds.frame;
          const float along = (f.axis(k, 0) * x[c] + f.axis(k, 1) * y[c]) + f.axis(k, 2) * z[c];
          least = std::min(least, along), most = std::max(most, along);
        }
        EXPECT_EQ(found.lo[k], least);
        EXPECT_EQ(found.hi[k], most);
      }
      shape::SquaredGaps of_node, of_leaf;
      kernels.node_gaps(node, span, of_node);
      kernels.leaf_gaps(leaf, span, of_leaf);
      for (int lane = 0; lane < bvh::kWidth; ++lane) {
        const auto corner = [&](int v, int k) { return leaf.corner[v][k][lane]; };
        const auto at = static_cast<std::size_t>(lane);
        const bvh::Boxes8& b = node.children;
        EXPECT_EQ(of_node[at], square([&](int k) { return b.centre[k][lane] - b.half[k][lane]; },
                                      [&](int k) { return b.centre[k][lane] + b.half[k][lane]; }));
        EXPECT_EQ(of_leaf[at], square(
                                   [&](int k) {
                                     return std::min({corner(0, k), corner(1, k), corner(2, k)});
                                   },
                                   [&](int k) {
                                     return std::max({corner(0, k), corner(1, k), corner(2, k)});
                                   }));
        apart += of_node[at] > 0;
        ++lanes;
      }
    }
  }
  EXPECT_GE(apart, lanes / 10);
  EXPECT_LT(apart, lanes);
}

}  // namespace
}  // namespace touche
