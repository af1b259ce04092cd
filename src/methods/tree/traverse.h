// SPDX-License-Identifier: Apache-2.0
// The simultaneous traversal of two trees of one type of volume (thesis §4.3). A pair of nodes is
// tested when it is made; overlapping pairs wait to be expanded or, if both are leaves, to have
// their faces tested.
#pragma once

#include "base/budget_meter.h"
#include "methods/tree/pair_order.h"
#include "methods/tree/typed_tree.h"

namespace touche::tree {

struct Opening {
  bool a, b;
};

/// Fig. 4.14 takes what is reached, the sum of the worst qualities, times the cost to get there.
/// The figure opens nothing when `one` and `two` are equal and less than `both`; then it is a.
template <bounds::BoundingVolume V>
Opening hybrid(const TreeNode<V>& a, const TreeNode<V>& b) {
  const double one = a.expansion_cost * (a.worst_child + b.quality);
  const double two = b.expansion_cost * (b.worst_child + a.quality);
  const double both = a.expansion_cost * b.expansion_cost * (a.worst_child + b.worst_child);
  if (both <= one && both <= two) return {true, true};
  return one <= two ? Opening{true, false} : Opening{false, true};
}

/// Which nodes of a pair are opened; one of them is no leaf.
template <bounds::BoundingVolume V>
Opening opening(Expansion expansion, const TreeNode<V>& a, const TreeNode<V>& b) {
  if (a.node.degree == 0) return {false, true};
  if (b.node.degree == 0) return {true, false};
  switch (expansion) {
    case Expansion::worse_quality:
      return a.quality >= b.quality ? Opening{true, false} : Opening{false, true};
    case Expansion::larger_volume:
      return a.size >= b.size ? Opening{true, false} : Opening{false, true};
    case Expansion::simultaneous:
      return {true, true};
    case Expansion::hybrid:
      return hybrid(a, b);
  }
  return {true, true};
}

/// Calls `leaves(Node of a, Node of b)` for all pairs of leaves under pairs of nodes that
/// `overlap(i, j)`, until it returns false. `options.all_pairs` is left to the caller. False when
/// the budget ended first.
template <bounds::BoundingVolume V, typename Overlap, typename Leaves>
bool traverse(std::span<const TreeNode<V>> nodes_a, std::span<const TreeNode<V>> nodes_b,
              const TraversalOptions& options, TreeStats& stats, Overlap&& overlap,
              Leaves&& leaves) {
  PairOrder waiting(options.order);
  base::BudgetMeter meter(options.budget);
  const auto test = [&](Index i, Index j) {
    const TreeNode<V>&a = nodes_a[i], &b = nodes_b[j];
    ++stats.volume_tests;
    ++stats.by_kind[kind_of(a.volume)][kind_of(b.volume)];
    if (overlap(i, j))
      waiting.push({i, j, a.quality + b.quality});
    else
      ++stats.front;
  };
  test(0, 0);
  while (!waiting.empty()) {
    if (!meter.spend()) return false;
    const WaitingPair pair = waiting.pop();
    const TreeNode<V>&a = nodes_a[pair.a], &b = nodes_b[pair.b];
    if (a.node.degree == 0 && b.node.degree == 0) {
      ++stats.front;
      if (!leaves(a.node, b.node)) return true;
      continue;
    }
    ++stats.node_pairs;
    const Opening which = opening(options.expansion, a, b);
    const Index first_a = which.a ? a.node.first_child : pair.a;
    const Index first_b = which.b ? b.node.first_child : pair.b;
    const Index count_a = which.a ? a.node.degree : 1, count_b = which.b ? b.node.degree : 1;
    for (Index i = first_a; i < first_a + count_a; ++i)
      for (Index j = first_b; j < first_b + count_b; ++j) test(i, j);
  }
  return true;
}

}  // namespace touche::tree
