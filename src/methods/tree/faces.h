// SPDX-License-Identifier: Apache-2.0
// The faces a tree is made of: a soup's triangles, with their middles.
#pragma once

#include <vector>

#include "geometry/triangle_pair.h"
#include "touche/soup.h"

namespace touche::tree {

class Faces {
 public:
  explicit Faces(const PolygonSoup& soup) : soup_(soup) {
    middles_.reserve(soup.triangle_count());
    for (const auto& [a, b, c] : soup.triangles())
      middles_.emplace_back((soup.vertex(a) + soup.vertex(b) + soup.vertex(c)) / 3);
  }

  Index size() const { return soup_.triangle_count(); }
  Triangle corners(Index face) const {
    const auto& [a, b, c] = soup_.triangle(face);
    return {soup_.vertex(a), soup_.vertex(b), soup_.vertex(c)};
  }
  /// The mean of the corners (thesis §3.7.3).
  const Vec3& middle(Index face) const { return middles_[face]; }

  /// The corners of these faces, three each.
  void gather(std::span<const Index> faces, std::vector<Vec3>& points) const {
    points.clear();
    points.reserve(3 * faces.size());
    for (const Index face : faces)
      for (const Index v : soup_.triangle(face)) points.push_back(soup_.vertex(v));
  }
  std::vector<Triangle> gather(std::span<const Index> faces) const {
    std::vector<Triangle> triangles;
    triangles.reserve(faces.size());
    for (const Index face : faces) triangles.push_back(corners(face));
    return triangles;
  }

 private:
  const PolygonSoup& soup_;
  std::vector<Vec3> middles_;
};

}  // namespace touche::tree
