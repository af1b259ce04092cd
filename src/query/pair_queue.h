// SPDX-License-Identifier: Apache-2.0
// The queue of the best-first searches (distance, time of impact): pairs of nodes or triangles,
// each with a lower bound as its key, least first.
//
// An opened pair of nodes yields up to 64 pairs, most of which are never looked at: they wait
// together in a group, and only the least of a group stands in the heap.
#pragma once

#include <algorithm>
#include <bit>
#include <tuple>
#include <vector>

#include "query/pair_traversal.h"

namespace touche {

enum class Queued : std::uint8_t { triangles, nodes, children };

struct QueuedPair {
  double key;
  Queued kind;         // triangles; nodes looked at before; or children seen for the first time
  std::uint32_t a, b;  // numbers of triangles, or NodeRefs

  NodePair nodes() const { return {static_cast<NodeRef>(a), static_cast<NodeRef>(b)}; }
};

class PairQueue {
 public:
  PairQueue(const Bvh& a, const Bvh& b) : bvh_a_(a), bvh_b_(b) {
    heap_.reserve(256);
    groups_.reserve(128);
  }

  void clear() {
    heap_.clear();
    used_ = 0;
  }

  bool empty() const { return heap_.empty(); }
  double least_key() const { return heap_.front().key; }

  void push_triangles(double key, Index ta, Index tb) { push({key, ta, tb, Queued::triangles}); }
  void push_nodes(double key, NodePair nodes) {
    push({key, static_cast<std::uint32_t>(nodes.a), static_cast<std::uint32_t>(nodes.b),
          Queued::nodes});
  }

  /// Room for the keys of a pair's children; fill it, then push_children or drop it.
  PairKeys& keys() {
    if (groups_.size() == used_) groups_.emplace_back();
    return groups_[used_].pairs.keys;
  }
  /// The children of `pair` in keys(), of which `first` is the least, each with key base + value,
  /// but at least `least_key`.
  void push_children(const OpenedPair& pair, std::int32_t first, double base, double least_key) {
    if (first == PairKeys::kNone) return;
    Group& group = groups_[used_];
    group.base = base;
    group.least_key = least_key;
    group.leaves = pair.leaves();
    group.pairs.children = pair.children();
    group.pairs.first = first;
    push_group(static_cast<std::uint32_t>(used_++));
  }

  QueuedPair pop() {
    std::pop_heap(heap_.begin(), heap_.end());
    const Entry top = heap_.back();
    heap_.pop_back();
    if (top.kind != Queued::children) return {top.key, top.kind, top.a, top.b};
    Group& group = groups_[top.a];
    const int n = group.pairs.take(kernels());
    if (group.pairs.first != PairKeys::kNone) push_group(top.a);
    if (group.leaves)
      return {top.key, Queued::triangles,
              bvh_a_.leaf(group.pairs.children.nodes.a).triangle[row_of(n)],
              bvh_b_.leaf(group.pairs.children.nodes.b).triangle[lane_of(n)]};
    const NodePair child = group.pairs.children[n];
    return {top.key, Queued::children, static_cast<std::uint32_t>(child.a),
            static_cast<std::uint32_t>(child.b)};
  }

 private:
  struct Group {
    double base, least_key;
    bool leaves;
    WaitingPairs pairs;
  };

  // A pair, or the least of group a.
  struct Entry {
    double key;
    std::uint32_t a, b;
    Queued kind;

    // std::push_heap keeps the largest on top; ties are ordered for determinism.
    friend bool operator<(const Entry& x, const Entry& y) {
      if (x.key != y.key) return x.key > y.key;
      return std::tuple(x.kind, x.a, x.b) > std::tuple(y.kind, y.a, y.b);
    }
  };

  void push(const Entry& entry) {
    heap_.push_back(entry);
    std::push_heap(heap_.begin(), heap_.end());
  }

  void push_group(std::uint32_t index) {
    const Group& group = groups_[index];
    const double key = group.base + static_cast<double>(PairKeys::value(group.pairs.first));
    push({std::max(key, group.least_key), index, 0, Queued::children});
  }

  const Bvh& bvh_a_;
  const Bvh& bvh_b_;
  std::vector<Entry> heap_;
  std::vector<Group> groups_;
  std::size_t used_ = 0;
};

}  // namespace touche
