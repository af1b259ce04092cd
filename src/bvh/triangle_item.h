// SPDX-License-Identifier: Apache-2.0
// A triangle and its sorting point, which the builder sorts.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "touche/types.h"

namespace touche::bvh {

/// A box in the unit ball to 15 bits: its lower corner negated, then its upper corner. Each corner
/// is followed by the size of the triangle, as the number of bits of its longest side, with either
/// sign. So a box around several boxes contains the least and the largest of their sizes.
struct alignas(16) GridBox {
  std::int16_t bound[8];
};
inline constexpr int kLargest = 3, kSmallest = 7;  // indices of the sizes
inline constexpr GridBox kNoBox = {
    {-32767, -32767, -32767, -32767, -32767, -32767, -32767, -32767}};

/// The number of bits that the longest side takes: 0 to 16.
inline int size_class(const GridBox& box) { return box.bound[kLargest]; }

inline void grow(GridBox& box, const GridBox& other) {
  for (int i = 0; i < 8; ++i) box.bound[i] = std::max(box.bound[i], other.bound[i]);
}

/// Half the surface of a box around all its cells of the grid; 0 for kNoBox.
inline float area(const GridBox& box) {
  const auto width = [&](int k) {
    return static_cast<float>(std::max(box.bound[k] + box.bound[k + 4] + 1, 0));
  };
  return width(0) * width(1) + width(1) * width(2) + width(2) * width(0);
}

struct TriangleItem {
  float point[3];
  Index triangle;
  GridBox box;

  // Orders by the sorting point along an axis, then by number, so that no two are equal.
  std::uint64_t key(int axis) const { return key_of(point[axis]) | triangle; }
  /// The least key of points with this coordinate.
  static std::uint64_t key_of(float coordinate) {
    const auto bits = std::bit_cast<std::uint32_t>(coordinate);
    const std::uint32_t ascending = bits ^ ((bits >> 31) != 0 ? 0xffffffffu : 0x80000000u);
    return std::uint64_t{ascending} << 32;
  }
};

/// Moves items for which first(item) is true before the others; returns the first of the others.
/// Free of unpredictable branches: every item is swapped, and only the border is advanced
/// conditionally.
template <class First>
TriangleItem* part(TriangleItem* begin, TriangleItem* end, const First& first) {
  TriangleItem* border = begin;
  for (TriangleItem* i = begin; i != end; ++i) {
    const TriangleItem item = *i;
    *i = *border;
    *border = item;
    border += first(item) ? 1 : 0;
  }
  return border;
}

/// Moves the item that belongs at `middle` there, with lesser ones before it. The item is expected
/// between the coordinates `low` and `high`; if it is there, this saves time.
void select(TriangleItem* begin, TriangleItem* middle, TriangleItem* end, int axis, float low,
            float high);
void select(TriangleItem* begin, TriangleItem* middle, TriangleItem* end, int axis);

// Kernels::make_items computes the following for eight triangles at once.

/// The box around a triangle in the unit ball.
GridBox grid_box(const Vec3& a, const Vec3& b, const Vec3& c);

/// The sorting point of a triangle: twice the midpoint of its longest edge. The two triangles of a
/// quadrilateral share it, so that no split separates them.
Vec3 sorting_point(const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace touche::bvh
