// SPDX-License-Identifier: Apache-2.0
// Groups half-edges that connect the same two vertices.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "touche/types.h"

namespace touche::geometry {

/// A half-edge of an undirected edge, identified by its corner.
struct EdgeUse {
  Index far;      ///< the larger vertex number of the edge
  Index corner;   ///< the half-edge's first corner
  bool backward;  ///< runs from the larger to the smaller vertex number
};

/// Calls `visit(std::span<const EdgeUse>)` once for each undirected edge, sorted by vertex numbers,
/// with its half-edges sorted by corner. `vertex(c)` and `next(c)` give a corner's vertex and the
/// next corner of its face. Half-edges from a vertex to itself are omitted.
///
/// Half-edges are distributed to one bucket per smaller vertex by a counting sort; buckets are
/// short and sorted separately. Takes four bytes per corner and per vertex.
template <typename Vertex, typename Next, typename Visit>
void for_each_edge(Index vertex_count, Index corner_count, const Vertex& vertex, const Next& next,
                   const Visit& visit) {
  // Count, then distribute; afterwards bucket v ends at begin[v].
  std::vector<Index> begin(static_cast<std::size_t>(vertex_count) + 1, 0);
  for (Index c = 0; c < corner_count; ++c) {
    const Index u = vertex(c), v = vertex(next(c));
    if (u != v) ++begin[std::min(u, v) + 1];
  }
  for (Index v = 0; v < vertex_count; ++v) begin[v + 1] += begin[v];
  std::vector<Index> corners(begin[vertex_count]);
  for (Index c = 0; c < corner_count; ++c) {
    const Index u = vertex(c), v = vertex(next(c));
    if (u != v) corners[begin[std::min(u, v)]++] = c;
  }

  std::vector<EdgeUse> bucket;
  Index first = 0;
  for (Index v = 0; v < vertex_count; ++v) {
    bucket.clear();
    for (; first < begin[v]; ++first) {
      const Index c = corners[first], from = vertex(c);
      bucket.push_back({from == v ? vertex(next(c)) : from, c, from != v});
    }
    std::sort(bucket.begin(), bucket.end(), [](const EdgeUse& a, const EdgeUse& b) {
      return a.far != b.far ? a.far < b.far : a.corner < b.corner;
    });
    for (std::size_t i = 0, j; i < bucket.size(); i = j) {
      for (j = i + 1; j < bucket.size() && bucket[j].far == bucket[i].far;) ++j;
      visit(std::span<const EdgeUse>(&bucket[i], j - i));
    }
  }
}

}  // namespace touche::geometry
