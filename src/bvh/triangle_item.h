// SPDX-License-Identifier: Apache-2.0
// A triangle and its place: what the builder puts in order.
#pragma once

#include <bit>
#include <cstdint>

#include "touche/types.h"

namespace touche {

struct TriangleItem {
  float place[3];
  Index triangle;

  // Orders by place along an axis, then by number, so that no two are equal.
  std::uint64_t key(int axis) const {
    const auto bits = std::bit_cast<std::uint32_t>(place[axis]);
    const std::uint32_t ascending = bits ^ ((bits >> 31) != 0 ? 0xffffffffu : 0x80000000u);
    return std::uint64_t{ascending} << 32 | triangle;
  }
};

/// Puts the item that belongs at `middle` there, lesser ones before it.
void select(TriangleItem* begin, TriangleItem* middle, TriangleItem* end, int axis);

/// Where a triangle counts as being: twice the midpoint of its longest edge. The two triangles of a
/// quadrilateral share it, so that no split parts them.
Vec3 place_of(const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace touche
