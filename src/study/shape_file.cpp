// SPDX-License-Identifier: Apache-2.0
#include "touche/shape_file.h"

#include <fmt/format.h>

#include "base/ending.h"
#include "io/json_cursor.h"
#include "io/readers.h"
#include "study/shape_input.h"
#include "touche/io.h"
#include "touche/shape.h"

namespace touche {

bool is_named_json(const std::filesystem::path& file) { return base::ending_of(file) == ".json"; }

namespace study {

ShapeInput read_shape_file(const std::filesystem::path& file) {
  const io::JsonCursor root = io::JsonCursor::parse(io::read_file(file), file.string());
  if (!root.has("touche_shape"))
    root.fail("expected a shape: an object with \"touche_shape\" and \"shape\"");
  root.expect_keys({"$schema", "touche_shape", "comment", "shape"});
  if (const auto version = root.at("touche_shape"); version.number() != 1)
    version.fail(fmt::format("format version {}, expected 1", version.number()));
  if (const auto comment = root.find("comment")) comment->text();
  return read_shape(root.at("shape"), file.parent_path());
}

Shape hull_of(const PolygonSoup& soup, double scale, double rounded) {
  std::vector<Vec3> points(soup.vertices().begin(), soup.vertices().end());
  for (Vec3& x : points) x *= scale;
  Shape hull = Shape::hull(points);
  if (rounded > 0) return hull.rounded(rounded);
  // A planar hull has a volume only if it is rounded.
  if (default_mesh_error(hull) > 0)
    throw InvalidInput("shape: its points lie in one plane, and enclose no volume");
  return hull;
}

}  // namespace study

bool is_shape_file(const std::filesystem::path& file) {
  if (!is_named_json(file)) return false;
  try {
    return io::JsonCursor::parse(io::read_file(file), file.string()).has("touche_shape");
  } catch (const LoadError&) {
    return false;
  }
}

Shape load_shape(const std::filesystem::path& file) {
  const study::ShapeInput input = study::read_shape_file(file);
  if (input.shape) return *input.shape;
  try {
    return study::hull_of(
        load_soup(PartName{input.file, input.node}, {.up = input.up, .stretch = input.stretch}),
        input.scale, input.rounded);
  } catch (const InvalidInput& e) {
    throw LoadError(file.string(), "/shape", e.what());
  }
}

ShapeFileMesh load_shape_mesh(const std::filesystem::path& file, double error) {
  const Shape shape = load_shape(file);
  if (shape.kind() == ShapeKind::half_space)
    throw LoadError(
        file.string(), "/shape",
        "a half space has no end; here it takes what has one: a box as large as needed");
  try {
    const double usual = default_mesh_error(shape), used = error > 0 ? error : usual;
    if (!(usual > 0)) return {enclosing_mesh(shape, 1), 0};
    return {enclosing_mesh(shape, used), used};
  } catch (const InvalidInput& e) {
    throw LoadError(file.string(), "/shape", e.what());
  }
}

}  // namespace touche
