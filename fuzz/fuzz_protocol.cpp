// SPDX-License-Identifier: Apache-2.0
// libFuzzer: bytes from a client are a message, or are refused with a ProtocolError.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "protocol_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto outcome = touche::test::try_message(std::as_bytes(std::span(data, size)));
  if (outcome.fault.empty()) return 0;
  std::fprintf(stderr, "%s\n", outcome.fault.c_str());
  std::abort();
}
