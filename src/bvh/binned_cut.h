// SPDX-License-Identifier: Apache-2.0
// Where to part a set of triangles in two, so that the boxes around the parts are small.
#pragma once

#include <cstddef>
#include <optional>

#include "bvh/triangle_item.h"

namespace touche {

/// Across an axis, so many items before it; their places' border lies in [low, high] or near.
struct Cut {
  int axis;
  std::size_t items;
  float low, high;
};

/// The cut of least surface area of the parts' boxes times their items (Wald 2007: places in bins),
/// of those that leave a multiple of `step` items, less than all, before it. None where all places
/// are nearly the same.
std::optional<Cut> binned_cut(const TriangleItem* begin, const TriangleItem* end, std::size_t step);

}  // namespace touche
