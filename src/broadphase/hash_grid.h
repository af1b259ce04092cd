// SPDX-License-Identifier: Apache-2.0
// Uniform grids of several cell sizes in one hash table. A box is in the grid whose cells are
// slightly larger than the box, and only in the cell of its lower corner, so that no pair is found
// twice; overlapping boxes begin in this cell or in a neighbouring one. Overmars (1992) hashes
// cells, Mirtich (1996) uses several sizes.
#pragma once

#include <array>

#include "broadphase/searched_pairs.h"

namespace touche::broadphase {

class HashGrid final : public SearchedPairs {
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
    std::array<std::int32_t, 3> at{};
    std::int32_t level = 0;
    friend bool operator==(const Cell&, const Cell&) = default;
  };
  struct Entry {
    Cell cell;
    Index next = kNone, previous = kNone;  // with the same hash
  };
  // The cells in which boxes that overlap a given one may begin, in the grid of one size; both ends
  // included.
  struct Range {
    std::array<double, 3> from, to;
    double cells() const;
  };

  static Cell cell_of(const RoundedBox& box);
  static Range range_of(const RoundedBox& box, int level);
  std::size_t place(const Cell& cell) const;
  void link(Index number);
  void stretch_bounds(int level, const RoundedBox& box);
  static double step_of(int level, const RayToBoxes& ray);  // length of a step along a ray
  void resize_table();
  template <class Look>
  static void each_cell(const Range& range, int level, Look&& look);
  template <class Look>
  void look_in(const Cell& cell, Look&& look) const;

  static constexpr int kLevels = 128;
  std::array<Index, kLevels> held_at_{};    // number of boxes of each size
  static constexpr int kStepBits = 25;      // a node of a ray search is a level and a step
  std::array<RoundedBox, kLevels> bounds_;  // bounds of the boxes of each size; may be too large
  Index count_ = 0;
  std::vector<Entry> entries_;  // by box number
  std::vector<Index> heads_;    // 2^k hash buckets
};

}  // namespace touche::broadphase
