// SPDX-License-Identifier: Apache-2.0
#include "shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <utility>

#include "touche/shape.h"
#include "touche/shape_file.h"

namespace touche::cli {

bool are_shapes(const TwoObjects& objects) {
  return is_named_json(objects.file_a) || is_named_json(objects.file_b);
}

Shape load_shape_a(const TwoObjects& o) {
  if (!is_named_json(o.file_a)) return o.load_a();
  if (o.scale_a != 1) throw InvalidInput("--scale-a: a shape is not scaled");
  return load_shape(o.file_a);
}

Shape load_shape_b(const TwoObjects& o) {
  if (!is_named_json(o.file_b)) return o.load_b();
  if (o.scale_b != 1) throw InvalidInput("--scale-b: a shape is not scaled");
  return load_shape(o.file_b);
}

namespace {

// Returns the mesh around a shape. If it is larger than the shape, raises `error` and adds a
// remark.
Object around(const std::string& file, double scale, const char* option, double& error,
              std::vector<std::string>& remarks) {
  if (scale != 1) throw InvalidInput(fmt::format("{}: a shape is not scaled", option));
  ShapeFileMesh made = load_shape_mesh(file);
  if (made.error > 0)
    remarks.push_back(fmt::format(
        "{}: the round shape is tested as a polyhedron around it, which is larger by up to {:.3g}: "
        "the verdict free and reported overlaps hold for the shape; where contact is reported "
        "there may be a gap, and clearances may be larger, by as much",
        file, made.error));
  error = std::max(error, made.error);
  return Object(std::move(made.mesh), std::filesystem::path(file).stem().string());
}

}  // namespace

ShapeMeshes load_shape_meshes(const TwoObjects& o) {
  std::vector<std::string> remarks;
  double error = 0;
  Object a = is_named_json(o.file_a) ? around(o.file_a, o.scale_a, "--scale-a", error, remarks)
                                     : o.load_a();
  Object b = is_named_json(o.file_b) ? around(o.file_b, o.scale_b, "--scale-b", error, remarks)
                                     : o.load_b();
  return {std::move(a), std::move(b), error, std::move(remarks)};
}

void show_shape(const std::string& file, bool json, Json& list) {
  const Shape shape = load_shape(file);
  const bool bounded = shape.kind() != ShapeKind::half_space;
  const Vec3 size = bounded ? Vec3(shape.bounds().hi - shape.bounds().lo) : Vec3(Vec3::Zero());
  std::optional<double> volume;
  try {
    volume = mass_properties(shape, 1).mass;
  } catch (const InvalidInput&) {  // no closed form exists
  }
  if (json) {
    Json of_file = {{"file", file}, {"shape", name(shape.kind())}, {"rounded", shape.radius()}};
    if (bounded)
      of_file["bounds"] = {{"lo", cli::to_json(shape.bounds().lo)},
                           {"hi", cli::to_json(shape.bounds().hi)}};
    if (volume) of_file["volume"] = *volume;
    list.push_back(of_file);
    return;
  }
  const auto line = [](const char* label, const std::string& text) {
    fmt::print("  {:<16}{}\n", label, text);
  };
  fmt::print("{}\n", file);
  line("shape", fmt::format("{}, solid and convex", name(shape.kind())));
  if (!bounded) return line("size", "it has no end");
  if (!shape.corners().empty()) line("corners", std::to_string(shape.corners().size()));
  line("bounds", vector_text(shape.bounds().lo, 9) + " to " + vector_text(shape.bounds().hi, 9));
  line("size", fmt::format("{:.6g} x {:.6g} x {:.6g}", size.x(), size.y(), size.z()));
  if (volume) line("volume", fmt::format("{:.6g}", *volume));
}

namespace {

Json face_to_json(const Shape& shape, Index number) {
  return shape.is_convex() ? Json() : Json(number);
}

/// The members that both kinds of contacts have.
template <class AnyContact>
Json sides_to_json(const AnyContact& c, const Shape& a, const Shape& b) {
  return {{"face_a", face_to_json(a, c.face_a)},
          {"face_b", face_to_json(b, c.face_b)},
          {"point_a", cli::to_json(c.point_a)},
          {"point_b", cli::to_json(c.point_b)},
          {"normal", cli::to_json(c.normal)}};
}

template <class AnyContact>
std::string sides_text(const AnyContact& c, const Shape& a, const Shape& b) {
  const auto side = [](const Shape& shape, Index face, const Vec3& p) {
    return fmt::format(
        "{} at {}",
        shape.is_convex() ? std::string(name(shape.kind())) : fmt::format("face {}", face),
        vector_text(p, 9));
  };
  return fmt::format("  a: {}\n  b: {}\n  normal from a to b: {}", side(a, c.face_a, c.point_a),
                     side(b, c.face_b, c.point_b), vector_text(c.normal, 6));
}

}  // namespace

Json to_json(const Contact& c, const Shape& a, const Shape& b) {
  Json json = sides_to_json(c, a, b);
  json["distance"] = c.distance;
  return json;
}

Json to_json(const ShapeContact& c, const Shape& a, const Shape& b) {
  Json json = sides_to_json(c, a, b);
  json["separation"] = c.distance;
  return json;
}

std::string contact_text(const Contact& c, const Shape& a, const Shape& b) {
  return sides_text(c, a, b);
}

std::string contact_text(const ShapeContact& c, const Shape& a, const Shape& b) {
  return fmt::format("{}\n  separation {:.6g}", sides_text(c, a, b), c.distance);
}

double size_of(const Shape& shape) { return shape.bounds().diagonal(); }

}  // namespace touche::cli
