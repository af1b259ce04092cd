// SPDX-License-Identifier: Apache-2.0
// Which pairs of features of two triangles are locally closest within a margin: the conditions of
// near_features, for one pair of triangles and the features that these own.
#pragma once

#include <compare>

#include "geometry/surface_features.h"
#include "query/relative.h"

namespace touche {

/// A pair of features, in a's frame.
struct FeatureHit {
  Feature feature_a, feature_b;
  Index triangle_a, triangle_b;
  Vec3 point_a, point_b, normal;
  double distance;
};

class FeaturePairs {
 public:
  FeaturePairs(const Object& a, const Object& b, const RelativePose& pose, double margin,
               double turn, std::vector<FeatureHit>& hits);

  /// Adds the pairs that two triangles own. `may_pierce`: false when these are known to be apart.
  void add(Index triangle_a, Index triangle_b, bool may_pierce);

 private:
  /// One of the two objects, in its own coordinates, and how directions get there.
  struct Side {
    const PolygonSoup& soup;
    const SurfaceFeatures& features;
    const Mat3& rotation;
    bool turned, is_a;

    Vec3 direction(const Vec3& n) const { return turned ? Vec3(rotation.transpose() * n) : n; }
  };
  /// A triangle with what it owns.
  struct Owner {
    const Side& side;
    Index triangle;
    const SurfaceFeatures::Share& share;
    const Triangle& at;  // a's frame
    Vec3 cross;          // of two edges
    double cross2, edge2[3];
    bool thin;  // the cross product is uncertain

    Owner(const Side& s, Index t, const Triangle& corners);
    Vec3 edge(int k) const { return at[(k + 1) % 3] - at[k]; }
    Index vertex(int k) const { return side.features.merged(side.soup.triangle(triangle)[k]); }
    const SurfaceFeatures::Edge& edge_of(int k) const { return side.features.edge(share.edge[k]); }
  };

  void add_vertex(const Owner& p, int k, const Owner& q);
  void vertex_face(const Owner& p, int k, const Owner& q, const Vec3& unit, double height);
  void vertex_edge(const Owner& p, int k, const Owner& q, int j);
  void vertex_vertex(const Owner& p, int k, const Owner& q, int j);
  void edge_edge(const Owner& a, int i, const Owner& b, int j);
  void pierce(const Owner& p, int k, const Owner& q);

  bool nearest_on_edge(const Owner& q, int j, const Vec3& offset) const;
  bool nearest_at_vertex(const Side& side, Index v, const Vec3& offset) const;
  bool vertex_leans_little(const Side& side, Index v, const Vec3& towards) const;
  bool edge_leans_little(const Side& side, const SurfaceFeatures::Edge& e,
                         const Vec3& towards) const;
  Vec3 chosen_normal(const Owner& p, const Vec3& n, bool forward, bool backward) const;
  struct Cone;
  void add_ring(const Side& side, Index v, Cone& cone) const;
  void add_wings(const Owner& q, int j, Cone& cone) const;
  bool touching_normal(const Owner& p, const Cone& cone, Vec3& towards) const;
  void emit(const Owner& p, Feature of_p, const Vec3& at_p, const Owner& q, Feature of_q,
            const Vec3& at_q, const Vec3& towards, double distance);

  const RelativePose& pose_;
  const Side a_, b_;
  double margin_, lean_;
  double rounding_;  // of a coordinate in a's frame, by far not exceeded
  std::vector<FeatureHit>& hits_;
};

}  // namespace touche
