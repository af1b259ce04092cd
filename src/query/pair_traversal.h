// SPDX-License-Identifier: Apache-2.0
// Shared by all searches over pairs of nodes: decides which of two nodes to open, and prepares both
// for the kernels.
#pragma once

#include <algorithm>
#include <bit>

#include "bvh/kernels.h"

namespace touche::query {

struct NodePair {
  bvh::NodeRef a, b;
};

/// One node of a pair: an inner node, a leaf or a root of two leaves; the other pointers are null.
struct PairEnd {
  const bvh::BvhNode* node = nullptr;
  const bvh::BvhLeaf* leaf = nullptr;
  const bvh::RootOfTwo* root_of_two = nullptr;
  const bvh::Bounds* bounds;

  PairEnd(const bvh::Bvh& bvh, bvh::NodeRef ref) {
    if (bvh::is_leaf(ref)) {
      leaf = &bvh.leaf(ref);
      bounds = &leaf->bounds;
    } else if (bvh.has_two_leaves()) [[unlikely]] {
      root_of_two = &bvh.root_of_two();
      bounds = &root_of_two->bounds;
    } else {
      node = &bvh.nodes()[static_cast<std::size_t>(ref)];
      bounds = &node->bounds;
    }
  }

  /// An inner node with one or two leaves as children, or a root of two leaves.
  bool of_few_leaves() const {
    return node != nullptr ? node->bounds.count() <= 2 && bvh::is_leaf(node->child[0])
                           : leaf == nullptr;
  }
};

/// A pair of nodes with the maps between their frames.
struct FramedPair {
  NodePair nodes;
  bvh::PairFrame frame;

  /// Fills in both members. Returns a lower bound of the squared distance of the two nodes, found
  /// in their own frames; 0 if they may overlap. It is tighter than the bound from the parents'
  /// frames, and far cheaper than opening the pair.
  float relate(const bvh::Kernels& kernel, const bvh::Bvh& bvh_a, const bvh::Bvh& bvh_b,
               NodePair pair, const bvh::LocalMap& map) {
    nodes = pair;
    return kernel.relate(map, bvh_a.bounds(pair.a), bvh_b.bounds(pair.b), frame);
  }
};

/// The pairs of children of a pair of nodes, by number. Uninitialised until needed, because
/// searches reserve many.
struct ChildPairs {
  NodePair nodes;
  const bvh::NodeRef *children_a, *children_b;  // null for a side that stays closed

  NodePair operator[](int pair) const {
    return {children_a ? children_a[bvh::row_of(pair)] : nodes.a,
            children_b ? children_b[bvh::lane_of(pair)] : nodes.b};
  }
};

/// A pair of nodes, opened on one or both sides. Two leaves are opened into their triangles.
class OpenedPair {
 public:
  /// `ratio`: one local unit of b in local units of a.
  OpenedPair(const bvh::Bvh& bvh_a, const bvh::Bvh& bvh_b, NodePair nodes, float ratio)
      : nodes_(nodes) {
    const PairEnd a(bvh_a, nodes.a), b(bvh_b, nodes.b);
    // A node much larger than the other is opened alone: its children, not the small node's, decide
    // whether they meet. Likewise a node of at most two leaves is opened alone, unless it is
    // smaller than half of a node of more: the triangles in these leaves decide, not their boxes.
    constexpr float kMuchLarger = 4, kHardlySmaller = 0.5f;
    const float size_a = a.bounds->extent(), size_b = b.bounds->extent() * ratio;
    const bool coarse_a = a.of_few_leaves() && !b.leaf && !b.of_few_leaves();
    const bool coarse_b = b.of_few_leaves() && !a.leaf && !a.of_few_leaves();
    const float open_b_until = coarse_a ? kHardlySmaller : kMuchLarger,
                open_a_until = coarse_b ? kHardlySmaller : kMuchLarger;
    const bool open_a = !a.leaf && (b.leaf || size_b <= open_a_until * size_a);
    const bool open_b = !b.leaf && (a.leaf || size_a <= open_b_until * size_b);
    if (open_a && open_b) [[likely]] {
      take(a, contents_a_, children_a_, boxes_a_);
      take(b, contents_b_, children_b_, boxes_b_);
    } else if (a.leaf && b.leaf) {
      take(*a.leaf, contents_a_, leaf_a_);
      take(*b.leaf, contents_b_, leaf_b_);
    } else {
      if (open_a)
        take(a, contents_a_, children_a_, boxes_a_);
      else
        close(a, size_a >= size_b, contents_a_, boxes_a_);
      if (open_b)
        take(b, contents_b_, children_b_, boxes_b_);
      else
        close(b, size_b >= size_a, contents_b_, boxes_b_);
    }
  }
  OpenedPair(const OpenedPair&) = delete;
  OpenedPair& operator=(const OpenedPair&) = delete;

