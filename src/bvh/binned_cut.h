// SPDX-License-Identifier: Apache-2.0
// Splits a set of triangles in two, so that the boxes around the parts are small and the nodes and
// leaves made of them are well filled.
#pragma once

#include "bvh/triangle_item.h"

namespace touche::bvh {

/// Orders at least two items so that one part is all items before the returned one; neither part is
/// empty.
///
/// The cut minimises the surface area of the parts' boxes times their numbers of items (Wald 2007:
/// sorting points in bins), across one of three axes or by size. A part that leaves slots of leaves
/// or nodes unused counts as if these were used. For a large set only a sample of the items is
/// examined, plus all items that are larger than the sample.
TriangleItem* cut(TriangleItem* begin, TriangleItem* end);

}  // namespace touche::bvh
