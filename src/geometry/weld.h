// SPDX-License-Identifier: Apache-2.0
// Joins vertices at open edges, see weld() in touche/soup.h.
#pragma once

#include <span>
#include <vector>

#include "touche/soup.h"

namespace touche::geometry {

/// Shorter lengths than this share of the largest coordinate are rounding of the coordinates.
inline constexpr double kLeastShare = 0x1p-52;

/// Faces by their corners, which are vertex numbers.
struct FaceList {
  std::span<const Index> corners;
  std::vector<Index> begins;  ///< first corner of each face and the end; empty: all triangles
  std::vector<Index> nexts;   ///< for each corner the next one of its face; empty: all triangles

  std::size_t size() const { return begins.empty() ? corners.size() / 3 : begins.size() - 1; }
  std::span<const Index> operator[](std::size_t face) const {
    const std::size_t begin = begins.empty() ? 3 * face : begins[face];
    const std::size_t end = begins.empty() ? begin + 3 : begins[face + 1];
    return corners.subspan(begin, end - begin);
  }
  Index next(Index corner) const {
    if (!nexts.empty()) return nexts[corner];
    return corner % 3 == 2 ? corner - 2 : corner + 1;
  }
};

/// `sizes`: as for the constructor of PolygonSoup. The corners must stay.
FaceList face_list(std::span<const Index> corners, std::span<const Index> sizes);

/// Vertices that are no farther apart than this share of the diagonal of the box around all are
/// joined without anybody noticing.
inline constexpr double kUnnoticed = 0x1p-30;

enum class JoinedEdges : std::uint8_t {
  all,
  /// Not edges of faces that lie on each other, as far apart as the edges or a few times that: two
  /// sheets side by side stay two. Unless the vertices are not noticeably apart.
  of_one_surface,
};

/// Moves vertices as touche::weld() does. Throws InvalidInput for such a length.
WeldResult weld(std::vector<Vec3>& vertices, const FaceList& faces, double length,
                JoinedEdges which = JoinedEdges::all);

}  // namespace touche::geometry
