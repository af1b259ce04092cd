// SPDX-License-Identifier: Apache-2.0
// Loads parts from files, folders and studies. Parts from files are named relative to the folder
// that contains all of the files.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/ending.h"
#include "base/file_kind.h"
#include "base/threads.h"
#include "bvh/object_data.h"
#include "clash/assembly_parts.h"
#include "io/outline_reader.h"
#include "plane/flat_outline.h"
#include "report/words.h"
#include "study/describe.h"
#include "study/shape_words.h"
#include "study/step_bounds.h"
#include "touche/clash.h"
#include "touche/outline_file.h"
#include "touche/shape_file.h"

namespace touche {
namespace {

namespace fs = std::filesystem;

struct Unit {
  std::string_view name;
  double metres;
};
constexpr std::array<Unit, 6> kUnits = {
    {{"m", 1}, {"cm", 1e-2}, {"mm", 1e-3}, {"um", 1e-6}, {"in", 0.0254}, {"ft", 0.3048}}};

const Unit& unit_named(const std::string& name) {
  std::string known;
  for (const Unit& unit : kUnits) {
    if (unit.name == name) return unit;
    known += (known.empty() ? "" : ", ") + std::string(unit.name);
  }
  throw InvalidInput(fmt::format("unknown unit \"{}\"; expected one of: {}", name, known));
}

// Sizes beyond which a unit is doubted: of an assembly in metres, and of files relative to others.
constexpr double kLargest = 100, kSmallest = 1e-3, kMostApart = 20;

bool is_mesh(const fs::path& path) { return is_assembly(path) || is_face_list(path); }

// A file to read, or a node of it with its descendants.
struct Input {
  fs::path file;
  std::string node;
};

// Lists the mesh files of a folder and its subfolders by name, or the drawings if there are no
// meshes.
void list_folder(const fs::path& folder, std::vector<Input>& inputs, ClashParts& parts) {
  std::vector<fs::path> entries;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end());
  const bool meshes = std::any_of(entries.begin(), entries.end(), is_mesh);
  const std::size_t before = inputs.size();
  for (const fs::path& entry : entries) {
    // A glTF file's buffers are read with it, so they are no input of their own.
    if (meshes ? is_mesh(entry) : is_outline(entry))
      inputs.push_back({entry, ""});
    else if (is_outline(entry))
      parts.remarks.push_back(
          fmt::format("{}: not read, it is a drawing, and there are meshes", entry.string()));
    else if (base::ending_of(entry) != ".bin")
      parts.remarks.push_back(fmt::format("{}: not read, it is no mesh file", entry.string()));
  }
  if (inputs.size() == before)
    throw LoadError(folder.string(), "", "there is no mesh file or drawing in the folder");
}

std::vector<Input> list_inputs(const std::vector<fs::path>& files, ClashParts& parts) {
  std::vector<Input> inputs;
  for (const fs::path& given : files) {
    std::error_code error;
    if (fs::is_directory(given, error)) {
      list_folder(given, inputs, parts);
      continue;
    }
    const PartName name = parse_part_name(given.string());
    if (const std::string reason = base::why_no_file(name.file); !reason.empty())
      throw LoadError(name.file.string(), "", reason);
    inputs.push_back({name.file, name.node});
  }
  return inputs;
}

// The common folder of all inputs; part names are relative to it.
fs::path common_folder(const std::vector<fs::path>& given, const std::vector<Input>& inputs) {
  std::error_code error;
  if (given.size() == 1 && fs::is_directory(given[0], error)) return given[0];
  fs::path common = inputs.front().file.parent_path();
  for (const Input& input : inputs) {
    const fs::path folder = input.file.parent_path();
    const auto ends = std::mismatch(common.begin(), common.end(), folder.begin(), folder.end());
    fs::path same;
    for (auto step = common.begin(); step != ends.first; ++step) same /= *step;
    common = same;
  }
  return common;
}

std::string unit_of(const fs::path& file) {
  const std::string ending = base::ending_of(file);
  return ending == ".gltf" || ending == ".glb" || ending == ".dae" ? "m" : "mm";
}

// If no unit is given, all files must have the same one.
std::string common_unit(const std::vector<Input>& inputs, const std::string& named) {
  if (!named.empty()) return std::string(unit_named(named).name);
  std::string unit = unit_of(inputs.front().file);
  for (const Input& input : inputs)
    if (unit_of(input.file) != unit)
      throw LoadError(
          input.file.string(), "",
          fmt::format("its lengths are in {}, the lengths of {} in {}; name the unit of all",
                      unit_of(input.file), inputs.front().file.string(), unit));
  return unit;
}

Object load_drawing(const fs::path& file, const OutlineOptions& options) {
  plane::Outline outline = load_outline(file, options);
  return plane::Object(std::move(outline), file.stem().string()).in_space();
}

// Returns whether the inputs are drawings; throws if only some of them are.
bool are_drawings(const std::vector<Input>& inputs) {
  const auto drawing = [](const Input& input) { return is_outline(input.file); };
  const bool any = std::any_of(inputs.begin(), inputs.end(), drawing);
  for (const Input& input : inputs)
    if (any && !drawing(input))
      throw LoadError(input.file.string(), "",
                      "a mesh, and others are drawings of the plane: a check needs parts of one "
                      "kind");
  return any;
}

std::string larger_by(double error, const std::string& unit) {
  return fmt::format(
      "a round shape is checked as a polyhedron around it, which is larger by up to {}: the "
      "verdict free and reported overlaps hold for the shape; where contact is reported there may "
      "be a gap, and clearances may be larger, by as much",
      report::length_text(error, unit, report::Rounding::up));
}

Object load_around_shape(const fs::path& file, ClashParts& parts) {
  ShapeFileMesh made = load_shape_mesh(file);
  if (made.error > 0)
    parts.remarks.push_back(file.string() + ": " + larger_by(made.error, parts.unit));
  parts.mesh_errors.resize(parts.objects.size());
  parts.mesh_errors.push_back(made.error);
  return Object(std::move(made.mesh), file.stem().string());
}

// Once, however many parts are of the file.
void note_turn(const fs::path& file, std::optional<UpAxis> up, ClashParts& parts) {
  const std::string name = file.generic_string();
  if (up.value_or(UpAxis::z) != UpAxis::z &&
      std::none_of(parts.turned.begin(), parts.turned.end(),
                   [&](const TurnedFile& turned) { return turned.file == name; }))
    parts.turned.push_back({name, *up});
}

void add_file(const fs::path& file, std::string name, const ClashLoadOptions& options,
              ClashParts& parts) {
  ClashPart part;
  part.group = clash::group_of(name);
  part.object = parts.objects.size();
  parts.objects.push_back(is_outline(file)      ? load_drawing(file, options.drawings)
                          : is_shape_file(file) ? load_around_shape(file, parts)
                                                : load(file, {.up = options.up}));
  for (const std::string& remark : plane::remarks_of(parts.objects.back()))
    parts.remarks.push_back(file.string() + ": " + remark);
  if (is_mesh(file)) note_turn(file, options.up, parts);
  part.name = std::move(name);
  parts.parts.push_back(std::move(part));
}

bool is_split(const Input& input) { return is_face_list(input.file) || is_outline(input.file); }

// Whether nodes of the file, or parts of a drawing, are parts; otherwise it is one part.
bool is_read_by_nodes(const Input& input, const ClashLoadOptions& options) {
  return is_assembly(input.file) || (is_split(input) && (options.split || !input.node.empty()));
}

void check_split(const std::vector<Input>& inputs, bool drawings, const ClashLoadOptions& options) {
  if (!options.split) return;
  if (*options.split == (drawings ? Split::shells : Split::layers))
    throw InvalidInput(
        fmt::format("split: {}; drawings (SVG, DXF) are split into objects or layers, OBJ, STL, "
                    "PLY and OFF files into objects or shells",
                    drawings ? "drawings have no shells" : "meshes have no layers"));
  if (std::none_of(inputs.begin(), inputs.end(),
                   [](const Input& input) { return is_split(input) && input.node.empty(); }))
    throw InvalidInput(
        "split: only whole drawings (SVG, DXF) and OBJ, STL, PLY and OFF files are split; nodes of "
        "other files are parts already");
}

// Several nodes of a file may be given.
void add_remark(std::string remark, ClashParts& parts) {
  if (std::find(parts.remarks.begin(), parts.remarks.end(), remark) == parts.remarks.end())
    parts.remarks.push_back(std::move(remark));
}

void add_outline(const fs::path& file, const OutlinePart& drawn, const OutlineReport& of_file,
                 const std::string& prefix, ClashParts& parts) {
  for (const std::string& remark : drawn.report.remarks)
    if (std::find(of_file.remarks.begin(), of_file.remarks.end(), remark) == of_file.remarks.end())
      parts.remarks.push_back(fmt::format("{}#{}: {}", file.string(), drawn.name, remark));
  ClashPart part;
  part.name = prefix + drawn.name;
  part.group = clash::group_of(part.name);
  part.object = parts.objects.size();
  parts.objects.push_back(plane::Object(drawn.outline, drawn.name).in_space());
  parts.parts.push_back(std::move(part));
}

// Adds the parts that a drawing is split into, or the one that is named.
void add_outlines(const Input& input, const std::string& prefix, const ClashLoadOptions& options,
                  io::OutlineReader& reader, ClashParts& parts) {
  const auto tell = [&](const OutlineReport& report) {
    for (const std::string& remark : report.remarks)
      add_remark(input.file.string() + ": " + remark, parts);
  };
  if (!input.node.empty()) {
    const auto [drawn, report] = reader.part({input.file, input.node}, options.drawings);
    tell(report);
    return add_outline(input.file, drawn, report, prefix, parts);
  }
  const auto& [outlines, report] = reader.parts(input.file, *options.split, options.drawings);
  tell(report);
  for (const OutlinePart& drawn : outlines) add_outline(input.file, drawn, report, prefix, parts);
}

Assembly load_nodes(const Input& input, const ClashLoadOptions& options) {
  const LoadOptions how{.up = options.up, .split = options.split.value_or(Split::objects)};
  return input.node.empty() ? load_assembly(input.file, how)
                            : load_assembly(PartName{input.file, input.node}, how);
}

void add_nodes(const Input& input, const std::string& prefix, const ClashLoadOptions& options,
               ClashParts& parts) {
  const Assembly assembly = load_nodes(input, options);
  note_turn(input.file, assembly.frame.up, parts);
  for (const std::string& text : assembly.remarks) add_remark(assembly.file + ": " + text, parts);
  const std::size_t before = parts.parts.size();
  if (input.node.empty()) {
    clash::add_assembly(assembly, 0, static_cast<Index>(assembly.nodes.size()), prefix, parts);
  } else {
    const Index node = assembly.find(input.node);
    clash::add_assembly(assembly, node, assembly.nodes[node].end, prefix, parts);
  }
  if (parts.parts.size() == before)
    throw LoadError(assembly.file, input.node.empty() ? "" : "node \"" + input.node + "\"",
                    "there is no part that has faces");
}

void check_names(const ClashParts& parts) {
  std::set<std::string_view> names;
  for (const ClashPart& part : parts.parts)
    if (!names.insert(part.name).second)
      throw LoadError(parts.source, "", fmt::format("two parts are named \"{}\"", part.name));
}

void tell_chords(ClashParts& parts) {
  if (const double error = plane::chord_error_of(parts.objects); error > 0)
    parts.remarks.push_back(
        plane::chord_remark(report::length_text(error, parts.unit, report::Rounding::up)));
}

// Names what was left out; a long list is in ClashParts::left_out only.
void tell_left_out(ClashParts& parts) {
  constexpr std::size_t kMost = 20;
  const std::size_t count = parts.left_out.size(), listed = std::min(count, kMost);
  for (std::size_t i = 0; i < listed; ++i)
    parts.remarks.push_back(
        fmt::format("{} is left out: {}", parts.left_out[i].name, parts.left_out[i].reason));
  if (count > listed)
    parts.remarks.push_back(fmt::format("{} more nodes are left out", count - listed));
}

double size_of(const ClashParts& parts, std::size_t begin) {
  Aabb all;
  for (std::size_t p = begin; p < parts.parts.size(); ++p) {
    const Aabb& box = parts.objects[parts.parts[p].object].bounds();
    for (int corner = 0; corner < 8; ++corner) {
      const Vec3 at(corner & 1 ? box.hi.x() : box.lo.x(), corner & 2 ? box.hi.y() : box.lo.y(),
                    corner & 4 ? box.hi.z() : box.lo.z());
      all.include(parts.parts[p].pose * at);
    }
  }
  return all.diagonal();
}

// The sizes of files that do not say their unit, the largest and the smallest.
struct FileSizes {
  void add(const std::string& file, double size) {
    if (largest.file.empty() || size > largest.size) largest = {file, size};
    if (smallest.file.empty() || size < smallest.size) smallest = {file, size};
  }
  struct OfFile {
    std::string file;
    double size = 0;
  };
  OfFile largest, smallest;
};

// Doubts the unit when sizes are unusual.
void doubt_unit(const FileSizes& files, ClashParts& parts) {
  const auto text = [&](double size) { return report::length_text(size, parts.unit); };
  const double size = size_of(parts, 0), metres = size * unit_named(parts.unit).metres;
  if (metres > kLargest || metres < kSmallest)
    parts.remarks.push_back(fmt::format(
        "the parts together are {} in size, with coordinates in {}: if that is too {}, give the "
        "unit of the files by --unit",
        text(size), parts.unit, metres > kLargest ? "large" : "small"));
  if (files.smallest.size > 0 && files.largest.size > kMostApart * files.smallest.size)
    parts.remarks.push_back(
        fmt::format("{} is {} in size, and {} is {}: the files do not say their units, and all are "
                    "taken in {} (--unit)",
                    files.largest.file, text(files.largest.size), files.smallest.file,
                    text(files.smallest.size), parts.unit));
}

}  // namespace

