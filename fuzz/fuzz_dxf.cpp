// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "outline_target.h"

// Most changes of a file lose its end, without which nothing is drawn: it is read with one, too.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string ended = std::string(reinterpret_cast<const char*>(data), size) + "\n0\nEOF\n";
  touche::fuzz::read_outline(".dxf", reinterpret_cast<const std::uint8_t*>(ended.data()),
                             ended.size());
  return touche::fuzz::read_outline(".dxf", data, size);
}
