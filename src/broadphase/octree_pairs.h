// SPDX-License-Identifier: Apache-2.0
// A loose octree: a box is in one cell only, because each cell extends by half its edge into its
// neighbours (Ulrich 2000). A box moves down while it fits into the extended cell that contains its
// centre; so large boxes stay high and small ones low, wherever they are. Searches use the bounds
// of the boxes that are actually in a cell and below it.
#pragma once

#include <array>

#include "broadphase/searched_pairs.h"

namespace touche::broadphase {

class OctreePairs final : public SearchedPairs {
 public:
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
  struct Cell {
    std::array<double, 3> centre{};
    double half = 0;   // of its edge
    RoundedBox bound;  // contains all boxes here and below
    Index parent = kNone;
    std::array<Index, 8> children;
    Index first = kNone, count = 0;  // list of its own boxes
    bool opened = false;             // whether boxes that fit into children have been moved there
    Cell() { children.fill(kNone); }
  };
  struct Entry {
    Index cell = kNone, next = kNone, previous = kNone;
  };

  void build();
  bool fits(const RoundedBox& box, const Cell& cell) const;
  Index child_for(const RoundedBox& box, Index cell);
  void place(Index number);
  void link(Index number, Index cell);
  void unlink(Index number);
  void open_up(Index cell);
  void refit();
  template <class Meet>
  void search_below(Index first, const RoundedBox& box, Meet&& meet) const;

  std::vector<Cell> cells_;      // the root first, children after their parents
  std::vector<Entry> entries_;   // by box number
  double finest_ = 0;            // lower bound of `half` of all cells
  std::size_t first_cells_ = 0;  // number of cells after building
};

}  // namespace touche::broadphase
