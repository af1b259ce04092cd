// SPDX-License-Identifier: Apache-2.0
// A binary tree of axis-aligned boxes over arbitrary items. It can be built at once, refitted when
// the boxes change, or updated item by item.
//
// Nodes lie in one array, 64 bytes each, the root first. Traversals take lambdas and visit nodes in
// an order that depends only on the tree.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "touche/types.h"

namespace touche {

inline bool overlap(const Aabb& a, const Aabb& b) {
  return a.lo[0] <= b.hi[0] && b.lo[0] <= a.hi[0] && a.lo[1] <= b.hi[1] && b.lo[1] <= a.hi[1] &&
         a.lo[2] <= b.hi[2] && b.lo[2] <= a.hi[2];
}

}  // namespace touche

namespace touche::aabb_tree {

inline double squared_distance(const Vec3& x, const Aabb& box) {
  return (box.lo - x).cwiseMax(x - box.hi).cwiseMax(0.0).squaredNorm();
}

/// A stack that does not allocate while it is small, as it is for trees of reasonable height.
template <class T>
class TraversalStack {
 public:
  bool empty() const { return size_ == 0; }
  void push(const T& x) {
    if (size_ < low_.size())
      low_[size_] = x;
    else
      high_.push_back(x);
    ++size_;
  }
  T pop() {
    if (--size_ < low_.size()) return low_[size_];
    const T x = high_.back();
    high_.pop_back();
    return x;
  }

 private:
  std::array<T, 64> low_;
  std::vector<T> high_;
  std::size_t size_ = 0;
};

class AabbTree {
 public:
  struct Node {
    Aabb box;
    Index parent = kNone;
    Index first = 0, second = 0;  ///< children; of a leaf: its first item and their number
    Index height = 0;             ///< above its lowest leaf; 0: a leaf

    bool is_leaf() const { return height == 0; }
  };

  AabbTree() = default;  ///< empty

  /// Items are the indices of their boxes, which must be finite and not empty. Splits by the
  /// surface area heuristic (Wald 2007: binned), or at the median if all boxes are alike and below
  /// 48 levels; leaves hold at most `leaf_items`. Takes n log n time; the result depends only on
  /// the boxes.
  explicit AabbTree(std::span<const Aabb> boxes, Index leaf_items = 1);

  bool empty() const { return nodes_.empty(); }
  Index size() const { return static_cast<Index>(items_.size()); }  ///< items
  /// The root first. Children follow their parents as long as nothing was inserted or removed.
  std::span<const Node> nodes() const { return nodes_; }
  std::span<const Index> items(const Node& leaf) const {
    return std::span(items_).subspan(leaf.first, leaf.second);
  }

  /// Recomputes the boxes of all nodes bottom up; `box_of(item)` returns the new box of an item.
  /// The structure of the tree is unchanged, so its quality drops the more the neighbourhoods of
  /// items change.
  template <class BoxOf>
  void refit(BoxOf&& box_of) {
    if (!parents_first_) sort();
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      Node& node = nodes_[i];
      node.box = {};
      if (node.is_leaf())
        for (const Index item : items(node)) node.box.include(box_of(item));
      else
        node.box.include(nodes_[node.first].box), node.box.include(nodes_[node.second].box);
    }
  }

  // Updates of single items, for trees that were built with one item in each leaf, or are empty.
  // Each traverses one path of the tree and rotates nodes if that makes boxes smaller. They throw
  // InvalidInput for other trees, if an inserted item is already there, and if a removed or moved
  // item is not.

  void insert(Index item, const Aabb& box);
  void remove(Index item);
  /// Gives an item another box.
  void move(Index item, const Aabb& box);

  /// Visits all items of leaves for whose box and its ancestors' boxes `enter(box)` is true;
  /// `visit(item)` returns whether to continue. Returns false if it was stopped.
  template <class Enter, class Visit>
  bool visit(Enter&& enter, Visit&& visit) const;

  /// Visits the items of leaves whose boxes overlap the box, as above.
  template <class Visit>
  bool in_box(const Aabb& box, Visit&& visit) const {
    return this->visit([&](const Aabb& b) { return overlap(b, box); }, visit);
  }

  /// Visits items roughly nearest first: items of leaves for which `bound(box)` is at most `limit`;
  /// `visit(item)` returns the new limit. The bound of a box must not be above that of a box inside
  /// it; for example a squared distance, or the parameter at which a ray enters.
  template <class Bound, class Visit>
  void nearest(double limit, Bound&& bound, Visit&& visit) const;

  /// Visits each pair of items in one leaf, or in leaves whose boxes overlap, once.
  template <class Visit>
  void self_pairs(Visit&& visit) const;

  /// Visits each pair of items, one of each tree, in leaves for which `meet(box_a, box_b)` is true,
  /// as it is for the pairs of boxes above them.
  template <class Meet, class Visit>
  static void pairs(const AabbTree& a, const AabbTree& b, Meet&& meet, Visit&& visit);

