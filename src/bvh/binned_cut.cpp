// SPDX-License-Identifier: Apache-2.0
#include "bvh/binned_cut.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "bvh/bvh.h"

namespace touche {
namespace {

constexpr int kMostBins = 16;
constexpr int kSize = 3;                 // the axis along which triangles of unlike size are parted
constexpr int kUnlike = 2;               // so many powers of two make sizes unlike
constexpr std::size_t kItemsPerBin = 4;  // a set of few has few bins, which take time to look at
// In a larger set it is enough to look at each second, third... item.
constexpr std::size_t kEnough = 2048;

// ---- vectors that every compiler knows ---------------------------------------------------------

using Shorts = std::int16_t __attribute__((vector_size(16)));
using HalfShorts = std::int16_t __attribute__((vector_size(8)));
using Ints = std::int32_t __attribute__((vector_size(16)));
using Floats = float __attribute__((vector_size(16)));

template <class Vector>
Vector load(const void* from) {
  Vector v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
Shorts larger(Shorts a, Shorts b) { return a > b ? a : b; }

Shorts box_of(const TriangleItem& item) { return load<Shorts>(&item.box); }

// The sorting point of an item, and 0 instead of the triangle's number that lies behind it.
Floats point_of(const TriangleItem& item) {
  const Ints bits = load<Ints>(item.point) & Ints{-1, -1, -1, 0};
  return load<Floats>(&bits);
}

// Half the surface of a box, as for a GridBox.
float area(const Shorts& box) {
  const auto* bytes = reinterpret_cast<const char*>(&box);
  const Ints width = __builtin_convertvector(load<HalfShorts>(bytes), Ints) +
                     __builtin_convertvector(load<HalfShorts>(bytes + sizeof(HalfShorts)), Ints) +
                     1;
  const Floats w = __builtin_convertvector(width, Floats);
  return w[0] * w[1] + w[1] * w[2] + w[2] * w[0];
}

// ---- cuts --------------------------------------------------------------------------------------

struct Cut {
  int axis = -1;
  int bin = 0;            // the last bin before the cut, or the one in which the cut lies
  std::size_t items = 0;  // number of items before the cut; 0: all of the bin are before it
};

class Binning {
 public:
  Binning(const TriangleItem* begin, const TriangleItem* end)
      : items_(static_cast<std::size_t>(end - begin)),
        stride_(std::max<std::size_t>(1, items_ / kEnough)),
        bins_(static_cast<int>(std::clamp<std::size_t>(items_ / kItemsPerBin, 4,
                                                       static_cast<std::size_t>(kMostBins)))),
        step_(kWidth) {
    while (kWidth * step_ < items_) step_ *= kWidth;
    measure(begin);
    clear();
    if (sizes_differ_) {
      fill<true>(begin);
    } else {
      fill<false>(begin);
    }
  }

  Cut best() const {
    Cut cut;
    float least = std::numeric_limits<float>::infinity();
    for (int axis = 0; axis < 3; ++axis)
      if (per_width_[axis] > 0) look_across(axis, bins_, cut, least);
    if (sizes_differ_) look_across(kSize, kMostBins, cut, least);
    return cut;
  }

  // Puts the items before the cut first; returns the first of the others.
  TriangleItem* part_at(const Cut& cut, TriangleItem* begin, TriangleItem* end) const {
    if (cut.axis == kSize)
      return part(begin, end, [bin = cut.bin](const TriangleItem& item) {
        return size_class(item.box) <= bin;
      });
    const float low = lo_[cut.axis], per_width = per_width_[cut.axis];
    if (cut.items == 0)
      return part(
          begin, end,
          [axis = cut.axis, low, per_width, high = static_cast<float>(cut.bin + 1)](
              const TriangleItem& item) { return (item.point[axis] - low) * per_width < high; });
    TriangleItem* const middle = begin + cut.items;
    const float from = low + static_cast<float>(cut.bin) * width_[cut.axis];
    select(begin, middle, end, cut.axis, from, from + width_[cut.axis]);
    return middle;
  }

 private:
  // Finds the bounds of sorting points and sizes of the items that are looked at.
  void measure(const TriangleItem* item) {
    Floats hi = point_of(*item);
    lo_ = hi;
    Shorts box = box_of(*item);
    for (std::size_t i = stride_; i < items_; i += stride_) {
      const Floats point = point_of(item[i]);
      lo_ = point < lo_ ? point : lo_;
      hi = point > hi ? point : hi;
      box = larger(box, box_of(item[i]));
    }
    width_ = (hi - lo_) / static_cast<float>(bins_);
    // Take less than one over the width, so that the highest point is in the last bin.
    for (int k = 0; k < 3; ++k) per_width_[k] = width_[k] > kLeastWidth ? 0.99999f / width_[k] : 0;
    largest_ = box[kLargest];
    int largest = largest_;
    if (stride_ > 1)
      for (std::size_t i = 0; i < items_; ++i) largest = std::max(largest, size_class(item[i].box));
    sizes_differ_ = largest + box[kSmallest] >= kUnlike;
  }

  void clear() {
    for (int axis = 0; axis < 4; ++axis)
      for (int b = 0; b < (axis < kSize ? bins_ : sizes_differ_ ? kMostBins : 0); ++b) {
        box_[axis][b] = load<Shorts>(&kNoBox);
        count_[axis][b] = 0;
      }
  }

  template <bool by_size>
  void fill(const TriangleItem* item) {
    const auto stride = static_cast<std::uint32_t>(stride_);
    const auto put = [&](const TriangleItem& x, Ints bin, std::uint32_t count) {
      const Shorts box = box_of(x);
      for (int axis = 0; axis < (by_size ? 4 : 3); ++axis) {
        Shorts& around = box_[axis][bin[axis]];
        around = larger(around, box);
        count_[axis][bin[axis]] += count;
      }
    };
    const auto bin_of = [&](const TriangleItem& x) {
      Ints bin = __builtin_convertvector((point_of(x) - lo_) * per_width_, Ints);
      if (by_size) bin[kSize] = std::min(size_class(x.box), kMostBins - 1);
      return bin;
    };
    for (std::size_t i = 0; i < items_; i += stride_) put(item[i], bin_of(item[i]), stride);
    // Add all triangles that are larger: a few of them shape all boxes.
    if (by_size && stride_ > 1)
      for (std::size_t i = 0; i < items_; ++i)
        if (size_class(item[i].box) > largest_) {
          Ints bin = bin_of(item[i]);
          for (int axis = 0; axis < 3; ++axis) bin[axis] = std::clamp(bin[axis], 0, bins_ - 1);
          put(item[i], bin, 1);
        }
  }

  // The weight of a part is the number of places in the leaves it needs, and in the nodes.
  float worth(std::size_t count) const {
    const auto up = [count](std::size_t step) { return (count + step - 1) & ~(step - 1); };
    return static_cast<float>(static_cast<std::int64_t>(up(kWidth) + up(step_)));
  }

  void look_across(int axis, int bins, Cut& best, float& least) const {
    const Shorts* const box = box_[axis];
    const std::uint32_t* const count = count_[axis];
    // Measure the boxes around the bins after each bin.
    float area_after[kMostBins];  // around the bins after bin b
    std::size_t total = count[bins - 1];
    Shorts around = box[bins - 1];
    for (int b = bins - 1; b-- > 0;) {
      area_after[b] = area(around);
      around = larger(around, box[b]);
      total += count[b];
    }
    const float area_of_all = area(around), per_half = 2 / static_cast<float>(total);
    // Consider the cuts within and after each bin.
    float area_with = area_of_all;  // around bin b and those after it
    around = load<Shorts>(&kNoBox);
    std::size_t end_of_bin = 0, before = step_;
    for (int b = 0; b < bins && end_of_bin < total; ++b) {
      if (count[b] == 0) continue;
      around = larger(around, box[b]);
      end_of_bin += count[b];
      const float area_before = area(around);
      const auto consider = [&](std::size_t items, float area_of_rest, std::size_t exact) {
        // Prefer the cut nearest to the middle among equally good ones.
        const float off = static_cast<float>(items) * per_half - 1;
        const float cost = (area_before * worth(items) + area_of_rest * worth(total - items)) *
                           (1 + 1e-3f * off * off);
        if (!(cost < least)) return;
        least = cost;
        best = {axis, b, exact};
      };
      // Count the bin in which a cut lies on both sides.
      if (axis != kSize)
        for (; before < std::min(end_of_bin, items_); before += step_)
          consider(before, area_with, before);
      if (end_of_bin == before) before += step_;
      if (end_of_bin < total) {
        area_with = area_after[b];
        consider(end_of_bin, area_with, 0);
      }
    }
  }

  static constexpr float kLeastWidth = 1e-7f;  // of the unit ball's radius

  std::size_t items_, stride_;
  int bins_;
  std::size_t step_;
  int largest_;  // size of the items that are looked at anyway
  bool sizes_differ_;
  Floats lo_, width_, per_width_ = {};
  Shorts box_[4][kMostBins];
  std::uint32_t count_[4][kMostBins];
};

}  // namespace

TriangleItem* cut(TriangleItem* begin, TriangleItem* end) {
  const Binning binning(begin, end);
  const Cut best = binning.best();
  if (best.axis >= 0) return binning.part_at(best, begin, end);
  // All sorting points are the same: cut in the middle, with full leaves before the cut.
  const auto half = static_cast<std::size_t>(end - begin) / 2;
  TriangleItem* const middle = begin + (half < kWidth ? half : half / kWidth * kWidth);
  select(begin, middle, end, 0);
  return middle;
}

}  // namespace touche
