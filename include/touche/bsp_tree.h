// SPDX-License-Identifier: Apache-2.0
// Binary space partition of a soup by planes of any direction (Fuchs, Kedem, Naylor 1980; Kolb,
// Kollisionserkennung, section 11.5.2): its faces in the order of their depth from any point.
// Link target touche::world.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "touche/soup.h"

namespace touche {

struct BspOptions {
  Index max_candidates = 16;    ///< planes of faces that are tried for each cell; at least 1
  Index max_pieces = 1u << 22;  ///< more are refused: each takes 0.7 kB while the tree is built
};

struct NearFace {
  Index face = kNone;
  double distance = kInfinity;
  friend bool operator==(const NearFace&, const NearFace&) = default;
};

/// A plane divides space, planes divide what is on either side, and so on, until no cell has a face
/// inside it. Triangles that cross a plane are cut, so a face may consist of several pieces; each
/// lies in one of the planes, except for what is too thin to have one.
///
/// The planes are those of triangles, and planes across an axis where these leave a cell with many
/// pieces more evenly divided; of some that are tried the one that cuts few and leaves both sides
/// alike. Usual soups take time and memory that grow like n log n, but where most planes cut most
/// triangles there are n² pieces.
///
/// All is as exact as cut corners can be: what is nearer to a plane than `tolerance()` is taken to
/// lie in it. Everything is const, any number of threads may ask.
class BspTree {
 public:
  struct Plane {
    Vec3 normal = Vec3::UnitZ(), point = Vec3::Zero();
    /// Above the plane, on the side that its unit normal points to; negative below.
    [[nodiscard]] double height(const Vec3& x) const { return normal.dot(x - point); }
  };

  struct Node {
    Plane plane;  ///< not of a leaf
    Aabb box;     ///< of the parts of all triangles that are here or below; empty without any
    Index parent = kNone;                    ///< of the root: kNone
    Index front = kNone, back = kNone;       ///< above the plane, below it or on it; kNone: a leaf
    Index first_piece = 0, piece_count = 0;  ///< in the plane; in a leaf: too thin for a plane

    [[nodiscard]] bool is_leaf() const { return front == kNone; }
  };

  /// A convex polygon.
  struct Piece {
    Index face = kNone, triangle = kNone;  ///< that it is a part of, by their numbers in the soup
    Index first_corner = 0, corner_count = 0;
  };

  BspTree() = default;  ///< of nothing
  /// Throws InvalidInput for options out of range, and for a soup of which there are more pieces
  /// than `max_pieces`.
  explicit BspTree(const PolygonSoup& soup, const BspOptions& options = {});

  /// Parents before their children, the root first.
  [[nodiscard]] std::span<const Node> nodes() const { return nodes_; }
  [[nodiscard]] std::span<const Piece> pieces() const { return pieces_; }  ///< node by node
  /// In the orientation of the face.
  [[nodiscard]] std::span<const Vec3> corners(const Piece& piece) const {
    return std::span(corners_).subspan(piece.first_corner, piece.corner_count);
  }

  /// Points nearer to a plane than this count as lying in it: 2^-40 times the diagonal of the
  /// soup's box and 2^-48 times its largest coordinate.
  [[nodiscard]] double tolerance() const { return tolerance_; }

  // Questions about points and boxes throw InvalidInput for coordinates that are not numbers up to
  // 1e90 in size, and for an empty box.

  /// The number of the leaf in which a point lies: no face is between points of one leaf. Without a
  /// soup kNone.
  [[nodiscard]] Index leaf_at(const Vec3& point) const;

  /// The numbers of all pieces, so that none is hidden by one before it when seen from the eye:
  /// painted in this order, what is visible remains. Pieces in one plane do not hide one another;
  /// of pieces that are nearer to each other than the tolerance any may come first.
  [[nodiscard]] std::vector<Index> back_to_front(const Vec3& eye) const;
  /// The same backwards: none is hidden by one after it.
  [[nodiscard]] std::vector<Index> front_to_back(const Vec3& eye) const;

  /// All faces that have a point in common with the closed box, exactly; in ascending order.
  [[nodiscard]] std::vector<Index> faces_in_box(const Aabb& box) const;

  /// The `count` faces nearest to a point, or all where there are fewer; nearest first, of equal
  /// distance the smaller number first. Distances are right up to 2^-45 times the sum of themselves
  /// and the longest edge.
  [[nodiscard]] std::vector<NearFace> nearest_faces(const Vec3& point, Index count) const;

  /// Throws Error where a piece is on the wrong side of a plane.
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
