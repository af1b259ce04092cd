// SPDX-License-Identifier: Apache-2.0
// Reverses triangles of a soup so that neighbours have the same orientation, as winding numbers
// need it.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "geometry/triangle_pair.h"
#include "touche/soup.h"

namespace touche::paths {

/// Vertex numbers of the triangles of a soup, each of them in its own or in reversed order.
using Triangles = std::span<const std::array<Index, 3>>;

inline Triangle triangle_at(const PolygonSoup& soup, const std::array<Index, 3>& triangle) {
  return {soup.vertex(triangle[0]), soup.vertex(triangle[1]), soup.vertex(triangle[2])};
}

/// An edge from one vertex to another, each given by the first vertex at its position.
struct DirectedEdge {
  Index from, to;
  bool operator<(const DirectedEdge& o) const { return from != o.from ? from < o.from : to < o.to; }
};

/// The directed edges of triangles that are not cancelled by an opposite edge.
struct Boundary {
  /// Edges that are traversed more often in this direction than in the other, listed once for each
  /// time more.
  std::vector<DirectedEdge> edges;
  /// Whether each edge is left over as few times as possible: once if the number of its triangles
  /// is odd, else not at all.
  bool consistent = true;
  bool may_be_two_sided = false;  ///< some edge has three or more triangles: see inside_fault()
};

/// Two triangles that share an edge with no third one are neighbours; vertices at the same position
/// count as one. A piece is a set of triangles connected by neighbours.
struct Oriented {
  /// All triangles, consistently oriented in each piece; empty if the soup already is. A piece that
  /// cannot be oriented is left as it was.
  std::vector<std::array<Index, 3>> turned;
  Boundary boundary;      ///< of these triangles
  bool in_doubt = false;  ///< solids and cavities cannot be distinguished: see ShellSides

  Triangles triangles(const PolygonSoup& soup) const {
    return turned.empty() ? soup.triangles() : turned;
  }
};

/// Pieces that are consistently oriented are kept, even if inside out. Other pieces get the
/// orientation of at least three quarters of their area, or else the one that gives their volume
/// the sign of the others' volume. Closed surfaces are reversed if they would cancel the winding
/// number of another one and are no cavities of it: see sides_of().
Oriented oriented(const PolygonSoup& soup);
/// `merged`: the result of merge_equal_positions().
Oriented oriented(const PolygonSoup& soup, const std::vector<Index>& merged);

}  // namespace touche::paths
