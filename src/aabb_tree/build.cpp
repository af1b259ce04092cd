// SPDX-License-Identifier: Apache-2.0
// Builds the whole tree top down: nodes are created in depth-first order, boxes are fitted
// afterwards.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "aabb_tree/aabb_tree.h"
#include "aabb_tree/surface.h"

namespace touche::aabb_tree {
namespace {

constexpr int kBins = 16;
constexpr int kMaxCutLevels = 48;  // deeper levels are split at the median

}  // namespace

struct AabbTree::Entry {
  Aabb box;
  Index item;

  // Twice the centre; finite if the centre is.
  double middle(int axis) const { return box.lo[axis] + box.hi[axis]; }
};

// A set of items that is to become a node, and its parent.
struct AabbTree::Range {
  Index begin, end, parent;
  int level;
  bool second;
};

AabbTree::AabbTree(std::span<const Aabb> boxes, Index leaf_items) : one_each_(leaf_items <= 1) {
  if (boxes.empty()) return;
  const auto count = static_cast<Index>(boxes.size());
  std::vector<Entry> entries(count);
  for (Index i = 0; i < count; ++i) entries[i] = {boxes[i], i};
  nodes_.reserve(2 * (count / std::max(leaf_items, Index{1})) + 1);
  leaves_.resize(count);

  // Split ranges that do not fit into a leaf; the first part is processed next.
  std::vector<Range> waiting = {{0, count, kNone, 0, false}};
  while (!waiting.empty()) {
    const Range range = waiting.back();
    waiting.pop_back();
    const auto here = static_cast<Index>(nodes_.size());
    Node& node = nodes_.emplace_back();
    node.parent = range.parent;
    if (range.parent != kNone)
      (range.second ? nodes_[range.parent].second : nodes_[range.parent].first) = here;
    if (range.end - range.begin <= std::max(leaf_items, Index{1})) {
      node.first = range.begin;
      node.second = range.end - range.begin;
      for (Index k = range.begin; k < range.end; ++k) leaves_[entries[k].item] = here;
      continue;
    }
    const Index middle =
        range.begin + split(std::span(entries).subspan(range.begin, range.end - range.begin),
                            range.level >= kMaxCutLevels);
    waiting.push_back({middle, range.end, here, range.level + 1, true});
    waiting.push_back({range.begin, middle, here, range.level + 1, false});
    node.height = 1;
  }

  // Fit boxes and heights, bottom up.
  items_.resize(count);
  for (Index k = 0; k < count; ++k) items_[k] = entries[k].item;
  refit([&](Index item) -> const Aabb& { return boxes[item]; });
  for (std::size_t i = nodes_.size(); i-- > 0;)
    if (Node& node = nodes_[i]; !node.is_leaf())
      node.height = 1 + std::max(nodes_[node.first].height, nodes_[node.second].height);
}

/// Moves the items of the first child to the front, and returns their number.
Index AabbTree::split(std::span<Entry> entries, bool median) const {
  // Compute the extent of the centres.
  Vec3 lo = Vec3::Constant(kInfinity), hi = -lo;
  for (const Entry& e : entries)
    for (int axis = 0; axis < 3; ++axis) {
      lo[axis] = std::min(lo[axis], e.middle(axis));
      hi[axis] = std::max(hi[axis], e.middle(axis));
    }
  const Vec3 size = hi - lo;
  int longest = 0;
  size.maxCoeff(&longest);
  const auto half = static_cast<Index>(entries.size() / 2);
  const auto at_median = [&] {
    std::nth_element(entries.begin(), entries.begin() + half, entries.end(),
                     [&](const Entry& a, const Entry& b) {
                       const double x = a.middle(longest), y = b.middle(longest);
                       return x < y || (x == y && a.item < b.item);
                     });
    return half;
  };
  if (median || !(size[longest] > 0)) return at_median();

  // Sort the boxes into bins on each axis.
  struct Bin {
    Aabb box;
    Index count = 0;
  };
  std::array<std::array<Bin, kBins>, 3> bins;
  Vec3 per_bin;
  for (int axis = 0; axis < 3; ++axis) per_bin[axis] = kBins / size[axis];
  const auto bin_of = [&](const Entry& e, int axis) {
    const double at = (e.middle(axis) - lo[axis]) * per_bin[axis];
    return static_cast<std::size_t>(std::clamp(at, 0.0, kBins - 1.0));
  };
  const auto wide = [&](int axis) { return size[axis] > 0 && per_bin[axis] < kInfinity; };
  for (const Entry& e : entries)
    for (int axis = 0; axis < 3; ++axis) {
      if (!wide(axis)) continue;
      Bin& bin = bins[static_cast<std::size_t>(axis)][bin_of(e, axis)];
      bin.box.include(e.box);
      ++bin.count;
    }

  // Choose the cut with the least sum of surface areas, each multiplied by its number of boxes.
  Aabb whole;
  for (const Entry& e : entries) whole.include(e.box);
  const BoxSurface surface(whole);
  double least = kInfinity;
  int cut_axis = -1;
  std::size_t cut = 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (!wide(axis)) continue;
    const auto& row = bins[static_cast<std::size_t>(axis)];
    std::array<double, kBins> right;  // from a bin on
    Aabb box;
    Index count = 0;
    for (std::size_t i = kBins; i-- > 1;) {
      box.include(row[i].box);
      count += row[i].count;
      right[i] = count == 0 ? 0 : surface.area(box) * count;
    }
    box = {};
    count = 0;
    for (std::size_t i = 1; i < kBins; ++i) {
      box.include(row[i - 1].box);
      count += row[i - 1].count;
      if (count == 0 || count == entries.size()) continue;
      const double cost = surface.area(box) * count + right[i];
      if (cost < least) least = cost, cut_axis = axis, cut = i;
    }
  }
  if (cut_axis < 0) return at_median();
  const auto middle = std::partition(entries.begin(), entries.end(),
                                     [&](const Entry& e) { return bin_of(e, cut_axis) < cut; });
  return static_cast<Index>(middle - entries.begin());
}

