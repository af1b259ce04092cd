// SPDX-License-Identifier: Apache-2.0
#include "broadphase/aabb_tree_pairs.h"

namespace touche::broadphase {
namespace {

Aabb widened(const RoundedBox& box) {
  return {{box.lo[0], box.lo[1], box.lo[2]}, {box.hi[0], box.hi[1], box.hi[2]}};
}

}  // namespace

// Rebuilds the tree of all boxes: at once if their numbers have no gaps, otherwise box by box.
void AabbTreePairs::build() {
  if (size() == boxes().size()) {
    std::vector<Aabb> wide;
    wide.reserve(boxes().size());
    for (const RoundedBox& box : boxes()) wide.push_back(widened(box));
    tree_ = aabb_tree::AabbTree(wide);
  } else {
    tree_ = aabb_tree::AabbTree();
    for (Index number = 0; number < boxes().size(); ++number)
      if (has(number)) tree_.insert(number, widened(boxes()[number]));
  }
  first_cost_ = tree_.cost();
}

void AabbTreePairs::settle(std::span<const Index> numbers) {
  constexpr std::size_t kMany = 8;  // more than one box in `kMany`: refit the whole tree
  // rebuild if the cost exceeds that after building by this factor
  constexpr double kDegenerated = 1.25;
  if (numbers.size() <= size() / kMany) {
    for (const Index number : numbers) {
      if (is_held(number))
        tree_.move(number, widened(boxes()[number]));
      else
        tree_.insert(number, widened(boxes()[number]));
    }
    return;
  }
  std::size_t held = 0;
  for (const Index number : numbers) held += std::size_t{is_held(number)};
  if (2 * (numbers.size() - held) > size()) {
    build();
    return;
  }
  tree_.refit([&](Index number) { return widened(boxes()[number]); });
  for (const Index number : numbers)
    if (!is_held(number)) tree_.insert(number, widened(boxes()[number]));
  if (tree_.cost() > kDegenerated * first_cost_) build();
}

void AabbTreePairs::find(const RoundedBox& box, std::vector<Index>& found) const {
  tree_.in_box(widened(box), [&](Index number) {
    found.push_back(number);
    return true;
  });
}

void AabbTreePairs::find_pairs(std::vector<BoxPair>& found) {
  tree_.self_pairs([&](Index a, Index b) { found.push_back({a, b}); });
}

void AabbTreePairs::start(RayQueue& queue) const {
  if (!tree_.empty()) queue.add_node(0, RoundedBox(tree_.nodes()[0].box));
}

void AabbTreePairs::open(Index at, RayQueue& queue) const {
  const aabb_tree::AabbTree::Node& node = tree_.nodes()[at];
  if (node.is_leaf()) {
    for (const Index number : tree_.items(node)) add_ray_box(number, queue);
    return;
  }
  for (const Index child : {node.first, node.second})
    queue.add_node(child, RoundedBox(tree_.nodes()[child].box));
}

void AabbTreePairs::validate() const {
  std::vector<Aabb> settled;
  for (const RoundedBox& box : boxes()) settled.push_back(widened(box));
  // A waiting box still has its old box in the tree.
  for (const aabb_tree::AabbTree::Node& node : tree_.nodes())
    if (node.is_leaf())
      for (const Index number : tree_.items(node)) {
        if (!is_held(number)) throw Error("broad phase: the tree holds a box that is gone");
        if (waits(number)) settled[number] = node.box;
      }
  tree_.validate(settled);
}

}  // namespace touche::broadphase
