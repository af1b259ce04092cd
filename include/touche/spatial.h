// SPDX-License-Identifier: Apache-2.0
// Space divided into cells along the axes, over any items that have boxes: octree, quadtree and
// kd-tree (Kolb, Kollisionserkennung, section 11.5). For items that stay where they are; for boxes
// that move see touche/broadphase.h, for polygons in the order of their depth touche/bsp_tree.h.
// Link target touche::world.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "touche/types.h"

namespace touche {

struct CellOptions {
  Index max_items = 8;    ///< a cell with more is divided where that helps; at least 1
  Index max_depth = 24;   ///< of the deepest cells, the root's is 0; at most 48
  double max_copies = 8;  ///< so many cells hold an item, on average, at most; at least 1
};

struct NearItem {
  Index item = kNone;
  double distance = kInfinity;  ///< of its box from the point, 0 inside
  friend bool operator==(const NearItem&, const NearItem&) = default;
};

/// Octree, quadtree and kd-tree have this in common: a cell is a leaf or divided into two, four or
/// eight cells, and each leaf holds all items whose boxes reach into it, so an item may be in
/// several.
///
/// A cell owns its lower sides; its upper ones belong to the neighbour, or to itself where there is
/// none. So the leaves share out the root's box, and each of its points lies in one of them.
///
/// A cell is divided while it has too many items and its parts would hold at most three quarters of
/// them on average, level by level until `max_depth` or `max_copies` is reached. So items that
/// cannot be told apart stay together, and memory grows with the number of items only. Cells depend
/// on the boxes alone. Everything is const, any number of threads may ask.
class CellTree {
 public:
  struct Cell {
    Aabb box;
    Vec3 middle = Vec3::Zero();            ///< where it is divided, of the axes along which it is
    Index parent = kNone;                  ///< of the root: kNone
    Index first_child = kNone;             ///< its children follow one another; kNone: a leaf
    Index first_item = 0, item_count = 0;  ///< of a leaf
    std::uint8_t axes = 0;  ///< bit k: divided along axis k. The child in the upper half along the
                            ///< j-th of these has bit j of its place among the children
    std::uint8_t depth = 0;

    [[nodiscard]] bool is_leaf() const { return first_child == kNone; }
    [[nodiscard]] Index child_count() const;  ///< 0, 2, 4 or 8
  };

  /// Parents before their children, the root first; none where there are no items.
  [[nodiscard]] std::span<const Cell> cells() const { return cells_; }
  /// The items of a leaf in ascending order.
  [[nodiscard]] std::span<const Index> items(const Cell& leaf) const {
    return std::span(items_).subspan(leaf.first_item, leaf.item_count);
  }
  [[nodiscard]] std::span<const Aabb> boxes() const { return boxes_; }  ///< of all items

  /// The number of the leaf that owns a point; kNone outside of the root's box.
  [[nodiscard]] Index leaf_at(const Vec3& point) const;

  /// All items whose boxes have a point in common with the box, in ascending order.
  [[nodiscard]] std::vector<Index> items_in_box(const Aabb& box) const;

  /// The `count` items nearest to a point, or all where there are fewer; nearest first, of equal
  /// distance the smaller number first. Distances below 1e-150 count as 0.
  [[nodiscard]] std::vector<NearItem> nearest_items(const Vec3& point, Index count) const;

  /// Throws Error where a cell does not hold what it should.
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
  std::vector<Index> items_;  // leaf by leaf
};

// The constructors take a box for each item; a point is a box whose ends are equal. They throw
// InvalidInput, naming the item, for boxes that are empty or have coordinates that are not numbers
// up to 1e90 in size, and for options out of range. So do questions for points and boxes.

/// Cells are halved along all three axes; one that is flat along an axis is not halved along it.
class Octree : public CellTree {
 public:
  Octree() = default;  ///< of nothing
  explicit Octree(std::span<const Aabb> boxes, const CellOptions& options = {});
};

/// Cells are halved along two axes, and reach as far as all items along the third: for items beside
/// each other. Questions are about all three dimensions nevertheless.
class Quadtree : public CellTree {
 public:
  Quadtree() = default;
  /// `normal` is the axis that is not halved, 0 to 2.
  explicit Quadtree(std::span<const Aabb> boxes, const CellOptions& options = {}, int normal = 2);
};

/// Cells are divided in two where as many items have their centre on either side, along their
/// longest axis if that helps, else along another one or in the middle.
class KdTree : public CellTree {
 public:
  KdTree() = default;
  explicit KdTree(std::span<const Aabb> boxes, const CellOptions& options = {});
};

}  // namespace touche
