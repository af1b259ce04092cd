// SPDX-License-Identifier: Apache-2.0
// Compiles the inner loops for the instruction sets that bvh/kernels_simd.cpp offers.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broadphase/box_kernels_simd.cpp"
#include "base/simd_targets.h"
// simd_targets must come first
#include <hwy/highway.h>

#include <array>
#include <bit>

#include "broadphase/box_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace touche {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, WideTree::kWidth>;
using V = hn::Vec<D>;

// A box in all lanes.
class Spread {
 public:
  HWY_INLINE explicit Spread(const PackedBox& box) {
    const D d;
    for (std::size_t k = 0; k < 3; ++k) {
      lo_[k] = hn::Set(d, box.ends[k]);
      hi_[k] = hn::Set(d, -box.ends[4 + k]);
    }
  }
  HWY_INLINE Spread(const WideTree::Node& node, int lane) {
    const D d;
    for (std::size_t k = 0; k < 3; ++k) {
      lo_[k] = hn::Set(d, node.lo[k][lane]);
      hi_[k] = hn::Set(d, node.hi[k][lane]);
    }
  }

  // A bit for each child that overlaps the box.
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

// Whether two boxes overlap, of which one was turned around.
HWY_INLINE bool Overlap(const PackedBox& box, const PackedBox& turned) {
  const D d;
  bool all = true;
  for (std::size_t l = 0; l < 8; l += hn::Lanes(d))
    all &= hn::AllTrue(
        d, hn::Le(hn::Load(d, box.ends.data() + l), hn::Load(d, turned.ends.data() + l)));
  return all;
}

// The upper ends, then the negated lower ones.
HWY_INLINE PackedBox TurnedAround(const PackedBox& box) {
  PackedBox turned;
  for (std::size_t k = 0; k < 8; ++k) turned.ends[k] = -box.ends[k ^ 4];
  return turned;
}

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
        // Each pair once; a node with itself, an item never.
        overlapping &= ~((1u << row) - 1u);
        if (a.level == 0) overlapping &= ~(1u << row);
      }
      for (std::uint32_t left = overlapping; left != 0; left &= left - 1)
        to.push_back({a.child[row], b.child[std::countr_zero(left)]});
    }
  }
}

// The neighbours of a box from a place on, of which at least one is looked at: four together.
// Returns a bit for each that overlaps now and did not, or the other way round.
HWY_INLINE std::uint32_t FlippedOfFour(const FatBox* boxes, const PackedBox& turned,
                                       const Neighbour* list) {
  std::uint32_t flipped = 0;
  for (Index i = NeighbourRange::kTogether; i-- > 0;) {
    const bool overlaps = Overlap(boxes[list[i].other()].box, turned);
    flipped = 2 * flipped + std::uint32_t{overlaps != list[i].overlaps()};
  }
  return flipped;
}

// Of the neighbours of a box, all or those in slots above its own, which come first.
template <bool kAll>
HWY_INLINE void FindFlipsOf(Index box, const FatBox* boxes, const NeighbourRange& range,
                            const Neighbour* neighbours, std::vector<Flip>& flips) {
  const Neighbour* list = neighbours + range.begin;
  const PackedBox turned = TurnedAround(boxes[box].box);
  for (Index first = 0; first < range.count; first += NeighbourRange::kTogether) {
    if (!kAll && first > 0 && list[first].other() < box) break;
    for (std::uint32_t flipped = FlippedOfFour(boxes, turned, list + first); flipped != 0;
         flipped &= flipped - 1) {
      const Index place = first + static_cast<Index>(std::countr_zero(flipped));
      flips.push_back({{box, place}, !list[place].overlaps()});
    }
  }
}

void FindFlips(const FatBox* boxes, const NeighbourRange* ranges, const Neighbour* neighbours,
               const std::vector<std::uint64_t>& moved, std::vector<Flip>& flips) {
  for (std::size_t word = 0; word < moved.size(); ++word)
    for (std::uint64_t left = moved[word]; left != 0; left &= left - 1) {
      const auto box =
          static_cast<Index>(64 * word + static_cast<unsigned>(std::countr_zero(left)));
      FindFlipsOf<true>(box, boxes, ranges[box], neighbours, flips);
    }
}

void FindAllFlips(const FatBox* boxes, std::span<const NeighbourRange> ranges,
                  const Neighbour* neighbours, std::vector<Flip>& flips) {
  for (Index box = 0; box < ranges.size(); ++box)
    FindFlipsOf<false>(box, boxes, ranges[box], neighbours, flips);
}

BoxKernels MakeBoxTable() { return {Find, FindPairs, FindFlips, FindAllFlips}; }

}  // namespace HWY_NAMESPACE
}  // namespace touche
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "bvh/kernels.h"

namespace touche {
namespace {

HWY_EXPORT(MakeBoxTable);

}  // namespace

const BoxKernels& box_kernels() {
  static const std::vector<Kernels>& in_order = all_kernels();
  // In the same order.
  static const std::vector<BoxKernels> tables =
      tables_of_targets([] { return HWY_DYNAMIC_DISPATCH(MakeBoxTable)(); });
  return tables[static_cast<std::size_t>(&kernels() - in_order.data())];
}

}  // namespace touche
#endif
