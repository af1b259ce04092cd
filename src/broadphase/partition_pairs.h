// SPDX-License-Identifier: Apache-2.0
// Space recursively divided in two by planes: perpendicular to the axes, which makes a kd-tree, or
// to thirteen directions, which makes a BSP tree. Each leaf lists all boxes that reach into it, so
// a box may be in several. A pair that is in several leaves is reported in the leaf that contains
// the lower corner of the boxes' intersection.
#pragma once

#include <array>

#include "broadphase/searched_pairs.h"

namespace touche::broadphase {

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
    std::size_t undivided = 0;  // number of items of a leaf when no useful plane was found
    RoundedBox bound;           // contains the boxes whose lower corners are in this leaf or below
    std::vector<Index> items;   // only of a leaf

    bool is_leaf() const { return lower == kNone; }
  };
  // The position of a box in the tree, so that it can be found when it has changed.
  struct Place {
    RoundedBox box;
    Index leaf = kNone;  // the leaf that contains its lower corner
    Index copies = 0;    // number of leaves that list it
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
  std::vector<Place> places_;                     // by box number
  std::size_t held_items_ = 0;                    // in all leaves
  std::size_t first_items_ = 0, first_size_ = 0;  // after building

  std::vector<double> middles_;  // memory that is reused
};

}  // namespace touche::broadphase
