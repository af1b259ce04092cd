// SPDX-License-Identifier: Apache-2.0
// Polygon soups: faces with any number of corners and without required topology, with half-edges
// where they exist.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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

/// What joined the vertices at open edges, see weld(). An edge is open if an odd number of faces
/// uses it, where vertices at the same position count as one.
struct WeldResult {
  double length = 0;            ///< up to this, coordinates of vertices that were joined may differ
  double farthest = 0;          ///< greatest difference that was joined
  Index joined = 0;             ///< vertices that were moved onto another one
  Index open_edges_before = 0;  ///< edges that were open
  Index open_edges = 0;         ///< edges that are open now
  Index closed_shells = 0;      ///< shells without open edges that had some before
  Index flattened_faces = 0;    ///< faces that lost their area; their corners stay apart
};

/// The faces of one object, as given. Only its vertices can be moved.
///
/// Corners are numbered through all faces. Half-edge c runs from corner c to the next corner of its
/// face (thesis §9.3). Its opposite half-edge, `opposite`, runs between the same vertices in the
/// other direction; it exists if the edge has exactly one half-edge in each direction.
///
/// The surface of an object is the union of its triangles. Convex planar faces are divided into
/// fans, concave or non-planar ones by ear clipping; each triangle belongs to one face.
///
///     const std::vector<double> coordinates = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
///     const std::vector<Index> corners = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
///     const PolygonSoup tetrahedron(coordinates, corners);
class PolygonSoup {
 public:
  PolygonSoup() = default;

  /// `coordinates`: x y z for each vertex. `corners`: vertex numbers of all faces, one face after
  /// the other. `face_sizes`: number of corners of each face, >= 3; empty means that all are
  /// triangles. `face_groups`: empty, or for each face an index into `group_names`.
  ///
  /// Throws InvalidInput, naming the vertex or face: coordinates that are not finite or larger than
  /// 1e90, vertex numbers out of range, faces of fewer than three corners, no faces at all, more
  /// than 2^31 corners. Zero-area faces and duplicates are kept. Coordinates smaller than 1e-90
  /// become 0, so that no exact test underflows.
  PolygonSoup(std::span<const double> coordinates, std::span<const Index> corners,
              std::span<const Index> face_sizes = {}, std::span<const Index> face_groups = {},
              std::vector<std::string> group_names = {});

  /// Moves the vertices to new positions, x y z for each; faces, triangles and all else stay.
  /// Throws InvalidInput when there are not three numbers for each vertex, and as the constructor
  /// does; nothing is changed then.
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
  /// The opposite half-edge; kNone if there is none.
  [[nodiscard]] Index opposite(Index corner) const { return opposites_[corner]; }

  /// The vertex numbers of a triangle, in the orientation of its face.
  [[nodiscard]] const std::array<Index, 3>& triangle(Index t) const { return triangles_[t]; }
  [[nodiscard]] std::span<const std::array<Index, 3>> triangles() const { return triangles_; }
  [[nodiscard]] Index face_of_triangle(Index t) const {
    return triangle_faces_.empty() ? t : triangle_faces_[t];
  }
  /// The input feature that a triangle's feature belongs to: `kind` and `local` (0–2; edge k runs
  /// from corner k to corner k + 1). A diagonal of the triangulation belongs to the face.
  [[nodiscard]] Feature input_feature(Index triangle, FeatureKind kind, int local) const;

  /// The name of the group or material of a face; empty if it has none.
  [[nodiscard]] std::string_view face_group(Index face) const;
  [[nodiscard]] std::span<const std::string> group_names() const { return group_names_; }

  /// Sentences for the user about the file that the soup was read from: what was odd in it, and
  /// what was left out. No query depends on them.
  [[nodiscard]] std::span<const std::string> remarks() const { return remarks_; }
  void add_remark(std::string remark) { remarks_.push_back(std::move(remark)); }

  /// What was joined when the soup was read from a file, see LoadOptions::weld. No query depends
  /// on it.
  [[nodiscard]] const WeldResult& weld_result() const { return weld_; }
  void set_weld_result(const WeldResult& result) { weld_ = result; }

  [[nodiscard]] const Aabb& bounds() const { return bounds_; }
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  void enclose();

  std::vector<Vec3> vertices_;
  std::vector<Index> corners_;
  std::vector<Index> face_begins_;  // empty when all faces are triangles
  std::vector<Index> opposites_;
  std::vector<std::array<Index, 3>> triangles_;
  std::vector<Index> triangle_faces_;  // empty when all faces are triangles
  std::vector<Index> face_groups_;
  std::vector<std::string> group_names_;
  std::vector<std::string> remarks_;
  WeldResult weld_;
  Aabb bounds_;
};

/// Joins vertices at open edges: a pair of open edges whose ends lie at nearly the same two
/// positions becomes one edge. The vertices are moved to the position of one of them; vertex
/// numbers, faces and all else stay.
/// - No coordinates of vertices that are joined differ by more than `length`, nor by more than a
///   quarter of the size of the edges.
/// - The nearest edges are joined first; edges of one shell and of opposite directions before
///   others.
/// - Two corners of one face are never joined, and no edge of two faces gets a third one. Shells
///   without open edges are not touched.
/// Which vertices are joined depends neither on the order of vertices nor on that of faces. A
/// length below the rounding error joins none; a negative or infinite one throws InvalidInput.
///
///     PolygonSoup joined = soup;
///     const WeldResult result = weld(joined, 1e-6);
WeldResult weld(PolygonSoup& soup, double length);

/// A length with which weld() leaves no open edge: rounded up to two digits, at most `most`. Empty
/// if there is none, or if there are no open edges. Throws InvalidInput as weld() does.
[[nodiscard]] std::optional<double> closing_length(const PolygonSoup& soup, double most);

/// Several soups as one, for bodies that move together. Vertices, corners and faces are
/// concatenated, so the numbers of a soup are offset by the counts of all soups before it. With
/// `names`, one for each soup, the group of a face is the name of its soup; else faces keep their
/// groups. All remarks are kept. Throws InvalidInput when there are no soups or the number of names
/// differs, and as the constructor does.
[[nodiscard]] PolygonSoup merged(std::span<const PolygonSoup* const> soups,
                                 std::span<const std::string> names = {});

/// Properties of a soup that may indicate faults. None of them prevents a query.
struct Health {
  Index zero_area_faces = 0;
  Index duplicate_faces = 0;     ///< faces with the same set of vertex positions as an earlier one
  Index opposite_faces = 0;      ///< of these, faces with the opposite orientation
  Index duplicate_vertices = 0;  ///< vertices at the position of an earlier one
  Index unused_vertices = 0;
  Index non_planar_faces = 0;    ///< triangulated
  Index concave_faces = 0;       ///< triangulated
  Index edges = 0;               ///< undirected, after merging vertices of equal position
  Index boundary_edges = 0;      ///< used by one face
  Index boundaries = 0;          ///< connected sets of boundary edges
  Index non_manifold_edges = 0;  ///< used by three or more faces
  Index inconsistent_edges = 0;  ///< used twice in the same direction
  Index components = 0;          ///< shells: faces connected through shared vertex positions
  bool closed = false;           ///< no boundary edges, no non-manifold edges
  bool oriented = false;         ///< no inconsistent edges
  double area = 0;
  double volume = 0;  ///< signed; meaningful only when closed and oriented
};
[[nodiscard]] Health examine(const PolygonSoup& soup);

}  // namespace touche
