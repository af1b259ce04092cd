// SPDX-License-Identifier: Apache-2.0
// libFuzzer: each query agrees with its brute-force twin on whatever soups, poses and motions the
// bytes say. tests/query/query_bytes_test.cpp asks the same of random bytes, and of the corpus,
// which is what was found.
#include <cstdio>
#include <cstdlib>

#include "query_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const touche::test::ByteAnswers answers = touche::test::ask_queries({data, size});
  if (answers.wrong.empty()) return 0;
  std::fprintf(stderr, "disagreement: %s\n", answers.wrong.c_str());
  std::abort();
}
