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

  struct Ends {
    PairEnd a, b;
  };
  Ends ends(const Bvh& bvh_a, const Bvh& bvh_b) const {
    return {PairEnd(bvh_a, nodes.a), PairEnd(bvh_b, nodes.b)};
  }

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
  enum Opening { kOpen, kWhole };  // kWhole: neither side is opened

  /// `ratio`: one local unit of b in those of a.
  OpenedPair(const Bvh& bvh_a, const Bvh& bvh_b, NodePair nodes, float ratio,
             Opening opening = kOpen)
      : children_{nodes, nullptr, nullptr},
        a_(bvh_a, nodes.a),
        b_(bvh_b, nodes.b),
        leaves_(a_.leaf && b_.leaf) {
    // A node much larger than the other is opened alone: its children, not the small node's,
    // decide whether they meet.
    constexpr float kMuchLarger = 4;
    const float size_a = a_.bounds->extent, size_b = b_.bounds->extent * ratio;
    const bool open = opening == kOpen;
    const bool open_a = open && a_.node && (b_.leaf || size_b <= kMuchLarger * size_a);
    const bool open_b = open && b_.node && (a_.leaf || size_a <= kMuchLarger * size_b);
    fill(a_, open_a || (open && leaves_), side_a_, whole_a_);
    fill(b_, open_b || (open && leaves_), side_b_, whole_b_);
    if (open_a) children_.children_a = a_.node->child;
    if (open_b) children_.children_b = b_.node->child;
  }
  OpenedPair(const OpenedPair&) = delete;
  OpenedPair& operator=(const OpenedPair&) = delete;

  const Side& side_a() const { return side_a_; }
  const Side& side_b() const { return side_b_; }
  int volume_tests() const { return side_a_.count * side_b_.count; }

  bool leaves() const { return leaves_; }
  Index triangle_a(int row) const { return a_.leaf->triangle[row]; }
  Index triangle_b(int lane) const { return b_.leaf->triangle[lane]; }
  const BvhLeaf& leaf_a() const { return *a_.leaf; }
  const BvhLeaf& leaf_b() const { return *b_.leaf; }

  const ChildPairs& children() const { return children_; }

 private:
  static void fill(const PairEnd& end, bool opened, Side& side, Boxes8& whole) {
    if (opened && end.leaf) {
      side.corner = end.leaf->corner;
      side.count = end.leaf->count;
    } else if (opened) {
      side.boxes = &end.node->children;
      side.count = end.node->count;
    } else {
      for (int k = 0; k < 3; ++k)
        for (int lane = 0; lane < kWidth; ++lane) {
          whole.centre[k][lane] = lane == 0 ? end.bounds->box.centre[k] : 0;
          whole.half[k][lane] = lane == 0 ? end.bounds->box.half[k] : kUnusedHalf;
        }
      side.boxes = &whole;
      side.count = 1;
    }
  }

  ChildPairs children_;
  PairEnd a_, b_;
  bool leaves_;
  Side side_a_, side_b_;
  Boxes8 whole_a_, whole_b_;
};

/// The children's pairs of an opened pair that wait for their turn; most are never looked at.
struct WaitingPairs {
  ChildPairs children;
  PairKeys keys;
};

/// Levels of a depth-first search: no hierarchy over 2^32 triangles is higher than 10, and the two
/// may be opened in turn.
inline constexpr int kMostLevels = 24;

}  // namespace touche
