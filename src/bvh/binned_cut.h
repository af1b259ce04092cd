// SPDX-License-Identifier: Apache-2.0
// Parts a set of triangles in two, so that the boxes around the parts are small and the nodes and
// leaves made of them are well filled.
#pragma once

#include "bvh/triangle_item.h"

namespace touche {

/// Orders at least two items so that all before the returned one are one part; none is empty.
///
/// The cut is the one of least surface area of the parts' boxes times their items (Wald 2007:
/// sorting points in bins), across one of three axes or by size, where a part that leaves places in
/// leaves or nodes unused counts as if these were used. It looks at only some of many items, and at
/// all that are larger than those.
TriangleItem* cut(TriangleItem* begin, TriangleItem* end);

}  // namespace touche
