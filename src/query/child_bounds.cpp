// SPDX-License-Identifier: Apache-2.0
// In a node's frame, the coordinates of its children's boxes are below 4 and exact. A coordinate y
// of the point is summed in double precision and rounded once, with a relative error of 2^-24, as
// is each operation that follows.
#include "query/child_bounds.h"

#include <algorithm>
#include <cmath>

namespace touche::query {
namespace {

constexpr double kFar = 1e30;  // coordinates beyond are clamped, and get no bounds

struct InFrame {
  float y[3];
  float largest = 0;

  InFrame(const bvh::Frame& frame, const Vec3& local) {
    for (int k = 0; k < 3; ++k) {
      double sum = 0;
      for (int j = 0; j < 3; ++j)
        sum += static_cast<double>(frame.axis(k, j)) *
               (local[j] - static_cast<double>(frame.origin[j]));
      y[k] = static_cast<float>(std::clamp(sum, -kFar, kFar));
      largest = std::max(largest, std::abs(y[k]));
    }
  }
};

}  // namespace

// The stored axes lengthen a vector by at most 2^-21 of its length. One millionth exceeds that plus
// the rounding of the point's coordinate, of three sums and of the squares.
ChildValues child_distances(const bvh::NodeView& node, const Vec3& local) {
  const InFrame x(node.bounds.frame, local);
  ChildValues squares = {};
  if (!(x.largest < 1e15f)) return squares;  // so far away that squares could overflow: no bounds
  for (int k = 0; k < 3; ++k)
    for (std::size_t lane = 0; lane < bvh::kWidth; ++lane) {
      const float beyond = std::max(
          std::abs(x.y[k] - node.children.centre[k][lane]) - node.children.half[k][lane], 0.0f);
      squares[lane] += beyond * beyond;
    }
  const float slack = 1e-6f * (8 + 4 * x.largest);
  for (float& s : squares) s = std::max(std::sqrt(s) * (1 - 2e-6f) - slack, 0.0f);
  return squares;
}

// Intersects the segment with the slabs of each box, widened by `slack`: the numerators are off by
// less than 4 · 2^-24 (4 + largest) and the quotients by 2^-23 of themselves, together less than
// 1e-6 (4 + largest) of a coordinate.
ChildValues LocalSegment::entries(const bvh::NodeView& node) const {
  const InFrame a(node.bounds.frame, start), b(node.bounds.frame, end);
  const float largest = std::max(a.largest, b.largest);
  const float slack = 2e-6f * (4 + largest) + 2 * static_cast<float>(std::min(error, kFar));
  ChildValues enter = {}, leave;
  leave.fill(1);
  std::array<bool, bvh::kWidth> misses = {};
  for (int k = 0; k < 3; ++k) {
    const float way = b.y[k] - a.y[k];
    const auto& centre = node.children.centre[k];
    const auto& half = node.children.half[k];
    if (std::abs(way) < slack) {  // so short that either all of it is within the slab or none
      for (std::size_t lane = 0; lane < bvh::kWidth; ++lane)
        misses[lane] |= std::abs(centre[lane] - a.y[k]) > half[lane] + 2 * slack;
      continue;
    }
    const float per_way = 1 / way, wide = slack * std::abs(per_way), sign = way > 0 ? 1.0f : -1.0f;
    for (std::size_t lane = 0; lane < bvh::kWidth; ++lane) {
      const float to = (centre[lane] - a.y[k]) * per_way;
      const float reach = sign * half[lane] * per_way + wide;
      enter[lane] = std::max(enter[lane], to - reach);
      leave[lane] = std::min(leave[lane], to + reach);
    }
  }
  for (std::size_t lane = 0; lane < bvh::kWidth; ++lane)
    if (misses[lane] || enter[lane] > leave[lane]) enter[lane] = kMisses;
  return enter;
}

ChildValues LocalBox::misses(const bvh::NodeView& node) const {
  const InFrame c(node.bounds.frame, centre);
  ChildValues misses = {};
  if (!(c.largest < static_cast<float>(kFar))) return misses;
  for (int k = 0; k < 3; ++k) {
    double reach = error;
    for (int j = 0; j < 3; ++j) {
      double along = 0;
      for (int i = 0; i < 3; ++i)
        along += static_cast<double>(node.bounds.frame.axis(k, i)) * half(i, j);
      reach += std::abs(along);
    }
    const float wide =
        static_cast<float>(std::min(reach * (1 + 1e-6), kFar)) + 2e-6f * (4 + c.largest);
    for (std::size_t lane = 0; lane < bvh::kWidth; ++lane)
      if (std::abs(node.children.centre[k][lane] - c.y[k]) > node.children.half[k][lane] + wide)
        misses[lane] = kMisses;
  }
  return misses;
}

}  // namespace touche::query
