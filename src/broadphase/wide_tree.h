// SPDX-License-Identifier: Apache-2.0
// A dynamic tree of boxes along the axes with up to eight children to a node, so that one
// comparison of vectors looks at all of them. All leaves have the same depth, as in an R-tree
// (Guttman 1984): a node that is full is split in two, and the tree grows at its root.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/large_pages.h"
#include "broadphase/packed_box.h"

namespace touche {

class WideTree {
 public:
  static constexpr int kWidth = 8;
  /// Nodes that wait in a search depth first: a tree grows at its root when that is split, into
  /// halves of three or more, so that it has 20 levels at most.
  static constexpr int kMostWaiting = 20 * (kWidth - 1) + 1;

  /// Lanes that hold nothing have boxes that overlap nothing.
  struct alignas(64) Node {
    float lo[3][kWidth], hi[3][kWidth];
    Index child[kWidth];    // a node, or an item at level 0
    Index parent;           // kNone: the root; of a node that is not in use: the next such one
    std::uint8_t lane;      // in the parent
    std::uint8_t level;     // 0: children are items
    std::uint8_t used = 0;  // a bit for each lane
  };

  bool empty() const { return root_ == kNone; }
  Index root() const { return root_; }
  std::span<const Node> nodes() const { return nodes_; }
  static RoundedBox box_of(const Node& node, int lane);

  /// Builds the tree of all boxes anew. Returns them in the order of the leaves: from now on
  /// `order[i]` is item i.
  std::vector<Index> build(std::span<const PackedBox> boxes);

  void insert(Index item, const PackedBox& box);
  void remove(Index item);
  /// Another box for an item, which stays in its leaf.
  void stretch(Index item, const PackedBox& box);

  /// Fetches the leaf of an item, which is about to be changed.
  void prefetch(Index item) const {
    const Node& leaf = nodes_[place_[item] / kWidth];
    for (std::size_t line = 0; line < sizeof leaf; line += 64)
      __builtin_prefetch(reinterpret_cast<const char*>(&leaf) + line, 1);
  }

  /// Appends all items whose boxes overlap this one.
  void find(const PackedBox& box, std::vector<Index>& found) const;
  /// Appends all pairs of items whose boxes overlap, each once.
  void find_pairs(std::vector<BoxPair>& found) const;

  std::size_t bytes() const;
  /// Throws Error where a box is not inside its parent's, or an item is not where it should be.
  void validate(std::span<const PackedBox> boxes) const;

 private:
  struct Centre;
  static constexpr int kBuiltWidth = 7;  // leaves room for insertions

  void make_room();
  Index make_node(int level);
  Index build_node(std::span<Centre> centres, std::span<const PackedBox> boxes, int level,
                   std::vector<Index>& order);
  void put(Index node, int lane, Index child, const RoundedBox& box);
  void clear(Index node, int lane);
  void place(Index node, Index child, const RoundedBox& box);
  void split(Index node, Index child, const RoundedBox& box);
  void drop_empty(Index node);
  void fit_upwards(Index node);
  RoundedBox box_of(const Node& node) const;

  std::vector<Node, LargePageAllocator<Node>> nodes_;
  std::vector<Index> place_;  // of each item: 8 · node + lane
  Index root_ = kNone;
  Index free_ = kNone;  // a node that is not in use
};

}  // namespace touche
