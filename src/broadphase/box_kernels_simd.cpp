// SPDX-License-Identifier: Apache-2.0
// Compiles the inner loops for the instruction sets that bvh/kernels_simd.cpp offers.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broadphase/box_kernels_simd.cpp"
#include "base/simd_targets.h"
// simd_targets must come first
#include <hwy/highway.h>

#include <bit>
#include <limits>

#include "broadphase/box_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace touche::broadphase {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, WideTree::kWidth>;
using V = hn::Vec<D>;

// One box, repeated in all lanes.
class Spread {
 public:
  HWY_INLINE explicit Spread(const PackedBox& box) {
    const D d;
    for (std::size_t k = 0; k < 3; ++k) {
      lo_[k] = hn::Set(d, box.ends[k]);
      hi_[k] = hn::Set(d, -box.ends[3 + k]);
    }
  }
  HWY_INLINE Spread(const WideTree::Node& node, int lane) {
    const D d;
    for (std::size_t k = 0; k < 3; ++k) {
      lo_[k] = hn::Set(d, node.lo[k][lane]);
      hi_[k] = hn::Set(d, node.hi[k][lane]);
    }
  }

  // Returns a bit for each child that overlaps the box.
  HWY_INLINE std::uint32_t Overlapping(const WideTree::Node& node) const {
    const D d;
    std::uint32_t bits = 0;
    for (std::size_t l = 0; l < WideTree::kWidth; l += hn::Lanes(d)) {
      const auto on_axis = [&](int k) HWY_ATTR {
        return hn::And(hn::Le(hn::Load(d, node.lo[k] + l), hi_[k]),
                       hn::Le(lo_[k], hn::Load(d, node.hi[k] + l)));
      };
      const auto all = hn::And(on_axis(0), hn::And(on_axis(1), on_axis(2)));
      std::uint8_t lanes[8];
      hn::StoreMaskBits(d, all, lanes);
      bits |= static_cast<std::uint32_t>(lanes[0]) << l;
    }
    return bits;
  }

 private:
  V lo_[3], hi_[3];
};

// The negated opposite ends of a box: upper bounds of another box's ends if both overlap. The last
// two numbers are infinite, since what follows the other box in memory is compared with them.
class TurnedAround {
 public:
  HWY_INLINE explicit TurnedAround(const PackedBox& box) {
    const D d;
    constexpr float kInf = std::numeric_limits<float>::infinity();
    if constexpr (kVectors == 1) {
      // In a register, because reading numbers as a vector just after they were written one by one
      // would stall the processor.
      alignas(32) constexpr std::int32_t kTurned[8] = {3, 4, 5, 0, 1, 2, 6, 7};
      const auto turned =
          hn::TableLookupLanes(hn::LoadU(d, box.ends.data()), hn::SetTableIndices(d, kTurned));
      ends_[0] = hn::IfThenElse(hn::FirstN(d, 6), hn::Neg(turned), hn::Set(d, kInf));
    } else {
      const auto& e = box.ends;
      alignas(32) const float turned[8] = {-e[3], -e[4], -e[5], -e[0], -e[1], -e[2], kInf, kInf};
      for (std::size_t i = 0; i < kVectors; ++i) ends_[i] = hn::Load(d, turned + i * kLanes);
    }
  }
  HWY_INLINE bool Overlaps(const PackedBox& box) const {
    const D d;
    bool all = true;
    for (std::size_t i = 0; i < kVectors; ++i)
      all &= hn::AllTrue(d, hn::Le(hn::LoadU(d, box.ends.data() + i * kLanes), ends_[i]));
    return all;
  }

 private:
  static constexpr std::size_t kLanes = hn::MaxLanes(D()), kVectors = 8 / kLanes;
  V ends_[kVectors];
};

void Find(const WideTree::Node* nodes, Index root, const PackedBox& box,
          std::vector<Index>& found) {
  const Spread spread(box);
  Index stack[WideTree::kMostWaiting];
  int waiting = 0;
  stack[waiting++] = root;
  while (waiting > 0) {
    const WideTree::Node& node = nodes[stack[--waiting]];
    const std::uint32_t overlapping = spread.Overlapping(node);
    if (node.level > 0) {
      for (std::uint32_t left = overlapping; left != 0; left &= left - 1)
        stack[waiting++] = node.child[std::countr_zero(left)];
    } else {
      for (std::uint32_t left = overlapping; left != 0; left &= left - 1)
        found.push_back(node.child[std::countr_zero(left)]);
    }
  }
}

HWY_INLINE void Fetch(const WideTree::Node& node) {
  const auto* const bytes = reinterpret_cast<const char*>(&node);
  for (std::size_t line = 0; line < sizeof node; line += 64) __builtin_prefetch(bytes + line);
}

// Level by level, since all leaves have the same depth: while one node is tested, the other nodes
// of its level, for all items, are prefetched.
void FindOfEach(const WideTree::Node* nodes, Index root, const PackedBox* boxes,
                std::span<const Index> items, WideTree::Findings& findings) {
  auto &level = findings.level, &below = findings.below;
  level.clear();
  for (std::uint32_t i = 0; i < items.size(); ++i) level.push_back({i, root});
  for (int height = nodes[root].level; height > 0; --height) {
    below.clear();
    for (const auto& [which, at] : level) {
      const WideTree::Node& node = nodes[at];
      for (std::uint32_t left = Spread(boxes[items[which]]).Overlapping(node); left != 0;
           left &= left - 1) {
        const Index child = node.child[std::countr_zero(left)];
        Fetch(nodes[child]);
        below.push_back({which, child});
      }
    }
    level.swap(below);
  }
  for (const auto& [which, at] : level) {
    const WideTree::Node& leaf = nodes[at];
    for (std::uint32_t left = Spread(boxes[items[which]]).Overlapping(leaf); left != 0;
         left &= left - 1)
      findings.items.push_back(leaf.child[std::countr_zero(left)]);
    findings.ends[which] = findings.items.size();
  }
}

