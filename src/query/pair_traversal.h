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

  /// `ratio`: one local unit of b in those of a.
  OpenedPair(const Bvh& bvh_a, const Bvh& bvh_b, NodePair nodes, float ratio,
             Opening opening = kOpen)
      : pair_(nodes), a_(bvh_a, pair_.a), b_(bvh_b, pair_.b), leaves_(a_.leaf && b_.leaf) {
    // A node much larger than the other is opened alone: its children, not the small node's,
    // decide whether they meet.
    constexpr float kMuchLarger = 4;
    const float size_a = a_.bounds->extent, size_b = b_.bounds->extent * ratio;
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
  int volume_tests() const { return side_a_.count * side_b_.count; }

  bool opened_a() const { return opened_a_; }
  bool opened_b() const { return opened_b_; }
  bool leaves() const { return leaves_; }
  Index triangle_a(int row) const { return a_.leaf->triangle[row]; }
  Index triangle_b(int lane) const { return b_.leaf->triangle[lane]; }
  const BvhLeaf& leaf_a() const { return *a_.leaf; }

  /// The bounds of a's children, each in its own frame; of a itself in lane 0 when it stays closed.
  const Bounds8& own_a(Bounds8& storage) const { return own(a_, opened_a_, storage); }
  const Bounds8& own_b(Bounds8& storage) const { return own(b_, opened_b_, storage); }

  NodePair child(int pair) const {
    return {opened_a_ ? a_.node->child[row_of(pair)] : pair_.a,
            opened_b_ ? b_.node->child[lane_of(pair)] : pair_.b};
  }

 private:
  static const Bounds8& own(const PairEnd& end, bool opened, Bounds8& storage) {
    if (opened) return end.node->own;
    storage.set(0, *end.bounds);
    return storage;
  }
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
  Side side_a_, side_b_;
  Boxes8 whole_a_, whole_b_;
};

/// The children's pairs of an opened pair that wait for their turn, each with a value; most are
/// never looked at.
struct WaitingPairs {
  NodePair nodes;
  bool opened_a, opened_b;
  std::uint64_t left;  // a bit per pair
  PairOrder order;

  void wait(NodePair pair, const OpenedPair& opened, std::uint64_t waiting) {
    nodes = pair;
    opened_a = opened.opened_a();
    opened_b = opened.opened_b();
    left = waiting;
  }
  /// The one with the least value; of equal ones, the first. Some must be left.
  int least() const {
    int best = std::countr_zero(left);
    float least = order.value[best];
    for (std::uint64_t rest = left & (left - 1); rest != 0; rest &= rest - 1) {
      const int n = std::countr_zero(rest);
      if (!(order.value[n] < least)) continue;
      best = n;
      least = order.value[n];
    }
    return best;
  }
  void take(int pair) { left &= ~(std::uint64_t{1} << pair); }
  NodePair child(const Bvh& bvh_a, const Bvh& bvh_b, int pair) const {
    return {opened_a ? bvh_a.node(nodes.a).child[row_of(pair)] : nodes.a,
            opened_b ? bvh_b.node(nodes.b).child[lane_of(pair)] : nodes.b};
  }
};

/// Levels of a depth-first search: no hierarchy over 2^32 triangles is higher than 10, and the two
/// may be opened in turn.
inline constexpr int kMostLevels = 24;

}  // namespace touche
