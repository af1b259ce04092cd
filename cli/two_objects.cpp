// SPDX-License-Identifier: Apache-2.0
#include "two_objects.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <tuple>
#include <utility>

#include "length.h"
#include "touche/io.h"
#include "touche/outline_file.h"
#include "touche/shape_file.h"
#include "touche/study.h"
#include "up_axis.h"
#include "weld_length.h"

namespace touche::cli {

void TwoObjects::add_to(Command& command) {
  command
      .add("file_a", file_a,
           "Mesh file or drawing of a, or FILE#NAME of a node, object, shell or layer, or a shape "
           "(.json)")
      .required();
  command.add("file_b", file_b, "And of b").required();
  command.add("--scale-a", scale_a, "Multiply the coordinates of a").type_name("FACTOR");
  command.add("--scale-b", scale_b, "Multiply the coordinates of b").type_name("FACTOR");
  command
      .add("--pose-a", pose_a,
           "Pose of a: \"x,y,z\" or \"x,y,z,qw,qx,qy,qz\"; drawings: \"x,y\" or \"x,y,degrees\"")
      .type_name("POSE");
  command.add("--pose-b", pose_b, "Pose of b").type_name("POSE");
  add_up(command, "--up-a", up_a, "a");
  add_up(command, "--up-b", up_b, "b");
  for (const auto& [option, unit, which] :
       {std::tuple("--unit-a", &unit_a, "a"), std::tuple("--unit-b", &unit_b, "b")})
    command
        .add(option, *unit,
             fmt::format("Unit of the coordinates of {}; lengths and poses are in that of b, to "
                         "which a is converted",
                         which))
        .one_of({"m", "cm", "mm", "um", "in", "ft"});
  add_weld(command, weld);
  animation_a.add_to(command, "-a", "a");
  animation_b.add_to(command, "-b", "b");
  drawings.add_to(command);
  command.flag("--json", json, "Print JSON, for programs");
}

namespace {

Shape load_named(const std::string& text, double scale, double unit, const std::string& up,
                 std::optional<double> weld, const AnimationOption& animation,
                 const std::string& which) {
  if (is_named_json(text)) {
    if (scale != 1) throw InvalidInput(fmt::format("--scale-{}: a shape is not scaled", which));
    if (!up.empty())
      throw InvalidInput(fmt::format("--up-{}: a shape is turned by its pose only", which));
    if (animation.time("-" + which))
      throw InvalidInput(fmt::format("--animation-{}: a shape has no animation", which));
    return load_shape(text);
  }
  const PartName part = parse_part_name(text);
  const std::string name = part.node.empty() ? part.file.stem().string() : part.node;
  return Object(load_soup(part, {.scale = scale * unit,
                                 .up = parse_up(up),
                                 .weld = weld,
                                 .animation = animation.time("-" + which)}),
                name);
}

// The units of both objects, where they are known.
struct Units {
  explicit Units(const TwoObjects& o)
      : a(o.unit_a.empty() ? unit_of(o.file_a, o.scale_a) : o.unit_a),
        b(o.unit_b.empty() ? unit_of(o.file_b, o.scale_b) : o.unit_b),
        given(!(o.unit_a.empty() && o.unit_b.empty())) {
    if (!given) return;
    check(o.file_a, o.scale_a, o.unit_a, "a");
    check(o.file_b, o.scale_b, o.unit_b, "b");
    // The lengths of a shape are in the unit of the command.
    if (is_named_json(o.file_a)) a = b;
    if (is_named_json(o.file_b)) b = a;
    for (const auto& [unit, which, other] : {std::tuple(&a, "a", "b"), std::tuple(&b, "b", "a")})
      if (unit->empty())
        throw InvalidInput(fmt::format(
            "--unit-{}: the unit of {} is not known; give --unit-{}, too", other, which, which));
  }
  static void check(const std::string& file, double scale, const std::string& unit,
                    const char* which) {
    if (unit.empty()) return;
    if (scale != 1)
      throw InvalidInput(fmt::format("--unit-{0}: given together with --scale-{0}", which));
    if (is_named_json(file))
      throw InvalidInput(fmt::format("--unit-{}: a shape is not scaled", which));
  }
  // The factor by which a is converted to the unit of b.
  double of_a() const { return given && a != b ? metres_in(a) / metres_in(b) : 1; }

