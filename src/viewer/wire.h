// SPDX-License-Identifier: Apache-2.0
// The values that messages are made of, as bytes: docs/protocol.md.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "touche/pose.h"
#include "touche/types.h"

namespace touche::viewer {

static_assert(std::endian::native == std::endian::little);
static_assert(std::numeric_limits<double>::is_iec559 && std::numeric_limits<float>::is_iec559);

/// Bytes that are no message.
class ProtocolError : public Error {
 public:
  ProtocolError(std::size_t byte, const std::string& reason)
      : Error("byte " + std::to_string(byte) + ": " + reason), byte_(byte) {}
  [[nodiscard]] std::size_t byte() const { return byte_; }  ///< where they stop to be one

 private:
  std::size_t byte_;
};

/// Reads values one after the other. All functions throw ProtocolError for what is not there or is
/// out of range; nothing takes more memory than some times the message.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  /// Floating-point numbers must be finite.
  template <class T>
  T number() {
    static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);
    T value;
    std::memcpy(&value, take(sizeof(T)), sizeof(T));
    if constexpr (std::is_floating_point_v<T>) check_finite(&value, 1);
    return value;
  }
  double bound();  ///< may be infinite
  bool boolean();
  Vec3 vec3();
  Pose pose();
  std::string text(std::size_t max_bytes);
  template <class Enum>
  Enum choice(std::uint8_t count) {
    const auto value = number<std::uint8_t>();
    if (value >= count) throw ProtocolError(at_ - 1, "there is no such choice");
    return static_cast<Enum>(value);
  }
  /// Reads the number of values that follow and take at least `least_bytes` each.
  std::size_t count(std::size_t max, std::size_t least_bytes);
  template <class T>
  void numbers(std::vector<T>& values, std::size_t max) {
    values.resize(count(max, sizeof(T)));
    if (values.empty()) return;
    std::memcpy(values.data(), take(values.size() * sizeof(T)), values.size() * sizeof(T));
    if constexpr (std::is_floating_point_v<T>) check_finite(values.data(), values.size());
  }
  void finish() const;  ///< throws when bytes are left over

 private:
  const std::byte* take(std::size_t size);
  template <class T>
  void check_finite(const T* values, std::size_t count) const;

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
};

/// Writes values one after the other.
class Writer {
 public:
  template <class T>
  void number(T value) {
    static_assert(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>);
    put(&value, sizeof(T));
  }
  void boolean(bool value) { number(static_cast<std::uint8_t>(value)); }
  void vec3(const Vec3& value) {
    for (int i = 0; i < 3; ++i) number(value[i]);
  }
  void pose(const Pose& value);
  /// Throw InvalidInput for more than `max`. A text that is too long is cut off between characters,
  /// and what is no UTF-8 in it is replaced, for names of files may be anything.
  void text(const std::string& value, std::size_t max);
  void count(std::size_t count, std::size_t max);
  template <class T>
  void numbers(const std::vector<T>& values, std::size_t max) {
    count(values.size(), max);
    put(values.data(), values.size() * sizeof(T));
  }
  [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  void put(const void* data, std::size_t size);
  std::vector<std::byte> bytes_;
};

/// `text` with what is no UTF-8 replaced, and no longer than `max` bytes.
[[nodiscard]] std::string readable(const std::string& text, std::size_t max);

}  // namespace touche::viewer
