// SPDX-License-Identifier: Apache-2.0
// Van den Bergen's choice: a plane through the middle of the box's longest axis; a face belongs to
// the side where the middle of its projection lies. O(n).
#include <algorithm>

#include "methods/tree/halving.h"
#include "methods/tree/split_methods.h"

namespace touche::tree {

std::unique_ptr<Splitter> make_middle(const Faces& faces) {
  return make_halving(faces, [](std::span<FaceBox> items) {
    Aabb box;
    const int axis = longest_axis(items, box);
    const double plane = box.lo[axis] + box.hi[axis];  // doubled, as the middles are
    const auto positive =
        std::stable_partition(items.begin(), items.end(),
                              [&](const FaceBox& item) { return item.middle(axis) <= plane; });
    return static_cast<std::size_t>(positive - items.begin());
  });
}

}  // namespace touche::tree
