// SPDX-License-Identifier: Apache-2.0
// The binned surface-area heuristic (Wald 2007) takes from the borders of 16 bins on each axis the
// one with the least sum of faces times area of their box. O(n).
#include <algorithm>
#include <array>

#include "methods/tree/halving.h"
#include "methods/tree/split_methods.h"

namespace touche::tree {
namespace {

constexpr int kBins = 16;

struct Bin {
  Aabb box;
  double count = 0;

  void add(const Bin& other) {
    box.include(other.box);
    count += other.count;
  }
  /// Half the area, times faces.
  double cost() const {
    if (box.empty()) return 0;
    const Vec3 d = box.hi - box.lo;
    return count * (d.x() * d.y() + d.y() * d.z() + d.z() * d.x());
  }
};

/// Which bin of an axis an item falls into.
struct Binning {
  int axis = 0;
  double lo = 0, per_unit = 0;

  int operator()(const FaceBox& item) const {
    return std::min(kBins - 1, static_cast<int>((item.middle(axis) - lo) * per_unit));
  }
};

struct Cut {
  Binning binning;
  int first = 0;  ///< bins on the lower side; 0: none found
  double cost = kInfinity;
};

void improve(Cut& best, std::span<const FaceBox> items, const Binning& binning) {
  std::array<Bin, kBins> bins;
  for (const FaceBox& item : items) bins[binning(item)].add({Aabb{item.lo, item.hi}, 1});
  std::array<Bin, kBins> above = bins;  // together with all bins above
  for (int b = kBins - 2; b >= 0; --b) above[b].add(above[b + 1]);
  Bin below;
  for (int b = 1; b < kBins; ++b) {
    below.add(bins[b - 1]);
    if (below.count == 0 || above[b].count == 0) continue;
    const double cost = below.cost() + above[b].cost();
    if (cost < best.cost) best = {binning, b, cost};
  }
}

std::size_t least_cost(std::span<FaceBox> items) {
  Vec3 lo = Vec3::Constant(kInfinity), hi = Vec3::Constant(-kInfinity);
  for (const FaceBox& item : items) {
    lo = lo.cwiseMin(item.lo + item.hi);
    hi = hi.cwiseMax(item.lo + item.hi);
  }
  Cut best;
  for (int axis = 0; axis < 3; ++axis) {
    const double per_unit = kBins / (hi[axis] - lo[axis]);
    if (hi[axis] > lo[axis] && per_unit < kInfinity)
      improve(best, items, {axis, lo[axis], per_unit});
  }
  const auto above = std::stable_partition(items.begin(), items.end(), [&](const FaceBox& item) {
    return best.binning(item) < best.first;
  });
  return static_cast<std::size_t>(above - items.begin());
}

}  // namespace

std::unique_ptr<Splitter> make_surface_area(const Faces& faces) {
  return make_halving(faces, least_cost);
}

}  // namespace touche::tree
