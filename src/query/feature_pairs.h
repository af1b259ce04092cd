// SPDX-License-Identifier: Apache-2.0
// Finds the pairs of features of two triangles that are locally closest within a margin. Implements
// the conditions of near_features for one pair of triangles and the features that they own.
#pragma once

#include <compare>

#include "geometry/surface_features.h"
#include "query/relative.h"

namespace touche::query {

class TouchingCone;

/// A pair of features, in a's frame.
struct FeatureHit {
  Feature feature_a, feature_b;
  Index triangle_a, triangle_b;
  Vec3 point_a, point_b, normal;
  double distance;
};

/// A triangle with the features it owns, prepared in a's frame, at a scale where products neither
/// overflow nor underflow.
struct FeatureOwner {
  Index triangle;
  bool is_a;
  bool thin;  ///< then the normal is uncertain
  geometry::SurfaceFeatures::Share share;
  Triangle at;
  Vec3 normal;   // unit length
  Vec3 edge[3];  // from corner to corner
  double length2[3];
};

/// A cache of prepared triangles, indexed by triangle number modulo kCount.
struct FeatureOwners {
  static constexpr std::size_t kCount = 256;
  std::uint64_t query = 0;                 // number of the query; replaces clearing
  std::uint64_t prepared[2][kCount] = {};  // the query, then the triangle, in half of the bits each
  FeatureOwner owner[2][kCount];
};

class FeaturePairs {
 public:
  FeaturePairs(const Object& a, const Object& b, const RelativePose& pose, double margin,
               double turn, FeatureOwners& owners, std::vector<FeatureHit>& hits);

  /// Adds the pairs of features that two triangles own, out of the pairs in `features`: bits of
  /// Kernels::near_features.
  void add(Index triangle_a, Index triangle_b, std::int32_t features);
  static constexpr std::int32_t kAll = 0xffff;

 private:
  using Owner = FeatureOwner;
  /// One of the two objects, in its own coordinates, with the rotation to and from a's frame.
  struct Body {
    const PolygonSoup& soup;
    const geometry::SurfaceFeatures& features;
    const Mat3& rotation;
    bool turned;

    Vec3 to_local(const Vec3& n) const { return turned ? Vec3(rotation.transpose() * n) : n; }
    Vec3 from_local(const Vec3& n) const { return turned ? Vec3(rotation * n) : n; }
  };
  const Body& body(const Owner& p) const { return p.is_a ? a_ : b_; }
  Index vertex(const Owner& p, int k) const {
    return body(p).features.merged(body(p).soup.triangle(p.triangle)[static_cast<std::size_t>(k)]);
  }
  const geometry::SurfaceFeatures::Edge& edge(const Owner& p, int k) const {
    return body(p).features.edge(p.share.edge[k]);
  }
  Feature face(const Owner& p) const {
    return {FeatureKind::face, body(p).soup.face_of_triangle(p.triangle)};
  }

  const Owner& owner(bool is_a, Index triangle);
  void prepare(bool is_a, Index triangle, Owner& p) const;
  double inward(const Owner& q, int j, const Vec3& x) const;
  bool within(const Owner& q, int j, double inward) const;
  double allowed_lean(const geometry::SurfaceFeatures::Bend& bend) const;

  void add_vertex(const Owner& p, int k, const Owner& q);
  void vertex_face(const Owner& p, int k, const Owner& q, const Vec3& unit, double height);
  void vertex_edge(const Owner& p, int k, const Owner& q, int j);
  void vertex_vertex(const Owner& a, int i, const Owner& b, int j);
  void edge_edge(const Owner& a, int i, const Owner& b, int j);
  void pierce(const Owner& p, int k, const Owner& q);

  bool nearest_on_edge(const Owner& q, int j, const Vec3& offset) const;
  bool nearest_at_vertex(const Owner& q, int j, const Vec3& offset) const;
  bool vertex_leans_little(const Owner& p, int k, const Vec3& towards) const;
  bool edge_leans_little(const Owner& p, int k, const Vec3& towards) const;
  void add_ring(const Owner& p, int k, double sign, TouchingCone& cone) const;
  void add_wings(const Owner& q, int j, TouchingCone& cone) const;
  void emit(const Owner& p, Feature of_p, const Vec3& at_p, const Owner& q, Feature of_q,
            const Vec3& at_q, const Vec3& towards, double distance);

  const RelativePose& pose_;
  const Body a_, b_;
  double small_;  // features with no larger bend (in the object's own unit) are small
  double lean_;
  double scale_;  // of all lengths below and of prepared triangles: a power of two
  double margin_;
  double rounding_;  // generous bound of the error of a coordinate in a's frame
  FeatureOwners& owners_;
  std::vector<FeatureHit>& hits_;
};

}  // namespace touche::query
