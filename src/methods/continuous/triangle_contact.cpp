// SPDX-License-Identifier: Apache-2.0
#include "methods/continuous/triangle_contact.h"

namespace touche::continuous {

void TriangleTests::vertex_of_a(Index triangle_a, int vertex, Index triangle_b) {
  ++stats_.primitive_tests;
  const VertexFace pair(query::triangle_of(a_, triangle_a)[vertex], false,
                        query::triangle_of(b_, triangle_b));
  if (!pair.defined()) return;
  if (const auto t = vertex_face_(pair, first_.t))
    first_ = {*t, triangle_a, triangle_b, FeatureKind::vertex, FeatureKind::face, vertex, 0};
}

void TriangleTests::vertex_of_b(Index triangle_a, Index triangle_b, int vertex) {
  ++stats_.primitive_tests;
  const VertexFace pair(query::triangle_of(b_, triangle_b)[vertex], true,
                        query::triangle_of(a_, triangle_a));
  if (!pair.defined()) return;
  if (const auto t = vertex_face_(pair, first_.t))
    first_ = {*t, triangle_a, triangle_b, FeatureKind::face, FeatureKind::vertex, 0, vertex};
}

void TriangleTests::edges(Index triangle_a, int edge_a, Index triangle_b, int edge_b) {
  ++stats_.primitive_tests;
  const Triangle a = query::triangle_of(a_, triangle_a), b = query::triangle_of(b_, triangle_b);
  const EdgeEdge pair(a[edge_a], a[(edge_a + 1) % 3], b[edge_b], b[(edge_b + 1) % 3]);
  if (const auto t = edge_edge_(pair, first_.t))
    first_ = {*t, triangle_a, triangle_b, FeatureKind::edge, FeatureKind::edge, edge_a, edge_b};
}

void TriangleTests::test(Index triangle_a, Index triangle_b) {
  for (int k = 0; k < 3; ++k) {
    vertex_of_a(triangle_a, k, triangle_b);
    vertex_of_b(triangle_a, triangle_b, k);
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) edges(triangle_a, i, triangle_b, j);
}

void TriangleTests::test_edge_of_a(Index triangle_a, int edge, Index triangle_b) {
  vertex_of_a(triangle_a, edge, triangle_b);
  vertex_of_a(triangle_a, (edge + 1) % 3, triangle_b);
  for (int j = 0; j < 3; ++j) edges(triangle_a, edge, triangle_b, j);
}

void TriangleTests::test_edge_of_b(Index triangle_a, Index triangle_b, int edge) {
  vertex_of_b(triangle_a, triangle_b, edge);
  vertex_of_b(triangle_a, triangle_b, (edge + 1) % 3);
  for (int i = 0; i < 3; ++i) edges(triangle_a, i, triangle_b, edge);
}

}  // namespace touche::continuous
