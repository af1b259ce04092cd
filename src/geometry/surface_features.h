// SPDX-License-Identifier: Apache-2.0
// The vertices and edges of the surface of a soup, with their neighbourhoods, which decide whether
// a feature can be locally closest to something. Vertices of equal position are merged, edges know
// all of their triangles, and holes, duplicates and edges of many faces need no special handling.
#pragma once

#include <span>
#include <vector>

#include "touche/soup.h"

namespace touche::geometry {

class SurfaceFeatures {
 public:
  explicit SurfaceFeatures(const PolygonSoup& soup);

  /// A triangle at an edge, given by its third corner.
  struct Wing {
    Index vertex;
    double height;  ///< distance of that corner from the edge's line
  };
  /// How far a feature protrudes from the surface around it.
  struct Bend {
    double angle = 0;   ///< radians between its triangles; π if there are not two of them
    double height = 0;  ///< approximate shift of the surface if it were removed, a length
  };
  struct Edge {
    Index from, to;  ///< merged vertices, from < to
    Index wings_begin, wings_end;
    Feature name;  ///< the first half-edge along it; the face, for a cut through a face
    Bend bend;
  };
  /// The features that a triangle owns: each edge and vertex is owned by one triangle. Bits 0–2
  /// stand for vertex k, or edge k from vertex k to k + 1.
  struct Share {
    Index edge[3];                             ///< kNone for an edge of length zero
    std::uint8_t vertices, edges;              ///< owned by this triangle
    std::uint8_t sharp_vertices, sharp_edges;  ///< owned and not flat
  };

  /// The maximum over its edges.
  [[nodiscard]] const Bend& vertex_bend(Index v) const { return vertex_bends_[v]; }
  [[nodiscard]] const Share& share(Index triangle) const { return shares_[triangle]; }
  [[nodiscard]] std::span<const Edge> edges() const { return edges_; }
  [[nodiscard]] const Edge& edge(Index e) const { return edges_[e]; }
  [[nodiscard]] std::span<const Wing> wings(const Edge& e) const {
    return std::span(wings_).subspan(e.wings_begin, e.wings_end - e.wings_begin);
  }
  /// The first vertex at the position of v.
  [[nodiscard]] Index merged(Index v) const { return merged_[v]; }
  /// The other ends of the edges at a merged vertex.
  [[nodiscard]] std::span<const Index> ring(Index v) const {
    return std::span(ring_).subspan(ring_begins_[v], ring_begins_[v + 1] - ring_begins_[v]);
  }
  /// An edge is flat if exactly two triangles meet at it and are coplanar up to this angle, in
  /// radians.
  static constexpr double kFlat = 1e-6;

 private:
  void find_edges(const PolygonSoup& soup);
  void find_rings(const PolygonSoup& soup);
  void divide(const PolygonSoup& soup);
  [[nodiscard]] Bend bend(const PolygonSoup& soup, const Edge& e) const;

  std::vector<Index> merged_;
  std::vector<Edge> edges_;
  std::vector<Wing> wings_;
  std::vector<Index> ring_begins_, ring_;
  std::vector<Bend> vertex_bends_;
  std::vector<Share> shares_;
};

}  // namespace touche::geometry
