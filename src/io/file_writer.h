// SPDX-License-Identifier: Apache-2.0
// Output to a file, text and bytes.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/new_file.h"
#include "touche/types.h"

namespace touche::io {

/// Collects output and writes it in large pieces. The file appears, or replaces an existing one,
/// only when it is complete. Devices and pipes are written piece by piece.
class FileWriter {
 public:
  explicit FileWriter(const std::filesystem::path& path)
      : file_(path, base::NewFile::Devices::written) {}

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
    file_.finish();
  }
  [[noreturn]] void fail(const std::string& reason) const {
    throw LoadError(file_.name().string(), "", reason);
  }

 private:
  static constexpr std::size_t kPiece = 1 << 16;
  void flush() {
    file_.write(buffer_.data(), buffer_.size());
    buffer_.clear();
  }
  base::NewFile file_;
  std::string buffer_;
};

}  // namespace touche::io
