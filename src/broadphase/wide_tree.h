// SPDX-License-Identifier: Apache-2.0
// A dynamic tree of axis-aligned boxes with up to eight children per node, all of which are tested
// by one vector comparison. All leaves have the same depth, as in an R-tree (Guttman 1984): a full
// node is split in two, and the tree grows at its root.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/large_pages.h"
#include "broadphase/packed_box.h"

namespace touche::broadphase {

class WideTree {
 public:
  static constexpr int kWidth = 8;
  /// Maximum number of waiting nodes in a depth-first search: a tree grows at its root when that is
  /// split into halves of three or more children, so it has at most 20 levels.
  static constexpr int kMostWaiting = 20 * (kWidth - 1) + 1;

  /// Empty lanes have boxes that overlap nothing.
  struct alignas(64) Node {
    float lo[3][kWidth], hi[3][kWidth];
    Index child[kWidth];    // a node, or an item if the level is 0
    Index parent;           // kNone for the root; for an unused node: the next unused one
    std::uint8_t lane;      // lane in the parent
    std::uint8_t level;     // 0: the children are items
    std::uint8_t used = 0;  // a bit for each lane
  };

  /// The results for several boxes, one after the other.
  struct Findings {
    struct Visit {
      std::uint32_t which;  // index of the box
      Index node;
    };
    std::vector<Index> items;
    std::vector<std::size_t> ends;    // for each box, the end of its results in `items`
    std::vector<Visit> level, below;  // memory that searches reuse

    /// Reserves room for usual results, so that the first search of a kind does not have to wait.
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

  /// Builds the tree of all boxes. Returns the order of the leaves: from now on `order[i]` is item
  /// i.
  std::vector<Index> build(std::span<const PackedBox> boxes);

  void insert(Index item, const PackedBox& box);
  void remove(Index item);
  /// Sets a new box for an item, which stays in its leaf.
  void stretch(Index item, const PackedBox& box);

  /// Prefetches the leaf of an item, which is about to be changed.
  void fetch_leaf(Index item) const { fetch(place_[item] / kWidth); }
  /// Prefetches the node above it; the leaf must have been fetched.
  void fetch_above(Index item) const {
    const Index parent = nodes_[place_[item] / kWidth].parent;
    if (parent != kNone) fetch(parent);
  }

  /// Appends all items whose boxes overlap `box`.
  void find(const PackedBox& box, std::vector<Index>& found) const;
  /// The same for the boxes of several items; replaces earlier results.
  void find_of_each(const PackedBox* boxes, std::span<const Index> items, Findings& findings) const;
  /// Appends all pairs of items whose boxes overlap, each once.
  void find_pairs(std::vector<BoxPair>& found) const;

  std::size_t bytes() const;
  /// Throws Error if a box is not inside its parent's, or an item is not at its recorded position.
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

  std::vector<Node, base::LargePageAllocator<Node>> nodes_;
  std::vector<Index> place_;  // for each item: 8 · node + lane
  Index root_ = kNone;
  Index free_ = kNone;  // an unused node
};

}  // namespace touche::broadphase
