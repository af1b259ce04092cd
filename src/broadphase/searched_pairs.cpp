// SPDX-License-Identifier: Apache-2.0
#include "broadphase/searched_pairs.h"

#include <algorithm>

namespace touche::broadphase {

void SearchedPairs::wait(Index number) {
  if (waits(number)) return;
  waits_[number] = 1;
  waiting_.push_back(number);
}

void SearchedPairs::add(Index number, const RoundedBox& box) {
  if (number >= boxes_.size()) {
    boxes_.resize(number + 1);
    held_.resize(number + 1);
    waits_.resize(number + 1);
  }
  boxes_[number] = box;
  wait(number);
}

void SearchedPairs::change(Index number, const RoundedBox& box) {
  if (boxes_[number] == box) return;
  boxes_[number] = box;
  wait(number);
}

void SearchedPairs::drop(Index number) {
  if (is_held(number)) take_out(number);
  held_[number] = 0;
  wait(number);
}

void SearchedPairs::update() {
  if (waiting_.empty()) return;
  present_.clear();
  for (const Index number : waiting_)
    if (has(number)) present_.push_back(number);
  settle(present_);
  for (const Index number : present_) held_[number] = 1;

  constexpr std::size_t kMany = 8;  // if more than one box in `kMany` changed, find all pairs again
  if (waiting_.size() > size() / kMany) {
    pairs_.clear();
    find_pairs(pairs_);
    for (BoxPair& pair : pairs_)
      if (pair.b < pair.a) std::swap(pair.a, pair.b);
  } else {
    std::erase_if(pairs_, [&](const BoxPair& pair) { return waits(pair.a) || waits(pair.b); });
    for (const Index number : present_) {
      found_.clear();
      find(boxes_[number], found_);
      for (const Index other : found_) {
        // Of two changed boxes, the one with the larger number finds the pair.
        if (other == number || (waits(other) && other > number)) continue;
        pairs_.push_back({std::min(number, other), std::max(number, other)});
      }
    }
  }
  for (const Index number : waiting_) waits_[number] = 0;
  waiting_.clear();
}

std::span<const BoxPair> SearchedPairs::list_pairs() {
  update();
  return pairs_;
}

void SearchedPairs::search(const RoundedBox& box, const Visit& visit) const {
  std::vector<Index> found;
  find(box, found);
  for (const Index number : found)
    if (!waits(number) && !visit(number)) return;
  for (const Index number : waiting_)
    if (has(number) && boxes_[number].overlaps(box) && !visit(number)) return;
}

void SearchedPairs::search(const RayPiece& ray, const VisitAlong& visit) const {
  RayQueue queue(ray);
  for (const Index number : waiting_)
    if (has(number)) queue.add_box(number, boxes_[number]);
  start(queue);
  queue.run(visit, [&](Index node) { open(node, queue); });
}

BroadPhase::Memory SearchedPairs::memory_of_method() const {
  const std::size_t pair_bytes = pairs_.capacity() * sizeof(BoxPair);
  return {boxes_.capacity() * sizeof(RoundedBox) + held_.capacity() + waits_.capacity() +
              (waiting_.capacity() + present_.capacity() + found_.capacity()) * sizeof(Index) +
              structure_bytes() + pair_bytes,
          pair_bytes};
}

}  // namespace touche::broadphase
