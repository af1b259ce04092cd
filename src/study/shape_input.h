// SPDX-License-Identifier: Apache-2.0
// A convex shape as the files of studies and simulations state it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "io/json_cursor.h"
#include "touche/shape.h"

namespace touche::study {

struct ShapeInput {
  std::optional<Shape> shape;  // none: the hull of a mesh's vertices, of this file
  std::filesystem::path file;
  std::string node;     // its path in an assembly; empty: the whole file
  double scale = 1;     // of the file's coordinates
  double rounded = 0;   // by this length, of the hull of a file
  std::string content;  // the same for shapes that are the same
  std::string json;     // as it is in the file

  bool is_half_space() const { return shape && shape->kind() == ShapeKind::half_space; }
};

/// Throws LoadError naming the place.
ShapeInput read_shape(const io::JsonCursor& where, const std::filesystem::path& folder);

/// The same from a file of its own, docs/shape.schema.json.
ShapeInput read_shape_file(const std::filesystem::path& file);

/// The hull of a mesh's vertices, which are scaled first. Throws InvalidInput where it is flat and
/// not rounded.
Shape hull_of(const PolygonSoup& soup, double scale, double rounded);

}  // namespace touche::study