  /// Sum of the surface areas of all inner nodes divided by the root's: the expected cost of a
  /// traversal.
  double cost() const;

  /// Checks that each item is held once, that boxes are the boxes of their contents, and that links
  /// match in both directions. Throws Error naming the node that fails.
  void validate(std::span<const Aabb> boxes) const;

 private:
  struct Range;
  struct Entry;
  Index split(std::span<Entry> entries, bool median) const;
  Index leaf_of(Index item) const;
  Index best_sibling(const Aabb& box) const;
  void put(Index at, const Node& node);
  void fill_hole(Index at);
  void fit(Index at);
  void fit_upwards(Index from);
  void rotate(Index at);
  void sort();

  std::vector<Node> nodes_;
  std::vector<Index> items_;   // in the order of the leaves
  std::vector<Index> leaves_;  // by item; kNone: not in the tree
  bool parents_first_ = true;
  bool one_each_ = true;  // leaves hold one item each
};

static_assert(sizeof(AabbTree::Node) == 64);

template <class Enter, class Visit>
bool AabbTree::visit(Enter&& enter, Visit&& visit) const {
  if (empty()) return true;
  TraversalStack<Index> waiting;
  waiting.push(0);
  while (!waiting.empty()) {
    const Node& node = nodes_[waiting.pop()];
    if (!enter(node.box)) continue;
    if (!node.is_leaf()) {
      waiting.push(node.second);
      waiting.push(node.first);
      continue;
    }
    for (const Index item : items(node))
      if (!visit(item)) return false;
  }
  return true;
}

template <class Bound, class Visit>
void AabbTree::nearest(double limit, Bound&& bound, Visit&& visit) const {
  if (empty()) return;
  struct Waiting {
    Index node;
    double bound;
  };
  TraversalStack<Waiting> waiting;
  waiting.push({0, bound(nodes_[0].box)});
  while (!waiting.empty()) {
    Waiting here = waiting.pop();
    if (here.bound > limit) continue;
    // Descend to the nearer child.
    while (!nodes_[here.node].is_leaf()) {
      const Node& node = nodes_[here.node];
      Waiting near = {node.first, bound(nodes_[node.first].box)},
              far = {node.second, bound(nodes_[node.second].box)};
      if (far.bound < near.bound) std::swap(near, far);
      if (far.bound <= limit) waiting.push(far);
      here = near;
      if (here.bound > limit) break;
    }
    if (here.bound > limit) continue;
    for (const Index item : items(nodes_[here.node])) limit = visit(item);
  }
}

template <class Visit>
void AabbTree::self_pairs(Visit&& visit) const {
  if (empty()) return;
  // A pair of a node with itself stands for all pairs below it.
  TraversalStack<std::pair<Index, Index>> waiting;
  waiting.push({0, 0});
  const auto add = [&](Index i, Index j) {
    if (overlap(nodes_[i].box, nodes_[j].box)) waiting.push({i, j});
  };
  while (!waiting.empty()) {
    const auto [i, j] = waiting.pop();
    const Node &a = nodes_[i], &b = nodes_[j];
    if (i == j) {
      if (a.is_leaf()) {
        const std::span<const Index> own = items(a);
        for (std::size_t k = 0; k < own.size(); ++k)
          for (std::size_t l = k + 1; l < own.size(); ++l) visit(own[k], own[l]);
      } else {
        add(a.first, a.second);
        waiting.push({a.second, a.second});
        waiting.push({a.first, a.first});
      }
    } else if (a.is_leaf() && b.is_leaf()) {
      for (const Index x : items(a))
        for (const Index y : items(b)) visit(x, y);
    } else if (a.height >= b.height) {
      add(a.second, j);
      add(a.first, j);
    } else {
      add(i, b.second);
      add(i, b.first);
    }
  }
}

template <class Meet, class Visit>
void AabbTree::pairs(const AabbTree& a, const AabbTree& b, Meet&& meet, Visit&& visit) {
  if (a.empty() || b.empty()) return;
  TraversalStack<std::pair<Index, Index>> waiting;
  const auto add = [&](Index i, Index j) {
    if (meet(a.nodes_[i].box, b.nodes_[j].box)) waiting.push({i, j});
  };
  add(0, 0);
  while (!waiting.empty()) {
    const auto [i, j] = waiting.pop();
    const Node &x = a.nodes_[i], &y = b.nodes_[j];
    if (x.is_leaf() && y.is_leaf()) {
      for (const Index k : a.items(x))
        for (const Index l : b.items(y)) visit(k, l);
    } else if (x.height >= y.height) {
      add(x.second, j);
      add(x.first, j);
    } else {
      add(i, y.second);
      add(i, y.first);
    }
  }
}

}  // namespace touche::aabb_tree
