// SPDX-License-Identifier: Apache-2.0
#include "broadphase/brute_force.h"

#include <algorithm>

#include "broadphase/ray_queue.h"

namespace touche::broadphase {

void BruteForcePairs::add(Index number, const RoundedBox& box) {
  if (number >= boxes_.size()) boxes_.resize(number + 1);
  boxes_[number] = box;
  present_.insert(std::lower_bound(present_.begin(), present_.end(), number), number);
}

void BruteForcePairs::drop(Index number) {
  present_.erase(std::lower_bound(present_.begin(), present_.end(), number));
}

std::span<const BoxPair> BruteForcePairs::list_pairs() {
  pairs_.clear();
  for (std::size_t i = 0; i < present_.size(); ++i)
    for (std::size_t j = i + 1; j < present_.size(); ++j)
      if (boxes_[present_[i]].overlaps(boxes_[present_[j]]))
        pairs_.push_back({present_[i], present_[j]});
  return pairs_;
}

void BruteForcePairs::search(const RoundedBox& box, const Visit& visit) const {
  for (const Index number : present_)
    if (boxes_[number].overlaps(box) && !visit(number)) return;
}

void BruteForcePairs::search(const RayPiece& ray, const VisitAlong& visit) const {
  RayQueue queue(ray);
  for (const Index number : present_) queue.add_box(number, boxes_[number]);
  queue.run(visit);
}

BroadPhase::Memory BruteForcePairs::memory_of_method() const {
  const std::size_t pair_bytes = pairs_.capacity() * sizeof(BoxPair);
  return {boxes_.capacity() * sizeof(RoundedBox) + present_.capacity() * sizeof(Index) + pair_bytes,
          pair_bytes};
}

}  // namespace touche::broadphase
