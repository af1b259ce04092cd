// SPDX-License-Identifier: Apache-2.0
#include "bvh/binned_cut.h"

#include "bvh/kernels.h"

namespace touche {

TriangleItem* cut(TriangleItem* begin, TriangleItem* end) { return kernels().cut(begin, end); }

}  // namespace touche