void FindPairs(const WideTree::Node* nodes, Index root, std::vector<BoxPair>& found) {
  std::vector<BoxPair> waiting{{root, root}};
  while (!waiting.empty()) {
    const BoxPair pair = waiting.back();
    waiting.pop_back();
    const WideTree::Node &a = nodes[pair.a], &b = nodes[pair.b];
    std::vector<BoxPair>& to = a.level > 0 ? waiting : found;
    for (std::uint32_t rows = a.used; rows != 0; rows &= rows - 1) {
      const int row = std::countr_zero(rows);
      std::uint32_t overlapping = Spread(a, row).Overlapping(b);
      if (pair.a == pair.b) {
        // Each pair once; a node also with itself, an item not.
        overlapping &= ~((1u << row) - 1u);
        if (a.level == 0) overlapping &= ~(1u << row);
      }
      for (std::uint32_t left = overlapping; left != 0; left &= left - 1)
        to.push_back({a.child[row], b.child[std::countr_zero(left)]});
    }
  }
}

// Tests four neighbours of a box together, of which at least one exists. Returns a bit for each
// whose overlap began or ended.
HWY_INLINE std::uint32_t FlippedOfFour(const PackedBox* boxes, const TurnedAround& turned,
                                       const Neighbour* list) {
  std::uint32_t flipped = 0;
  for (Index i = NeighbourRange::kTogether; i-- > 0;) {
    const bool overlaps = turned.Overlaps(boxes[list[i].other()]);
    flipped = 2 * flipped + std::uint32_t{overlaps != list[i].overlaps()};
  }
  return flipped;
}

// Finds the flips of the neighbours of a box: of all, or only of neighbours in slots above its own,
// which come first.
template <bool kAll>
HWY_INLINE void FindFlipsOf(Index box, const PackedBox* boxes, const NeighbourRange& range,
                            const GrowingArray<Neighbour>& neighbours, std::vector<Flip>& flips) {
  const Index count = kAll ? range.count : range.above;
  if (count == 0) return;
  const Neighbour* const list = neighbours.at(range.begin);
  const TurnedAround turned(boxes[box]);
  for (Index first = 0; first < count; first += NeighbourRange::kTogether) {
    for (std::uint32_t flipped = FlippedOfFour(boxes, turned, list + first); flipped != 0;
         flipped &= flipped - 1) {
      const Index place = first + static_cast<Index>(std::countr_zero(flipped));
      flips.push_back({{box, place}, !list[place].overlaps()});
    }
  }
}

void FindFlips(const PackedBox* boxes, const NeighbourRange* ranges,
               const GrowingArray<Neighbour>& neighbours, const std::vector<std::uint64_t>& moved,
               std::vector<Flip>& flips) {
  for (std::size_t word = 0; word < moved.size(); ++word)
    for (std::uint64_t left = moved[word]; left != 0; left &= left - 1) {
      const auto box =
          static_cast<Index>(64 * word + static_cast<unsigned>(std::countr_zero(left)));
      FindFlipsOf<true>(box, boxes, ranges[box], neighbours, flips);
    }
}

// Long lists are prefetched; for short ones prefetching takes longer than waiting.
template <bool kFetch>
HWY_INLINE void FindFlipsOfAll(const PackedBox* boxes, std::span<const NeighbourRange> ranges,
                               const GrowingArray<Neighbour>& neighbours,
                               std::vector<Flip>& flips) {
  constexpr Index kAhead = 8;
  const auto count = static_cast<Index>(ranges.size());
  for (Index box = 0; box < count; ++box) {
    if (kFetch && box + kAhead < count && ranges[box + kAhead].above > 0)
      __builtin_prefetch(neighbours.at(ranges[box + kAhead].begin));
    FindFlipsOf<false>(box, boxes, ranges[box], neighbours, flips);
  }
}

void FindAllFlips(const PackedBox* boxes, std::span<const NeighbourRange> ranges,
                  const GrowingArray<Neighbour>& neighbours, std::vector<Flip>& flips) {
  constexpr std::size_t kLong = 16;  // room for this number of neighbours
  if (neighbours.size() / kLong < ranges.size())
    FindFlipsOfAll<false>(boxes, ranges, neighbours, flips);
  else
    FindFlipsOfAll<true>(boxes, ranges, neighbours, flips);
}

BoxKernels MakeBoxTable() { return {Find, FindOfEach, FindPairs, FindFlips, FindAllFlips}; }

}  // namespace HWY_NAMESPACE
}  // namespace touche::broadphase
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "bvh/kernels.h"

namespace touche::broadphase {
namespace {

HWY_EXPORT(MakeBoxTable);

}  // namespace

const BoxKernels& box_kernels() {
  static const std::vector<bvh::Kernels>& in_order = bvh::all_kernels();
  // The tables are in the same order as the kernels.
  static const std::vector<BoxKernels> tables =
      base::tables_of_targets([] { return HWY_DYNAMIC_DISPATCH(MakeBoxTable)(); });
  return tables[static_cast<std::size_t>(&bvh::kernels() - in_order.data())];
}

}  // namespace touche::broadphase
#endif
