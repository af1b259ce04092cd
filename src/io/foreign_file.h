// SPDX-License-Identifier: Apache-2.0
// Files of other programs that are not read: what they are, and what to give instead.
#pragma once

#include <filesystem>
#include <string>

namespace touche::io {

/// "a STEP file: export its parts as STL, 3MF or glTF"; empty for a file whose
/// ending says nothing.
std::string foreign_file(const std::filesystem::path& file);

/// Throws LoadError if the ending is that of no file with polygons, and says what to give instead.
void check_ending(const std::filesystem::path& file);

}  // namespace touche::io
