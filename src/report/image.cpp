// SPDX-License-Identifier: Apache-2.0
// PNG (ISO 15948) around a stream of zlib's.
#include "report/image.h"

#include <zlib.h>

#include <algorithm>
#include <optional>
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
                Z_DEFAULT_COMPRESSION) != Z_OK)
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

// The colours of an image, and which of them each pixel has.
struct Palette {
  Bytes colours, numbers;
};

// Nothing for an image of more than 256 colours. With one byte for each pixel a picture takes a
// third of the time to compress.
std::optional<Palette> palette_of(const Image& image) {
  constexpr std::uint32_t kSlots = 1024, kMost = 256, kFree = 0xffffffff;
  std::array<std::uint32_t, kSlots> keys;
  std::array<std::uint8_t, kSlots> numbers{};
  keys.fill(kFree);
  Palette palette;
  palette.numbers.reserve(image.pixels.size());
  for (const Rgb& pixel : image.pixels) {
    const std::uint32_t key =
        std::uint32_t{pixel[0]} << 16 | std::uint32_t{pixel[1]} << 8 | pixel[2];
    std::uint32_t slot = key * 0x9e3779b1u >> 22;  // ten bits
    while (keys[slot] != key && keys[slot] != kFree) slot = (slot + 1) % kSlots;
    if (keys[slot] == kFree) {
      if (palette.colours.size() == 3 * kMost) return std::nullopt;
      keys[slot] = key;
      numbers[slot] = static_cast<std::uint8_t>(palette.colours.size() / 3);
      palette.colours.insert(palette.colours.end(), pixel.begin(), pixel.end());
    }
    palette.numbers.push_back(numbers[slot]);
  }
  return palette;
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

std::vector<std::uint8_t> png(const Image& image) {
  const std::optional<Palette> palette = palette_of(image);
  Bytes rows;
  for (int y = 0; y < image.height; ++y) {
    rows.push_back(0);  // no filter
    const std::size_t begin = static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width);
    for (std::size_t i = begin; i < begin + static_cast<std::size_t>(image.width); ++i)
      if (palette)
        rows.push_back(palette->numbers[i]);
      else
        rows.insert(rows.end(), image.pixels[i].begin(), image.pixels[i].end());
  }
  constexpr std::uint8_t kBits = 8, kRgb = 2, kIndexed = 3;
  Bytes header;
  append_big_endian(header, static_cast<std::uint32_t>(image.width));
  append_big_endian(header, static_cast<std::uint32_t>(image.height));
  header.insert(header.end(), {kBits, palette ? kIndexed : kRgb, 0, 0, 0});

  Bytes out = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  append_chunk(out, "IHDR", header);
  if (palette) append_chunk(out, "PLTE", palette->colours);
  append_chunk(out, "IDAT", deflated(rows));
  append_chunk(out, "IEND", {});
  return out;
}

std::string png_data_uri(const Image& image) {
  return "data:image/png;base64," + base64(png(image));
}

}  // namespace touche::report
