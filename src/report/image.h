// SPDX-License-Identifier: Apache-2.0
// A small picture, and how it becomes text inside a page.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace touche::report {

using Rgb = std::array<std::uint8_t, 3>;

struct Image {
  int width = 0, height = 0;
  std::vector<Rgb> pixels;  // rows from the top
  Rgb& at(int x, int y) { return pixels[static_cast<std::size_t>(y * width + x)]; }
  const Rgb& at(int x, int y) const { return pixels[static_cast<std::size_t>(y * width + x)]; }
};

/// Encodes as RFC 4648 has it, in one line.
std::string base64(std::span<const std::uint8_t> bytes);

/// Encodes as PNG (ISO 15948).
std::vector<std::uint8_t> png(const Image& image);

/// "data:image/png;base64,..."
std::string png_data_uri(const Image& image);

}  // namespace touche::report
