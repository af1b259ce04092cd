// SPDX-License-Identifier: Apache-2.0
// A convex shape in a JSON file of its own (docs/shape.schema.json), for commands and files that
// name a mesh. Link target touche::study.
#pragma once

#include <filesystem>

#include "touche/shape.h"
#include "touche/soup.h"

namespace touche {

/// Whether the name of a file ends with .json, in letters of any size.
[[nodiscard]] bool is_named_json(const std::filesystem::path& file);

/// Whether this is a JSON file that says of itself that it is a shape, whether or not it can be
/// read as one.
[[nodiscard]] bool is_shape_file(const std::filesystem::path& file);

/// Reads a shape, and the mesh whose hull it is, if it is one. Throws LoadError naming the file and
/// the JSON path.
[[nodiscard]] Shape load_shape(const std::filesystem::path& file);

/// For what takes meshes only: enclosing_mesh, and by how much it is larger at most.
struct ShapeFileMesh {
  PolygonSoup mesh;
  double error = 0;  ///< length; 0 of polytopes
};
/// `error`: 0 is default_mesh_error. Throws LoadError as load_shape does, and for half spaces,
/// which have no end, and errors that are too small.
[[nodiscard]] ShapeFileMesh load_shape_mesh(const std::filesystem::path& file, double error = 0);

}  // namespace touche
