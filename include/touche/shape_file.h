// SPDX-License-Identifier: Apache-2.0
// Convex shapes in JSON files (docs/shape.schema.json), which commands and files accept in place of
// a mesh. Link target touche::study.
#pragma once

#include <filesystem>

#include "touche/shape.h"
#include "touche/soup.h"

namespace touche {

/// Whether the name of a file ends with .json, in upper or lower case.
[[nodiscard]] bool is_named_json(const std::filesystem::path& file);

/// Whether this is a JSON file that declares itself a shape. It need not be a valid one.
[[nodiscard]] bool is_shape_file(const std::filesystem::path& file);

/// Reads a shape; if it is the hull of a mesh, reads the mesh, too. Throws LoadError naming the
/// file and the JSON path.
[[nodiscard]] Shape load_shape(const std::filesystem::path& file);

/// The enclosing_mesh of a shape, for functions that take meshes only.
struct ShapeFileMesh {
  PolygonSoup mesh;
  double error = 0;  ///< length: the largest distance of the mesh from the shape; 0 for polytopes
};
/// `error` is a length; 0 means default_mesh_error. Throws LoadError as load_shape does, for half
/// spaces, which are unbounded, and for errors that are too small.
[[nodiscard]] ShapeFileMesh load_shape_mesh(const std::filesystem::path& file, double error = 0);

}  // namespace touche
