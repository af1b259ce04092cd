// SPDX-License-Identifier: Apache-2.0
// A convex shape as a scene file states it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "io/json_cursor.h"
#include "touche/shape.h"

namespace touche::simulation {

struct ShapeInput {
  std::optional<Shape> shape;  // none: the hull of a mesh's vertices, of this file
  std::filesystem::path file;
  std::string node;     // its path in an assembly; empty: the whole file
  double scale = 1;     // of the file's coordinates
  double rounded = 0;   // by this length, of the hull of a file
  std::string content;  // the same for shapes that are the same

  bool is_half_space() const { return shape && shape->kind() == ShapeKind::half_space; }
};

/// Throws LoadError naming the place.
ShapeInput read_shape(const io::JsonCursor& where, const std::filesystem::path& folder);

}  // namespace touche::simulation