double AabbTree::cost() const {
  if (empty()) return 0;
  const BoxSurface surface(nodes_[0].box);
  double sum = 0;
  for (const Node& node : nodes_)
    if (!node.is_leaf()) sum += surface.area(node.box);
  return sum / std::max(surface.area(nodes_[0].box), std::numeric_limits<double>::min());
}

void AabbTree::validate(std::span<const Aabb> boxes) const {
  const auto complain = [](std::size_t node, const char* what) {
    throw Error("tree of boxes: node " + std::to_string(node) + ": " + what);
  };
  std::vector<bool> seen(boxes.size());
  std::size_t held = 0, reached = 0;
  std::vector<std::pair<Index, Index>> waiting;  // nodes and their parents
  if (!empty()) waiting.emplace_back(0, kNone);
  while (!waiting.empty()) {
    const auto [at, parent] = waiting.back();
    waiting.pop_back();
    if (at >= nodes_.size() || ++reached > nodes_.size()) complain(at, "is not there");
    const Node& node = nodes_[at];
    if (node.parent != parent) complain(at, "has another parent");
    if (parents_first_ && parent != kNone && at <= parent) complain(at, "before its parent");
    Aabb box;
    if (node.is_leaf()) {
      if (node.second == 0 || node.second > items_.size() - node.first) complain(at, "is empty");
      for (const Index item : items(node)) {
        if (item >= boxes.size() || seen[item]) complain(at, "holds what it should not");
        if (leaves_[item] != at) complain(at, "is not known to its item");
        seen[item] = true;
        box.include(boxes[item]);
        ++held;
      }
    } else {
      if (node.first >= nodes_.size() || node.second >= nodes_.size())
        complain(at, "has no children");
      box.include(nodes_[node.first].box);
      box.include(nodes_[node.second].box);
      if (node.height != 1 + std::max(nodes_[node.first].height, nodes_[node.second].height))
        complain(at, "has another height");
      waiting.emplace_back(node.first, at);
      waiting.emplace_back(node.second, at);
    }
    if (box.lo != node.box.lo || box.hi != node.box.hi) complain(at, "has another box");
  }
  if (reached != nodes_.size()) complain(reached, "nodes are in the tree, of more");
  if (held != items_.size()) complain(held, "items are in leaves, of more");
  for (std::size_t i = 0; i < leaves_.size(); ++i)
    if (leaves_[i] != kNone && (i >= seen.size() || !seen[i]))
      complain(leaves_[i], "is said to hold what it does not");
}

}  // namespace touche::aabb_tree
