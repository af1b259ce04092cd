// SPDX-License-Identifier: Apache-2.0
// Inserts, removes or moves single items. The arrays stay dense: the last element fills a gap.
#include <algorithm>
#include <string>

#include "aabb_tree/aabb_tree.h"
#include "aabb_tree/surface.h"

namespace touche::aabb_tree {

Index AabbTree::leaf_of(Index item) const {
  if (!one_each_) throw InvalidInput("tree of boxes: its leaves hold several items");
  if (item >= leaves_.size() || leaves_[item] == kNone)
    throw InvalidInput("tree of boxes: item " + std::to_string(item) + " is not in it");
  return leaves_[item];
}

/// Writes a node to an index, and updates all links to it except its parent's.
void AabbTree::put(Index at, const Node& node) {
  nodes_[at] = node;
  if (node.is_leaf()) {
    for (const Index item : items(node)) leaves_[item] = at;
  } else {
    nodes_[node.first].parent = at;
    nodes_[node.second].parent = at;
  }
}

/// Removes an unreferenced node from the array.
void AabbTree::fill_hole(Index at) {
  const auto last = static_cast<Index>(nodes_.size() - 1);
  if (at != last) {
    const Node node = nodes_[last];
    Node& parent = nodes_[node.parent];
    (parent.first == last ? parent.first : parent.second) = at;
    put(at, node);
  }
  nodes_.pop_back();
}

/// Returns the node to become the sibling of the box: the one for which the surface areas of all
/// nodes grow least, as far as a single descent finds it.
Index AabbTree::best_sibling(const Aabb& box) const {
  const BoxSurface surface(merged(nodes_[0].box, box));
  const double own = surface.area(box);
  Index at = 0, best = 0;
  double least = surface.area(merged(nodes_[0].box, box));
  double above = least - surface.area(nodes_[0].box);  // growth of the ancestors
  while (!nodes_[at].is_leaf()) {
    Index next = kNone;
    double least_below = kInfinity, next_above = 0, next_distance = kInfinity;
    for (const Index child : {nodes_[at].first, nodes_[at].second}) {
      const Aabb& child_box = nodes_[child].box;
      const double together = surface.area(merged(child_box, box));
      if (above + together < least) least = above + together, best = child;
      const double growth = together - surface.area(child_box);
      const double below = above + growth + own;
      const double distance = (child_box.centre() - box.centre()).squaredNorm();
      if (below > least_below || (below == least_below && distance >= next_distance)) continue;
      least_below = below;
      next_above = above + growth;
      next_distance = distance;
      next = child;
    }
    if (next == kNone || least_below >= least) break;
    at = next;
    above = next_above;
  }
  return best;
}

void AabbTree::insert(Index item, const Aabb& box) {
  if (!one_each_) throw InvalidInput("tree of boxes: its leaves hold several items");
  if (item >= leaves_.size()) leaves_.resize(std::size_t{item} + 1, kNone);
  if (leaves_[item] != kNone)
    throw InvalidInput("tree of boxes: item " + std::to_string(item) + " is in it already");
  Node leaf;
  leaf.box = box;
  leaf.first = size();
  leaf.second = 1;
  items_.push_back(item);
  if (empty()) {
    nodes_.push_back(leaf);
    leaves_[item] = 0;
    return;
  }

  // A new inner node takes the sibling's index and becomes the parent of both.
  const Index above = best_sibling(box);
  const auto sibling = static_cast<Index>(nodes_.size()), own = sibling + 1;
  nodes_.resize(nodes_.size() + 2);
  Node inner;
  inner.parent = nodes_[above].parent;
  put(sibling, nodes_[above]);
  put(own, leaf);
  inner.first = sibling;
  inner.second = own;
  inner.height = 1;
  put(above, inner);
  parents_first_ = false;
  fit_upwards(above);
}

void AabbTree::remove(Index item) {
  const Index leaf = leaf_of(item);

  // The last item fills the gap.
  const Index slot = nodes_[leaf].first, last = items_.back();
  items_[slot] = last;
  nodes_[leaves_[last]].first = slot;
  items_.pop_back();
  leaves_[item] = kNone;

  // The sibling replaces its parent.
  const Index above = nodes_[leaf].parent;
  if (above == kNone) {
    nodes_.clear();
    parents_first_ = true;
    return;
  }
  const Index sibling = nodes_[above].first == leaf ? nodes_[above].second : nodes_[above].first;
  Node node = nodes_[sibling];
  node.parent = nodes_[above].parent;
  put(above, node);
  fit_upwards(node.parent);
  // Fill the larger index first: then the last node is never the other gap.
  fill_hole(std::max(leaf, sibling));
  fill_hole(std::min(leaf, sibling));
  parents_first_ = false;
}

void AabbTree::move(Index item, const Aabb& box) {
  const Index leaf = leaf_of(item), above = nodes_[leaf].parent;
  if (above != kNone && !overlap(nodes_[above].box, box)) {
    remove(item);
    insert(item, box);
    return;
  }
  nodes_[leaf].box = box;
  fit_upwards(above);
}

/// Computes box and height of an inner node from its children.
void AabbTree::fit(Index at) {
  Node& node = nodes_[at];
  const Node &first = nodes_[node.first], &second = nodes_[node.second];
  node.box = merged(first.box, second.box);
  node.height = 1 + std::max(first.height, second.height);
}

void AabbTree::fit_upwards(Index from) {
  for (Index at = from; at != kNone; at = nodes_[at].parent) {
    fit(at);
    rotate(at);
  }
}

/// Swaps a child with a child of the other one if that makes the other one smaller (Kopta et al.
/// 2012: Fast, effective BVH updates for animated scenes).
void AabbTree::rotate(Index at) {
  const BoxSurface surface(nodes_[0].box);
  double best = 0;
  Index down = kNone, up = kNone;
  const auto look = [&](Index child, Index other) {
    const Node& node = nodes_[other];
    if (node.is_leaf()) return;
    const double now = surface.area(node.box);
    for (const Index rises : {node.first, node.second}) {
      const Index stays = rises == node.first ? node.second : node.first;
      const double gain = now - surface.area(merged(nodes_[child].box, nodes_[stays].box));
      if (gain > best) best = gain, down = child, up = rises;
    }
  };
  look(nodes_[at].first, nodes_[at].second);
  look(nodes_[at].second, nodes_[at].first);
  if (down == kNone) return;
  const Index other = nodes_[up].parent;
  (nodes_[at].first == down ? nodes_[at].first : nodes_[at].second) = up;
  (nodes_[other].first == up ? nodes_[other].first : nodes_[other].second) = down;
  nodes_[up].parent = at;
  nodes_[down].parent = other;
  fit(other);
  fit(at);
  parents_first_ = false;
}

/// Reorders the nodes depth first, parents before children.
void AabbTree::sort() {
  struct Waiting {
    Index old, parent;  // the parent by its new index
    bool second;
  };
  std::vector<Node> sorted;
  sorted.reserve(nodes_.size());
  std::vector<Waiting> waiting;
  if (!empty()) waiting.push_back({0, kNone, false});
  while (!waiting.empty()) {
    const auto [old, parent, second] = waiting.back();
    waiting.pop_back();
    const auto here = static_cast<Index>(sorted.size());
    Node& node = sorted.emplace_back(nodes_[old]);
    node.parent = parent;
    if (parent != kNone) (second ? sorted[parent].second : sorted[parent].first) = here;
    if (node.is_leaf()) {
      for (const Index item : items(node)) leaves_[item] = here;
    } else {
      waiting.push_back({node.second, here, true});
      waiting.push_back({node.first, here, false});
    }
  }
  nodes_.swap(sorted);
  parents_first_ = true;
}

}  // namespace touche::aabb_tree
