// SPDX-License-Identifier: Apache-2.0
// Output to a file, text and bytes.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "touche/types.h"

namespace touche::io {

/// Collects output and hands it to the file in large pieces.
class FileWriter {
 public:
  explicit FileWriter(const std::filesystem::path& path)
      : name_(path.string()), out_(path, std::ios::binary | std::ios::trunc) {
    if (!out_) fail("the file cannot be opened for writing");
  }

  FileWriter& operator<<(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() > kPiece) flush();
    return *this;
  }
  template <class Number>
  FileWriter& number(Number value) {
    std::array<char, 32> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    return *this << std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data()));
  }
  template <class T>
  FileWriter& raw(T value) {
    auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
    if (std::endian::native == std::endian::big) std::reverse(bytes.begin(), bytes.end());
    return *this << std::string_view(bytes.data(), bytes.size());
  }

  void finish() {
    flush();
    out_.close();
    if (!out_) fail("the file cannot be written to its end");
  }
  [[noreturn]] void fail(const std::string& reason) const { throw LoadError(name_, "", reason); }

 private:
  static constexpr std::size_t kPiece = 1 << 16;
  void flush() {
    out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
  }
  std::string name_;
  std::ofstream out_;
  std::string buffer_;
};

}  // namespace touche::io
