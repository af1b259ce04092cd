// SPDX-License-Identifier: Apache-2.0
#include "bvh/binned_cut.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "bvh/bvh.h"

namespace touche {
namespace {

constexpr int kMostBins = 16;
constexpr int kSize = 3;                 // the axis along which triangles of unlike size are parted
constexpr std::size_t kItemsPerBin = 4;  // a set of few has few bins, which take time to look at
// Of a set of many each second, third... will do.
constexpr std::size_t kEnough = 2048;

struct Bin {
  GridBox box = kNoBox;
  std::uint32_t items = 0;

  void add(const TriangleItem& item, std::size_t count) {
    grow(box, item.box);
    items += static_cast<std::uint32_t>(count);
  }
};

struct Cut {
  int axis = -1;
  int bin = 0;            // the last one before the cut, or in which the cut lies
  std::size_t items = 0;  // so many before it; 0: all of the bin
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
    for (std::size_t i = 0; i < items_; i += stride_) add(begin[i], stride_);
    if (stride_ > 1) add_larger(begin);
  }

  Cut best() const {
    Cut cut;
    float least = std::numeric_limits<float>::infinity();
    for (int axis = 0; axis < 3; ++axis)
      if (per_width_[axis] > 0) look_across(axis, bins_, cut, least);
    if (sizes_differ_) look_across(kSize, kMostBins, cut, least);
    return cut;
  }

  int bin_of(const TriangleItem& item, int axis) const {
    if (axis == kSize) return std::bit_width(size(item.box));
    return static_cast<int>((item.place[axis] - lo_[axis]) * per_width_[axis]);
  }
  float low(const Cut& cut) const {
    return lo_[cut.axis] + static_cast<float>(cut.bin) * width_[cut.axis];
  }
  float high(const Cut& cut) const { return low(cut) + width_[cut.axis]; }

 private:
  void measure(const TriangleItem* item) {
    float hi[3];
    for (int k = 0; k < 3; ++k) lo_[k] = hi[k] = item->place[k];
    for (std::size_t i = 0; i < items_; i += stride_) {
      for (int k = 0; k < 3; ++k) {
        lo_[k] = std::min(lo_[k], item[i].place[k]);
        hi[k] = std::max(hi[k], item[i].place[k]);
      }
      const unsigned s = size(item[i].box);
      largest_ = std::max(largest_, s);
      smallest_ = std::min(smallest_, s);
    }
    for (int k = 0; k < 3; ++k) {
      width_[k] = (hi[k] - lo_[k]) / static_cast<float>(bins_);
      // Less than one over the width: the highest place is in the last bin.
      per_width_[k] = width_[k] > kLeastWidth ? 0.99999f / width_[k] : 0;
    }
    unsigned largest = largest_;
    if (stride_ > 1)
      for (std::size_t i = 0; i < items_; ++i) largest = std::max(largest, size(item[i].box));
    sizes_differ_ = largest > kUnlike * smallest_;
  }

  void add(const TriangleItem& item, std::size_t count) {
    for (int k = 0; k < 3; ++k) bin_[k][std::clamp(bin_of(item, k), 0, bins_ - 1)].add(item, count);
    if (sizes_differ_) bin_[kSize][std::min(bin_of(item, kSize), kMostBins - 1)].add(item, count);
  }

  // Few triangles that are larger than most shape all boxes.
  void add_larger(const TriangleItem* item) {
    for (std::size_t i = 0; i < items_; ++i)
      if (size(item[i].box) > largest_) add(item[i], 1);
  }

  // A part counts by the places of the leaves it fills and by those of the nodes it fills.
  float worth(std::size_t count) const {
    const auto up = [count](std::size_t step) { return (count + step - 1) & ~(step - 1); };
    return static_cast<float>(up(kWidth) + up(step_));
  }

  void look_across(int axis, int bins, Cut& best, float& least) const {
    const auto& bin = bin_[static_cast<std::size_t>(axis)];
    GridBox after[kMostBins + 1];  // around bin b and later ones
    after[bins] = kNoBox;
    for (int b = bins - 1; b >= 0; --b) {
      after[b] = after[b + 1];
      grow(after[b], bin[static_cast<std::size_t>(b)].box);
    }
    std::size_t total = 0;
    for (int b = 0; b < bins; ++b) total += bin[static_cast<std::size_t>(b)].items;
    GridBox box = kNoBox;
    std::size_t count = 0, before = step_;
    for (int b = 0; b < bins; ++b) {
      const std::size_t in_bin = bin[static_cast<std::size_t>(b)].items;
      if (in_bin == 0) continue;
      grow(box, bin[static_cast<std::size_t>(b)].box);
      count += in_bin;
      const float area_before = area(box);
      const auto consider = [&](std::size_t items, const GridBox& rest, std::size_t exact) {
        // Of what is equally good the middle.
        const float half = 0.5f * static_cast<float>(total);
        const float off = (static_cast<float>(items) - half) / half;
        const float cost = (area_before * worth(items) + area(rest) * worth(total - items)) *
                           (1 + 1e-3f * off * off);
        if (!(cost < least)) return;
        least = cost;
        best = {axis, b, exact};
      };
      // The bin in which a cut lies counts on both sides.
      if (axis != kSize)
        for (; before < count; before += step_)
          if (before < std::min(total, items_)) consider(before, after[b], before);
      if (count == before) before += step_;
      if (count < total) consider(count, after[b + 1], 0);
    }
  }

  static constexpr float kLeastWidth = 1e-7f;  // of the unit ball's radius
  static constexpr unsigned kUnlike = 4;

  std::size_t items_, stride_;
  int bins_;
  std::size_t step_;
  unsigned largest_ = 0, smallest_ = ~0u;  // sizes, of those that it looks at anyway
  bool sizes_differ_ = false;
  float lo_[3], width_[3], per_width_[3];
  std::array<std::array<Bin, kMostBins>, 4> bin_;
};

}  // namespace

TriangleItem* cut(TriangleItem* begin, TriangleItem* end) {
  const Binning binning(begin, end);
  const Cut best = binning.best();
  TriangleItem* middle = begin + (end - begin) / 2;
  if (best.axis < 0) {
    if (end - begin > kWidth) middle = begin + ((end - begin) / 2 + kWidth - 1) / kWidth * kWidth;
    if (middle >= end) middle = begin + (end - begin) / 2;
    select(begin, middle, end, 0);
  } else if (best.items > 0) {
    middle = begin + best.items;
    select(begin, middle, end, best.axis, binning.low(best), binning.high(best));
  } else {
    middle = part(begin, end, [&](const TriangleItem& item) {
      return binning.bin_of(item, best.axis) <= best.bin;
    });
  }
  return middle;
}

}  // namespace touche
