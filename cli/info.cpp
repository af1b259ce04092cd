// SPDX-License-Identifier: Apache-2.0
// touche info: describes the contents of a mesh file and reports anything unusual.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "animation_option.h"
#include "commands.h"
#include "mesh_info.h"
#include "outlines.h"
#include "touche/io.h"
#include "touche/outline_file.h"
#include "touche/shape_file.h"
#include "two_objects.h"
#include "up_axis.h"
#include "weld_length.h"

namespace touche::cli {
namespace {

struct InfoArguments {
  std::vector<std::string> files;
  double scale = 1;
  std::string up, split, weld;
  bool self_intersections = false, all = false, json = false;
  DrawingOptions drawings;
  AnimationOption animation;
};

bool names_outline(const std::string& file) { return is_outline(parse_part_name(file).file); }

// The nodes of an assembly with the numbers of their own faces.
std::vector<std::pair<std::string, std::size_t>> nodes_of(const Assembly& assembly) {
  std::vector<std::pair<std::string, std::size_t>> nodes;
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

// The objects of a file that is one list of faces; empty if there are not several.
std::vector<std::string> objects_of(const std::filesystem::path& file, const PolygonSoup& soup) {
  if (!is_face_list(file) || soup.group_names().empty()) return {};
  const Assembly assembly = load_assembly(file);
  std::vector<std::string> objects;
  for (const AssemblyNode& node : assembly.nodes) objects.push_back(node.step);
  return objects.size() > 1 ? objects : std::vector<std::string>();
}

void check_split(const std::string& file, const InfoArguments& options) {
  if (options.split.empty()) return;
  const PartName part = parse_part_name(file);
  if (!part.node.empty())
    throw InvalidInput(fmt::format("--split: {} is one part of its file", file));
  const bool drawing = is_outline(part.file);
  const Split other = drawing ? Split::shells : Split::layers;
  if ((!drawing && !is_face_list(part.file)) || parse_split(options.split) == other)
    throw InvalidInput(fmt::format(
        "--split: {} is not split into {}; OBJ, STL, PLY and OFF files are split into objects or "
        "shells, SVG and DXF files into objects or layers",
        file, options.split));
}

// The soup of an assembly without the nodes that are left out, which `info` names.
PolygonSoup soup_of(Assembly assembly, MeshInfo& info) {
  info.nodes = nodes_of(assembly);
  for (const LeftOutNode& gone : assembly.left_out)
    info.left_out.emplace_back(assembly.path(gone.node), gone.reason);
  // If nothing is there, the first reason is the error.
  if (std::any_of(info.nodes.begin(), info.nodes.end(), [](const auto& n) { return n.second > 0; }))
    assembly.left_out.clear();
  return assembly.soup();
}

void show_mesh(const std::string& file, const InfoArguments& options, Json& list) {
  LoadOptions how{
      .scale = options.scale, .up = parse_up(options.up), .animation = options.animation.time()};
  if (!options.split.empty()) how.split = parse_split(options.split);
  how.weld = parse_weld(options.weld, unit_of(file, options.scale));
  const PartName part = parse_part_name(file);
  MeshInfo info{.file = file,
                .unit = unit_of(file, 1),
                .scale = options.scale,
                .frame = file_frame(part.file, how)};
  PolygonSoup soup;
  if (part.node.empty() && (is_assembly(part.file) || !options.split.empty())) {
    Assembly assembly = load_assembly(part.file, how);
    info.animations = assembly.animations;
    soup = soup_of(std::move(assembly), info);
  } else {
    soup = load_soup(part, how);
    if (part.node.empty()) info.objects = objects_of(part.file, soup);
  }
  const Object object(std::move(soup), part.file.stem().string());
  if (options.json)
    list.push_back(mesh_json(info, object, options.self_intersections));
  else
    print_mesh(info, object, options.self_intersections, options.all);
}

// The names of several parts; empty if there are not several.
std::vector<std::string> part_names(const std::filesystem::path& file, Split split,
                                    const OutlineOptions& how) {
  std::vector<std::string> names;
  for (OutlinePart& part : load_outlines(file, split, how)) names.push_back(std::move(part.name));
  return names.size() > 1 ? names : std::vector<std::string>();
}

void show_outline(const std::string& file, const InfoArguments& options, Json& list) {
  const OutlineOptions how = options.drawings.outline_options(options.scale);
  const PartName part = parse_part_name(file);
  DrawingInfo info{.file = file};
  const plane::Object object(load_outline(part, how, &info.report));
  if (!options.split.empty()) {
    info.parts = load_outlines(part.file, parse_split(options.split), how);
  } else if (part.node.empty()) {
    info.objects = part_names(part.file, Split::objects, how);
    info.layers = part_names(part.file, Split::layers, how);
  }
  if (options.json)
    list.push_back(outline_json(info, object, options.self_intersections));
  else
    print_outline(info, object, options.self_intersections, options.all);
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
  check_split(file, options);
  const bool drawing = names_outline(file);
  if (!options.up.empty() && (drawing || is_named_json(file)))
    throw InvalidInput("--up: only meshes have an axis that is up");
  if (!options.weld.empty() && (drawing || is_named_json(file)))
    throw InvalidInput("--weld: only meshes have vertices to join");
  if (options.animation.time() && (drawing || is_named_json(file)))
    throw InvalidInput("--animation: only glTF files have animations");
  if (drawing) return show_outline(file, options, list);
  if (is_named_json(file)) {
    if (options.scale != 1) throw InvalidInput("--scale: a shape is not scaled");
    return show_shape(file, options.json, list);
  }
  show_mesh(file, options, list);
}

int run_info(const InfoArguments& options) {
  if (std::none_of(options.files.begin(), options.files.end(), names_outline))
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
  add_weld(command, options->weld);
  options->animation.add_to(command, "", "the files");
  options->drawings.add_to(command);
  command.flag("--self-intersections", options->self_intersections,
               "Count pairs of faces that intersect without a vertex position in common");
  command
      .add("--split", options->split,
           "Make nodes of the objects (OBJ: o or g, STL: solids) or connected shells of a mesh, "
           "or parts of the objects (SVG: groups, DXF: blocks) or layers of a drawing")
      .one_of({"objects", "shells", "layers"});
  command.flag("--all", options->all, "List all nodes, names and remarks, not 40 lines a file");
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
      "  touche info 'engine.glb#Crankcase/Piston 1'\n"
      "  touche info multi.obj --split objects         (lists the names of its objects)\n"
      "  touche info nest.svg --split layers           (lists the names of its layers)");
  command.runs([options] { return run_info(*options); });
}

}  // namespace touche::cli
