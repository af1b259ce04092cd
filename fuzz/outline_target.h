// SPDX-License-Identifier: Apache-2.0
// The targets for drawings share this test: any bytes either become an outline that can be queried,
// or are rejected with an Error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "io/drawing.h"

namespace touche::fuzz {

/// `ending` determines the format.
inline int read_outline(const char* ending, const std::uint8_t* data, std::size_t size) {
  try {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    io::read_outline(bytes, ending, "fuzzed");
    for (const Split how : {Split::objects, Split::layers})
      io::read_outlines(bytes, ending, "fuzzed", how);
  } catch (const Error&) {
  }
  return 0;
}

}  // namespace touche::fuzz
