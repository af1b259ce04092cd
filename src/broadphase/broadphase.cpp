// SPDX-License-Identifier: Apache-2.0
#include "touche/broadphase.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

#include "broadphase/aabb_tree_pairs.h"
#include "broadphase/brute_force.h"
#include "broadphase/hash_grid.h"
#include "broadphase/neighbour_lists.h"
#include "broadphase/octree_pairs.h"
#include "broadphase/packed_box.h"
#include "broadphase/partition_pairs.h"
#include "broadphase/sweep_and_prune.h"
#include "broadphase/sweep_and_prune_2d.h"
#include "math/coordinates.h"

namespace touche {
namespace {

// The largest float that is not larger than x.
float rounded_down(double x) {
  const auto nearest = static_cast<float>(x);
  auto bits = std::bit_cast<std::int32_t>(nearest);
  // no branch, since it would be mispredicted half of the time
  bits -= std::int32_t{nearest > x} * (bits >> 31 | 1);
  return std::bit_cast<float>(bits);
}

constexpr std::size_t kPiece = 256;  // number of boxes that are moved together

constexpr const char* kNoCoordinate =
    "broad phase: a box has a coordinate that is not a number up to 1e30";
constexpr const char* kNoBox = "broad phase: a box is empty";

// Returns what is wrong with a box, or null.
const char* fault_of(const Aabb& box) {
  if (!math::all_within(box.lo, BroadPhase::kMaxCoordinate) ||
      !math::all_within(box.hi, BroadPhase::kMaxCoordinate))
    return kNoCoordinate;
  return (box.lo.array() <= box.hi.array()).all() ? nullptr : kNoBox;
}

const char* fault_of(const RoundedBox& box) {
  // Rounding may increase the largest coordinate to the next float.
  constexpr float kMost = 1.0000001e30f;
  if (broadphase::PackedBox::is_valid(box, kMost)) [[likely]]
    return nullptr;
  for (std::size_t k = 0; k < 3; ++k)
    if (box.lo[k] > box.hi[k]) return kNoBox;
  return kNoCoordinate;
}

RoundedBox checked(const Aabb& box) {
  if (const char* const fault = fault_of(box)) throw InvalidInput(fault);
  return RoundedBox(box);
}

}  // namespace

RoundedBox::RoundedBox(const Aabb& box) {
  for (std::size_t k = 0; k < 3; ++k) {
    lo[k] = rounded_down(box.lo[static_cast<int>(k)]);
    hi[k] = -rounded_down(-box.hi[static_cast<int>(k)]);
  }
}

BroadPhase::~BroadPhase() = default;

Index BroadPhase::insert(const Aabb& box) {
  const RoundedBox rounded = checked(box);
  Index number = 0;
  if (free_.empty()) {
    number = static_cast<Index>(taken_.size());
    taken_.push_back(true);
  } else {
    std::pop_heap(free_.begin(), free_.end(), std::greater<>());
    number = free_.back();
    free_.pop_back();
    taken_[number] = true;
  }
  ++size_;
  add(number, rounded);
  return number;
}

void BroadPhase::check(Index number) const {
  if (!has(number))
    throw InvalidInput("broad phase: no box has the number " + std::to_string(number));
}

void BroadPhase::move(Index number, const Aabb& box) {
  check(number);
  change(number, checked(box));
}

void BroadPhase::change_all(std::span<const Index> numbers, std::span<const RoundedBox> boxes) {
  for (std::size_t i = 0; i < numbers.size(); ++i) change(numbers[i], boxes[i]);
}

// In pieces that stay in the first-level cache.
template <class Box, class Round>
void BroadPhase::move_all(std::span<const Index> numbers, std::span<const Box> boxes,
                          const Round& rounded) {
  if (numbers.size() != boxes.size())
    throw InvalidInput("broad phase: " + std::to_string(numbers.size()) + " numbers, but " +
                       std::to_string(boxes.size()) + " boxes to move");
  for (const Index number : numbers)
    if (!has(number)) [[unlikely]]
      check(number);
  for (std::size_t first = 0; first < boxes.size(); first += kPiece) {
    const auto piece = boxes.subspan(first, std::min(kPiece, boxes.size() - first));
    std::size_t valid = 0;
    const char* fault = nullptr;
    while (valid < piece.size() && (fault = fault_of(piece[valid])) == nullptr) ++valid;
    change_all(numbers.subspan(first, valid), rounded(piece.first(valid)));
    if (fault != nullptr) throw InvalidInput(fault);
  }
}

void BroadPhase::move(std::span<const Index> numbers, std::span<const Aabb> boxes) {
  std::array<RoundedBox, kPiece> rounded;
  move_all(numbers, boxes, [&](std::span<const Aabb> piece) {
    for (std::size_t i = 0; i < piece.size(); ++i) rounded[i] = RoundedBox(piece[i]);
    return std::span<const RoundedBox>(rounded).first(piece.size());
  });
}

void BroadPhase::move(std::span<const Index> numbers, std::span<const RoundedBox> boxes) {
  move_all(numbers, boxes, [](std::span<const RoundedBox> piece) { return piece; });
}

void BroadPhase::remove(Index number) {
  check(number);
  drop(number);
  taken_[number] = false;
  free_.push_back(number);
  std::push_heap(free_.begin(), free_.end(), std::greater<>());
  if (tells_changes_) removed_.push_back(number);
  --size_;
}

RoundedBox BroadPhase::box(Index number) const {
  check(number);
  return box_of(number);
}

void BroadPhase::in_box(const Aabb& box, const Visit& visit) const { search(checked(box), visit); }

void BroadPhase::along_ray(const RayPiece& ray, const VisitAlong& visit) const {
  if (!math::all_within(ray.origin, kMaxCoordinate) ||
      !math::all_within(ray.direction, kMaxCoordinate))
    throw InvalidInput("broad phase: a ray has a coordinate that is not a number up to 1e30");
  if (ray.direction.isZero(0)) throw InvalidInput("broad phase: a ray has no direction");
  if (std::isnan(ray.length)) throw InvalidInput("broad phase: the length of a ray is no number");
  if (ray.length >= 0) search(ray, visit);
}

BroadPhase::Memory BroadPhase::memory() const {
  Memory memory = memory_of_method();
  memory.bytes += taken_.capacity() / 8 + free_.capacity() * sizeof(Index) +
                  known_.capacity() * sizeof(BoxPair) + removed_.capacity() * sizeof(Index);
  memory.pair_bytes += known_.capacity() * sizeof(BoxPair);
  return memory;
}

PairChanges BroadPhase::changes() {
  std::sort(removed_.begin(), removed_.end());
  PairChanges changes = list_changes();
  removed_.clear();
  tells_changes_ = true;
  return changes;
}

bool BroadPhase::is_another(const BoxPair& pair) const {
  return std::binary_search(removed_.begin(), removed_.end(), pair.a) ||
         std::binary_search(removed_.begin(), removed_.end(), pair.b);
}

PairChanges BroadPhase::list_changes() {
  const std::span<const BoxPair> listed = list_pairs();
  std::vector<BoxPair> now(listed.begin(), listed.end());
  std::sort(now.begin(), now.end());
  // Returns the pairs that are only in the first of two sorted lists, or whose numbers stand for
  // other boxes now.
  const auto only_in = [&](const std::vector<BoxPair>& first, const std::vector<BoxPair>& second) {
    std::vector<BoxPair> only;
    for (std::size_t i = 0, j = 0; i < first.size(); ++i) {
      while (j < second.size() && second[j] < first[i]) ++j;
      const bool in_both = j < second.size() && second[j] == first[i];
      if (!in_both || is_another(first[i])) only.push_back(first[i]);
    }
    return only;
  };
  PairChanges changes{only_in(now, known_), only_in(known_, now)};
  known_ = std::move(now);
  return changes;
}

std::unique_ptr<BroadPhase> make_broad_phase(BroadPhaseMethod method) {
  switch (method) {
    case BroadPhaseMethod::neighbour_lists:
      return std::make_unique<broadphase::NeighbourLists>();
    case BroadPhaseMethod::sweep_and_prune:
      return std::make_unique<broadphase::SweepAndPrune>();
    case BroadPhaseMethod::sweep_and_prune_2d:
      return std::make_unique<broadphase::SweepAndPrune2d>();
    case BroadPhaseMethod::grid:
      return std::make_unique<broadphase::HashGrid>();
    case BroadPhaseMethod::aabb_tree:
      return std::make_unique<broadphase::AabbTreePairs>();
    case BroadPhaseMethod::octree:
      return std::make_unique<broadphase::OctreePairs>();
    case BroadPhaseMethod::kd_tree:
      return std::make_unique<broadphase::PartitionPairs>(
          broadphase::PartitionPairs::Planes::across_axes);
    case BroadPhaseMethod::bsp:
      return std::make_unique<broadphase::PartitionPairs>(
          broadphase::PartitionPairs::Planes::of_all_directions);
    case BroadPhaseMethod::brute_force:
      return std::make_unique<broadphase::BruteForcePairs>();
  }
  throw InvalidInput("broad phase: no such method");
}

}  // namespace touche
