// SPDX-License-Identifier: Apache-2.0
// libFuzzer: a world answers as its model does, for any calls decoded from the bytes.
// tests/world/world_bytes_test.cpp runs the same check on random bytes, and on the corpus.
#include <cstdio>
#include <cstdlib>

#include "world_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const touche::test::ByteWorld world = touche::test::replay_world({data, size});
  if (world.wrong.empty()) return 0;
  std::fprintf(stderr, "disagreement: %s\n", world.wrong.c_str());
  std::abort();
}
