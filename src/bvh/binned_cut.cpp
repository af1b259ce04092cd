// SPDX-License-Identifier: Apache-2.0
#include "bvh/binned_cut.h"

#include "bvh/kernels.h"

namespace touche::bvh {

TriangleItem* cut(TriangleItem* begin, TriangleItem* end) { return kernels().cut(begin, end); }

}  // namespace touche::bvh
