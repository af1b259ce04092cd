// SPDX-License-Identifier: Apache-2.0
// libFuzzer: each query agrees with its brute-force reference for arbitrary soups, poses and
// motions decoded from the bytes. tests/query/query_bytes_test.cpp runs the same check on random
// bytes, and on the corpus, which holds the bytes of past failures.
#include <cstdio>
#include <cstdlib>

#include "query_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const touche::test::ByteAnswers answers = touche::test::ask_queries({data, size});
  if (answers.wrong.empty()) return 0;
  std::fprintf(stderr, "disagreement: %s\n", answers.wrong.c_str());
  std::abort();
}
