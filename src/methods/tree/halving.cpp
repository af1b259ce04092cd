// SPDX-License-Identifier: Apache-2.0
#include "methods/tree/halving.h"

#include <algorithm>

#include "methods/tree/split_parts.h"

namespace touche::tree {
namespace {

class RepeatedHalving final : public Splitter {
 public:
  RepeatedHalving(const Faces& faces, Halving halving)
      : faces_(faces), halving_(std::move(halving)) {}

  Split split(std::span<const Index> set, int degree, std::uint64_t /*seed*/) const override {
    std::vector<FaceBox> items;
    items.reserve(set.size());
    for (std::size_t i = 0; i < set.size(); ++i) {
      const auto [a, b, c] = faces_.corners(set[i]);
      items.push_back(
          {a.cwiseMin(b).cwiseMin(c), a.cwiseMax(b).cwiseMax(c), static_cast<Index>(i)});
    }
    std::vector<std::span<FaceBox>> parts = {items};
    const auto size = [](std::span<FaceBox> part) { return part.size(); };
    while (parts.size() < static_cast<std::size_t>(degree)) {
      const auto largest = std::ranges::max_element(parts, {}, size);
      if (largest->size() < 2) break;
      const std::span<FaceBox> whole = *largest;
      const std::size_t first = cut(whole);
      *largest = whole.first(first);
      parts.insert(largest + 1, whole.subspan(first));
    }
    Split split{std::vector<std::uint8_t>(set.size()), static_cast<int>(parts.size()), 0};
    for (std::size_t p = 0; p < parts.size(); ++p)
      for (const FaceBox& item : parts[p]) split.part[item.number] = static_cast<std::uint8_t>(p);
    return split;
  }

 private:
  std::size_t cut(std::span<FaceBox> items) const {
    const std::size_t first = halving_(items);
    return first == 0 || first == items.size() ? items.size() / 2 : first;
  }

  const Faces& faces_;
  Halving halving_;
};

}  // namespace

std::unique_ptr<Splitter> make_halving(const Faces& faces, Halving halving) {
  return std::make_unique<RepeatedHalving>(faces, std::move(halving));
}

int longest_axis(std::span<const FaceBox> items, Aabb& box) {
  for (const FaceBox& item : items) box.include(Aabb{item.lo, item.hi});
  int axis = 0;
  (box.hi - box.lo).maxCoeff(&axis);
  return axis;
}

void sort_along(std::span<FaceBox> items, int axis) {
  std::ranges::sort(items, [axis](const FaceBox& a, const FaceBox& b) {
    return a.middle(axis) != b.middle(axis) ? a.middle(axis) < b.middle(axis) : a.number < b.number;
  });
}

}  // namespace touche::tree
