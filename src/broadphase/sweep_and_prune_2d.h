// SPDX-License-Identifier: Apache-2.0
// A line sweeps along one axis; boxes that it meets lie in an interval tree over a second axis,
// where a new one finds those that it overlaps on both (Edelsbrunner 1980; Lin 1993; thesis
// §6.1.4). The third axis is compared pair by pair.
#pragma once

#include "broadphase/searched_pairs.h"

namespace touche {

class SweepAndPrune2d final : public SearchedPairs {
 public:
  void validate() const override;

 protected:
  void settle(std::span<const Index> numbers) override;
  void take_out(Index /*number*/) override {}  // see settle
  void find(const RoundedBox& box, std::vector<Index>& found) const override;
  void find_pairs(std::vector<BoxPair>& found) override;
  void start(RayQueue& queue) const override;
  void open(Index part, RayQueue& queue) const override;
  std::size_t structure_bytes() const override;

 private:
  // A box where the line meets it first.
  struct Start {
    float at;
    Index number;
    bool operator<(const Start& other) const {
      return at != other.at ? at < other.at : number < other.number;
    }
  };
  // A ray looks at so many boxes of `starts_` at a time.
  static constexpr std::ptrdiff_t kTogether = 16;

  double largest() const;
  void choose_axes();
  void choose_slots();
  std::size_t slot_of(float coordinate) const;

  std::size_t along_ = 0, across_ = 1;  // axes
  std::vector<Start> starts_;           // in ascending order
  std::vector<float> reach_;            // of each of these and those before, how far one reaches

  // The interval tree: slots on the second axis are the leaves of a complete binary tree, node 1
  // its root. An interval lies in the lowest node above all its slots.
  std::vector<float> slots_;  // where all but the first begin
  std::vector<Index> first_;  // of each node, in a list
  std::vector<Index> next_;   // of each box

  // Memory that is used again.
  std::vector<Start> changed_, merged_;
  std::vector<float> samples_;
};

}  // namespace touche
