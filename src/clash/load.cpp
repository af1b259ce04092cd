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

constexpr std::array<std::string_view, 6> kUnits = {"m", "cm", "mm", "um", "in", "ft"};

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
  if (!named.empty()) {
    if (std::find(kUnits.begin(), kUnits.end(), named) == kUnits.end())
      throw InvalidInput(fmt::format("unknown unit \"{}\"; expected one of: {}", named,
                                     fmt::join(kUnits.begin(), kUnits.end(), ", ")));
    return named;
  }
  std::string unit = unit_of(inputs.front().file);
  for (const Input& input : inputs)
    if (unit_of(input.file) != unit)
      throw LoadError(
          input.file.string(), "",
          fmt::format("its lengths are in {}, the lengths of {} in {}; name the unit of all",
                      unit_of(input.file), inputs.front().file.string(), unit));
  return unit;
}

Object load_drawing(const fs::path& file, double chord_error) {
  plane::Outline outline = load_outline(file, {.chord_error = chord_error});
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

void add_file(const fs::path& file, std::string name, const ClashLoadOptions& options,
              ClashParts& parts) {
  ClashPart part;
  part.group = clash::group_of(name);
  part.object = parts.objects.size();
  parts.objects.push_back(is_outline(file)      ? load_drawing(file, options.chord_error)
                          : is_shape_file(file) ? load_around_shape(file, parts)
                                                : load(file));
  for (const std::string& remark : plane::remarks_of(parts.objects.back()))
    parts.remarks.push_back(file.string() + ": " + remark);
  part.name = std::move(name);
  parts.parts.push_back(std::move(part));
}

// Whether nodes of the file are parts; otherwise it is one part.
bool is_read_by_nodes(const Input& input, const ClashLoadOptions& options) {
  return is_assembly(input.file) ||
         (is_face_list(input.file) && (options.split || !input.node.empty()));
}

Assembly load_nodes(const Input& input, const ClashLoadOptions& options) {
  if (!input.node.empty()) return load_assembly(PartName{input.file, input.node});
  return load_assembly(input.file, {.split = options.split.value_or(Split::objects)});
}

void add_nodes(const Input& input, const std::string& prefix, const ClashLoadOptions& options,
               ClashParts& parts) {
  const Assembly assembly = load_nodes(input, options);
  // Several nodes of a file may be given.
  for (const std::string& text : assembly.remarks)
    if (std::string remark = assembly.file + ": " + text;
        std::find(parts.remarks.begin(), parts.remarks.end(), remark) == parts.remarks.end())
      parts.remarks.push_back(std::move(remark));
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
  if (!drawings && options.chord_error > 0)
    throw InvalidInput("the chord error is for drawings of the plane");
  const fs::path folder = common_folder(files, inputs);
  if (options.split && std::none_of(inputs.begin(), inputs.end(), [](const Input& input) {
        return is_face_list(input.file) && input.node.empty();
      }))
    throw InvalidInput(
        "split: only OBJ, STL, PLY and OFF files are split into objects or shells; nodes of other "
        "files are parts already");
  parts.split = options.split;
  const auto with_nodes = std::count_if(inputs.begin(), inputs.end(), [&](const Input& input) {
    return is_read_by_nodes(input, options);
  });
  base::with_threads(options.threads, [&] {
    for (const Input& input : inputs) {
      const std::string name = input.file.lexically_relative(folder).generic_string();
      const std::string own =
          name.empty() || name.starts_with("..") ? input.file.generic_string() : name;
      if (is_read_by_nodes(input, options))
        add_nodes(input, with_nodes > 1 ? own + "/" : "", options, parts);
      else
        add_file(input.file, own, options, parts);
    }
  });
  check_names(parts);
  tell_chords(parts);
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
