// SPDX-License-Identifier: Apache-2.0
// The queue of the best-first searches (distance, time of impact): pairs of nodes or triangles,
// each with a lower bound as its key, least first.
//
// An opened pair of nodes yields up to 64 pairs, most of which are never looked at: they wait
// together in a group, and only the least of a group stands in the heap.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "query/pair_traversal.h"

namespace touche {

struct QueuedPair {
  double key;
  bool triangles;  // then a and b number triangles, else they are NodeRefs
  std::uint32_t a, b;
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

  void push_triangles(double key, Index ta, Index tb) { push({key, ta, tb}); }

  /// Room for the values of a pair's children; fill it, then push_children or drop it.
  float* values() {
    if (groups_.size() == used_) groups_.emplace_back();
    return groups_[used_].value;
  }
  /// The children of `pair` in `waiting`, each with key base + value.
  void push_children(NodePair nodes, const OpenedPair& pair, std::uint64_t waiting, double base) {
    if (waiting == 0) return;
    Group& group = groups_[used_];
    group.base = base;
    group.nodes = nodes;
    group.opened_a = pair.opened_a();
    group.opened_b = pair.opened_b();
    group.leaves = pair.leaves();
    group.waiting = waiting;
    push_group(static_cast<std::uint32_t>(used_++));
  }

  QueuedPair pop() {
    std::pop_heap(heap_.begin(), heap_.end());
    const Entry top = heap_.back();
    heap_.pop_back();
    if (top.b != kNone) return {top.key, true, top.a, top.b};
    Group& group = groups_[top.a];
    const int n = group.least, row = n / kWidth, lane = n % kWidth;
    group.waiting &= ~(std::uint64_t{1} << n);
    if (group.waiting != 0) push_group(top.a);
    if (group.leaves)
      return {top.key, true, bvh_a_.leaf(group.nodes.a).triangle[row],
              bvh_b_.leaf(group.nodes.b).triangle[lane]};
    const NodeRef a = group.opened_a ? bvh_a_.node(group.nodes.a).child[row] : group.nodes.a;
    const NodeRef b = group.opened_b ? bvh_b_.node(group.nodes.b).child[lane] : group.nodes.b;
    return {top.key, false, static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)};
  }

 private:
  struct Group {
    double base;
    NodePair nodes;
    bool opened_a, opened_b, leaves;
    int least;
    std::uint64_t waiting;
    float value[kWidth * kWidth];
  };

  // A pair of triangles, or (b == kNone) the least of group a.
  struct Entry {
    double key;
    std::uint32_t a, b;

    // std::push_heap keeps the largest on top; ties are ordered for determinism.
    friend bool operator<(const Entry& x, const Entry& y) {
      if (x.key != y.key) return x.key > y.key;
      return std::pair(x.a, x.b) > std::pair(y.a, y.b);
    }
  };

  void push(const Entry& entry) {
    heap_.push_back(entry);
    std::push_heap(heap_.begin(), heap_.end());
  }

  void push_group(std::uint32_t index) {
    Group& group = groups_[index];
    std::uint64_t rest = group.waiting;
    group.least = std::countr_zero(rest);
    for (rest &= rest - 1; rest != 0; rest &= rest - 1) {
      const int n = std::countr_zero(rest);
      if (group.value[n] < group.value[group.least]) group.least = n;
    }
    push({group.base + static_cast<double>(group.value[group.least]), index, kNone});
  }

  const Bvh& bvh_a_;
  const Bvh& bvh_b_;
  std::vector<Entry> heap_;
  std::vector<Group> groups_;
  std::size_t used_ = 0;
};

}  // namespace touche
