// SPDX-License-Identifier: Apache-2.0
// Pictures inside a page, read back by a reader that knows nothing of the writer.
#include <gtest/gtest.h>
#include <zlib.h>

#include <string_view>

#include "report/image.h"

namespace touche::report {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes from_base64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  Bytes bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    const std::size_t digit = kDigits.find(c);
    EXPECT_NE(digit, std::string_view::npos) << c;
    bits = (bits << 6) | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<std::uint8_t>(bits >> count));
  }
  return bytes;
}

std::uint32_t big_endian(const Bytes& bytes, std::size_t at) {
  std::uint32_t x = 0;
  for (std::size_t i = at; i < at + 4; ++i) x = (x << 8) | bytes.at(i);
  return x;
}

// CRC-32 as the standard defines it, bit by bit.
std::uint32_t checksum(const Bytes& bytes, std::size_t begin, std::size_t end) {
  std::uint32_t crc = 0xffffffff;
  for (std::size_t i = begin; i < end; ++i) {
    crc ^= bytes.at(i);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320u : 0u);
  }
  return ~crc;
}

Image read_png(const std::string& uri) {
  const std::string_view head = "data:image/png;base64,";
  EXPECT_EQ(uri.substr(0, head.size()), head);
  const Bytes png = from_base64(std::string_view(uri).substr(head.size()));
  EXPECT_EQ(std::string(png.begin(), png.begin() + 8), "\x89PNG\r\n\x1a\n");
  Image image;
  std::string order;
  std::size_t channels = 3;
  Bytes palette;
  for (std::size_t at = 8; at < png.size();) {
    const std::size_t size = big_endian(png, at), data = at + 8;
    const std::string type(png.begin() + static_cast<std::ptrdiff_t>(at) + 4,
                           png.begin() + static_cast<std::ptrdiff_t>(data));
    EXPECT_EQ(big_endian(png, data + size), checksum(png, at + 4, data + size)) << type;
    order += type + " ";
    if (type == "IHDR") {
      image.width = static_cast<int>(big_endian(png, data));
      image.height = static_cast<int>(big_endian(png, data + 4));
      EXPECT_EQ(png.at(data + 8), 8);
      channels = png.at(data + 9) == 3 ? 1 : 3;
    } else if (type == "PLTE") {
      palette.assign(png.begin() + static_cast<std::ptrdiff_t>(data),
                     png.begin() + static_cast<std::ptrdiff_t>(data + size));
    } else if (type == "IDAT") {
      const std::size_t row = channels * static_cast<std::size_t>(image.width) + 1;
      Bytes rows(row * static_cast<std::size_t>(image.height));
      uLongf length = rows.size();
      EXPECT_EQ(uncompress(rows.data(), &length, png.data() + data, size), Z_OK);
      EXPECT_EQ(length, rows.size());
      for (std::size_t i = 0; i < rows.size(); i += row) EXPECT_EQ(rows[i], 0);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::size_t n = channels == 1 ? 3 * std::size_t{rows[i]} : i;
        const Bytes& from = channels == 1 ? palette : rows;
        if (i % row > 0 && (i % row - 1) % channels == 0)
          image.pixels.push_back({from.at(n), from.at(n + 1), from.at(n + 2)});
      }
    }
    at = data + size + 4;
  }
  EXPECT_EQ(order, channels == 1 ? "IHDR PLTE IDAT IEND " : "IHDR IDAT IEND ");
  return image;
}

TEST(Image, IsReadBackFromItsText) {
  for (const auto& [width, height] : {std::pair(1, 1), {2, 3}, {5, 4}, {64, 48}}) {
    Image image{width, height, {}};
    image.pixels.resize(static_cast<std::size_t>(width * height));
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        image.at(x, y) = {static_cast<std::uint8_t>(37 * x), static_cast<std::uint8_t>(91 * y),
                          static_cast<std::uint8_t>(x * y)};
    const Image back = read_png(png_data_uri(image));
    EXPECT_EQ(back.width, width);
    EXPECT_EQ(back.height, height);
    EXPECT_EQ(back.pixels, image.pixels);
  }
}

TEST(Image, OfUpTo256ColoursHasAPalette) {
  for (const int colours : {255, 256, 257}) {
    Image image{60, 10, {}};
    for (int i = 0; i < 600; ++i) {
      const int c = i % colours;
      image.pixels.push_back({static_cast<std::uint8_t>(c), static_cast<std::uint8_t>(c / 2),
                              static_cast<std::uint8_t>(c / 256)});
    }
    const std::string uri = png_data_uri(image);
    EXPECT_EQ(read_png(uri).pixels, image.pixels) << colours;
    const Bytes png = from_base64(std::string_view(uri).substr(uri.find(',') + 1));
    EXPECT_EQ(png.at(25), colours <= 256 ? 3 : 2);  // the kind of pixels
  }
}

TEST(Image, OfOneColourIsSmall) {
  Image image{640, 480, {}};
  image.pixels.assign(640 * 480, {200, 100, 50});
  EXPECT_LT(png_data_uri(image).size(), 2500u);
}

}  // namespace
}  // namespace touche::report
