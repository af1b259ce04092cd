// SPDX-License-Identifier: Apache-2.0
// The static test of two trees at a relative pose.
#pragma once

#include "math/rounding.h"
#include "methods/bounds/pair_test.h"
#include "methods/tree/traverse.h"
#include "query/relative.h"

namespace touche::tree {

/// Where b lies, with slack for the rounding of its vertices, which RelativePose defines: no more
/// than 28 u of the sum of magnitudes per component, together below 64 u.
inline bounds::PoseMatrix pose_matrix_of(const PolygonSoup& b, const query::RelativePose& pose) {
  bounds::PoseMatrix matrix;
  matrix.rotation = pose.rotation;
  matrix.translation = pose.translation;
  const Vec3 size = b.bounds().lo.cwiseAbs().cwiseMax(b.bounds().hi.cwiseAbs());
  matrix.slack = 64 * math::kUnitRoundoff * (size.lpNorm<1>() + matrix.translation.lpNorm<1>());
  return matrix;
}

/// A tree with the soup it was made of: one of the two bodies in a test.
template <bounds::BoundingVolume V>
struct TreeOfSoup {
  const TypedTree<V>& tree;
  const PolygonSoup& soup;
};

/// Calls `found(triangle of a, triangle of b)` for each pair that intersects, once or more often,
/// until it returns false. False when the budget ended first.
template <bounds::BoundingVolume V, typename Found>
bool for_intersecting(const TreeOfSoup<V>& a, const TreeOfSoup<V>& b,
                      const query::RelativePose& pose, const TraversalOptions& options,
                      TreeStats& stats, Found&& found) {
  const bounds::PairTest<V> overlap(pose_matrix_of(b.soup, pose));
  const auto nodes_a = a.tree.nodes(), nodes_b = b.tree.nodes();
  return traverse<V>(
      nodes_a, nodes_b, options, stats,
      [&](Index i, Index j) { return overlap(nodes_a[i].volume, nodes_b[j].volume); },
      [&](const Node& node_a, const Node& node_b) {
        for (Index j = node_b.begin; j < node_b.end; ++j) {
          const Index face_b = b.tree.order()[j];
          const Triangle at_b = query::triangle_of(b.soup, face_b, pose);
          for (Index i = node_a.begin; i < node_a.end; ++i) {
            const Index face_a = a.tree.order()[i];
            ++stats.primitive_tests;
            if (geometry::triangles_intersect(query::triangle_of(a.soup, face_a), at_b,
                                              &stats.exact_tests) &&
                !found(face_a, face_b))
              return false;
          }
        }
        return true;
      });
}

template <bounds::BoundingVolume V>
TreeResult TypedTree<V>::intersects(const PolygonSoup& soup, const AnyTree& b,
                                    const PolygonSoup& soup_b, const query::RelativePose& pose,
                                    const TraversalOptions& options) const {
  TreeResult result;
  result.complete = for_intersecting<V>(
      {*this, soup}, {static_cast<const TypedTree&>(b), soup_b}, pose, options, result.stats,
      [&](Index face_a, Index face_b) {
        result.pairs.push_back({soup.face_of_triangle(face_a), soup_b.face_of_triangle(face_b)});
        return options.all_pairs;
      });
  result.intersects = !result.pairs.empty();
  std::sort(result.pairs.begin(), result.pairs.end());
  result.pairs.erase(std::unique(result.pairs.begin(), result.pairs.end()), result.pairs.end());
  return result;
}

}  // namespace touche::tree
