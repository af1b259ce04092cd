// SPDX-License-Identifier: Apache-2.0
// PNG (ISO 15948) around a stream of zlib's.
#include "report/image.h"

#include <zlib.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace touche::report {
namespace {

using Bytes = std::vector<std::uint8_t>;

void append_big_endian(Bytes& out, std::uint32_t x) {
  for (const int shift : {24, 16, 8, 0}) out.push_back(static_cast<std::uint8_t>(x >> shift));
}

Bytes deflated(const Bytes& data) {
  uLongf size = compressBound(static_cast<uLong>(data.size()));
  Bytes out(size);
  if (compress2(out.data(), &size, data.data(), static_cast<uLong>(data.size()),
                Z_BEST_COMPRESSION) != Z_OK)
    throw std::runtime_error("a picture could not be compressed");
  out.resize(size);
  return out;
}

void append_chunk(Bytes& out, std::string_view type, const Bytes& data) {
  append_big_endian(out, static_cast<std::uint32_t>(data.size()));
  Bytes body(type.begin(), type.end());
  body.insert(body.end(), data.begin(), data.end());
  out.insert(out.end(), body.begin(), body.end());
  append_big_endian(
      out, static_cast<std::uint32_t>(crc32(0, body.data(), static_cast<uInt>(body.size()))));
}

}  // namespace

std::string base64(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = (group << 8) | (k < have ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      out += k <= have ? kDigits[(group >> (18 - 6 * k)) & 63] : '=';
  }
  return out;
}

std::string png_data_uri(const Image& image) {
  Bytes rows;
  for (int y = 0; y < image.height; ++y) {
    rows.push_back(0);  // no filter
    for (int x = 0; x < image.width; ++x)
      rows.insert(rows.end(), image.at(x, y).begin(), image.at(x, y).end());
  }
  Bytes header;
  append_big_endian(header, static_cast<std::uint32_t>(image.width));
  append_big_endian(header, static_cast<std::uint32_t>(image.height));
  header.insert(header.end(), {8, 2, 0, 0, 0});  // 8 bits each of red, green, blue

  Bytes png = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  append_chunk(png, "IHDR", header);
  append_chunk(png, "IDAT", deflated(rows));
  append_chunk(png, "IEND", {});
  return "data:image/png;base64," + base64(png);
}

}  // namespace touche::report
