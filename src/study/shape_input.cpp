// SPDX-License-Identifier: Apache-2.0
#include "study/shape_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "study/mesh_input.h"
#include "study/motion_input.h"
#include "touche/io.h"
#include "touche/shape.h"

namespace touche::study {
namespace {

constexpr const char* kShapeTypes =
    "sphere, capsule, box, cylinder, cone, ellipsoid, hull, zonotope, sum, half_space";
// Sums have at most eight round parts.
constexpr int kMostSummands = 8;

class ShapeReader {
 public:
  explicit ShapeReader(const std::filesystem::path& folder) : folder_(folder) {}

  ShapeInput read(const JsonCursor& where) {
    input_.json = where.json();
    if (const auto file = where.find("file")) {
      read_hull_of_file(where, *file);
    } else {
      input_.shape = made(where, false);
    }
    return std::move(input_);
  }

 private:
  void read_hull_of_file(const JsonCursor& where, const JsonCursor& file) {
    if (const JsonCursor type = where.at("type"); type.text() != "hull")
      file.fail("only the hull of a file is a shape; a mesh is a \"file\" in place of a \"shape\"");
    if (where.has("points")) file.fail("given together with \"points\"");
    where.expect_keys({"type", "file", "scale", "up", "stretch", "rounded"});
    PartName name = parse_part_name(file.text());
    input_.file = folder_ / name.file;
    input_.node = std::move(name.node);
    if (const auto scale = where.find("scale")) input_.scale = scale->positive_number();
    input_.up = read_up(where);
    input_.stretch = read_stretch(where);
    if (const auto by = where.find("rounded")) input_.rounded = length(*by);
    note("hull of a file", {input_.scale, input_.rounded, input_.stretch.x(), input_.stretch.y(),
                            input_.stretch.z()});
    if (input_.up) note("up", {static_cast<double>(*input_.up)});
  }

  // `summand`: the shape is part of a sum and may have a pose.
  Shape made(const JsonCursor& where, bool summand) {
    const JsonCursor type = where.at("type");
    const std::string kind = type.text();
    note(kind, {});
    const auto keys = [&](std::initializer_list<std::string_view> of_kind) {
      std::vector<std::string_view> all{"type"};
      all.insert(all.end(), of_kind);
      all.emplace_back("rounded");
      if (summand) all.emplace_back("pose");
      where.expect_keys(all);
    };
    try {
      Shape shape = of_kind(where, type, kind, summand, keys);
      const auto by = where.find("rounded");
      if (!by) return shape;
      const double radius = length(*by);
      note("rounded", {radius});
      return shape.rounded(radius);
    } catch (const InvalidInput& e) {
      where.fail(e.what());
    }
  }

  template <class Keys>
  Shape of_kind(const JsonCursor& where, const JsonCursor& type, const std::string& kind,
                bool summand, const Keys& keys) {
    if (kind == "sphere") {
      keys({"radius"});
      return Shape::sphere(size(where, "radius"));
    }
    if (kind == "capsule") {
      keys({"radius", "length"});
      const double radius = size(where, "radius"), way = length(where.at("length"));
      note("length", {way});
      return Shape::capsule(radius, way);
    }
    if (kind == "box") {
      keys({"size"});
      return Shape::box(0.5 * sizes(where, "size"));
    }
    if (kind == "cylinder" || kind == "cone") {
      keys({"radius", "height"});
      const double radius = size(where, "radius"), height = size(where, "height");
      return kind == "cone" ? Shape::cone(radius, height) : Shape::cylinder(radius, height);
    }
    if (kind == "ellipsoid") {
      keys({"half_axes"});
      return Shape::ellipsoid(sizes(where, "half_axes"));
    }
    if (kind == "hull") {
      keys({"points"});
      return hull(where);
    }
    if (kind == "zonotope") {
      keys({"centre", "generators"});
      const auto centre = where.find("centre");
      const Vec3 middle = centre ? centre->vector() : Vec3(Vec3::Zero());
      note("centre", {middle.x(), middle.y(), middle.z()});
      return Shape::zonotope(middle, vectors(where.at("generators")));
    }
    if (kind == "sum") {
      keys({"of"});
      return sum(where);
    }
    if (kind == "half_space") {
      if (summand) where.fail("a half space is no part of a sum");
      where.expect_keys({"type", "normal", "offset"});
      const JsonCursor normal = where.at("normal");
      const Vec3 direction = normal.vector();
      if (!(direction.stableNorm() > 0)) normal.fail("expected a vector longer than 0");
      const auto offset = where.find("offset");
      return Shape::half_space(direction, offset ? offset->number() : 0);
    }
    type.fail(fmt::format("\"{}\", expected one of: {}", kind, kShapeTypes));
  }

  // A planar hull has a volume only if it is rounded.
  Shape hull(const JsonCursor& where) {
    const JsonCursor points = where.at("points");
    Shape shape = Shape::hull(vectors(points));
    if (where.has("rounded")) return shape;
    try {
      (void)mass_properties(shape, 1);
    } catch (const InvalidInput& e) {
      points.fail(e.what());
    }
    return shape;
  }

  Shape sum(const JsonCursor& where) {
    const JsonCursor of = where.at("of");
    const std::vector<JsonCursor> parts = of.items(2);
    std::optional<Shape> total;
    for (const JsonCursor& part : parts) {
      if (++summands_ > kMostSummands)
        part.fail(fmt::format("more than {} shapes are added up", kMostSummands));
      const Shape shape = made(part, total.has_value());
      if (!total) {
        if (shape.kind() == ShapeKind::half_space) part.fail("a half space is no part of a sum");
        total = shape;
        continue;
      }
      const auto at = part.find("pose");
      const Pose pose = at ? read_pose(*at) : Pose();
      const Vec3& t = pose.translation();
      const Eigen::Vector4d q = pose.rotation().coeffs();
      note("at", {t.x(), t.y(), t.z(), q[0], q[1], q[2], q[3]});
      total = Shape::sum(*total, shape, pose);
    }
    note("end", {});
    return *total;
  }

  static double length(const JsonCursor& where) {
    const double value = where.number();
    if (value < 0) where.fail(fmt::format("{}, expected 0 or more", value));
    return value;
  }
  double size(const JsonCursor& where, const char* key) {
    const double value = where.at(key).positive_number();
    note(key, {value});
    return value;
  }
  Vec3 sizes(const JsonCursor& where, const char* key) {
    const JsonCursor value = where.at(key);
    Vec3 all = value.vector();
    if (!(all.array() > 0).all()) value.fail("expected lengths greater than 0");
    note(key, {all.x(), all.y(), all.z()});
    return all;
  }
  std::vector<Vec3> vectors(const JsonCursor& where) {
    std::vector<Vec3> all;
    for (const JsonCursor& one : where.items(1)) {
      all.push_back(one.vector());
      note("", {all.back().x(), all.back().y(), all.back().z()});
    }
    return all;
  }

  void note(std::string_view what, std::initializer_list<double> numbers) {
    input_.content += what;
    for (const double number : numbers) input_.content += fmt::format(" {}", number);
    input_.content += ';';
  }

  const std::filesystem::path& folder_;
  ShapeInput input_;
  int summands_ = 0;
};

}  // namespace

ShapeInput read_shape(const JsonCursor& where, const std::filesystem::path& folder) {
  return ShapeReader(folder).read(where);
}

}  // namespace touche::study
