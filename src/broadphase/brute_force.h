// SPDX-License-Identifier: Apache-2.0
// Tests every box against every other one; the reference for all other methods.
#pragma once

#include <vector>

#include "touche/broadphase.h"

namespace touche::broadphase {

class BruteForcePairs final : public BroadPhase {
 public:
  void validate() const override {}

 protected:
  void add(Index number, const RoundedBox& box) override;
  void change(Index number, const RoundedBox& box) override { boxes_[number] = box; }
  void drop(Index number) override;
  RoundedBox box_of(Index number) const override { return boxes_[number]; }
  std::span<const BoxPair> list_pairs() override;
  void search(const RoundedBox& box, const Visit& visit) const override;
  void search(const RayPiece& ray, const VisitAlong& visit) const override;
  Memory memory_of_method() const override;

 private:
  std::vector<RoundedBox> boxes_;
  std::vector<Index> present_;  // numbers in ascending order
  std::vector<BoxPair> pairs_;
};

}  // namespace touche::broadphase
