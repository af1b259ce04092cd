// SPDX-License-Identifier: Apache-2.0
// What the mesh targets share: any bytes either become a soup or are refused with an Error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "io/readers.h"

namespace touche::fuzz {

using Reader = io::MeshData (*)(std::string_view bytes, const std::string& file);

inline int read_mesh(Reader read, const std::uint8_t* data, std::size_t size) {
  try {
    io::to_soup(read({reinterpret_cast<const char*>(data), size}, "fuzzed"), "fuzzed");
  } catch (const Error&) {
  }
  return 0;
}

}  // namespace touche::fuzz
