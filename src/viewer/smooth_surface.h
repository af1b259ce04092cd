// SPDX-License-Identifier: Apache-2.0
// A mesh as it is to be drawn: where its faces bend softly and where they meet at creases.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "touche/soup.h"

namespace touche::viewer {

/// Faces that meet at a larger angle than 30 degrees have a crease between them.
inline constexpr float kCreaseCosine = 0.8660254F;

/// Normals and neighbours of the triangles of a soup. Vertices at the same position count as one,
/// so that files that split them look like others.
class SmoothSurface {
 public:
  /// The soup must live as long as this.
  explicit SmoothSurface(const PolygonSoup& soup);

  /// The first vertex at the position of a corner of a triangle.
  [[nodiscard]] Index vertex(Index triangle, int corner) const {
    return merged_[soup_.triangle(triangle)[static_cast<std::size_t>(corner)]];
  }
  /// Unit length, or zero if the triangles have no area: the area-weighted mean of the triangles
  /// that meet this one at a small angle.
  [[nodiscard]] Eigen::Vector3f corner_normal(Index triangle, int corner) const;
  /// Whether the edge from a corner to the next one is a border, a crease, or one of more than two
  /// triangles; of the triangles that share it, only the first says so.
  [[nodiscard]] bool draws_edge(Index triangle, int corner) const;

 private:
  [[nodiscard]] std::span<const Index> around(Index vertex) const {
    return {triangles_.data() + begins_[vertex], begins_[vertex + 1] - begins_[vertex]};
  }

  const PolygonSoup& soup_;
  std::vector<Index> merged_;
  std::vector<Eigen::Vector3f> normals_;  // unit length or zero
  std::vector<float> areas_;
  std::vector<Index> begins_, triangles_;  // for each vertex, the triangles that have it as a
                                           // corner
};

}  // namespace touche::viewer
