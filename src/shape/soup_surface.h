// SPDX-License-Identifier: Apache-2.0
// Finds the feature (corner, edge or face) of a soup's surface that is nearest in a given
// direction, and whether the surface protrudes there.
#pragma once

#include <optional>

#include "bvh/object_data.h"
#include "geometry/surface_features.h"
#include "query/relative.h"

namespace touche::shape {

/// A sine: by how much a direction may deviate, because of rounding, from the directions in which a
/// feature is nearest.
inline constexpr double kLeanOfRounding = 1e-5;

/// The surface of an object, which must outlive it.
class SoupSurface {
 public:
  explicit SoupSurface(const Object& object)
      : soup_(object.soup()), features_(bvh::features_of(object)) {}

  [[nodiscard]] const PolygonSoup& soup() const { return soup_; }
  [[nodiscard]] const geometry::SurfaceFeatures& features() const { return features_; }
  /// The vertex that represents all vertices at the position of corner k.
  [[nodiscard]] Index merged(Index triangle, int k) const {
    return features_.merged(soup_.triangle(triangle)[static_cast<std::size_t>(k)]);
  }
  [[nodiscard]] bool is_sharp(Index vertex) const {
    return features_.vertex_bend(vertex).angle > geometry::SurfaceFeatures::kFlat;
  }
  [[nodiscard]] bool is_sharp_edge(Index edge) const {
    return edge != kNone && features_.edge(edge).bend.angle > geometry::SurfaceFeatures::kFlat;
  }
  /// Whether no neighbour rises along the direction by more than `most`, a sine.
  [[nodiscard]] bool leans_little(Index vertex, const Vec3& towards, double most) const;
  [[nodiscard]] bool leans_little(const geometry::SurfaceFeatures::Edge& edge, const Vec3& towards,
                                  double most) const;
  /// Whether it is sharp and leans_little().
  [[nodiscard]] bool counts(Index vertex, const Vec3& towards, double most) const {
    return is_sharp(vertex) && leans_little(vertex, towards, most);
  }
  [[nodiscard]] bool counts_edge(Index edge, const Vec3& towards, double most) const {
    return is_sharp_edge(edge) && leans_little(features_.edge(edge), towards, most);
  }
  [[nodiscard]] Feature name_of_edge(Index triangle, Index edge) const {
    if (edge == kNone) return {FeatureKind::face, soup_.face_of_triangle(triangle)};
    return features_.edge(edge).name;
  }

  /// Whether x, a point of the triangle, lies on its border, up to 1e-7 of its size.
  [[nodiscard]] bool is_on_border(Index triangle, const Triangle& corners, const Vec3& x) const;
  /// Whether x lies on the border and the surface ends or bends there.
  [[nodiscard]] bool is_on_sharp_border(Index triangle, const Triangle& corners,
                                        const Vec3& x) const;
  /// The feature of the triangle on which x, a point of it, lies. Empty if the surface around x is
  /// nearer in the direction `towards`.
  [[nodiscard]] std::optional<Feature> feature_at(Index triangle, const Triangle& corners,
                                                  const Vec3& x, const Vec3& towards) const;

 private:
  [[nodiscard]] bool is_on_edge(Index triangle, const Triangle& corners, int k, const Vec3& x,
                                double near) const;

  const PolygonSoup& soup_;
  const geometry::SurfaceFeatures& features_;
};

}  // namespace touche::shape
