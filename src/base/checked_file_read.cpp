// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "base/checked_file.h"
#include "base/xxhash64.h"
#include "touche/types.h"

namespace touche::base::checked_file {

std::uint64_t checksum(std::span<const std::byte> summed) {
  std::uint64_t sum = 0;
  for (; !summed.empty(); summed = summed.subspan(std::min(kPiece, summed.size())))
    sum = xxhash64(summed.first(std::min(kPiece, summed.size())), sum);
  return sum;
}

void check_prefix(std::span<const std::byte> bytes, std::size_t header_size, const Prefix& expected,
                  const std::string& kind, const std::string& file) {
  const auto fail = [&](const std::string& reason) { throw LoadError(file, "", reason); };
  if (bytes.size() < expected.magic.size() ||
      std::memcmp(bytes.data(), expected.magic.data(), expected.magic.size()) != 0)
    fail("not a " + kind + " file");
  if (bytes.size() < header_size) fail("the file ends inside its header");
  Prefix found = expected;
  std::memcpy(&found, bytes.data(), sizeof found);
  if (found.byte_order != expected.byte_order)
    fail("written on a machine with another order of bytes; build it anew on this one");
  if (found.version != expected.version)
    fail("version " + std::to_string(found.version) + " of the format, expected " +
         std::to_string(expected.version));
  if (found.layout != expected.layout)
    fail("written by a program with another layout of nodes; build it anew with this one");
}

void check_size(std::span<const std::byte> bytes, std::uint64_t expected, const std::string& file) {
  if (bytes.size() != expected)
    throw LoadError(file, "",
                    "the file has " + std::to_string(bytes.size()) + " bytes, expected " +
                        std::to_string(expected));
}

void check_sum(std::span<const std::byte> bytes, const std::string& file) {
  Prefix found = {.magic = {}, .version = 0, .layout = 0};
  std::memcpy(&found, bytes.data(), sizeof found);
  if (checksum(bytes.subspan(sizeof found)) != found.checksum)
    throw LoadError(file, "", "the checksum is wrong: the file was altered or is damaged");
}

}  // namespace touche::base::checked_file
