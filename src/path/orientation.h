// SPDX-License-Identifier: Apache-2.0
// Turns triangles of a soup so that neighbours run the same way round, as windings need it.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "geometry/triangle_pair.h"
#include "touche/soup.h"

namespace touche {

/// Vertex numbers of the triangles of a soup, each of them either way round.
using Triangles = std::span<const std::array<Index, 3>>;

inline Triangle triangle_at(const PolygonSoup& soup, const std::array<Index, 3>& triangle) {
  return {soup.vertex(triangle[0]), soup.vertex(triangle[1]), soup.vertex(triangle[2])};
}

/// From one vertex to another, by the first vertices at their positions.
struct DirectedEdge {
  Index from, to;
  bool operator<(const DirectedEdge& o) const { return from != o.from ? from < o.from : to < o.to; }
};

/// Holds what is left over of the edges of triangles, as these run through them.
struct Boundary {
  /// Those that are run through more often this way than the other, once for each time.
  std::vector<DirectedEdge> edges;
  /// No more is left over of each edge than must be: one time where its triangles are odd in
  /// number, else nothing.
  bool consistent = true;
  bool may_be_two_sided = false;  ///< some edge has so many triangles: see inside_fault()
};

/// Triangles that share an edge which no third one has are neighbours; vertices at the same
/// position are one. Triangles that hang together by neighbours are a piece.
struct Oriented {
  /// All triangles, those of a piece alike; empty where they are so in the soup. A piece for which
  /// that cannot be is as it was.
  std::vector<std::array<Index, 3>> turned;
  Boundary boundary;      ///< of these triangles
  bool in_doubt = false;  ///< solids and cavities cannot be told apart: see ShellSides

  Triangles triangles(const PolygonSoup& soup) const {
    return turned.empty() ? soup.triangles() : turned;
  }
};

/// Pieces whose triangles are alike stay as they are, be they inside out. Others get the way round
/// that most of their area has if that is three quarters of it or more, and else the one that makes
/// their volume count like that of others. Closed surfaces are turned where they would undo what
/// another one encloses and are no cavities of it: see sides_of().
Oriented oriented(const PolygonSoup& soup);
/// With what merge_equal_positions() says.
Oriented oriented(const PolygonSoup& soup, const std::vector<Index>& merged);

}  // namespace touche
