// SPDX-License-Identifier: Apache-2.0
#include "outlines.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "mesh_info.h"

namespace touche::cli {

bool are_outlines(const TwoObjects& objects) {
  const bool a = is_outline(parse_part_name(objects.file_a).file),
             b = is_outline(parse_part_name(objects.file_b).file);
  if (a != b) {
    const std::string& flat = a ? objects.file_a : objects.file_b;
    const std::string& solid = a ? objects.file_b : objects.file_a;
    throw InvalidInput(fmt::format(
        "{} is a drawing of the plane, {} a mesh: questions need two of one kind", flat, solid));
  }
  if (a && !(objects.up_a.empty() && objects.up_b.empty()))
    throw InvalidInput("--up-a, --up-b: drawings of the plane have no axis that is up");
  if (a && !(objects.unit_a.empty() && objects.unit_b.empty()))
    throw InvalidInput(
        "--unit-a, --unit-b: drawings are read in millimetres; --scale-a and --scale-b convert");
  if (a && !objects.weld.empty()) throw InvalidInput("--weld: only meshes have vertices to join");
  if (a && (objects.animation_a.time("-a") || objects.animation_b.time("-b")))
    throw InvalidInput("--animation-a, --animation-b: drawings of the plane have no animation");
  if (!a) objects.drawings.refuse("is for drawings of the plane");
  return a;
}

namespace {

plane::Object load_drawing(const std::string& file, const OutlineOptions& options) {
  const PartName part = parse_part_name(file);
  return plane::Object(load_outline(part, options),
                       part.node.empty() ? part.file.stem().string() : part.node);
}

double radians(double degrees) { return degrees * (std::numbers::pi / 180); }

struct PlanePlace {
  Vec3 x_y_degrees = Vec3::Zero();
  plane::Pose pose() const { return plane::Pose(radians(x_y_degrees.z()), x_y_degrees.head<2>()); }
};

PlanePlace parse_place(const std::string& text, const std::string& option) {
  if (text.empty()) return {};
  const std::vector<double> v = parse_numbers(text, 0, option);
  if (v.size() != 2 && v.size() != 3)
    throw InvalidInput(
        fmt::format("{}: {} numbers, expected x,y or x,y,degrees in the plane", option, v.size()));
  return {{v[0], v[1], v.size() == 3 ? v[2] : 0}};
}

}  // namespace

std::string vector_text(const plane::Vec2& v, int digits) {
  return fmt::format("({:.{}g}, {:.{}g})", without_sign_of_zero(v.x()), digits,
                     without_sign_of_zero(v.y()), digits);
}

std::string point_text(const plane::Vec2& v, int digits, const Figures& figures) {
  return vector_text(plane::Vec2(figures.factor() * v), digits) + figures.name();
}

Json to_json(const plane::Vec2& p) {
  return {without_sign_of_zero(p.x()), without_sign_of_zero(p.y())};
}

plane::Object load_outline_a(const TwoObjects& o) {
  return load_drawing(o.file_a, o.drawings.outline_options(o.scale_a));
}
plane::Object load_outline_b(const TwoObjects& o) {
  return load_drawing(o.file_b, o.drawings.outline_options(o.scale_b));
}

plane::Pose parse_plane_pose(const std::string& text, const std::string& option) {
  return parse_place(text, option).pose();
}

plane::Motion plane_motion(const MotionOptions& options) {
  if (!options.screw.empty()) throw InvalidInput("--screw is for space; in the plane: --turn");
  const PlanePlace from = parse_place(options.from, "--from");
  if (!options.turn.empty()) {
    if (!options.to.empty()) throw InvalidInput("--turn: given together with --to");
    const std::vector<double> v = parse_numbers(options.turn, 3, "--turn");
    const plane::Pose start = from.pose();
    return plane::Motion::turning(start, radians(v[2]), start.inverse() * plane::Vec2(v[0], v[1]));
  }
  if (options.to.empty()) throw InvalidInput("how does a move? expected --to or --turn");
  const Vec3 change = parse_place(options.to, "--to").x_y_degrees - from.x_y_degrees;
  return plane::Motion::turning(from.pose(), radians(change.z()), {0, 0}, change.head<2>());
}

Json to_json(const plane::Contact& c, const plane::Object&, const plane::Object&) {
  const auto feature = [](const Feature& f) {
    return Json{{"kind", name(f.kind)}, {"index", f.index}};
  };
  return {{"edge_a", c.edge_a},
          {"edge_b", c.edge_b},
          {"feature_a", feature(c.feature_a)},
          {"feature_b", feature(c.feature_b)},
          {"point_a", to_json(c.point_a)},
          {"point_b", to_json(c.point_b)},
          {"normal", to_json(c.normal)},
          {"distance", c.distance}};
}

std::string contact_text(const plane::Contact& c, const plane::Object& a, const plane::Object& b,
                         const Figures& figures) {
  const auto side = [&](const plane::Object& o, Index edge, const Feature& f,
                        const plane::Vec2& p) {
    const std::string_view chain = o.outline().name(o.outline().chain_of_edge(edge));
    return fmt::format("edge {}{}{} at {}", edge, chain.empty() ? "" : fmt::format(" of {}", chain),
                       f.kind == FeatureKind::vertex ? fmt::format(" (vertex {})", f.index) : "",
                       point_text(p, 9, figures));
  };
  return fmt::format("  a: {}\n  b: {}\n  normal from a to b: {}",
                     side(a, c.edge_a, c.feature_a, c.point_a),
                     side(b, c.edge_b, c.feature_b, c.point_b), vector_text(c.normal, 6));
}

namespace {

bool names_unit(const TwoObjects& o, const std::string& file) {
  OutlineReport report;
  (void)load_outline(parse_part_name(file), o.drawings.outline_options(1), &report);
  return report.unit > 0;
}

}  // namespace

std::vector<std::string> remarks_of(const TwoObjects& o, const plane::Object& a,
                                    const plane::Object& b) {
  std::vector<std::string> remarks;
  for (const auto& [file, object] : {std::pair(&o.file_a, &a), std::pair(&o.file_b, &b)})
    for (const std::string& remark : object->outline().remarks())
      remarks.push_back(*file + ": " + remark);
  // Of a drawing that names no unit, coordinates are taken as they are.
  constexpr double kMostApart = 20;
  const double size_a = a.outline().diagonal(), size_b = b.outline().diagonal();
  if (o.scale_a == 1 && o.scale_b == 1 &&
      std::max(size_a, size_b) > kMostApart * std::min(size_a, size_b) &&
      !(names_unit(o, o.file_a) && names_unit(o, o.file_b)))
    remarks.push_back(fmt::format(
        "{} is {:.3g} in size, and {} is {:.3g}: drawings are read in millimetres if they name a "
        "unit, and as they are if not (touche info says so; --scale-a, --scale-b)",
        o.file_a, size_a, o.file_b, size_b));
  if (const double error = std::max(a.outline().chord_error(), b.outline().chord_error());
      error > 0)
    remarks.push_back(fmt::format(
        "curves are drawn by chords, which are off by up to {:.3g}: answers are about the chords",
        error));
  return remarks;
}

Json with_remarks(Json json, const std::vector<std::string>& remarks) {
  if (!remarks.empty()) json["remarks"] = remarks;
  return json;
}

void print_remarks(const std::vector<std::string>& remarks) {
  for (const std::string& remark : remarks) fmt::print(stderr, "touche: {}\n", remark);
}

namespace {

/// Counts pairs of edges that touch without being adjacent in a chain.
std::size_t crossings(const plane::Object& object) {
  const plane::Outline& outline = object.outline();
  const plane::ContactsResult found = contacts(object, {}, object, {});
  return static_cast<std::size_t>(
      std::count_if(found.contacts.begin(), found.contacts.end(), [&](const plane::Contact& c) {
        if (c.edge_a >= c.edge_b) return false;
        for (const Index v : outline.edge(c.edge_a))
          for (const Index w : outline.edge(c.edge_b))
            if (outline.vertex(v) == outline.vertex(w)) return false;
        return true;
      }));
}

Index closed_chains(const plane::Outline& outline) {
  Index count = 0;
  for (Index c = 0; c < outline.chain_count(); ++c) count += outline.closed(c) ? 1 : 0;
  return count;
}

}  // namespace

Json outline_json(const DrawingInfo& info, const plane::Object& object, bool self_intersections) {
  const OutlineReport& report = info.report;
  const plane::Outline& outline = object.outline();
  Json chains = Json::array();
  for (Index c = 0; c < outline.chain_count(); ++c)
    chains.push_back({{"name", outline.name(c)},
                      {"edges", outline.first_edge(c + 1) - outline.first_edge(c)},
                      {"closed", outline.closed(c)},
                      {"again", outline.again(c)},
                      {"area", outline.closed(c) ? Json(outline.signed_area(c)) : Json()}});
  Json json = {{"file", info.file},
               {"edges", outline.edge_count()},
               {"vertices", outline.vertex_count()},
               {"bounds", {{"lo", to_json(outline.lo())}, {"hi", to_json(outline.hi())}}},
               {"length", outline.length()},
               {"unit", report.unit > 0 ? Json("mm") : Json()},
               {"file_unit", report.unit > 0 ? Json(report.unit) : Json()},
               {"chains", chains},
               {"chord_error", report.chord_error},
               {"joined", report.joined},
               {"widest_gap", report.widest_gap},
               {"repeated", report.repeated},
               {"left_open", report.open},
               {"remarks", report.remarks}};
  if (!info.objects.empty()) json["objects"] = info.objects;
  if (!info.layers.empty()) json["layers"] = info.layers;
  for (const OutlinePart& part : info.parts)
    json["parts"].push_back(
        {{"name", part.name},
         {"chains", part.outline.chain_count()},
         {"edges", part.outline.edge_count()},
         {"bounds", {{"lo", to_json(part.outline.lo())}, {"hi", to_json(part.outline.hi())}}}});
  if (self_intersections) json["self_intersections"] = crossings(object);
  return json;
}

namespace {

void print_names(const char* label, const std::vector<std::string>& names, bool all) {
  if (!names.empty())
    fmt::print("  {:<16}{}: {}; --split {} makes parts of them\n", label, names.size(),
               listed(names, all), label);
}

void print_parts(const std::vector<OutlinePart>& parts, bool all) {
  constexpr std::size_t kMost = 20;
  const std::size_t shown = all || parts.size() <= kMost ? parts.size() : kMost - 1;
  for (std::size_t i = 0; i < shown; ++i) {
    const Index chains = parts[i].outline.chain_count(), edges = parts[i].outline.edge_count();
    fmt::print("  {:<16}{}  ({} chain{}, {} edge{})\n", i == 0 ? "parts" : "", parts[i].name,
               chains, chains == 1 ? "" : "s", edges, edges == 1 ? "" : "s");
  }
  if (shown < parts.size()) fmt::print("  {:<16}and {} more (--all)\n", "", parts.size() - shown);
}

}  // namespace

void print_outline(const DrawingInfo& info, const plane::Object& object, bool self_intersections,
                   bool all) {
  const OutlineReport& report = info.report;
  const plane::Outline& outline = object.outline();
  const plane::Vec2 size = outline.hi() - outline.lo();
  fmt::print(
      "{}\n  {:<16}{}, {} of them closed; {} edges, {} vertices\n"
      "  {:<16}{} to {}\n  {:<16}{:.6g} x {:.6g}\n"
      "  {:<16}{:.6g}\n",
      info.file, "chains", outline.chain_count(), closed_chains(outline), outline.edge_count(),
      outline.vertex_count(), "bounds", vector_text(outline.lo(), 9), vector_text(outline.hi(), 9),
      "size", size.x(), size.y(), "length", outline.length());
  const std::string ending = parse_part_name(info.file).file.extension().string();
  const bool turned = ending.size() == 4 && (ending[1] == 's' || ending[1] == 'S');  // .svg
  fmt::print(
      "  {:<16}{}\n", "unit",
      report.unit > 0
          ? report.unit == 1 ? "mm" : fmt::format("mm; in the file 1 is {:.6g} mm", report.unit)
          : "not in the file");
  fmt::print("  {:<16}{}\n", "axes",
             turned ? "y is up: the file's y with the other sign" : "y is up, as in the file");
  if (report.chord_error > 0)
    fmt::print("  {:<16}off by up to {:.3g}, in place of curves\n", "chords", report.chord_error);
  if (report.joined > 0)
    fmt::print(
        "  {:<16}{} lines and arcs{}\n", "joined", report.joined,
        report.widest_gap > 0 ? fmt::format(", over gaps of up to {:.3g}", report.widest_gap) : "");
  for (const std::string& remark : report.remarks) fmt::print("  {:<16}{}\n", "remark", remark);
  for (std::size_t i = 1; i < report.open.size(); ++i)
    fmt::print("  {:<16}{}\n", "", report.open[i]);
  if (self_intersections)
    fmt::print("  {:<16}{} pairs of edges\n", "self-intersect.", crossings(object));
  print_names("objects", info.objects, all);
  print_names("layers", info.layers, all);
  print_parts(info.parts, all);
}

}  // namespace touche::cli
