// SPDX-License-Identifier: Apache-2.0
// A line sweeps along one axis; the boxes that it crosses are in an interval tree over a second
// axis, in which a new box finds the boxes that it overlaps on both axes (Edelsbrunner 1980; Lin
// 1993; thesis §6.1.4). The third axis is compared pair by pair.
#pragma once

#include "broadphase/searched_pairs.h"

namespace touche::broadphase {

class SweepAndPrune2d final : public SearchedPairs {
 public:
  void validate() const override;

 protected:
  void settle(std::span<const Index> numbers) override;
  void take_out(Index /*number*/) override {}  // done by settle
  void find(const RoundedBox& box, std::vector<Index>& found) const override;
  void find_pairs(std::vector<BoxPair>& found) override;
  void start(RayQueue& queue) const override;
  void open(Index part, RayQueue& queue) const override;
  std::size_t structure_bytes() const override;

 private:
  // The position at which the sweep line first meets a box.
  struct Start {
    float at;
    Index number;
    bool operator<(const Start& other) const {
      return at != other.at ? at < other.at : number < other.number;
    }
  };
  // Number of boxes of `starts_` that a ray search tests at a time.
  static constexpr std::ptrdiff_t kTogether = 16;

  double largest() const;
  void choose_axes();
  void choose_slots();
  std::size_t slot_of(float coordinate) const;

  std::size_t along_ = 0, across_ = 1;  // axes
  std::vector<Start> starts_;           // in ascending order
  std::vector<float> reach_;  // for each entry, the largest upper end of it and all entries before

  // The interval tree: slots on the second axis are the leaves of a complete binary tree with root
  // node 1. An interval is in the lowest node that is an ancestor of all its slots.
  std::vector<float> slots_;  // start of each slot except the first
  std::vector<Index> first_;  // first box in the list of each node
  std::vector<Index> next_;   // next box in the list

  // Memory that is reused.
  std::vector<Start> changed_, merged_;
  std::vector<float> samples_;
};

}  // namespace touche::broadphase
