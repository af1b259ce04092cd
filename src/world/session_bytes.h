// SPDX-License-Identifier: Apache-2.0
// Reads and writes the parts of session files: numbers, and pieces of the file with checksums. See
// docs/session-file.md.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/xxhash64.h"
#include "touche/types.h"

namespace touche::world::session {

struct FileHeader {
  std::array<char, 8> magic = {'\x89', 'S', 'S', 'N', '\r', '\n', '\x1a', '\n'};
  std::uint32_t byte_order = 0x01020304;
  std::uint32_t version = 2;
  friend bool operator==(const FileHeader&, const FileHeader&) = default;
};
static_assert(sizeof(FileHeader) == 16);

/// Indices of nodes are below this.
inline constexpr Index kMaxNodes = Index{1} << 22;

enum class Kind : std::uint32_t { object = 1, step, response, result, shape };

struct PieceHeader {
  Kind kind{};
  std::uint32_t zero = 0;
  std::uint64_t size = 0;  // of the content after the header
  std::uint64_t checksum = 0;
};
static_assert(sizeof(PieceHeader) == 24);

/// Covers kind, size and content, seeded with the checksum of the piece before.
inline std::uint64_t checksum(PieceHeader header, std::span<const std::byte> content,
                              std::uint64_t before) {
  header.checksum = before;
  return base::xxhash64(content, base::xxhash64(std::as_bytes(std::span(&header, 1))));
}

class Bytes {
 public:
  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void put(T value) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof value);
    std::memcpy(bytes_.data() + at, &value, sizeof value);
  }
  void put(const std::string& text) {
    put(std::uint64_t{text.size()});
    for (const char c : text) put(c);
  }
  template <int kRows, int kColumns>
  void put(const Eigen::Matrix<double, kRows, kColumns>& numbers) {
    for (const double x : numbers.reshaped()) put(x);
  }
  std::span<const std::byte> all() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  std::vector<std::byte> bytes_;
};

/// Reads what `Bytes` wrote. Throws LoadError naming the byte where data are missing or invalid.
class Source {
 public:
  Source(std::span<const std::byte> bytes, std::size_t place, const std::string& file)
      : left_(bytes), place_(place), file_(file) {}

  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) T get() {
    need(sizeof(T));
    T value;
    std::memcpy(&value, left_.data(), sizeof value);
    skip(sizeof value);
    return value;
  }
  bool flag() {
    const auto value = get<std::uint8_t>();
    require(value <= 1, "a flag is neither 0 nor 1");
    return value == 1;
  }
  template <class Enum>
  Enum one_of(std::size_t count) {
    const auto value = get<std::uint8_t>();
    require(value < count, "a choice that there is not");
    return static_cast<Enum>(value);
  }
  /// A number of items that take `bytes_each` bytes each.
  std::size_t count(std::size_t bytes_each) {
    const auto number = get<std::uint64_t>();
    require(number <= left_.size() / bytes_each, "more than the file holds");
    return static_cast<std::size_t>(number);
  }
  std::string text() {
    std::string result(count(1), '\0');
    if (!result.empty()) std::memcpy(result.data(), left_.data(), result.size());
    skip(result.size());
    return result;
  }
  template <class Matrix>
  Matrix numbers() {
    Matrix result;
    for (double& x : result.reshaped()) {
      x = get<double>();
      require(std::isfinite(x), "a number is not finite");
    }
    return result;
  }
  void require(bool holds, const std::string& what) const {
    if (!holds) fail(what);
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw LoadError(file_, "byte " + std::to_string(place_), what);
  }
  bool empty() const { return left_.empty(); }

 private:
  void need(std::size_t size) const { require(size <= left_.size(), "ends too early"); }
  void skip(std::size_t size) {
    left_ = left_.subspan(size);
    place_ += size;
  }

  std::span<const std::byte> left_;
  std::size_t place_;  // in the file
  const std::string& file_;
};

}  // namespace touche::world::session
