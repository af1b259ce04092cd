// SPDX-License-Identifier: Apache-2.0
// Binary space partition of a soup by planes of any direction (Fuchs, Kedem, Naylor 1980; Kolb,
// Kollisionserkennung, section 11.5.2). It gives the faces in depth order from any point. Link
// target touche::world.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "touche/soup.h"

namespace touche {

struct BspOptions {
  Index max_candidates = 16;  ///< number of face planes that are tried for each cell; at least 1
  /// Limit of the number of pieces; each takes 0.7 kB while the tree is built.
  Index max_pieces = 1u << 22;
};

struct NearFace {
  Index face = kNone;
  double distance = kInfinity;
  friend bool operator==(const NearFace&, const NearFace&) = default;
};

/// A plane divides space into two cells, further planes divide these, and so on, until no cell has
/// a face in its interior. Triangles that cross a plane are cut, so a face may consist of several
/// pieces. Each piece lies in one of the planes, except pieces that are too thin to define one.
///
/// A plane is that of a triangle, or a plane across an axis where this divides a cell with many
/// pieces more evenly. Of several candidates, the plane is chosen that cuts few triangles and
/// divides them evenly. Typical soups take time and memory of the order n log n; if most planes cut
/// most triangles, there are up to n² pieces.
///
/// Corners of cut triangles are rounded: a point that is nearer to a plane than `tolerance()`
/// counts as lying in it. All queries are const and may be called by any number of threads.
///
///     const BspTree tree(object.soup());
///     for (const Index piece : tree.back_to_front(eye)) draw(tree.corners(tree.pieces()[piece]));
class BspTree {
 public:
  struct Plane {
    Vec3 normal = Vec3::UnitZ(), point = Vec3::Zero();
    /// Signed distance from the plane, positive on the side to which its unit normal points.
    [[nodiscard]] double height(const Vec3& x) const { return normal.dot(x - point); }
  };

  struct Node {
    Plane plane;           ///< undefined for a leaf
    Aabb box;              ///< box of all pieces in this node or below it; empty if there are none
    Index parent = kNone;  ///< kNone for the root
    /// Children: above the plane; below it or on it. kNone: a leaf.
    Index front = kNone, back = kNone;
    /// Pieces in the plane; in a leaf: pieces too thin for a plane.
    Index first_piece = 0, piece_count = 0;

    [[nodiscard]] bool is_leaf() const { return front == kNone; }
  };

  /// A convex polygon: a part of a triangle.
  struct Piece {
    Index face = kNone, triangle = kNone;  ///< their numbers in the soup
    Index first_corner = 0, corner_count = 0;
  };

  BspTree() = default;  ///< without faces
  /// Throws InvalidInput for options out of range, and for a soup that gives more than `max_pieces`
  /// pieces.
  explicit BspTree(const PolygonSoup& soup, const BspOptions& options = {});

  /// Parents before their children, the root first.
  [[nodiscard]] std::span<const Node> nodes() const { return nodes_; }
  [[nodiscard]] std::span<const Piece> pieces() const { return pieces_; }  ///< grouped by node
  /// The corners of a piece, in the orientation of its face.
  [[nodiscard]] std::span<const Vec3> corners(const Piece& piece) const {
    return std::span(corners_).subspan(piece.first_corner, piece.corner_count);
  }

  /// Points nearer to a plane than this length count as lying in it: 2^-40 times the diagonal of
  /// the soup's box plus 2^-48 times its largest coordinate.
  [[nodiscard]] double tolerance() const { return tolerance_; }

  // Queries throw InvalidInput for coordinates that are not numbers or larger than 1e90 in size,
  // and for an empty box.

  /// The number of the leaf in which a point lies; kNone for a tree without faces. No face
  /// separates two points of the same leaf.
  [[nodiscard]] Index leaf_at(const Vec3& point) const;

  /// The numbers of all pieces, such that seen from the eye no piece hides a later one: painting
  /// them in this order gives the visible surface. Pieces in one plane do not hide each other.
  /// Pieces that are nearer to each other than the tolerance may be in either order.
  [[nodiscard]] std::vector<Index> back_to_front(const Vec3& eye) const;
  /// The reverse order: seen from the eye no piece hides an earlier one.
  [[nodiscard]] std::vector<Index> front_to_back(const Vec3& eye) const;

  /// All faces that have a point in common with the closed box, in ascending order. Exact.
  [[nodiscard]] std::vector<Index> faces_in_box(const Aabb& box) const;

  /// The `count` faces nearest to a point, or all if there are fewer. They are sorted by distance,
  /// then by number. The error of a distance is at most 2^-45 times the sum of the distance and the
  /// longest edge.
  [[nodiscard]] std::vector<NearFace> nearest_faces(const Vec3& point, Index count) const;

  /// Checks the tree. Throws Error when a piece is on the wrong side of a plane.
  void validate() const;

 private:
  class Builder;

  std::vector<Node> nodes_;
  std::vector<Piece> pieces_;
  std::vector<Vec3> corners_;
  std::vector<std::array<Vec3, 3>> triangles_;  // of the soup
  double tolerance_ = 0;
};

}  // namespace touche
