// SPDX-License-Identifier: Apache-2.0
#include "viewer/wire.h"

#include <cmath>

namespace touche::viewer {
namespace {

// Length in bytes of the UTF-8 character at the start of a text; 0 if it is invalid. The ranges are
// from table 3-7 of the Unicode standard.
std::size_t character(std::span<const unsigned char> text) {
  const unsigned char first = text[0];
  if (first < 0x80) return 1;
  const auto follows = [&](std::size_t i, unsigned char lo, unsigned char hi) {
    return i < text.size() && text[i] >= lo && text[i] <= hi;
  };
  const auto rest = [&](std::size_t from, std::size_t size) {
    for (std::size_t i = from; i < size; ++i)
      if (!follows(i, 0x80, 0xbf)) return std::size_t{0};
    return size;
  };
  if (first >= 0xc2 && first <= 0xdf) return rest(1, 2);
  if (first >= 0xe0 && first <= 0xef) {
    const bool second = follows(1, first == 0xe0 ? 0xa0 : 0x80, first == 0xed ? 0x9f : 0xbf);
    return second ? rest(2, 3) : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const bool second = follows(1, first == 0xf0 ? 0x90 : 0x80, first == 0xf4 ? 0x8f : 0xbf);
    return second ? rest(2, 4) : 0;
  }
  return 0;
}

std::span<const unsigned char> unsigned_bytes(const void* data, std::size_t size) {
  return {static_cast<const unsigned char*>(data), size};
}

}  // namespace

const std::byte* Reader::take(std::size_t size) {
  if (size > bytes_.size() - at_) throw ProtocolError(at_, "the message ends too early");
  const std::byte* from = bytes_.data() + at_;
  at_ += size;
  return from;
}

template <class T>
void Reader::check_finite(const T* values, std::size_t count) const {
  for (std::size_t i = 0; i < count; ++i)
    if (!std::isfinite(values[i]))
      throw ProtocolError(at_ - (count - i) * sizeof(T), "no finite number");
}
template void Reader::check_finite(const float*, std::size_t) const;
template void Reader::check_finite(const double*, std::size_t) const;

double Reader::bound() {
  double value;
  std::memcpy(&value, take(sizeof(value)), sizeof(value));
  if (std::isnan(value)) throw ProtocolError(at_ - sizeof(value), "not a number");
  return value;
}

bool Reader::boolean() {
  const auto value = number<std::uint8_t>();
  if (value > 1) throw ProtocolError(at_ - 1, "neither 0 nor 1");
  return value == 1;
}

Vec3 Reader::vec3() {
  Vec3 v;
  for (int i = 0; i < 3; ++i) v[i] = number<double>();
  return v;
}

Pose Reader::pose() {
  const Vec3 translation = vec3();
  const std::size_t from = at_;
  double q[4];
  for (double& x : q) x = number<double>();
  try {
    return Pose::from_quaternion(q[0], q[1], q[2], q[3], translation);
  } catch (const InvalidInput&) {
    throw ProtocolError(from, "the quaternion is not of unit length");
  }
}

std::string Reader::text(std::size_t max_bytes) {
  const std::size_t size = count(max_bytes, 1);
  const std::byte* data = take(size);
  const auto text = unsigned_bytes(data, size);
  for (std::size_t i = 0; i < size;) {
    const std::size_t length = character(text.subspan(i));
    if (length == 0) throw ProtocolError(at_ - size + i, "no UTF-8");
    i += length;
  }
  return {text.begin(), text.end()};
}

std::size_t Reader::count(std::size_t max, std::size_t least_bytes) {
  const auto count = number<std::uint32_t>();
  if (count > max) throw ProtocolError(at_ - 4, "more than " + std::to_string(max));
  if (count * least_bytes > bytes_.size() - at_)
    throw ProtocolError(at_ - 4, "the message ends too early");
  return count;
}

void Reader::finish() const {
  if (at_ != bytes_.size()) throw ProtocolError(at_, "there are bytes left over");
}

void Writer::put(const void* data, std::size_t size) {
  const auto* from = static_cast<const std::byte*>(data);
  bytes_.insert(bytes_.end(), from, from + size);
}

void Writer::pose(const Pose& value) {
  vec3(value.translation());
  const Eigen::Quaterniond q = value.rotation();
  for (const double x : {q.w(), q.x(), q.y(), q.z()}) number(x);
}

void Writer::text(const std::string& value, std::size_t max) {
  const std::string written = readable(value, max);
  count(written.size(), max);
  put(written.data(), written.size());
}

void Writer::count(std::size_t count, std::size_t max) {
  if (count > max)
    throw InvalidInput("a message of " + std::to_string(count) + " values, expected at most " +
                       std::to_string(max));
  number(static_cast<std::uint32_t>(count));
}

std::string readable(const std::string& text, std::size_t max) {
  std::string written;
  const auto bytes = unsigned_bytes(text.data(), text.size());
  for (std::size_t i = 0; i < bytes.size();) {
    const std::size_t length = character(bytes.subspan(i));
    const std::string next = length == 0 ? "\xef\xbf\xbd" : text.substr(i, length);
    if (written.size() + next.size() > max) break;
    written += next;
    i += length == 0 ? 1 : length;
  }
  return written;
}

}  // namespace touche::viewer
