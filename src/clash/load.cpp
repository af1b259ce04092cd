// SPDX-License-Identifier: Apache-2.0
// Loads parts from files, folders and studies. Parts from files are named relative to the folder
// that contains all of the files.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/threads.h"
#include "bvh/object_data.h"
#include "clash/assembly_parts.h"
#include "clash/inputs.h"
#include "clash/part_names.h"
#include "clash/units.h"
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
using namespace clash;

// Lengths of an assembly in metres that is smaller than this are shown in millimetres.
constexpr double kShownInMetres = 10;

Object load_drawing(const fs::path& file, const OutlineOptions& options) {
  plane::Outline outline = load_outline(file, options);
  return plane::Object(std::move(outline), file.stem().string()).in_space();
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
  part.group = group_of(name);
  part.object = parts.objects.size();
  parts.objects.push_back(is_outline(file) ? load_drawing(file, options.drawings)
                          : is_shape_file(file)
                              ? load_around_shape(file, parts)
                              : load(file, {.up = options.up, .weld = options.weld}));
  for (const std::string& remark : plane::remarks_of(parts.objects.back()))
    parts.remarks.push_back(file.string() + ": " + remark);
  if (is_mesh(file)) note_turn(file, options.up, parts);
  part.name = std::move(name);
  parts.parts.push_back(std::move(part));
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
  part.group = group_of(part.name);
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

// How many files there are whose nodes are parts.
struct NodeFiles {
  NodeFiles(const std::vector<Input>& inputs, const ClashLoadOptions& options) {
    for (const Input& input : inputs) {
      if (!is_read_by_nodes(input, options)) continue;
      ++all;
      if (input.folder) ++in_folder[*input.folder];
    }
  }
  bool are_several_in(std::optional<std::size_t> folder) const {
    const auto found = folder ? in_folder.find(*folder) : in_folder.end();
    return found != in_folder.end() && found->second > 1;
  }
  std::size_t all = 0;
  std::map<std::size_t, std::size_t> in_folder;
};

bool has_animation(const Assembly& assembly, const std::string& name) {
  return std::any_of(assembly.animations.begin(), assembly.animations.end(),
                     [&](const FileAnimation& animation) { return animation.name == name; });
}

// The nodes where the options' animation has them, if it is one of the file; notes that in `parts`.
Assembly load_nodes(const Input& input, const ClashLoadOptions& options, ClashParts& parts) {
  LoadOptions how{
      .up = options.up, .split = options.split.value_or(Split::objects), .weld = options.weld};
  const auto read = [&] {
    return input.node.empty() ? load_assembly(input.file, how)
                              : load_assembly(PartName{input.file, input.node}, how);
  };
  Assembly at_rest = read();
  if (!options.animation || !has_animation(at_rest, options.animation->name)) return at_rest;
  parts.animation = how.animation = options.animation;
  return read();
}

void check_animation(const ClashLoadOptions& options, const ClashParts& parts) {
  if (options.animation && !parts.animation)
    throw InvalidInput(fmt::format("no file has an animation \"{}\"; touche info lists them",
                                   options.animation->name));
}

void add_nodes(const Input& input, const std::string& prefix, const ClashLoadOptions& options,
               ClashParts& parts) {
  const Assembly assembly = load_nodes(input, options, parts);
  note_turn(input.file, assembly.frame.up, parts);
  for (const std::string& text : assembly.remarks) add_remark(assembly.file + ": " + text, parts);
  const std::size_t before = parts.parts.size();
  if (input.node.empty()) {
    add_assembly(assembly, 0, static_cast<Index>(assembly.nodes.size()), prefix, parts);
  } else {
    const Index node = assembly.find(input.node);
    add_assembly(assembly, node, assembly.nodes[node].end, prefix, parts);
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
    parts.remarks.push_back(plane::chord_remark(
        report::Lengths(parts.unit, parts.shown_unit).text(error, report::Rounding::up)));
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

// For each part and for what is left out, in the order of ClashParts.
struct Origins {
  std::vector<PartOrigin> parts, left_out;
};

// Adds the origins of what was read from an input since ClashParts had these sizes. The names begin
// with `prefix`, which is no part of the node's path.
void add_origins(const Input& input, bool by_nodes, std::size_t file_steps,
                 const std::string& prefix, const ClashParts& parts, Origins& origins) {
  const auto origin = [&](const std::string& name) -> PartOrigin {
    if (!by_nodes) return {input.file, input.file_steps, ""};
    std::string node = name.substr(prefix.size());
    // An object without a name has the file's.
    const bool unnamed = is_face_list(input.file) && node.starts_with("unnamed");
    return {input.file, unnamed ? std::max(file_steps, input.file_steps) : file_steps,
            std::move(node)};
  };
  for (std::size_t p = origins.parts.size(); p < parts.parts.size(); ++p)
    origins.parts.push_back(origin(parts.parts[p].name));
  for (std::size_t i = origins.left_out.size(); i < parts.left_out.size(); ++i)
    origins.left_out.push_back(origin(parts.left_out[i].name));
}

void choose_shown_unit(const ClashLoadOptions& options, double size, ClashParts& parts) {
  if (!options.shown_unit.empty())
    parts.shown_unit = std::string(length_unit(options.shown_unit).name);
  else if (options.unit.empty() && parts.unit == "m" && size < kShownInMetres)
    parts.shown_unit = "mm";
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
  if (drawings && options.weld) throw InvalidInput("drawings of the plane have no open edges");
  parts.up = options.up;
  std::vector<PartSize> sizes;  // of files that do not say their unit
  Origins origins;
  parts.weld = options.weld;
  const fs::path folder = common_folder(files, inputs);
  check_split(inputs, drawings, options);
  parts.split = options.split;
  const NodeFiles node_files(inputs, options);
  io::OutlineReader reader;
  base::with_threads(options.threads, [&] {
    for (const Input& input : inputs) {
      const std::size_t before = parts.parts.size();
      const std::string name = input.file.lexically_relative(folder).generic_string();
      const std::string own =
          name.empty() || name.starts_with("..") ? input.file.generic_string() : name;
      const bool by_nodes = is_read_by_nodes(input, options);
      const std::string prefix = by_nodes && node_files.all > 1 ? own + "/" : "";
      if (!by_nodes)
        add_file(input.file, own, options, parts);
      else if (is_outline(input.file))
        add_outlines(input, prefix, options, reader, parts);
      else
        add_nodes(input, prefix, options, parts);
      for (std::size_t p = before; p < parts.parts.size(); ++p)
        parts.parts[p].file = input.file.generic_string();
      add_origins(input, by_nodes, node_files.are_several_in(input.folder) ? input.file_steps : 0,
                  prefix, parts, origins);
      if (is_face_list(input.file) && input.node.empty())
        sizes.push_back({name_of({input.file, input.file_steps, ""}), size_of(parts, before)});
    }
  });
  check_animation(options, parts);
  name_parts(origins.parts, origins.left_out, parts);
  check_names(parts);
  choose_shown_unit(options, size_of(parts, 0), parts);
  tell_chords(parts);
  tell_left_out(parts);
  if (!drawings && options.unit.empty())
    for (std::string& remark : unit_remarks(size_of(parts, 0), sizes, parts.unit, "--unit"))
      parts.remarks.push_back(std::move(remark));
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
  parts.remarks = study::input_remarks(study, parts.objects);
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
                           study::pose_of_part(study, p, s), study.parts[p].file.generic_string()});
  return parts;
}

}  // namespace touche
