// SPDX-License-Identifier: Apache-2.0
// How much memory vectors hold.
#pragma once

#include <cstddef>
#include <vector>

namespace touche::base {

template <class... Values>
std::size_t held_bytes(const std::vector<Values>&... vectors) {
  return (0 + ... + (vectors.capacity() * sizeof(Values)));
}

}  // namespace touche::base
