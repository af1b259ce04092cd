// SPDX-License-Identifier: Apache-2.0
// The header of a PLY file, which says what the file holds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace touche::io {

enum class PlyFormat { ascii, little_endian, big_endian };
enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

std::size_t size_of(PlyType type);
inline bool is_integer(PlyType type) { return type < PlyType::float32; }

struct PlyProperty {
  std::string name;
  PlyType type = PlyType::float32;
  bool is_list = false;
  PlyType count_type = PlyType::uint8;  ///< lists only
};

struct PlyElement {
  std::string name;
  std::size_t count = 0;
  std::size_t line = 0;  ///< of the header
  std::vector<PlyProperty> properties;
};

struct PlyHeader {
  PlyFormat format = PlyFormat::ascii;
  std::vector<PlyElement> elements;
  std::size_t bytes = 0;  ///< where the data begins
  std::size_t lines = 0;
};

/// Throws LoadError, also when the file is too short for the elements announced.
PlyHeader read_ply_header(std::string_view bytes, const std::string& file);

}  // namespace touche::io
