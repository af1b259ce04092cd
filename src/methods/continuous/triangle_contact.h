// SPDX-License-Identifier: Apache-2.0
// The earliest contact of two triangles: six vertices with faces and nine pairs of edges.
#pragma once

#include "methods/continuous/roots.h"

namespace touche::continuous {

/// Features of a triangle each.
struct TriangleContact {
  double t = kInfinity;
  Index triangle_a = kNone, triangle_b = kNone;
  FeatureKind kind_a = FeatureKind::face, kind_b = FeatureKind::face;
  int local_a = 0, local_b = 0;
};

class TriangleTests {
 public:
  TriangleTests(const PolygonSoup& a, const PolygonSoup& b, const Instants& instants,
                const ContinuousOptions& options, QueryStats& stats)
      : a_(a),
        b_(b),
        vertex_face_(instants, options),
        edge_edge_(instants, options),
        stats_(stats) {}

  /// All of a pair of triangles.
  void test(Index triangle_a, Index triangle_b);
  /// The tests for an edge of one triangle that pierces the other (thesis Fig. 5.24): its two
  /// vertices with the face, and the edge with the face's three edges.
  void test_edge_of_a(Index triangle_a, int edge, Index triangle_b);
  void test_edge_of_b(Index triangle_a, Index triangle_b, int edge);

  /// The earliest so far.
  const TriangleContact& first() const { return first_; }

 private:
  void vertex_of_a(Index triangle_a, int vertex, Index triangle_b);
  void vertex_of_b(Index triangle_a, Index triangle_b, int vertex);
  void edges(Index triangle_a, int edge_a, Index triangle_b, int edge_b);

  const PolygonSoup& a_;
  const PolygonSoup& b_;
  FirstRoot<VertexFace> vertex_face_;
  FirstRoot<EdgeEdge> edge_edge_;
  QueryStats& stats_;
  TriangleContact first_;
};

}  // namespace touche::continuous
