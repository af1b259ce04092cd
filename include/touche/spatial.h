// SPDX-License-Identifier: Apache-2.0
// Octree, quadtree and kd-tree over the axis-aligned boxes of any items (Kolb, Kollisionserkennung,
// section 11.5). They are for items that do not move. For moving boxes see touche/broadphase.h, for
// polygons in depth order touche/bsp_tree.h. Link target touche::world.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

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

}  // namespace touche
