// SPDX-License-Identifier: Apache-2.0
// Into halves along the longest axis of the box: van den Bergen's alternative (a), a tree of least
// height. O(n log n).
#include "methods/tree/halving.h"
#include "methods/tree/split_methods.h"

namespace touche::tree {

std::unique_ptr<Splitter> make_median(const Faces& faces) {
  return make_halving(faces, [](std::span<FaceBox> items) {
    Aabb box;
    sort_along(items, longest_axis(items, box));
    return items.size() / 2;
  });
}

}  // namespace touche::tree
