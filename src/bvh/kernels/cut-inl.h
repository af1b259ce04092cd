// SPDX-License-Identifier: Apache-2.0
// The cut of a set of triangles, for the builder: see bvh/binned_cut.h.
#if defined(TOUCHE_BVH_KERNELS_CUT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_CUT_INL_H_
#undef TOUCHE_BVH_KERNELS_CUT_INL_H_
#else
#define TOUCHE_BVH_KERNELS_CUT_INL_H_
#endif

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "bvh/kernels/vectors-inl.h"
#include "bvh/triangle_item.h"

HWY_BEFORE_NAMESPACE();
namespace touche::bvh {
namespace HWY_NAMESPACE {

constexpr int kMostBins = 16;
constexpr int kSize = 3;                 // "axis" that separates triangles by size
constexpr int kUnlike = 2;               // sizes that differ by this many powers of two are unlike
constexpr std::size_t kItemsPerBin = 4;  // few bins for a small set: evaluating bins takes time
// From a larger set only every second, third, ... item is examined.
constexpr std::size_t kEnough = 2048;
constexpr float kLeastWidth = 1e-7f;  // in units of the unit ball's radius

// ---- vector types that every compiler supports, as narrow as boxes and points
// --------------------

using Shorts = std::int16_t __attribute__((vector_size(16)));
using Words = std::uint16_t __attribute__((vector_size(16)));
using Ints = std::int32_t __attribute__((vector_size(16)));
using Floats = float __attribute__((vector_size(16)));
using EightFloats = float __attribute__((vector_size(32)));

template <class Vector>
HWY_INLINE Vector LoadAs(const void* from) {
  Vector v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
HWY_INLINE Ints Same(std::int32_t x) { return Ints{x, x, x, x}; }
HWY_INLINE Floats Same(float x) { return Floats{x, x, x, x}; }
HWY_INLINE Floats ToFloats(Ints x) { return __builtin_convertvector(x, Floats); }
HWY_INLINE Shorts Larger(Shorts a, Shorts b) { return a > b ? a : b; }
HWY_INLINE bool Any(Ints mask) {
  using Longs = std::int64_t __attribute__((vector_size(16)));
  const Longs halves = reinterpret_cast<Longs>(mask);
  return (halves[0] | halves[1]) != 0;
}

HWY_INLINE Shorts BoxOf(const TriangleItem& item) { return LoadAs<Shorts>(&item.box); }

// The sorting point of an item, with 0 in place of the triangle's number that follows it.
HWY_INLINE Floats PointOf(const TriangleItem& item) {
  return reinterpret_cast<Floats>(LoadAs<Ints>(item.point) & Ints{-1, -1, -1, 0});
}

// Half the surface areas of four boxes, with the same result as for single GridBoxes. Arbitrary for
// kNoBox.
HWY_INLINE Floats Areas(const Shorts (&box)[4]) {
  Words width[4];
  for (int axis = 0; axis < 4; ++axis)
    width[axis] =
        reinterpret_cast<Words>(box[axis]) + reinterpret_cast<Words>(__builtin_shufflevector(
                                                 box[axis], box[axis], 4, 5, 6, 7, 4, 5, 6, 7));
  // Gather the widths along the same axis of the grid.
  const Words ab = __builtin_shufflevector(width[0], width[1], 0, 8, 1, 9, 2, 10, 3, 11);
  const Words cd = __builtin_shufflevector(width[2], width[3], 0, 8, 1, 9, 2, 10, 3, 11);
  const Words xy = __builtin_shufflevector(ab, cd, 0, 1, 8, 9, 2, 3, 10, 11) + 1;
  const Words z = __builtin_shufflevector(ab, cd, 4, 5, 12, 13, 6, 7, 14, 15) + 1;
  const Words none = {};
  const auto to_floats = [](Words words)
                             HWY_ATTR { return ToFloats(reinterpret_cast<Ints>(words)); };
  const Floats x = to_floats(__builtin_shufflevector(xy, none, 0, 8, 1, 9, 2, 10, 3, 11)),
               y = to_floats(__builtin_shufflevector(xy, none, 4, 12, 5, 13, 6, 14, 7, 15)),
               w = to_floats(__builtin_shufflevector(z, none, 0, 8, 1, 9, 2, 10, 3, 11));
  return x * y + y * w + w * x;
}

// ---- cuts --------------------------------------------------------------------------------------

struct BestCut {
  int axis = -1;
  int bin = 0;            // the last bin before the cut, or the bin in which the cut lies
  std::size_t items = 0;  // number of items before the cut; 0: all of the bin
};

// The items in bins along each axis. Lanes are axes.
class Binning {
 public:
  HWY_INLINE Binning(const TriangleItem* begin, const TriangleItem* end)
      : items_(static_cast<std::size_t>(end - begin)),
        stride_(std::max<std::size_t>(1, items_ / kEnough)),
        bins_(static_cast<int>(std::clamp<std::size_t>(items_ / kItemsPerBin, 4,
                                                       static_cast<std::size_t>(kMostBins)))),
        step_(kWidth),
        unit_(std::max(0, static_cast<int>(std::bit_width(items_)) - 29)) {
    while (kWidth * step_ < items_) step_ *= kWidth;
    Measure(begin);
    Clear();
    if (sizes_differ_) {
      Fill<true>(begin);
    } else {
      Fill<false>(begin);
    }
  }

  // The best of all cuts within and between bins; of equally good ones, the first one along the
  // first axis.
  HWY_INLINE BestCut Best() const {
    const int bins = sizes_differ_ ? kMostBins : bins_;
    // Measure the boxes around each bin and all bins after it.
    Floats area_from[kMostBins];
    Shorts around[4];
    for (int axis = 0; axis < 4; ++axis) around[axis] = box_[axis][bins - 1];
    Ints total = count_[bins - 1];
    for (int b = bins - 1; b > 0; --b) {
      area_from[b] = Areas(around);
      for (int axis = 0; axis < 4; ++axis) around[axis] = Larger(around[axis], box_[axis][b - 1]);
      total += count_[b - 1];
    }
    area_from[0] = Areas(around);

    const Ints step = Same(static_cast<std::int32_t>(step_ >> unit_)),
               all_items = Same(static_cast<std::int32_t>(items_ >> unit_));
    const Ints full_leaf = Same(kWidth - 1), full_node = step - 1;
    // The weight of a part is the number of slots in the leaves and nodes that it needs.
    const auto worth = [&](Ints count) HWY_ATTR {
      return ToFloats(((count + full_leaf) & ~full_leaf) + ((count + full_node) & ~full_node));
    };
    const Floats per_half = 2 / ToFloats(total);
    const Ints open = Ints{per_width_[0] > 0 ? -1 : 0, per_width_[1] > 0 ? -1 : 0,
                           per_width_[2] > 0 ? -1 : 0, sizes_differ_ ? -1 : 0};
    Floats least = Same(std::numeric_limits<float>::infinity());
    Ints bin = {}, exact = {};
    const auto consider = [&](Ints which, int b, Ints items, Floats area_before,
                              Floats area_of_rest, Ints items_if_exact) HWY_ATTR {
      // Of equally good cuts prefer the one nearest to the middle.
      const Floats off = ToFloats(items) * per_half - 1;
      const Floats cost = (area_before * worth(items) + area_of_rest * worth(total - items)) *
                          (1 + 1e-3f * off * off);
      const Ints better = which & (cost < least);
      least = better ? cost : least;
      bin = better ? Same(b) : bin;
      exact = better ? items_if_exact : exact;
    };

    for (int axis = 0; axis < 4; ++axis) around[axis] = LoadAs<Shorts>(&kNoBox);
    Ints end_of_bin = {};
    // The next cut inside a bin; there is none by size.
    Ints before = Ints{step[0], step[0], step[0], std::numeric_limits<std::int32_t>::max()};
    for (int b = 0; b < bins; ++b) {
      for (int axis = 0; axis < 4; ++axis) around[axis] = Larger(around[axis], box_[axis][b]);
      end_of_bin += count_[b];
      const Floats area_before = Areas(around);
      // The bin in which a cut lies counts on both sides.
      const Ints most = end_of_bin < all_items ? end_of_bin : all_items;
      for (Ints within = open & (before < most); Any(within); within = open & (before < most)) {
        consider(within, b, before, area_before, area_from[b], before);
        before += step & within;
      }
      before += step & (end_of_bin == before);
      if (b + 1 < bins)
        consider(open & (end_of_bin > 0) & (end_of_bin < total), b, end_of_bin, area_before,
                 area_from[b + 1], Ints{});
    }

    BestCut cut;
    float least_of_all = std::numeric_limits<float>::infinity();
    for (int axis = 0; axis < 4; ++axis)
      if (least[axis] < least_of_all) {
        least_of_all = least[axis];
        cut = {axis, bin[axis], static_cast<std::size_t>(exact[axis]) << unit_};
      }
    return cut;
  }

  // Moves the items before the cut to the front; returns the first of the others.
  HWY_INLINE TriangleItem* PartAt(const BestCut& cut, TriangleItem* begin,
                                  TriangleItem* end) const {
    if (cut.axis == kSize)
      return PartItems(begin, end, [bin = cut.bin](const TriangleItem& item) HWY_ATTR {
        return size_class(item.box) <= bin;
      });
    const float low = lo_[cut.axis], per_width = per_width_[cut.axis];
    if (cut.items == 0)
      return PartItems(begin, end,
                       [axis = cut.axis, low, per_width,
                        high = static_cast<float>(cut.bin + 1)](const TriangleItem& item)
                           HWY_ATTR { return (item.point[axis] - low) * per_width < high; });
    TriangleItem* const middle = begin + cut.items;
    const float from = low + static_cast<float>(cut.bin) * width_[cut.axis];
    select(begin, middle, end, cut.axis, from, from + width_[cut.axis]);
    return middle;
  }

 private:
  // The same as part().
  template <class First>
  static HWY_INLINE TriangleItem* PartItems(TriangleItem* begin, TriangleItem* end,
                                            const First& first) {
    TriangleItem* border = begin;
    for (TriangleItem* i = begin; i != end; ++i) {
      const TriangleItem item = *i;
      *i = *border;
      *border = item;
      border += first(item) ? 1 : 0;
    }
    return border;
  }

  // Finds the bounds of sorting points and sizes of the sampled items.
  HWY_INLINE void Measure(const TriangleItem* item) {
    // An item fits in one vector, with its box in the upper half. Points are processed together
    // with the numbers behind them, whose results are unused.
    static_assert(sizeof(TriangleItem) == sizeof(EightFloats));
    EightFloats all, least, most;
    std::memcpy(&all, item, sizeof all);
    least = most = all;
    Shorts box = BoxOf(*item);
    for (std::size_t i = stride_; i < items_; i += stride_) {
      std::memcpy(&all, item + i, sizeof all);
      least = all < least ? all : least;
      most = all > most ? all : most;
      box = Larger(box, BoxOf(item[i]));
    }
    const Floats lo = Floats{least[0], least[1], least[2], 0},
                 hi = Floats{most[0], most[1], most[2], 0};
    lo_ = lo;
    width_ = (hi - lo) / static_cast<float>(bins_);
    // Use less than one over the width, so that the highest point is in the last bin.
    const Floats per_width = 0.99999f / width_;
    per_width_ = width_ > kLeastWidth ? per_width : Floats{};
    largest_ = box[kLargest];
    int largest = largest_;
    if (stride_ > 1)
      for (std::size_t i = 0; i < items_; ++i) largest = std::max(largest, size_class(item[i].box));
    sizes_differ_ = largest + box[kSmallest] >= kUnlike;
  }

  HWY_INLINE void Clear() {
    const int bins = sizes_differ_ ? kMostBins : bins_;
    for (int b = 0; b < bins; ++b) {
      for (int axis = 0; axis < 4; ++axis) box_[axis][b] = LoadAs<Shorts>(&kNoBox);
      count_[b] = Ints{};
    }
  }

  template <bool by_size>
  HWY_INLINE void Fill(const TriangleItem* item) {
    // Bins of 16 bytes: a bin's offset is in the lower half of a lane.
    const auto put = [&](const TriangleItem& x, Ints bin, std::int32_t count) HWY_ATTR {
      const Shorts box = BoxOf(x);
      const Words offset = reinterpret_cast<Words>(bin << 4);
      for (int axis = 0; axis < (by_size ? 4 : 3); ++axis) {
        const std::size_t at = offset[2 * axis];
        Shorts& around = *reinterpret_cast<Shorts*>(reinterpret_cast<char*>(box_[axis]) + at);
        around = Larger(around, box);
        std::int32_t& items =
            *reinterpret_cast<std::int32_t*>(reinterpret_cast<char*>(count_) + at + 4 * axis);
        items += count;
      }
    };
    const Floats lo = lo_, per_width = per_width_;
    const auto bin_of = [&](const TriangleItem& x) HWY_ATTR {
      Ints bin = __builtin_convertvector((PointOf(x) - lo) * per_width, Ints);
      if (by_size) bin[kSize] = std::min(size_class(x.box), kMostBins - 1);
      return bin;
    };
    const auto each = static_cast<std::int32_t>(stride_ >> unit_);
    for (std::size_t i = 0; i < items_; i += stride_) put(item[i], bin_of(item[i]), each);
    // Add all triangles larger than the sample: a few of them determine all boxes.
    if (by_size && stride_ > 1)
      for (std::size_t i = 0; i < items_; ++i)
        if (size_class(item[i].box) > largest_) {
          Ints bin = bin_of(item[i]);
          for (int axis = 0; axis < 3; ++axis) bin[axis] = std::clamp(bin[axis], 0, bins_ - 1);
          put(item[i], bin, 1);
        }
  }

  std::size_t items_, stride_;
  int bins_;
  std::size_t step_;
  int unit_;     // counts are in units of this power of two, so that they fit
  int largest_;  // largest size among the sampled items
  bool sizes_differ_;
  Floats lo_, width_, per_width_;
  Shorts box_[4][kMostBins];
  Ints count_[kMostBins];
};

TriangleItem* CutItems(TriangleItem* begin, TriangleItem* end) {
  const Binning binning(begin, end);
  const BestCut best = binning.Best();
  if (best.axis >= 0) return binning.PartAt(best, begin, end);
  // All sorting points are the same: cut in the middle, with full leaves before the cut.
  const auto half = static_cast<std::size_t>(end - begin) / 2;
  TriangleItem* const middle = begin + (half < kWidth ? half : half / kWidth * kWidth);
  select(begin, middle, end, 0);
  return middle;
}

}  // namespace HWY_NAMESPACE
}  // namespace touche::bvh
HWY_AFTER_NAMESPACE();

#endif
