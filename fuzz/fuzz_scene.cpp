// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any text as a scene file either parses or gives a LoadError.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "touche/simulation.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    (void)touche::parse_simulation({reinterpret_cast<const char*>(data), size},
                                   "nowhere/scene.json");
  } catch (const touche::LoadError&) {
  }
  return 0;
}
