// SPDX-License-Identifier: Apache-2.0
// Common base of the methods that find pairs by searching a structure: the boxes, which of them
// changed since pairs were last listed, and the list of pairs. Changed boxes wait outside the
// structure until pairs are listed. If few boxes changed, only their pairs are searched.
#pragma once

#include <vector>

#include "broadphase/ray_queue.h"
#include "touche/broadphase.h"

namespace touche::broadphase {

class SearchedPairs : public BroadPhase {
 protected:
  void add(Index number, const RoundedBox& box) final;
  void change(Index number, const RoundedBox& box) final;
  void drop(Index number) final;
  RoundedBox box_of(Index number) const final { return boxes_[number]; }
  std::span<const BoxPair> list_pairs() final;
  void search(const RoundedBox& box, const Visit& visit) const final;
  void search(const RayPiece& ray, const VisitAlong& visit) const final;
  Memory memory_of_method() const final;

  // Interface of the structure, which holds some of the boxes.

  // Inserts these boxes, or updates them if they are already held.
  virtual void settle(std::span<const Index> numbers) = 0;
  // Removes a box; its stored box may already be a new one.
  virtual void take_out(Index number) = 0;
  // Appends all held boxes that overlap `box`, each once. Waiting boxes may be among them or
  // missing; this base class filters them out.
  virtual void find(const RoundedBox& box, std::vector<Index>& found) const = 0;
  // Appends all pairs, with a and b in any order. Called when no box waits.
  virtual void find_pairs(std::vector<BoxPair>& found) = 0;
  // Adds what the ray meets first to the queue: nodes, or boxes by add_ray_box.
  virtual void start(RayQueue& queue) const = 0;
  virtual void open(Index node, RayQueue& queue) const = 0;
  virtual std::size_t structure_bytes() const = 0;

  const std::vector<RoundedBox>& boxes() const { return boxes_; }
  bool is_held(Index number) const { return held_[number] != 0; }
  bool waits(Index number) const { return waits_[number] != 0; }
  // Waiting boxes are already in the queue.
  void add_ray_box(Index number, RayQueue& queue) const {
    if (!waits(number)) queue.add_box(number, boxes_[number]);
  }

 private:
  void wait(Index number);
  void update();

  std::vector<RoundedBox> boxes_;
  std::vector<std::uint8_t> held_;   // held by the structure
  std::vector<std::uint8_t> waits_;  // inserted, changed or removed since pairs were last listed
  std::vector<Index> waiting_;
  std::vector<BoxPair> pairs_;

  // Memory that is reused.
  std::vector<Index> present_, found_;
};

}  // namespace touche::broadphase