ClashParts load_clash_parts(const std::vector<fs::path>& files, const ClashLoadOptions& options) {
  if (files.empty()) throw InvalidInput("a clash check needs a file or a folder");
  ClashParts parts;
  for (const fs::path& file : files)
    parts.source += (parts.source.empty() ? "" : ", ") + file.generic_string();
  const std::vector<Input> inputs = list_inputs(files, parts);
  const bool drawings = are_drawings(inputs);
  parts.unit = common_unit(inputs, options.unit);
  if (drawings && parts.unit != "mm")
    throw InvalidInput("drawings are read in millimetres; leave the unit out");
  if (!drawings && options.drawings != OutlineOptions())
    throw InvalidInput("the options of drawings are for drawings of the plane");
  if (drawings && options.up) throw InvalidInput("drawings of the plane have no axis that is up");
  parts.up = options.up;
  FileSizes sizes;
  const fs::path folder = common_folder(files, inputs);
  check_split(inputs, drawings, options);
  parts.split = options.split;
  const auto with_nodes = std::count_if(inputs.begin(), inputs.end(), [&](const Input& input) {
    return is_read_by_nodes(input, options);
  });
  io::OutlineReader reader;
  base::with_threads(options.threads, [&] {
    for (const Input& input : inputs) {
      const std::size_t before = parts.parts.size();
      const std::string name = input.file.lexically_relative(folder).generic_string();
      const std::string own =
          name.empty() || name.starts_with("..") ? input.file.generic_string() : name;
      const std::string prefix = with_nodes > 1 ? own + "/" : "";
      if (!is_read_by_nodes(input, options))
        add_file(input.file, own, options, parts);
      else if (is_outline(input.file))
        add_outlines(input, prefix, options, reader, parts);
      else
        add_nodes(input, prefix, options, parts);
      if (is_face_list(input.file) && input.node.empty()) sizes.add(own, size_of(parts, before));
    }
  });
  check_names(parts);
  tell_chords(parts);
  tell_left_out(parts);
  if (!drawings && options.unit.empty()) doubt_unit(sizes, parts);
  if (!parts.mesh_errors.empty()) parts.mesh_errors.resize(parts.objects.size());
  return parts;
}

