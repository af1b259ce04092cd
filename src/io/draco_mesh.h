// SPDX-License-Identifier: Apache-2.0
// Meshes of glTF that are compressed by KHR_draco_mesh_compression.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/allowance.h"
#include "io/json_cursor.h"

namespace touche::io {

/// Whether this library was built with the decoder. Without it, `draco_decoded` fails.
bool reads_draco();

struct DracoMesh {
  std::size_t point_count = 0;         ///< vertices that differ in any attribute
  std::size_t vertex_count = 0;        ///< positions, some of which points may share
  int component = 0;                   ///< glTF's number of their type
  std::size_t width = 0;               ///< bytes of a position; they follow each other
  std::string positions;               ///< any numbers, also ones that are not finite
  std::vector<std::uint32_t> corners;  ///< three positions a face, in range
};

/// The triangles of compressed bytes, with positions that are the attribute with the number
/// `position`. Memory is taken from `allowance` by what the bytes announce, before they are
/// decoded. Throws LoadError at `extension` for bytes that are damaged.
DracoMesh draco_decoded(std::string_view bytes, std::uint32_t position, const JsonCursor& extension,
                        Allowance& allowance);

}  // namespace touche::io
