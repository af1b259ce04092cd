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
#include <system_error>

#include "touche/types.h"

namespace touche::io {

/// Collects output and hands it to the file in large pieces. The file appears, or takes the place
/// of one that is there, when it is whole.
class FileWriter {
 public:
  explicit FileWriter(const std::filesystem::path& path)
      : name_(path.string()),
        part_(is_other(path) ? path : std::filesystem::path(name_ + ".part")),
        out_(part_, std::ios::binary | std::ios::trunc) {
    if (!out_) fail("the file cannot be opened for writing");
  }
  ~FileWriter() {
    std::error_code none;
    if (part_ != name_) std::filesystem::remove(part_, none);  // not there when all went well
  }
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

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
    std::error_code error;
    if (part_ != name_) std::filesystem::rename(part_, name_, error);
    if (error) fail("the file cannot be put in its place");
  }
  [[noreturn]] void fail(const std::string& reason) const { throw LoadError(name_, "", reason); }

 private:
  static constexpr std::size_t kPiece = 1 << 16;
  /// A device or a link, in whose place no file is put.
  static bool is_other(const std::filesystem::path& path) {
    std::error_code none;
    const auto type = std::filesystem::symlink_status(path, none).type();
    return type != std::filesystem::file_type::regular &&
           type != std::filesystem::file_type::not_found;
  }
  void flush() {
    out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
  }
  std::string name_;
  std::filesystem::path part_;  // where it is until it is whole; `name_` where that is no file
  std::ofstream out_;
  std::string buffer_;
};

}  // namespace touche::io