bool has_drawings(const ClashParts& parts) {
  return std::any_of(parts.objects.begin(), parts.objects.end(),
                     [](const Object& object) { return bvh::flat_of(object) != nullptr; });
}

ClashParts clash_parts(const Study& study, double s) {
  if (!(s >= 0 && s <= 1)) throw InvalidInput("the position on the path must lie in [0, 1]");
  ClashParts parts;
  parts.source = study.file.generic_string();
  parts.unit = study.unit;
  parts.objects = load_parts(study);
  parts.remarks = study::file_remarks(study, parts.objects);
  for (const StudyPart& part : study.parts) note_turn(part.file, part.frame.up, parts);
  tell_chords(parts);
  if (const double error = study::mesh_error_of(study); error > 0) {
    parts.remarks.push_back(larger_by(error, study.unit));
    for (std::size_t p = 0; p < study.parts.size(); ++p)
      parts.mesh_errors.push_back(study::mesh_error_of(study, p));
  }
  parts.allowed_contacts = study.allowed_contacts;
  const std::vector<std::size_t> groups = study::group_of_part(study);
  for (std::size_t p = 0; p < study.parts.size(); ++p)
    parts.parts.push_back({study.parts[p].name,
                           groups[p] == study::kFixed ? "" : study.groups[groups[p]].name, p,
                           study::pose_of_part(study, p, s)});
  return parts;
}

}  // namespace touche