  const bvh::NodeContents& contents_a() const { return contents_a_; }
  const bvh::NodeContents& contents_b() const { return contents_b_; }
  int volume_tests() const { return contents_a_.count * contents_b_.count; }

  bool leaves() const { return leaf_a_ != nullptr; }
  /// Whether one side is a leaf that stays closed and is tested by its triangles.
  bool closed_leaf() const {
    return (contents_a_.corner != nullptr) != (contents_b_.corner != nullptr);
  }
  Index triangle_a(int row) const { return leaf_a_->triangle[row]; }
  Index triangle_b(int lane) const { return leaf_b_->triangle[lane]; }
  const bvh::BvhLeaf& leaf_a() const { return *leaf_a_; }
  const bvh::BvhLeaf& leaf_b() const { return *leaf_b_; }

  ChildPairs children() const { return {nodes_, children_a_, children_b_}; }

 private:
  static void take(const PairEnd& end, bvh::NodeContents& contents, const bvh::NodeRef*& children,
                   bvh::Boxes8& room) {
    if (end.node != nullptr) [[likely]]
      take(*end.node, contents, children);
    else
      take(bvh::NodeView(*end.root_of_two, room), contents, children);
  }
  static void take(const bvh::NodeView& node, bvh::NodeContents& contents,
                   const bvh::NodeRef*& children) {
    contents = {&node.children, nullptr, node.count()};
    children = node.child;
  }
  static void take(const bvh::BvhLeaf& leaf, bvh::NodeContents& contents,
                   const bvh::BvhLeaf*& taken) {
    contents = {nullptr, leaf.corner, leaf.count()};
    taken = &leaf;
  }
  // Keeps a node closed: its whole box is tested. A leaf that is as large as the other node is
  // tested by its triangles, because the other node may lie between them. Exception: a leaf of few
  // triangles with a flat box, which leaves hardly any space between.
  static void close(const PairEnd& end, bool is_large, bvh::NodeContents& contents,
                    bvh::Boxes8& whole) {
    if (end.leaf && is_large && !(end.leaf->count() <= kFew && is_flat(end.bounds->box))) {
      contents = {nullptr, end.leaf->corner, end.leaf->count()};
      return;
    }
    const bvh::Bounds& bounds = *end.bounds;
    for (int k = 0; k < 3; ++k)
      for (int lane = 0; lane < bvh::kWidth; ++lane) {
        whole.centre[k][lane] = lane == 0 ? bounds.box.centre[k] : 0;
        whole.half[k][lane] = lane == 0 ? bounds.box.half[k] : bvh::kUnusedHalf;
      }
    contents = {&whole, nullptr, 1};
  }

  static constexpr int kFew = 2;
  static bool is_flat(const bvh::Box& box) {
    constexpr float kFlat = 1e-3f;
    const auto [least, most] = std::minmax({box.half[0], box.half[1], box.half[2]});
    return least < kFlat * most;
  }

  NodePair nodes_;
  const bvh::NodeRef *children_a_ = nullptr, *children_b_ = nullptr;
  const bvh::BvhLeaf *leaf_a_ = nullptr, *leaf_b_ = nullptr;
  bvh::NodeContents contents_a_, contents_b_;
  bvh::Boxes8 boxes_a_, boxes_b_;  // of closed nodes, and of the children of a root of two
};

/// The waiting pairs of children of an opened pair; most are never tested.
struct WaitingPairs {
  ChildPairs children;
  bvh::PairKeys keys;
  std::int32_t first;  // key of the next pair

  int take(const bvh::Kernels& kernel) {
    const int pair = bvh::PairKeys::pair(first);
    first = kernel.next(keys, first);
    return pair;
  }
};

/// The maximum depth of a depth-first search: the two hierarchies may be opened in turn.
inline constexpr int kMostLevels = 2 * bvh::kMostHeight;

}  // namespace touche::query
