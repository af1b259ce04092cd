// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "touche/types.h"

namespace touche::dynamics {

/// Returns the root of `i`'s tree, where parent[i] is i itself for a root. Shortens the path to it.
inline Index find_root(std::vector<Index>& parent, Index i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

}  // namespace touche::dynamics
