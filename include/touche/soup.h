// SPDX-License-Identifier: Apache-2.0
// Polygon soups: planar convex faces with any number of corners, and half-edges where they exist.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "touche/names.h"
#include "touche/types.h"

namespace touche {

/// A part of an input face: a vertex, one of the half-edges, or the interior.
enum class FeatureKind : std::uint8_t { vertex, edge, face };
template <>
inline constexpr std::array<std::string_view, 3> kNames<FeatureKind> = {"vertex", "edge", "face"};

struct Feature {
  FeatureKind kind = FeatureKind::face;
  Index index = kNone;  ///< vertex, half-edge (= corner) or face number of the input
  friend bool operator==(const Feature&, const Feature&) = default;
};

/// The faces of one object as they were given. Only its vertices can be moved.
///
/// Corners are numbered through all faces; half-edge c runs from corner c to the next corner of
/// its face (thesis §9.3). Its twin is the half-edge that runs the other way, if the edge has
/// exactly one each way; an edge with no or several opposite edges has no twin.
///
/// The surface an object stands for is the union of its triangles: convex planar faces are fans,
/// concave or non-planar ones are triangulated by ear clipping; every triangle names its face.
class PolygonSoup {
 public:
  PolygonSoup() = default;

  /// `coordinates`: x y z per vertex. `corners`: vertex numbers of all faces, one after the other.
  /// `face_sizes`: corners per face, each >= 3; empty means all triangles.
  /// `face_groups` (empty, or one number per face) index `group_names`.
  /// Throws InvalidInput, naming the vertex or face: coordinates that are not finite or larger
  /// than 1e90, vertex numbers out of range, faces of fewer than three corners, no faces at all,
  /// more than 2^31 corners. Zero-area faces and duplicates are kept. Coordinates smaller than
  /// 1e-90 become 0, so that no exact test underflows.
  PolygonSoup(std::span<const double> coordinates, std::span<const Index> corners,
              std::span<const Index> face_sizes = {}, std::span<const Index> face_groups = {},
              std::vector<std::string> group_names = {});

  /// Puts the vertices elsewhere, x y z for each; faces, their triangles and everything else stay.
  /// Throws InvalidInput, before anything is changed, when there are not three numbers per vertex,
  /// and as the constructor does.
  void move_vertices(std::span<const double> coordinates);

  [[nodiscard]] Index vertex_count() const { return static_cast<Index>(vertices_.size()); }
  [[nodiscard]] Index face_count() const;
  [[nodiscard]] Index corner_count() const { return static_cast<Index>(corners_.size()); }
  [[nodiscard]] Index triangle_count() const { return static_cast<Index>(triangles_.size()); }

  [[nodiscard]] const Vec3& vertex(Index v) const { return vertices_[v]; }
  [[nodiscard]] std::span<const Vec3> vertices() const { return vertices_; }

  /// First corner of a face; face == face_count() is the end.
  [[nodiscard]] Index face_begin(Index face) const;
  [[nodiscard]] std::span<const Index> face(Index face) const;  ///< its vertex numbers
  [[nodiscard]] Index corner_vertex(Index corner) const { return corners_[corner]; }
  [[nodiscard]] Index face_of_corner(Index corner) const;
  [[nodiscard]] Index next_corner(Index corner) const;  ///< around its face
  /// kNone where there is none.
  [[nodiscard]] Index twin(Index corner) const { return twins_[corner]; }

  /// Vertex numbers of a triangle, in the orientation of its face.
  [[nodiscard]] const std::array<Index, 3>& triangle(Index t) const { return triangles_[t]; }
  [[nodiscard]] std::span<const std::array<Index, 3>> triangles() const { return triangles_; }
  [[nodiscard]] Index face_of_triangle(Index t) const {
    return triangle_faces_.empty() ? t : triangle_faces_[t];
  }
  /// The input feature that a triangle's feature belongs to: `kind` and `local` (0–2; edge k runs
  /// from corner k to corner k + 1). A diagonal of the triangulation belongs to the face.
  [[nodiscard]] Feature input_feature(Index triangle, FeatureKind kind, int local) const;

  /// Name of the group or material a face came with; empty when it had none.
  [[nodiscard]] std::string_view face_group(Index face) const;
  [[nodiscard]] std::span<const std::string> group_names() const { return group_names_; }

  [[nodiscard]] const Aabb& bounds() const { return bounds_; }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  void enclose();

  std::vector<Vec3> vertices_;
  std::vector<Index> corners_;
  std::vector<Index> face_begins_;  // empty when all faces are triangles
  std::vector<Index> twins_;
  std::vector<std::array<Index, 3>> triangles_;
  std::vector<Index> triangle_faces_;  // empty when all faces are triangles
  std::vector<Index> face_groups_;
  std::vector<std::string> group_names_;
  Aabb bounds_;
};

/// Several soups as one, for things that move together: their vertices, corners and faces one after
/// the other, so that those of a soup are numbered from the counts of all before it. With `names`,
/// one for each soup, faces come in the group of their soup; else in the groups they had.
/// Throws InvalidInput when there are no soups or not a name for each, and as the constructor does.
[[nodiscard]] PolygonSoup merged(std::span<const PolygonSoup* const> soups,
                                 std::span<const std::string> names = {});

/// The unusual features of a soup. None of them stops a query.
struct Health {
  Index zero_area_faces = 0;
  Index duplicate_faces = 0;     ///< faces with the same set of vertex positions as an earlier one
  Index duplicate_vertices = 0;  ///< vertices at the position of an earlier one
  Index unused_vertices = 0;
  Index non_planar_faces = 0;    ///< triangulated
  Index concave_faces = 0;       ///< triangulated
  Index edges = 0;               ///< undirected, after merging vertices of equal position
  Index boundary_edges = 0;      ///< used by one face
  Index non_manifold_edges = 0;  ///< used by three or more faces
  Index inconsistent_edges = 0;  ///< used twice in the same direction
  Index components = 0;          ///< connected by shared vertex positions
  bool closed = false;           ///< no boundary edges, no non-manifold edges
  bool oriented = false;         ///< no inconsistent edges
  double area = 0;
  double volume = 0;  ///< signed; meaningful only when closed and oriented
};
[[nodiscard]] Health examine(const PolygonSoup& soup);

}  // namespace touche
