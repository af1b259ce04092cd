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
  struct Ends {
    PairEnd a, b;
  };
  Ends ends(const Bvh& bvh_a, const Bvh& bvh_b) const {
    return {PairEnd(bvh_a, nodes.a), PairEnd(bvh_b, nodes.b)};
  }

  float place(const Bvh& bvh_a, const Bvh& bvh_b, NodePair pair, const LocalMap& map) {
    nodes = pair;
    const Ends at = ends(bvh_a, bvh_b);
    return kernels().place(map, *at.a.bounds, *at.b.bounds, frame);
  }
};

/// A pair of nodes, opened on one or both sides; of two leaves, their triangles.
class OpenedPair {
 public:
  enum Opening { kOpen, kWhole };  // kWhole: neither side is opened

  OpenedPair(const Bvh& bvh_a, const Bvh& bvh_b, const FramedPair& framed, Opening opening = kOpen)
      : pair_(framed.nodes),
        a_(bvh_a, pair_.a),
        b_(bvh_b, pair_.b),
        leaves_(a_.leaf && b_.leaf),
        frame_(framed.frame) {
    // A node much larger than the other is opened alone: its children, not the small node's,
    // decide whether they meet.
    constexpr float kMuchLarger = 4;
    const float size_a = a_.bounds->extent, size_b = b_.bounds->extent * frame_.ratio;
    if (opening == kOpen) {
      opened_a_ = leaves_ || (a_.node && (b_.leaf || size_b <= kMuchLarger * size_a));
      opened_b_ = leaves_ || (b_.node && (a_.leaf || size_a <= kMuchLarger * size_b));
    }
    fill(a_, opened_a_, side_a_, whole_a_);
    fill(b_, opened_b_, side_b_, whole_b_);
  }
  OpenedPair(const OpenedPair&) = delete;
  OpenedPair& operator=(const OpenedPair&) = delete;

  const Side& side_a() const { return side_a_; }
  const Side& side_b() const { return side_b_; }
  const PairFrame& frame() const { return frame_; }
  int volume_tests() const { return side_a_.count * side_b_.count; }

  bool opened_a() const { return opened_a_; }
  bool opened_b() const { return opened_b_; }
  bool leaves() const { return leaves_; }
  Index triangle_a(int row) const { return a_.leaf->triangle[row]; }
  Index triangle_b(int lane) const { return b_.leaf->triangle[lane]; }
  const BvhLeaf& leaf_a() const { return *a_.leaf; }

  NodePair child(int pair) const { return child(pair / kWidth, pair % kWidth); }
  NodePair child(int row, int lane) const {
    return {opened_a_ ? a_.node->child[row] : pair_.a, opened_b_ ? b_.node->child[lane] : pair_.b};
  }

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

  NodePair pair_;
  PairEnd a_, b_;
  bool leaves_, opened_a_ = false, opened_b_ = false;
  const PairFrame& frame_;
  Side side_a_, side_b_;
  Boxes8 whole_a_, whole_b_;
};

/// Room for a depth-first search: each step takes one pair and leaves at most 64, and no
/// hierarchy over 2^32 triangles is higher than 10.
inline constexpr int kStackSize = 64 * 24;

}  // namespace touche
