// SPDX-License-Identifier: Apache-2.0
// Octree, quadtree and kd-tree over the axis-aligned boxes of any items (Kolb, Kollisionserkennung,
// section 11.5), and BSP trees of polygons in depth order. They are for items that do not move; for
// moving boxes see touche/broadphase.h. Link target touche::world.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "touche/soup.h"
#include "touche/types.h"

namespace touche {

struct CellOptions {
  Index max_items = 8;    ///< cells with more items are divided where that helps; at least 1
  Index max_depth = 24;   ///< largest depth of a cell, at most 48; the root has depth 0
  double max_copies = 8;  ///< limit of the mean number of leaves that hold an item; at least 1
};

struct NearItem {
  Index item = kNone;
  double distance = kInfinity;  ///< length, from the point to the item's box; 0 inside
  friend bool operator==(const NearItem&, const NearItem&) = default;
};

/// The common base of Octree, Quadtree and KdTree. A cell is either a leaf or divided into two,
/// four or eight cells. Each leaf holds all items whose boxes reach into it, so an item may be in
/// several leaves.
///
/// A cell includes its lower sides. Its upper sides belong to its neighbours; at the border of the
/// root's box, where there is no neighbour, they belong to the cell itself. So each point of the
/// root's box lies in exactly one leaf.
///
/// A cell is divided while it has more than `max_items` items and its children would hold at most
/// three quarters of them on average. This goes on level by level until `max_depth` or `max_copies`
/// is reached. So items that cannot be separated stay together, and memory grows only with the
/// number of items. The cells depend on the boxes alone. All queries are const and may be called by
/// any number of threads.
///
///     const KdTree tree(boxes);
///     const std::vector<NearItem> near = tree.nearest_items({0, 0, 5}, 3);
class CellTree {
 public:
  struct Cell {
    Aabb box;
    Vec3 middle = Vec3::Zero();  ///< coordinates of the dividing planes, for the axes in `axes`
    Index parent = kNone;        ///< kNone for the root
    Index first_child = kNone;   ///< its children are consecutive; kNone: a leaf
    Index first_item = 0, item_count = 0;  ///< range of a leaf's items
    /// Bit k is set if the cell is divided along axis k. Children are numbered from 0; bit j of a
    /// child's number is set if it lies in the upper part along the j-th of these axes.
    std::uint8_t axes = 0;
    std::uint8_t depth = 0;

    [[nodiscard]] bool is_leaf() const { return first_child == kNone; }
    [[nodiscard]] Index child_count() const;  ///< 0, 2, 4 or 8
  };

  /// All cells, parents before their children, the root first. Empty when there are no items.
  [[nodiscard]] std::span<const Cell> cells() const { return cells_; }
  /// The numbers of the items of a leaf, in ascending order.
  [[nodiscard]] std::span<const Index> items(const Cell& leaf) const {
    return std::span(items_).subspan(leaf.first_item, leaf.item_count);
  }
  [[nodiscard]] std::span<const Aabb> boxes() const { return boxes_; }  ///< one for each item

  /// The number of the leaf in which a point lies; kNone outside of the root's box.
  [[nodiscard]] Index leaf_at(const Vec3& point) const;

  /// All items whose boxes have a point in common with the box, in ascending order.
  [[nodiscard]] std::vector<Index> items_in_box(const Aabb& box) const;

  /// The `count` items nearest to a point, or all if there are fewer. They are sorted by distance,
  /// then by number. Distances below 1e-150 count as 0.
  [[nodiscard]] std::vector<NearItem> nearest_items(const Vec3& point, Index count) const;

  /// Checks the tree's invariants. Throws Error when a cell does not hold the items that it should.
  void validate() const;

 protected:
  CellTree(std::span<const Aabb> boxes, const CellOptions& options, std::uint8_t axes, bool halved);
  CellTree() = default;

 private:
  class Builder;
  bool owns(const Cell& cell, const Vec3& point) const;
  template <class Visit>
  void visit_leaves(const Aabb& box, Visit&& visit) const;

  std::vector<Aabb> boxes_;
  std::vector<Cell> cells_;
  std::vector<Index> items_;  // grouped by leaf
};

// The constructors take one box for each item; a point is a box with lo == hi. They throw
// InvalidInput, naming the item, for boxes that are empty or have a coordinate that is not a number
// or larger than 1e90 in size, and for options out of range. Queries throw it for points and boxes
// in the same way.

/// Halves cells along all three axes. A cell that is flat along an axis is not divided along it.
class Octree : public CellTree {
 public:
  Octree() = default;  ///< without items
  explicit Octree(std::span<const Aabb> boxes, const CellOptions& options = {});
};

/// Halves cells along two axes; along the third each cell spans all items. For items that are
/// spread over a plane. Queries are still three-dimensional.
class Quadtree : public CellTree {
 public:
  Quadtree() = default;
  /// `normal` is the axis along which cells are not divided, 0 to 2.
  explicit Quadtree(std::span<const Aabb> boxes, const CellOptions& options = {}, int normal = 2);
};

/// Divides cells in two at the median of the items' centres, along the longest axis of the cell if
/// that helps, else along another axis or at the middle of the cell.
class KdTree : public CellTree {
 public:
  KdTree() = default;
  explicit KdTree(std::span<const Aabb> boxes, const CellOptions& options = {});
};

// ---- BSP trees ----------------------------------------------------------------------------------
// Binary space partition of a soup by planes of any direction (Fuchs, Kedem, Naylor 1980; Kolb,
// Kollisionserkennung, section 11.5.2). It gives the faces in depth order from any point.

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
