// SPDX-License-Identifier: Apache-2.0
// The library's general AABB tree as a broad phase: boxes are inserted where surfaces grow least;
// if few boxes move, they are reinserted one by one, and if many move, the tree is refitted.
#pragma once

#include "aabb_tree/aabb_tree.h"
#include "broadphase/searched_pairs.h"

namespace touche::broadphase {

class AabbTreePairs final : public SearchedPairs {
 public:
  void validate() const override;

 protected:
  void settle(std::span<const Index> numbers) override;
  void take_out(Index number) override { tree_.remove(number); }
  void find(const RoundedBox& box, std::vector<Index>& found) const override;
  void find_pairs(std::vector<BoxPair>& found) override;
  void start(RayQueue& queue) const override;
  void open(Index node, RayQueue& queue) const override;
  std::size_t structure_bytes() const override {
    return tree_.nodes().size() * sizeof(aabb_tree::AabbTree::Node) +
           2 * tree_.size() * sizeof(Index);
  }

 private:
  void build();

  aabb_tree::AabbTree tree_;
  double first_cost_ = 0;  // cost after building
};

}  // namespace touche::broadphase
