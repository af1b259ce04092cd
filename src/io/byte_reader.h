// SPDX-License-Identifier: Apache-2.0
// Numbers of a binary file that is wholly in memory, with the byte they stand at.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>

#include "touche/types.h"

namespace touche::io {

class ByteReader {
 public:
  ByteReader(std::string_view bytes, std::size_t offset, std::endian order, const std::string& file)
      : bytes_(bytes), offset_(offset), swap_(order != std::endian::native), file_(file) {}

  template <class T>
  T read() {
    if (bytes_left() < sizeof(T)) fail("the file ends inside a record");
    std::array<char, sizeof(T)> raw;
    std::memcpy(raw.data(), bytes_.data() + offset_, sizeof(T));
    if (swap_) std::reverse(raw.begin(), raw.end());
    offset_ += sizeof(T);
    return std::bit_cast<T>(raw);
  }

  void skip(std::size_t count) {
    if (bytes_left() < count) fail("the file ends inside a record");
    offset_ += count;
  }

  std::size_t offset() const { return offset_; }
  std::size_t bytes_left() const { return bytes_.size() - offset_; }
  [[noreturn]] void fail(const std::string& reason) const { fail_at(offset_, reason); }
  [[noreturn]] void fail_at(std::size_t offset, const std::string& reason) const {
    throw LoadError(file_, "byte " + std::to_string(offset), reason);
  }

 private:
  std::string_view bytes_;
  std::size_t offset_;
  bool swap_;
  const std::string& file_;
};

}  // namespace touche::io
