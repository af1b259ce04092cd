// SPDX-License-Identifier: Apache-2.0
#include "bvh/partition.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_invoke.h>

#include <algorithm>
#include <memory>

#include "bvh/binned_cut.h"
#include "bvh/bvh.h"

namespace touche::bvh {
namespace {

// A set of items, recursively split in two down to leaves.
struct Branch {
  std::size_t begin, end;
  GridBox box;
  Branch* part[2];  // null in a leaf
  // `cost[i]` is the least area of all boxes if the set becomes up to i + 1 subtrees of one node.
  // `first[i]` of these come from the first part; 0: a further subtree beyond i gains nothing.
  float cost[kWidth];
  std::uint8_t first[kWidth];

  bool is_leaf() const { return part[0] == nullptr; }
};

// Allocates branches in blocks.
class Branches {
 public:
  Branch* add() {
    if (used_ == kBlock) {
      blocks_.emplace_back(new Branch[kBlock]);
      used_ = 0;
    }
    return &blocks_.back()[used_++];
  }

 private:
  static constexpr std::size_t kBlock = 64;
  std::vector<std::unique_ptr<Branch[]>> blocks_;
  std::size_t used_ = kBlock;
};
using BranchesOfThreads = tbb::enumerable_thread_specific<Branches>;

Branch* divide(std::span<TriangleItem> items, std::size_t begin, std::size_t end,
               BranchesOfThreads& memory, Branches& branches) {
  Branch* const branch = branches.add();
  branch->begin = begin;
  branch->end = end;
  branch->box = kNoBox;
  branch->part[0] = branch->part[1] = nullptr;
  std::fill_n(branch->first, kWidth, std::uint8_t{0});
  // Make a leaf of a small set.
  if (end - begin <= kWidth) {
    for (std::size_t i = begin; i < end; ++i) grow(branch->box, items[i].box);
    std::fill_n(branch->cost, kWidth, area(branch->box));
    return branch;
  }
  // Split a larger set in two, and divide both parts.
  TriangleItem* const first = items.data();
  const auto middle = static_cast<std::size_t>(cut(first + begin, first + end) - first);
  Branch *&low = branch->part[0], *&high = branch->part[1];
  if (end - begin > kParallelGrain) {
    tbb::parallel_invoke([&] { low = divide(items, begin, middle, memory, memory.local()); },
                         [&] { high = divide(items, middle, end, memory, memory.local()); });
  } else {
    low = divide(items, begin, middle, memory, branches);
    high = divide(items, middle, end, memory, branches);
  }
  branch->box = low->box;
  grow(branch->box, high->box);

  // Find the best distributions of two to eight child slots among the parts.
  float forest[kWidth];
  for (int most = 1; most < kWidth; ++most) {
    float least = low->cost[0] + high->cost[most - 1];
    std::uint8_t best = 1;
    for (int k = 1; k < most; ++k) {
      const float sum = low->cost[k] + high->cost[most - 1 - k];
      if (sum < least) {
        least = sum;
        best = static_cast<std::uint8_t>(k + 1);
      }
    }
    forest[most] = least;
    branch->first[most] = best;
  }
  // Use fewer slots if more gain nothing.
  branch->cost[0] = area(branch->box) + forest[kWidth - 1];
  for (int most = 1; most < kWidth; ++most) {
    const bool gains = forest[most] < branch->cost[most - 1];
    branch->cost[most] = gains ? forest[most] : branch->cost[most - 1];
    if (!gains && most < kWidth - 1) branch->first[most] = 0;
  }
  return branch;
}

Subtree collect(const Branch& branch);

void add_children(const Branch& branch, int most, std::vector<Subtree>& children) {
  int i = most - 1;
  while (i > 0 && branch.first[i] == 0) --i;
  if (i == 0) {
    children.push_back(collect(branch));
  } else {
    add_children(*branch.part[0], branch.first[i], children);
    add_children(*branch.part[1], i + 1 - branch.first[i], children);
  }
}

Subtree collect(const Branch& branch) {
  Subtree tree = {branch.begin, branch.end};
  if (branch.is_leaf()) return tree;
  tree.children.reserve(kWidth);
  const int first = branch.first[kWidth - 1];
  add_children(*branch.part[0], first, tree.children);
  add_children(*branch.part[1], kWidth - first, tree.children);
  tree.count_children();
  return tree;
}

// Makes the lowest possible tree: all leaves and nodes except the last are full.
Subtree packed(std::size_t begin, std::size_t end) {
  Subtree tree = {begin, end};
  if (end - begin <= kWidth) return tree;
  std::size_t step = kWidth;
  while (kWidth * step < end - begin) step *= kWidth;
  for (std::size_t b = begin; b < end; b += step)
    tree.children.push_back(packed(b, std::min(b + step, end)));
  tree.count_children();
  return tree;
}

}  // namespace

void Subtree::count_children() {
  nodes = 1;
  leaves = 0;
  for (const Subtree& child : children) {
    nodes += child.nodes;
    leaves += child.leaves;
    height = std::max(height, child.height + 1);
  }
}

Subtree partition(std::span<TriangleItem> items) {
  BranchesOfThreads memory;
  Subtree tree = collect(*divide(items, 0, items.size(), memory, memory.local()));
  return tree.height <= kMostHeight ? std::move(tree) : packed(0, items.size());
}

}  // namespace touche::bvh
