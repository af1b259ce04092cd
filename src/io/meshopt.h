// SPDX-License-Identifier: Apache-2.0
// Views of glTF buffers that are compressed by EXT_meshopt_compression.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "io/json_cursor.h"

namespace touche::io {

/// Whether this library was built with the decoder. Without it, `meshopt_decoded` fails.
bool reads_meshopt();

/// A compressed view, as its extension declares it.
struct MeshoptView {
  std::string mode, filter;
  std::size_t count = 0, stride = 0;

  /// Throws LoadError for what no decoder takes.
  explicit MeshoptView(const JsonCursor& extension);
  std::size_t bytes() const { return count * stride; }
};

/// The decoded bytes of a view, view.bytes() of them. They may be any numbers: indices out of
/// range, coordinates that are not finite. Throws LoadError at `extension` for bytes that are
/// damaged.
std::string meshopt_decoded(const MeshoptView& view, std::string_view bytes,
                            const JsonCursor& extension);

}  // namespace touche::io
