// SPDX-License-Identifier: Apache-2.0
// The vertices and edges of the surface that a soup stands for, with what lies around each: what
// decides whether a feature can be locally closest to something. Vertices of equal position are
// one, edges know all of their triangles, and holes, duplicates and edges of many faces are no
// special cases.
#pragma once

#include <span>
#include <vector>

#include "touche/soup.h"

namespace touche {

class SurfaceFeatures {
 public:
  explicit SurfaceFeatures(const PolygonSoup& soup);

  /// A triangle at an edge, by its third corner.
  struct Wing {
    Index vertex;
    double height;  ///< of that corner over the edge, its distance from the edge's line
  };
  /// How far a feature sticks out of the surface around it.
  struct Bend {
    double angle = 0;   ///< radians between its triangles; π where there are not two of them
    double height = 0;  ///< by about which the surface would move without the feature, a length
  };
  struct Edge {
    Index from, to;  ///< merged vertices, from < to
    Index wings_begin, wings_end;
    Feature name;  ///< the first half-edge along it; the face, for a cut through a face
    Bend bend;
  };
  /// One triangle's share of the features: each edge and vertex has one triangle that owns it. Bits
  /// 0–2 stand for vertex k, or edge k from vertex k to k + 1.
  struct Share {
    Index edge[3];                             ///< kNone for an edge of no length
    std::uint8_t vertices, edges;              ///< owned by this triangle
    std::uint8_t sharp_vertices, sharp_edges;  ///< owned and not flat
  };

  /// The most of its edges.
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
  /// An edge is flat when two triangles meet at it in one plane up to this angle, in radians.
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

}  // namespace touche
