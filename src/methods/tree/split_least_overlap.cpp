// SPDX-License-Identifier: Apache-2.0
// Van den Bergen's alternative (b): along the longest axis of the box, the larger part at most
// twice the smaller, where the projections of the two boxes overlap least. O(n log n).
#include <algorithm>

#include "methods/tree/halving.h"
#include "methods/tree/split_methods.h"

namespace touche::tree {
namespace {

std::size_t least_overlap(std::span<FaceBox> items) {
  Aabb box;
  const int axis = longest_axis(items, box);
  sort_along(items, axis);
  const std::size_t n = items.size();

  std::vector<double> after(n + 1, kInfinity);  // where the items from i on begin
  for (std::size_t i = n; i-- > 0;) after[i] = std::min(after[i + 1], items[i].lo[axis]);

  // A gap counts as negative overlap: the widest wins. Among equals the most balanced wins.
  std::size_t best = n / 2;
  double least = kInfinity, before = -kInfinity;
  for (std::size_t first = 1; first < n; ++first) {
    before = std::max(before, items[first - 1].hi[axis]);
    if (2 * first < n - first || first > 2 * (n - first)) continue;
    const double overlap = before - after[first];
    const auto off_middle = [n](std::size_t k) { return 2 * k > n ? 2 * k - n : n - 2 * k; };
    if (overlap < least || (overlap == least && off_middle(first) < off_middle(best)))
      least = overlap, best = first;
  }
  return best;
}

}  // namespace

std::unique_ptr<Splitter> make_least_overlap(const Faces& faces) {
  return make_halving(faces, least_overlap);
}

}  // namespace touche::tree
