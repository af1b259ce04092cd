// SPDX-License-Identifier: Apache-2.0
// PNG (ISO 15948) with the fixed codes of deflate (RFC 1951). Drawings are mostly areas of one
// colour, so it is enough to look for repetitions of the pixel to the left and of the row above.
#include "study/image.h"

#include <algorithm>
#include <string_view>

namespace touche::study {
namespace {

using Bytes = std::vector<std::uint8_t>;

void append_big_endian(Bytes& out, std::uint32_t x) {
  for (const int shift : {24, 16, 8, 0}) out.push_back(static_cast<std::uint8_t>(x >> shift));
}

std::uint32_t crc32(const Bytes& bytes) {
  std::uint32_t crc = 0xffffffff;
  for (const std::uint8_t byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320u : 0u);
  }
  return ~crc;
}

std::uint32_t adler32(const Bytes& bytes) {
  std::uint32_t a = 1, b = 0;
  for (const std::uint8_t byte : bytes) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return (b << 16) | a;
}

class Deflater {
 public:
  // `distances` are where to look for repetitions.
  Bytes run(const Bytes& data, std::array<std::size_t, 2> distances) {
    out_ = {0x78, 0x01};
    put(1, 1);  // the last block,
    put(1, 2);  // with fixed codes
    for (std::size_t at = 0; at < data.size();) {
      std::size_t best = 0, best_distance = 0;
      for (const std::size_t distance : distances) {
        const std::size_t length = repetition(data, at, distance);
        if (length > best) {
          best = length;
          best_distance = distance;
        }
      }
      if (best >= 3) {
        put_repetition(best, best_distance);
        at += best;
      } else {
        put_symbol(data[at++]);
      }
    }
    put_symbol(256);
    put(0, 7);  // fills the last byte
    append_big_endian(out_, adler32(data));
    return std::move(out_);
  }

 private:
  static std::size_t repetition(const Bytes& data, std::size_t at, std::size_t distance) {
    if (distance > at || distance > 32768) return 0;
    const std::size_t most = std::min<std::size_t>(258, data.size() - at);
    std::size_t length = 0;
    while (length < most && data[at + length] == data[at + length - distance]) ++length;
    return length;
  }

  void put(std::uint32_t bits, int count) {  // lowest bit first
    for (int i = 0; i < count; ++i) {
      buffer_ = static_cast<std::uint8_t>(buffer_ | (((bits >> i) & 1u) << filled_));
      if (++filled_ < 8) continue;
      out_.push_back(buffer_);
      buffer_ = 0;
      filled_ = 0;
    }
  }
  void put_code(std::uint32_t code, int count) {  // Huffman codes: highest bit first
    for (int i = count - 1; i >= 0; --i) put((code >> i) & 1u, 1);
  }
  void put_symbol(std::uint32_t symbol) {
    if (symbol < 144)
      put_code(0x30 + symbol, 8);
    else if (symbol < 256)
      put_code(0x190 + symbol - 144, 9);
    else if (symbol < 280)
      put_code(symbol - 256, 7);
    else
      put_code(0xc0 + symbol - 280, 8);
  }

  // Lengths and distances come in classes: a code names the class, extra bits the place in it.
  void put_repetition(std::size_t length, std::size_t distance) {
    if (length == 258) {
      put_symbol(285);
    } else {
      const auto [symbol, extra, rest] = classify(static_cast<std::uint32_t>(length - 3), 2);
      put_symbol(257 + symbol);
      put(rest, extra);
    }
    const auto [symbol, extra, rest] = classify(static_cast<std::uint32_t>(distance - 1), 1);
    put_code(symbol, 5);
    put(rest, extra);
  }
  struct Class {
    std::uint32_t symbol;
    int extra;
    std::uint32_t rest;
  };
  // 2^(bits + 1) single values, then 2^bits classes each with 1, 2, 3, ... extra bits.
  static Class classify(std::uint32_t value, int bits) {
    const std::uint32_t per_size = 1u << bits;
    if (value < 2 * per_size) return {value, 0, 0};
    int extra = 0;
    while ((value >> extra) >= 2 * per_size) ++extra;
    const std::uint32_t symbol = per_size * static_cast<std::uint32_t>(extra) + (value >> extra);
    return {symbol, extra, value & ((1u << extra) - 1)};
  }

  Bytes out_;
  std::uint8_t buffer_ = 0;
  int filled_ = 0;
};

void append_chunk(Bytes& out, std::string_view type, const Bytes& data) {
  append_big_endian(out, static_cast<std::uint32_t>(data.size()));
  Bytes body(type.begin(), type.end());
  body.insert(body.end(), data.begin(), data.end());
  out.insert(out.end(), body.begin(), body.end());
  append_big_endian(out, crc32(body));
}

std::string base64(const Bytes& bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) group = (group << 8) | (k < have ? bytes[i + k] : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      out += k <= have ? kDigits[(group >> (18 - 6 * k)) & 63] : '=';
  }
  return out;
}

}  // namespace

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
  const auto row_bytes = static_cast<std::size_t>(3 * image.width + 1);
  append_chunk(png, "IDAT", Deflater().run(rows, {3, row_bytes}));
  append_chunk(png, "IEND", {});
  return "data:image/png;base64," + base64(png);
}

}  // namespace touche::study