  std::string a, b;
  bool given;
};

}  // namespace

std::string unit_of(const std::string& file, double scale) {
  if (scale != 1) return "";
  const std::filesystem::path path = parse_part_name(file).file;
  if (is_outline(path)) return "mm";
  std::string ending = path.extension().string();
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  if (ending == ".3mf") return "mm";
  return ending == ".glb" || ending == ".gltf" || ending == ".dae" ? "m" : "";
}

std::vector<std::string> remarks_of(const std::string& file, const PolygonSoup& soup) {
  std::vector<std::string> remarks;
  for (const std::string& remark : soup.remarks())
    remarks.push_back(fmt::format("{}: {}", file, remark));
  return remarks;
}

Shape TwoObjects::load_a() const {
  return load_named(file_a, scale_a, Units(*this).of_a(), up_a, weld_a(), animation_a, "a");
}
Shape TwoObjects::load_b() const {
  return load_named(file_b, scale_b, 1, up_b, weld_b(), animation_b, "b");
}

std::string TwoObjects::unit() const {
  const Units units(*this);
  return units.given || units.a == units.b ? units.b : "";
}

namespace {

// Doubts the units of meshes for which none was given.
void doubt_units(const TwoObjects& o, const Shape& a, const Shape& b,
                 std::vector<std::string>& remarks) {
  const Units units(o);
  if (units.given || o.scale_a != 1 || o.scale_b != 1 || a.is_convex() || b.is_convex()) return;
  if (!units.a.empty() && !units.b.empty() && units.a != units.b) {
    remarks.push_back(fmt::format(
        "{} is in {} and {} in {}, and their coordinates are taken as they are: --unit-a {} "
        "--unit-b {} converts them",
        o.file_a, units.a, o.file_b, units.b, units.a, units.b));
    return;
  }
  const double size_a = size_of(a), size_b = size_of(b);
  std::vector<PartSize> sizes;
  if (units.a.empty() || units.b.empty()) sizes = {{o.file_a, size_a}, {o.file_b, size_b}};
  for (std::string& remark : unit_remarks(std::max(size_a, size_b), sizes,
                                          units.a == units.b ? units.a : "", "--unit-a, --unit-b"))
    remarks.push_back(std::move(remark));
}

}  // namespace

void add_order_remark(const std::string& pose, const std::string& option,
                      std::vector<std::string>& remarks) {
  if (pose.empty() || parse_numbers(pose, 0, option).size() != 7) return;
  if (const std::string remark = order_remark(parse_pose(pose, option)); !remark.empty())
    remarks.push_back(fmt::format("{}: {}", option, remark));
}

void add_tolerance_remark(double tolerance, double clearance, const Figures& figures,
                          std::vector<std::string>& remarks) {
  if (clearance > 0 && tolerance > clearance)
    remarks.push_back(
        fmt::format("the tolerance of {} is larger than the clearance of {}: objects that keep the "
                    "clearance may be reported as nearer",
                    figures.text(tolerance, 6), figures.text(clearance, 6)));
}

std::optional<double> TwoObjects::weld_a() const {
  const Units units(*this);
  return parse_weld(weld, units.given ? units.b : units.a);
}
std::optional<double> TwoObjects::weld_b() const { return parse_weld(weld, Units(*this).b); }

std::vector<std::string> remarks_of(const TwoObjects& o, const Shape& a, const Shape& b) {
  std::vector<std::string> remarks;
  const auto tell = [&](const Shape& shape, const std::string& text, const std::string& up,
                        const char* which) {
    if (shape.is_convex()) return;
    // Both may be parts of one file.
    for (std::string& remark : remarks_of(text, shape.object().soup()))
      if (std::find(remarks.begin(), remarks.end(), remark) == remarks.end())
        remarks.push_back(std::move(remark));
    const std::filesystem::path file = parse_part_name(text).file;
    if (const UpAxis axis = file_frame(file, {.up = parse_up(up)}).up; axis != UpAxis::z)
      remarks.push_back(fmt::format(
          "{}: {} is up in the file, and it is turned so that z is up (as it is: --up-{} z)",
          file.string(), name(axis), which));
  };
  tell(a, o.file_a, o.up_a, "a");
  tell(b, o.file_b, o.up_b, "b");
  doubt_units(o, a, b, remarks);
  add_order_remark(o.pose_a, "--pose-a", remarks);
  add_order_remark(o.pose_b, "--pose-b", remarks);
  return remarks;
}

double TwoObjects::length(const std::string& text, const std::string& option, double none) const {
  if (text.empty() || (none == kInfinity && text == "inf")) return none;
  return parse_length(text, unit(), option);
}

double TwoObjects::positive_length(const std::string& text, const std::string& option) const {
  const double value = length(text, option);
  if (!text.empty() && !(value > 0))
    throw InvalidInput(fmt::format("{}: {} is not more than 0", option, text));
  return value;
}

std::vector<double> parse_numbers(const std::string& text, std::size_t count,
                                  const std::string& option) {
  std::vector<double> numbers;
  const char *at = text.data(), *end = at + text.size();
  for (;;) {
    while (at != end && *at == ' ') ++at;
    double x = 0;
    const auto [next, error] = std::from_chars(at, end, x);
    if (error != std::errc() || !std::isfinite(x))
      throw InvalidInput(fmt::format("{}: \"{}\" is not a number", option,
                                     std::string(at, std::find(at, end, ','))));
    numbers.push_back(x);
    if (next == end) break;
    if (*next != ',')
      throw InvalidInput(
          fmt::format("{}: expected a comma before \"{}\"", option, std::string(next, end)));
    at = next + 1;
  }
  if (count != 0 && numbers.size() != count)
    throw InvalidInput(fmt::format("{}: {} numbers, expected {}", option, numbers.size(), count));
  return numbers;
}

Pose parse_pose(const std::string& text, const std::string& option) {
  if (text.empty()) return {};
  const std::vector<double> v = parse_numbers(text, 0, option);
  if (v.size() != 3 && v.size() != 7)
    throw InvalidInput(
        fmt::format("{}: {} numbers, expected x,y,z or x,y,z,qw,qx,qy,qz", option, v.size()));
  const Vec3 translation(v[0], v[1], v[2]);
  if (v.size() == 3) return Pose::from_translation(translation);
  try {
    return Pose::from_quaternion(v[3], v[4], v[5], v[6], translation);
  } catch (const InvalidInput& e) {
    throw InvalidInput(fmt::format("{}: {}", option, e.what()));
  }
}

std::string vector_text(const Vec3& v, int digits) {
  return fmt::format("({:.{}g}, {:.{}g}, {:.{}g})", without_sign_of_zero(v.x()), digits,
                     without_sign_of_zero(v.y()), digits, without_sign_of_zero(v.z()), digits);
}

std::string point_text(const Vec3& v, int digits, const Figures& figures) {
  return vector_text(Vec3(figures.factor() * v), digits) + figures.name();
}

Json to_json(const Vec3& v) {
  return {without_sign_of_zero(v.x()), without_sign_of_zero(v.y()), without_sign_of_zero(v.z())};
}

Json to_json(const QueryStats& s) {
  return {{"node_pairs", s.node_pairs},
          {"volume_tests", s.volume_tests},
          {"primitive_tests", s.primitive_tests},
          {"exact_tests", s.exact_tests},
          {"time_splits", s.time_splits}};
}

namespace {

Json face_to_json(const Shape& shape, Index face) {
  return shape.is_convex() ? Json() : Json(face);
}

Json to_json(const Feature& f, const PolygonSoup& soup) {
  Json result = {{"kind", name(f.kind)}, {"index", f.index}};
  if (f.kind == FeatureKind::edge)
    result["vertices"] = {soup.corner_vertex(f.index),
                          soup.corner_vertex(soup.next_corner(f.index))};
  return result;
}

std::string side_text(const Shape& shape, Index face, const Feature& feature, const Vec3& point,
                      const Figures& figures) {
  const std::string at = " at " + point_text(point, 9, figures);
  if (shape.is_convex()) return std::string(name(shape.kind())) + at;
  std::string inside;
  if (feature.kind == FeatureKind::vertex) inside = fmt::format(" (vertex {})", feature.index);
  if (feature.kind == FeatureKind::edge) {
    const PolygonSoup& soup = shape.object().soup();
    const auto [one, other] = std::minmax(
        {soup.corner_vertex(feature.index), soup.corner_vertex(soup.next_corner(feature.index))});
    inside = fmt::format(" (edge {}–{})", one, other);
  }
  return fmt::format("face {}{}{}", face, inside, at);
}

}  // namespace

Json to_json(const Contact& c, const Shape& a, const Shape& b) {
  Json json = {{"face_a", face_to_json(a, c.face_a)}, {"face_b", face_to_json(b, c.face_b)}};
  if (!a.is_convex() && !b.is_convex()) {
    json["feature_a"] = to_json(c.feature_a, a.object().soup());
    json["feature_b"] = to_json(c.feature_b, b.object().soup());
  }
  json["point_a"] = to_json(c.point_a);
  json["point_b"] = to_json(c.point_b);
  json["normal"] = to_json(c.normal);
  json["distance"] = c.distance;
  return json;
}

std::string contact_text(const Contact& c, const Shape& a, const Shape& b, const Figures& figures) {
  return fmt::format("  a: {}\n  b: {}\n  normal from a to b: {}",
                     side_text(a, c.face_a, c.feature_a, c.point_a, figures),
                     side_text(b, c.face_b, c.feature_b, c.point_b, figures),
                     vector_text(c.normal, 6));
}

void print(const Json& json) {
  fmt::print("{}\n", json.dump(1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace touche::cli
