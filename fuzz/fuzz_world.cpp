// SPDX-License-Identifier: Apache-2.0
// libFuzzer: a world answers as its model does, whatever calls the bytes say.
// tests/world/world_bytes_test.cpp asks the same of random bytes, and of the corpus.
#include <cstdio>
#include <cstdlib>

#include "world_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const touche::test::ByteWorld world = touche::test::replay_world({data, size});
  if (world.wrong.empty()) return 0;
  std::fprintf(stderr, "disagreement: %s\n", world.wrong.c_str());
  std::abort();
}
