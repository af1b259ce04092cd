// SPDX-License-Identifier: Apache-2.0
// touche info: describes the contents of a mesh file and reports anything unusual.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "commands.h"
#include "outlines.h"
#include "touche/io.h"
#include "touche/outline_file.h"
#include "touche/shape_file.h"
#include "two_objects.h"
#include "up_axis.h"

namespace touche::cli {
namespace {

struct InfoArguments {
  std::vector<std::string> files;
  double scale = 1;
  std::string up;
  bool self_intersections = false, json = false;
  DrawingOptions drawings;
};

bool share_a_vertex_position(const PolygonSoup& soup, Index f, Index g) {
  const auto ours = soup.face(f), theirs = soup.face(g);
  return std::any_of(ours.begin(), ours.end(), [&](Index v) {
    return std::any_of(theirs.begin(), theirs.end(),
                       [&](Index w) { return soup.vertex(v) == soup.vertex(w); });
  });
}

// Counts intersecting pairs of faces that share no vertex position.
std::size_t count_self_intersections(const Object& object) {
  const FacePairsResult found = intersecting_faces(object, {}, object, {});
  return static_cast<std::size_t>(
      std::count_if(found.pairs.begin(), found.pairs.end(), [&](const FacePair& p) {
        return p.a < p.b && !share_a_vertex_position(object.soup(), p.a, p.b);
      }));
}

Json health_json(const Health& h) {
  return {{"zero_area_faces", h.zero_area_faces},
          {"duplicate_faces", h.duplicate_faces},
          {"duplicate_vertices", h.duplicate_vertices},
          {"unused_vertices", h.unused_vertices},
          {"non_planar_faces", h.non_planar_faces},
          {"concave_faces", h.concave_faces},
          {"boundary_edges", h.boundary_edges},
          {"non_manifold_edges", h.non_manifold_edges},
          {"inconsistent_edges", h.inconsistent_edges},
          {"components", h.components},
          {"closed", h.closed},
          {"oriented", h.oriented},
          {"area", h.area},
          {"volume", h.closed && h.oriented ? Json(h.volume) : Json()}};
}

// The paths of an assembly's nodes, each with the number of the node's own faces.
using Nodes = std::vector<std::pair<std::string, std::size_t>>;

Nodes nodes_of(const Assembly& assembly) {
  Nodes nodes;
  for (Index n = 0; n < assembly.nodes.size(); ++n) {
    std::size_t faces = 0;
    for (const Index m : assembly.nodes[n].meshes) {
      const AssemblyMesh& mesh = assembly.meshes[m];
      faces += mesh.face_sizes.empty() ? mesh.corners.size() / 3 : mesh.face_sizes.size();
    }
    nodes.emplace_back(assembly.path(n), faces);
  }
  return nodes;
}

// The unit of the coordinates that load_soup gives, if the format has one.
const char* unit_of(const std::filesystem::path& file) {
  if (!is_assembly(file)) return nullptr;
  return file.extension().string().starts_with(".3") ? "mm" : "m";  // 3MF
}

// What the reader does to the coordinates of a file.
struct Coordinates {
  const char* unit = nullptr;
  FileFrame frame;
};

std::string unit_text(const Coordinates& c, double scale) {
  std::string text = c.unit == nullptr ? "not in the file" : c.unit;
  const double in_file = c.frame.unit / scale;
  if (in_file != 1) text += fmt::format("; in the file 1 is {:.6g} {}", in_file, c.unit);
  if (scale != 1) text += fmt::format("; times {:.6g} by --scale", scale);
  return text;
}

std::string up_text(const FileFrame& frame) {
  if (frame.up == UpAxis::z) return "z, as in the file";
  return fmt::format("z; in the file {}, from which it is turned", name(frame.up));
}

Json file_json(const std::string& file, const Object& object, const Nodes& nodes,
               const Coordinates& coordinates, const InfoArguments& options) {
  const PolygonSoup& soup = object.soup();
  const Health health = examine(soup);
  Json groups = Json::array();
  for (const std::string& group : soup.group_names()) groups.push_back(group);
  Json json = {{"file", file},
               {"faces", soup.face_count()},
               {"triangles", soup.triangle_count()},
               {"vertices", soup.vertex_count()},
               {"edges", health.edges},
               {"groups", groups},
               {"unit", coordinates.unit == nullptr ? Json() : Json(coordinates.unit)},
               {"file_unit", coordinates.frame.unit / options.scale},
               {"file_up", name(coordinates.frame.up)},
               {"bounds", {{"lo", to_json(soup.bounds().lo)}, {"hi", to_json(soup.bounds().hi)}}},
               {"mesh_bytes", object.memory().mesh_bytes},
               {"hierarchy_bytes", object.memory().hierarchy_bytes},
               {"health", health_json(health)}};
  if (options.self_intersections) json["self_intersections"] = count_self_intersections(object);
  for (const auto& [path, faces] : nodes)
    json["nodes"].push_back({{"path", path}, {"faces", faces}});
  return json;
}

void print_info(const std::string& file, const Object& object, const Nodes& nodes,
                const Coordinates& coordinates, const InfoArguments& options) {
  const PolygonSoup& soup = object.soup();
  const Health h = examine(soup);
  const auto& [lo, hi] = soup.bounds();
  const auto line = [](const char* label, const std::string& text) {
    fmt::print("  {:<16}{}\n", label, text);
  };
  fmt::print("{}\n", file);
  line("faces", fmt::format("{} ({} triangles), {} vertices, {} edges", soup.face_count(),
                            soup.triangle_count(), soup.vertex_count(), h.edges));
  if (!soup.group_names().empty())
    line("groups", fmt::format("{}", fmt::join(soup.group_names(), ", ")));
  line("unit", unit_text(coordinates, options.scale));
  line("up", up_text(coordinates.frame));
  line("bounds", vector_text(lo, 9) + " to " + vector_text(hi, 9));
  line("size",
       fmt::format("{:.6g} x {:.6g} x {:.6g}", (hi - lo).x(), (hi - lo).y(), (hi - lo).z()));
  line("surface", fmt::format("{}, {}, {} component{}, area {:.6g}", h.closed ? "closed" : "open",
                              h.oriented ? "consistently oriented" : "inconsistently oriented",
                              h.components, h.components == 1 ? "" : "s", h.area));
  if (h.closed && h.oriented)
    line("volume", fmt::format("{:.6g}{}", h.volume, h.volume < 0 ? " (inside out)" : ""));
  bool sound = true;
  const auto complain = [&](Index count, const char* what) {
    if (count == 0) return;
    line(sound ? "unusual" : "", fmt::format("{} {}", count, what));
    sound = false;
  };
  complain(h.zero_area_faces, "zero-area faces");
  complain(h.duplicate_faces, "duplicate faces");
  complain(h.duplicate_vertices, "vertices at the position of an earlier one");
  complain(h.unused_vertices, "vertices no face uses");
  complain(h.non_planar_faces, "non-planar faces (triangulated)");
  complain(h.concave_faces, "concave faces (triangulated)");
  complain(h.boundary_edges, "boundary edges (of one face only)");
  complain(h.non_manifold_edges, "non-manifold edges (of three or more faces)");
  complain(h.inconsistent_edges, "edges whose two faces are oriented differently");
  if (sound) line("unusual", "nothing");
  if (options.self_intersections)
    line("self-intersect.", fmt::format("{} pairs of faces", count_self_intersections(object)));
  const char* label = "nodes";
  for (const auto& [path, faces] : nodes) {
    line(label, faces == 0 ? path : fmt::format("{}  ({} faces)", path, faces));
    label = "";
  }
}

// What of an assembly is not in its soup.
void tell_left_out(const Assembly& assembly) {
  for (const LeftOutNode& gone : assembly.left_out)
    std::fprintf(stderr, "touche: %s: node \"%s\" is left out: %s\n", assembly.file.c_str(),
                 assembly.path(gone.node).c_str(), gone.reason.c_str());
  for (const std::string& remark : assembly.remarks)
    std::fprintf(stderr, "touche: %s: %s\n", assembly.file.c_str(), remark.c_str());
}

void show_outline(const std::string& file, const InfoArguments& options, Json& list) {
  OutlineReport report;
  const plane::Object object(
      load_outline(file, options.drawings.outline_options(options.scale), &report));
  if (options.json)
    list.push_back(outline_json(file, object, report, options.self_intersections));
  else
    print_outline(file, object, report, options.self_intersections);
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
      of_file["bounds"] = {{"lo", to_json(shape.bounds().lo)}, {"hi", to_json(shape.bounds().hi)}};
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

void show(const std::string& file, const InfoArguments& options, Json& list) {
  if (!options.up.empty() && (is_outline(file) || is_named_json(file)))
    throw InvalidInput("--up: only meshes have an axis that is up");
  if (is_outline(file)) return show_outline(file, options, list);
  if (is_named_json(file)) {
    if (options.scale != 1) throw InvalidInput("--scale: a shape is not scaled");
    return show_shape(file, options.json, list);
  }
  const LoadOptions load_options{.scale = options.scale, .up = parse_up(options.up)};
  const PartName part = parse_part_name(file);
  const Coordinates coordinates = {unit_of(part.file), file_frame(part.file, load_options)};
  Nodes nodes;
  PolygonSoup soup;
  if (part.node.empty() && is_assembly(part.file)) {
    Assembly assembly = load_assembly(part.file, load_options);
    nodes = nodes_of(assembly);
    tell_left_out(assembly);
    if (std::any_of(nodes.begin(), nodes.end(), [](const auto& n) { return n.second > 0; }))
      assembly.left_out.clear();  // what is there is described
    soup = assembly.soup();
  } else {
    soup = load_soup(part, load_options);
  }
  const Object object(std::move(soup), part.file.stem().string());
  if (options.json)
    list.push_back(file_json(file, object, nodes, coordinates, options));
  else
    print_info(file, object, nodes, coordinates, options);
}

int run_info(const InfoArguments& options) {
  if (std::none_of(options.files.begin(), options.files.end(), is_outline))
    options.drawings.refuse("is for drawings of the plane");
  Json list = Json::array();
  bool failed = false;
  for (const std::string& file : options.files) {
    try {
      show(file, options, list);
    } catch (const Error& e) {
      failed = true;
      if (options.json) list.push_back({{"file", file}, {"error", e.what()}});
      std::fprintf(stderr, "touche: %s\n", e.what());
    }
  }
  if (options.json) print(list);
  return failed ? kError : kFree;
}

}  // namespace

void add_info(Program& program) {
  Command command =
      program.command("info", "What is in a mesh file, and what is unusual about it?");
  auto options = std::make_shared<InfoArguments>();
  command.add("files", options->files, "Mesh files, drawings (.svg, .dxf) or shapes (.json)")
      .required();
  command.add("--scale", options->scale, "Multiply the coordinates").type_name("FACTOR");
  add_up(command, "--up", options->up, "the files");
  options->drawings.add_to(command);
  command.flag("--self-intersections", options->self_intersections,
               "Count pairs of faces that intersect without a vertex position in common");
  command.flag("--json", options->json, "Print JSON, for programs");
  command.footer(
      "Queries accept meshes with all features that are listed as unusual. Input that cannot be\n"
      "tested (NaN, infinite coordinates, vertex numbers out of range, no faces) is an error with\n"
      "its position.\n\n"
      "Examples:\n"
      "  touche info nut.obj\n"
      "  touche info *.stl --scale 0.001 --self-intersections\n"
      "  touche info housing.ply --json\n"
      "  touche info engine.glb                        (lists the paths of its nodes)\n"
      "  touche info 'engine.glb#Crankcase/Piston 1'");
  command.runs([options] { return run_info(*options); });
}

}  // namespace touche::cli
