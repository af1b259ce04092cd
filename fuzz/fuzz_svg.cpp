// SPDX-License-Identifier: Apache-2.0
#include "outline_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return touche::fuzz::read_outline(".svg", data, size);
}
