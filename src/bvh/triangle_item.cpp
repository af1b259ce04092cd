// SPDX-License-Identifier: Apache-2.0
#include "bvh/triangle_item.h"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace touche::bvh {

namespace {

// Moves items with keys below the pivot to the front.
TriangleItem* part(TriangleItem* begin, TriangleItem* end, int axis, std::uint64_t pivot) {
  return part(begin, end, [=](const TriangleItem& item) { return item.key(axis) < pivot; });
}

}  // namespace

void select(TriangleItem* begin, TriangleItem* middle, TriangleItem* end, int axis, float low,
            float high) {
  for (const float value : {low, high}) {
    TriangleItem* border =
        part(begin, end, [=](const TriangleItem& item) { return item.point[axis] < value; });
    (middle < border ? end : begin) = border;
  }
  select(begin, middle, end, axis);
}

// Quickselect.
void select(TriangleItem* begin, TriangleItem* middle, TriangleItem* end, int axis) {
  const auto less = [axis](const TriangleItem& x, const TriangleItem& y) {
    return x.key(axis) < y.key(axis);
  };
  for (auto rounds = 2 * std::bit_width(static_cast<std::size_t>(end - begin)); end - begin > 2;) {
    if (rounds-- == 0) return std::nth_element(begin, middle, end, less);  // bad pivots
    const std::uint64_t a = begin->key(axis), b = begin[(end - begin) / 2].key(axis),
                        c = end[-1].key(axis);
    // At least one of the three is less than the pivot, and one is not: both parts are smaller.
    TriangleItem* border =
        part(begin, end, axis, std::max(std::min(a, b), std::min(std::max(a, b), c)));
    (middle < border ? end : begin) = border;
  }
  if (end - begin == 2 && less(begin[1], begin[0])) std::swap(begin[0], begin[1]);
}

GridBox grid_box(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 lo = a.cwiseMin(b).cwiseMin(c), hi = a.cwiseMax(b).cwiseMax(c);
  const auto on_grid = [](double x) { return static_cast<std::int16_t>(32767 * x); };
  GridBox box{};
  for (int k = 0; k < 3; ++k) {
    box.bound[k] = on_grid(-lo[k]);
    box.bound[k + 4] = on_grid(hi[k]);
  }
  const auto width = [&](int k) { return box.bound[k] + box.bound[k + 4]; };
  const int size = std::bit_width(static_cast<unsigned>(std::max({width(0), width(1), width(2)})));
  box.bound[kLargest] = static_cast<std::int16_t>(size);
  box.bound[kSmallest] = static_cast<std::int16_t>(-size);
  return box;
}

Vec3 sorting_point(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double ab = (b - a).squaredNorm(), bc = (c - b).squaredNorm(), ca = (a - c).squaredNorm();
  if (ab >= bc && ab >= ca) return a + b;
  return bc >= ca ? Vec3(b + c) : Vec3(c + a);
}

}  // namespace touche::bvh
