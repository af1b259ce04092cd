// SPDX-License-Identifier: Apache-2.0
// What all searches over pairs of nodes share: which of two nodes to open, and what the kernels
// are given for it.
#pragma once

#include <bit>

#include "bvh/kernels.h"

namespace touche {

struct NodePair {
  NodeRef a, b;
};

/// One node of a pair, or a leaf.
struct PairEnd {
  const BvhNode* node = nullptr;
  const BvhLeaf* leaf = nullptr;
  const Bounds* bounds;

  PairEnd(const Bvh& bvh, NodeRef ref) {
    if (is_leaf(ref)) {
      leaf = &bvh.leaf(ref);
      bounds = &leaf->bounds;
    } else {
      node = &bvh.node(ref);
      bounds = &node->bounds;
    }
  }
};

/// A pair of nodes with the maps between their frames.
struct FramedPair {
  NodePair nodes;
  PairFrame frame;

  /// Fills in both. Lower bound of the squared distance of the two nodes, from their own frames; 0
  /// when they may overlap. Sharper than what the parents' frames told, and far cheaper than
  /// opening the pair.
  float place(const Kernels& kernel, const Bvh& bvh_a, const Bvh& bvh_b, NodePair pair,
              const LocalMap& map) {
    nodes = pair;
    return kernel.place(map, bvh_a.bounds(pair.a), bvh_b.bounds(pair.b), frame);
  }
};

/// By number, the pairs of children of a pair of nodes. Left unset until needed: searches keep room
/// for many.
struct ChildPairs {
  NodePair nodes;
  const NodeRef *children_a, *children_b;  // null for a side that stays closed

  NodePair operator[](int pair) const {
    return {children_a ? children_a[row_of(pair)] : nodes.a,
            children_b ? children_b[lane_of(pair)] : nodes.b};
  }
};

/// A pair of nodes, opened on one or both sides; of two leaves, their triangles.
class OpenedPair {
 public:
  /// `ratio`: one local unit of b in those of a.
  OpenedPair(const Bvh& bvh_a, const Bvh& bvh_b, NodePair nodes, float ratio) : nodes_(nodes) {
    const PairEnd a(bvh_a, nodes.a), b(bvh_b, nodes.b);
    // A node much larger than the other is opened alone: its children, not the small node's,
    // decide whether they meet.
    constexpr float kMuchLarger = 4;
    const float size_a = a.bounds->extent, size_b = b.bounds->extent * ratio;
    const bool open_a = a.node && (b.leaf || size_b <= kMuchLarger * size_a);
    const bool open_b = b.node && (a.leaf || size_a <= kMuchLarger * size_b);
    if (open_a && open_b) [[likely]] {
      take(*a.node, side_a_, children_a_);
      take(*b.node, side_b_, children_b_);
    } else if (a.leaf && b.leaf) {
      take(*a.leaf, side_a_, leaf_a_);
      take(*b.leaf, side_b_, leaf_b_);
    } else {
      if (open_a)
        take(*a.node, side_a_, children_a_);
      else
        close(a, size_a >= size_b, side_a_, whole_a_);
      if (open_b)
        take(*b.node, side_b_, children_b_);
      else
        close(b, size_b >= size_a, side_b_, whole_b_);
    }
  }
  OpenedPair(const OpenedPair&) = delete;
  OpenedPair& operator=(const OpenedPair&) = delete;

  const Side& side_a() const { return side_a_; }
  const Side& side_b() const { return side_b_; }
  int volume_tests() const { return side_a_.count * side_b_.count; }

  bool leaves() const { return leaf_a_ != nullptr; }
  Index triangle_a(int row) const { return leaf_a_->triangle[row]; }
  Index triangle_b(int lane) const { return leaf_b_->triangle[lane]; }
  const BvhLeaf& leaf_a() const { return *leaf_a_; }
  const BvhLeaf& leaf_b() const { return *leaf_b_; }

  ChildPairs children() const { return {nodes_, children_a_, children_b_}; }

 private:
  static void take(const BvhNode& node, Side& side, const NodeRef*& children) {
    side = {&node.children, nullptr, node.count};
    children = node.child;
  }
  static void take(const BvhLeaf& leaf, Side& side, const BvhLeaf*& taken) {
    side = {nullptr, leaf.corner, leaf.count};
    taken = &leaf;
  }
  // The whole box; of a leaf as large as the other node its triangles, between which that may lie.
  static void close(const PairEnd& end, bool is_large, Side& side, Boxes8& whole) {
    if (end.leaf && is_large) {
      side = {nullptr, end.leaf->corner, end.leaf->count};
      return;
    }
    const Bounds& bounds = *end.bounds;
    for (int k = 0; k < 3; ++k)
      for (int lane = 0; lane < kWidth; ++lane) {
        whole.centre[k][lane] = lane == 0 ? bounds.box.centre[k] : 0;
        whole.half[k][lane] = lane == 0 ? bounds.box.half[k] : kUnusedHalf;
      }
    side = {&whole, nullptr, 1};
  }

  NodePair nodes_;
  const NodeRef *children_a_ = nullptr, *children_b_ = nullptr;
  const BvhLeaf *leaf_a_ = nullptr, *leaf_b_ = nullptr;
  Side side_a_, side_b_;
  Boxes8 whole_a_, whole_b_;
};

/// The children's pairs of an opened pair that wait for their turn; most are never looked at.
struct WaitingPairs {
  ChildPairs children;
  PairKeys keys;
  std::int32_t first;  // key of the pair whose turn it is

  int take(const Kernels& kernel) {
    const int pair = PairKeys::pair(first);
    first = kernel.next(keys, first);
    return pair;
  }
};

/// Levels of a depth-first search: the two hierarchies may be opened in turn.
inline constexpr int kMostLevels = 2 * kMostHeight;

}  // namespace touche
