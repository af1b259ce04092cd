// SPDX-License-Identifier: Apache-2.0
// Space divided in two by planes, again and again: across the axes, which makes a kd-tree, or
// across thirteen directions, which makes a BSP tree. Each leaf holds all boxes that reach into it,
// so a box may be in several; of a pair that is in several leaves, the one tells it in which the
// lower corner of their intersection lies.
#pragma once

#include <array>

#include "broadphase/searched_pairs.h"

namespace touche {

class PartitionPairs final : public SearchedPairs {
 public:
  enum class Planes { across_axes, of_all_directions };
  explicit PartitionPairs(Planes planes);
  void validate() const override;

 protected:
  void settle(std::span<const Index> numbers) override;
  void take_out(Index number) override;
  void find(const RoundedBox& box, std::vector<Index>& found) const override;
  void find_pairs(std::vector<BoxPair>& found) override;
  void start(RayQueue& queue) const override;
  void open(Index node, RayQueue& queue) const override;
  std::size_t structure_bytes() const override;

 private:
  struct Plane {
    std::size_t direction = 0;
    double offset = 0;  // points below it are on the lower side, others on the upper one
  };
  struct Node {
    Plane plane;
    Index lower = kNone, upper = kNone, parent = kNone;
    std::size_t undivided = 0;  // items of a leaf when no plane was found to help
    RoundedBox bound;           // contains the boxes that begin in this leaf or below
    std::vector<Index> items;   // of a leaf

    bool is_leaf() const { return lower == kNone; }
  };
  // Where a box is, so that it is found again when it has changed.
  struct Place {
    RoundedBox box;
    Index leaf = kNone;  // in which its lower corner lies
    Index copies = 0;    // leaves that it is in
  };

  void build();
  void put(Index number, bool was_there);
  void divide(Index leaf);
  bool divide_once(Index leaf);
  Plane best_plane(const std::vector<Index>& items);
  void begin_in(Index number, Index leaf);
  void refit();
  Index leaf_at(const std::array<float, 3>& point) const;
  template <class Meet>
  void visit_leaves(const RoundedBox& box, Meet&& meet) const;

  std::size_t directions_;
  std::vector<Node> nodes_;                       // the root first, children after their parents
  std::vector<Place> places_;                     // by number
  std::size_t held_items_ = 0;                    // in all leaves
  std::size_t first_items_ = 0, first_size_ = 0;  // when it was built

  std::vector<double> middles_;  // memory that is used again
};

}  // namespace touche
