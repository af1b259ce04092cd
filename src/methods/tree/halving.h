// SPDX-License-Identifier: Apache-2.0
// Methods that cut a set in two, van den Bergen's and the surface-area heuristic; for more parts
// the one of most faces is cut again.
#pragma once

#include <functional>

#include "methods/tree/splitter.h"

namespace touche::tree {

/// A face as these methods see it: its box, and its number in the set.
struct FaceBox {
  Vec3 lo, hi;
  Index number;

  /// The middle of the face's projection onto an axis, doubled.
  double middle(int axis) const { return lo[axis] + hi[axis]; }
};

/// Reorders two faces or more and returns how many come first; 0 or all if the faces cannot be
/// distinguished.
using Halving = std::function<std::size_t(std::span<FaceBox>)>;

/// Faces that cannot be distinguished are halved in their present order (van den Bergen). The part
/// with the most faces is divided first, so that parts of halves have equal sizes again.
std::unique_ptr<Splitter> make_halving(const Faces& faces, Halving halving);

/// The axis along which the box around the items is longest.
int longest_axis(std::span<const FaceBox> items, Aabb& box);

/// Sorts by their middles along an axis, equal ones by number.
void sort_along(std::span<FaceBox> items, int axis);

}  // namespace touche::tree
