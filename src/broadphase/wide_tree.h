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

  /// Holds what was found for each of several boxes, one after the other.
  struct Findings {
    struct Visit {
      std::uint32_t which;  // of the boxes
      Index node;
    };
    std::vector<Index> items;
    std::vector<std::size_t> ends;    // in `items`, of each
    std::vector<Visit> level, below;  // memory that searches use again

    /// Room for what usual boxes find, lest a search that is the first of its kind has to wait.
    void reserve() {
      constexpr std::size_t kUsual = 512;
      items.reserve(kUsual);
      level.reserve(kUsual);
      below.reserve(kUsual);
    }
    std::span<const Index> of(std::size_t which) const {
      const std::size_t begin = which == 0 ? 0 : ends[which - 1];
      return std::span(items).subspan(begin, ends[which] - begin);
    }
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
  void fetch_leaf(Index item) const { fetch(place_[item] / kWidth); }
  /// The node above it, when the leaf was fetched.
  void fetch_above(Index item) const {
    const Index parent = nodes_[place_[item] / kWidth].parent;
    if (parent != kNone) fetch(parent);
  }

  /// Appends all items whose boxes overlap this one.
  void find(const PackedBox& box, std::vector<Index>& found) const;
  /// The same for each of several items, which have boxes; in place of what was found before.
  void find_of_each(const PackedBox* boxes, std::span<const Index> items, Findings& findings) const;
  /// Appends all pairs of items whose boxes overlap, each once.
  void find_pairs(std::vector<BoxPair>& found) const;

  std::size_t bytes() const;
  /// Throws Error where a box is not inside its parent's, or an item is not where it should be.
  void validate(std::span<const PackedBox> boxes) const;

 private:
  struct Centre;
  static constexpr int kBuiltWidth = 7;  // leaves room for insertions

  void fetch(Index node) const {
    const auto* const bytes = reinterpret_cast<const char*>(&nodes_[node]);
    for (std::size_t line = 0; line < sizeof(Node); line += 64) __builtin_prefetch(bytes + line, 1);
  }
  void make_room();
  Index make_node(int level);
  Index build_node(std::span<Centre> centres, std::span<const PackedBox> boxes, int level,
                   std::vector<Index>& order);
  void put(Index node, int lane, Index child, const RoundedBox& box);
  void clear(Index node, int lane);
  static void grow_each(const Node& node, const RoundedBox& box, float (&growth)[kWidth],
                        float (&area)[kWidth]);
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
