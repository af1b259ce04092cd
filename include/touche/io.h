// SPDX-License-Identifier: Apache-2.0
// Meshes from and to files. Link target touche::io.
#pragma once

#include <filesystem>
#include <string>

#include "touche/object.h"

namespace touche {

struct LoadOptions {
  double scale = 1;  ///< coordinates are multiplied by this (unit conversion); finite, > 0
};

/// Reads OBJ, STL (text and binary), PLY, OFF, glTF/GLB, 3MF and COLLADA; the format is told by
/// the file's ending (case does not matter) and checked against its content. Faces keep their
/// file order and group, object or material name. Equal vertices of an STL solid are merged.
/// Coordinates are those of the file, except that glTF, 3MF and COLLADA place their parts, glTF
/// and COLLADA are in metres with y up, and these two have single precision.
/// Throws LoadError naming file and place; InvalidInput for a scale that is not positive.
[[nodiscard]] PolygonSoup load_soup(const std::filesystem::path& file,
                                    const LoadOptions& options = {});

/// load_soup, then the hierarchy; the object is named after the file.
[[nodiscard]] Object load(const std::filesystem::path& file, const LoadOptions& options = {});

/// Writes OBJ, OFF, PLY or STL (binary) by the file's ending; coordinates with all their digits
/// except in STL. Throws LoadError when the file cannot be written.
void save(const PolygonSoup& soup, const std::filesystem::path& file);

}  // namespace touche
