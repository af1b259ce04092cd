// SPDX-License-Identifier: Apache-2.0
#include "bvh/binned_cut.h"

#include <algorithm>
#include <array>
#include <limits>

namespace touche {
namespace {

constexpr int kMostBins = 16;
constexpr std::size_t kItemsPerBin = 4;  // a set of few has few bins, which take time to look at
// Of a set of many each second, third... will do.
constexpr std::size_t kEnough = 2048;

struct Bin {
  GridBox box = kNoBox;
  std::uint32_t items = 0;
};

class Binning {
 public:
  Binning(const TriangleItem* begin, const TriangleItem* end)
      : items_(static_cast<std::size_t>(end - begin)),
        stride_(std::max<std::size_t>(1, items_ / kEnough)),
        bins_(static_cast<int>(std::clamp<std::size_t>(items_ / kItemsPerBin, 4,
                                                       static_cast<std::size_t>(kMostBins)))) {
    float hi[3];
    for (int k = 0; k < 3; ++k) lo_[k] = hi[k] = begin->place[k];
    for (std::size_t i = stride_; i < items_; i += stride_)
      for (int k = 0; k < 3; ++k) {
        lo_[k] = std::min(lo_[k], begin[i].place[k]);
        hi[k] = std::max(hi[k], begin[i].place[k]);
      }
    for (int k = 0; k < 3; ++k) {
      width_[k] = (hi[k] - lo_[k]) / static_cast<float>(bins_);
      // Less than one over the width: the highest place is in the last bin.
      per_width_[k] = width_[k] > kLeastWidth ? 0.99999f / width_[k] : 0;
    }
    for (std::size_t i = 0; i < items_; i += stride_)
      for (int k = 0; k < 3; ++k) {
        Bin& bin = bin_[k][static_cast<int>((begin[i].place[k] - lo_[k]) * per_width_[k])];
        grow(bin.box, begin[i].box);
        bin.items += static_cast<std::uint32_t>(stride_);
      }
  }

  void look_across(int axis, std::size_t step, std::optional<Cut>& best, float& least) const {
    if (per_width_[axis] == 0) return;
    const auto& bin = bin_[axis];
    GridBox after[kMostBins];  // around bin b and later ones
    GridBox box = kNoBox;
    for (int b = bins_ - 1; b >= 0; --b) {
      grow(box, bin[b].box);
      after[b] = box;
    }
    box = kNoBox;
    std::size_t count = 0, before = step;
    for (int b = 0; before < items_; ++b) {
      grow(box, bin[b].box);
      count += bin[b].items;
      if (before > count) continue;
      const float area_before = area(box);
      // The bin in which a cut lies counts on both sides, unless the cut lies at its end.
      for (; before <= count && before < items_; before += step) {
        const float area_after = area(after[before == count ? b + 1 : b]);
        const float cost = area_before * static_cast<float>(before) +
                           area_after * static_cast<float>(items_ - before);
        if (cost < least) {
          least = cost;
          const float low = lo_[axis] + static_cast<float>(b) * width_[axis];
          best = Cut{axis, before, low, low + width_[axis]};
        }
      }
    }
  }

 private:
  static constexpr float kLeastWidth = 1e-7f;  // of the unit ball's radius

  std::size_t items_, stride_;
  int bins_;
  float lo_[3], width_[3], per_width_[3];
  std::array<std::array<Bin, kMostBins>, 3> bin_;
};

}  // namespace

std::optional<Cut> binned_cut(const TriangleItem* begin, const TriangleItem* end,
                              std::size_t step) {
  const Binning binning(begin, end);
  std::optional<Cut> best;
  float least = std::numeric_limits<float>::infinity();
  for (int axis = 0; axis < 3; ++axis) binning.look_across(axis, step, best, least);
  return best;
}

}  // namespace touche
