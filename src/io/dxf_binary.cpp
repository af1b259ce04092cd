// SPDX-License-Identifier: Apache-2.0
// Binary DXF: the groups of the text form, with codes and numbers as bytes, the lowest first. The
// code determines the type of the value.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "io/dxf_entities.h"

namespace touche::io {
namespace {

constexpr std::string_view kSentinel("AutoCAD Binary DXF\r\n\x1a\0", 22);

enum class DxfType : std::uint8_t { text, real, int8, int16, int32, int64, chunk };

struct DxfCodes {
  int first, last;
  DxfType type;
};

/// All other codes have texts.
constexpr DxfCodes kDxfTypes[] = {
    {10, 59, DxfType::real},      {60, 79, DxfType::int16},    {90, 99, DxfType::int32},
    {110, 149, DxfType::real},    {160, 169, DxfType::int64},  {170, 179, DxfType::int16},
    {210, 239, DxfType::real},    {270, 289, DxfType::int16},  {290, 299, DxfType::int8},
    {310, 319, DxfType::chunk},   {370, 389, DxfType::int16},  {400, 409, DxfType::int16},
    {420, 429, DxfType::int32},   {440, 459, DxfType::int32},  {460, 469, DxfType::real},
    {1004, 1004, DxfType::chunk}, {1010, 1059, DxfType::real}, {1060, 1070, DxfType::int16},
    {1071, 1071, DxfType::int32}};

DxfType type_of(int code) {
  for (const DxfCodes& codes : kDxfTypes)
    if (codes.first <= code && code <= codes.last) return codes.type;
  return DxfType::text;
}

/// Bytes from a position on. Takes nothing beyond the end.
struct Bytes {
  std::string_view all;
  std::size_t at = 0;

  bool has(std::size_t count) const { return all.size() - at >= count; }
  template <class T>
  T take() {
    std::array<char, sizeof(T)> bytes;
    std::memcpy(bytes.data(), all.data() + at, sizeof(T));
    at += sizeof(T);
    if constexpr (std::endian::native == std::endian::big) std::reverse(bytes.begin(), bytes.end());
    return std::bit_cast<T>(bytes);
  }
  template <class T>
  std::optional<double> number() {
    if (!has(sizeof(T))) return std::nullopt;
    return static_cast<double>(take<T>());
  }
};

std::optional<double> take_number(Bytes& bytes, DxfType type) {
  switch (type) {
    case DxfType::real:
      return bytes.number<double>();
    case DxfType::int8:
      return bytes.number<std::int8_t>();
    case DxfType::int16:
      return bytes.number<std::int16_t>();
    case DxfType::int32:
      return bytes.number<std::int32_t>();
    default:
      return bytes.number<std::int64_t>();
  }
}

}  // namespace

void DxfFile::read_binary(std::string_view all) {
  if (!all.starts_with(kSentinel))
    fail(0, "a binary DXF file whose first line is damaged, as by a transfer as text");
  Bytes bytes{all, kSentinel.size()};
  // Releases before 13 have codes of one byte. A file begins with code 0 and a text that is not
  // empty, or with a comment.
  constexpr unsigned char kLongCode = 255;
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(all[bytes.at + k]); };
  const bool is_short = bytes.has(2) && (byte(0) == kLongCode || (byte(0) == 0 && byte(1) != 0));
  const auto cut = [&] { fail(bytes.at, kCutOff); };
  while (bytes.has(1)) {
    const bool of_one_byte = is_short && byte(0) != kLongCode;
    if (is_short && !of_one_byte) ++bytes.at;
    if (!bytes.has(of_one_byte ? 1 : 2)) cut();
    const int code = of_one_byte ? bytes.take<std::uint8_t>() : bytes.take<std::int16_t>();
    const DxfType type = type_of(code);
    DxfGroup group{code, {}, bytes.at, {}};
    if (type == DxfType::text) {
      const std::size_t end = all.find('\0', bytes.at);
      if (end == std::string_view::npos) cut();
      group.value = all.substr(bytes.at, end - bytes.at);
      bytes.at = end + 1;
    } else if (type == DxfType::chunk) {
      if (!bytes.has(1) || !bytes.has(std::size_t{1} + byte(0))) cut();
      bytes.at += std::size_t{1} + byte(0);
    } else {
      group.number = take_number(bytes, type);
      if (!group.number) cut();
    }
    if (add(group)) return;
  }
  cut();
}

}  // namespace touche::io
