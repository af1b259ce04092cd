// SPDX-License-Identifier: Apache-2.0
// Methods that find pairs by searching a structure share this: the boxes themselves, who changed
// since pairs were last asked for, and the list of pairs. Boxes that changed wait beside the
// structure until pairs are asked for. Where few boxes changed only their pairs are searched anew.
#pragma once

#include <vector>

#include "broadphase/ray_queue.h"
#include "touche/broadphase.h"

namespace touche {

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

  // The structure, which holds some of the boxes.

  // Brings in these boxes, or brings those that are in it up to date.
  virtual void settle(std::span<const Index> numbers) = 0;
  // Takes one out; its box may be another one by now.
  virtual void take_out(Index number) = 0;
  // Appends all that are held and overlap the box, each once. Boxes that wait may be among them or
  // be missing; this one class leaves them out.
  virtual void find(const RoundedBox& box, std::vector<Index>& found) const = 0;
  // Appends all pairs, in either order of a and b, when no box waits.
  virtual void find_pairs(std::vector<BoxPair>& found) = 0;
  // Adds to the queue what the ray meets first: nodes, or boxes by add_ray_box.
  virtual void start(RayQueue& queue) const = 0;
  virtual void open(Index node, RayQueue& queue) const = 0;
  virtual std::size_t structure_bytes() const = 0;

  const std::vector<RoundedBox>& boxes() const { return boxes_; }
  bool is_held(Index number) const { return held_[number] != 0; }
  bool waits(Index number) const { return waits_[number] != 0; }
  // Boxes that wait are in the queue already.
  void add_ray_box(Index number, RayQueue& queue) const {
    if (!waits(number)) queue.add_box(number, boxes_[number]);
  }

 private:
  void wait(Index number);
  void update();

  std::vector<RoundedBox> boxes_;
  std::vector<std::uint8_t> held_;   // in the structure
  std::vector<std::uint8_t> waits_;  // came, changed or went since pairs were last asked for
  std::vector<Index> waiting_;
  std::vector<BoxPair> pairs_;

  // Memory that is used again.
  std::vector<Index> present_, found_;
};

}  // namespace touche
