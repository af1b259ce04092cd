// SPDX-License-Identifier: Apache-2.0
// A convex shape as study and simulation files describe it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "io/json_cursor.h"
#include "touche/file_frame.h"
#include "touche/shape.h"

namespace touche::study {

struct ShapeInput {
  std::optional<Shape> shape;  // empty: the hull of the vertices of a mesh file
  std::filesystem::path file;
  std::string node;             // path of the node in an assembly; empty: the whole file
  double scale = 1;             // factor for the file's coordinates
  std::optional<UpAxis> up;     // axis of the file's coordinates that points up, if given
  Vec3 stretch = Vec3::Ones();  // factors for the file's coordinates along x, y and z
  double rounded = 0;           // rounding radius of the hull of a file
  std::string content;          // key: equal for equal shapes
  std::string json;             // JSON text as in the file

  bool is_half_space() const { return shape && shape->kind() == ShapeKind::half_space; }
};

/// Throws LoadError naming the position in the file.
ShapeInput read_shape(const io::JsonCursor& where, const std::filesystem::path& folder);

/// Reads a shape from a file of its own, docs/shape.schema.json.
ShapeInput read_shape_file(const std::filesystem::path& file);

/// The hull of a mesh's vertices, which are scaled first. Throws InvalidInput if it is planar and
/// not rounded.
Shape hull_of(const PolygonSoup& soup, double scale, double rounded);

}  // namespace touche::study
