// SPDX-License-Identifier: Apache-2.0
// The chunks of a binary glTF file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace touche::io {

struct GlbChunks {
  std::string_view json;
  std::string_view binary;           ///< empty if the file has no such chunk
  std::vector<std::string> remarks;  ///< on chunks that are not padded
};

/// A header and chunks, the first of which is the JSON, the second, if there is one, a buffer.
/// Chunks should be padded to a multiple of four bytes; if one is not, a remark says so. Throws
/// LoadError. The views are into `bytes`.
GlbChunks read_glb_chunks(std::string_view bytes, const std::string& file);

}  // namespace touche::io
