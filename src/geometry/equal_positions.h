// SPDX-License-Identifier: Apache-2.0
// Merges vertices at the same position.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "touche/types.h"

namespace touche::geometry {

/// For each vertex, the first vertex at its position.
inline std::vector<Index> merge_equal_positions(std::span<const Vec3> vertices) {
  std::vector<Index> order(vertices.size()), merged(vertices.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index i, Index j) {
    const Vec3 &a = vertices[i], &b = vertices[j];
    if (a.x() != b.x()) return a.x() < b.x();
    if (a.y() != b.y()) return a.y() < b.y();
    if (a.z() != b.z()) return a.z() < b.z();
    return i < j;
  });
  for (std::size_t k = 0; k < order.size(); ++k)
    merged[order[k]] =
        k > 0 && vertices[order[k]] == vertices[order[k - 1]] ? merged[order[k - 1]] : order[k];
  return merged;
}

}  // namespace touche::geometry
