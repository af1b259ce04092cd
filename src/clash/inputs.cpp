// SPDX-License-Identifier: Apache-2.0
#include "clash/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "base/ending.h"
#include "base/file_kind.h"
#include "clash/units.h"
#include "io/foreign_file.h"
#include "touche/outline_file.h"
#include "touche/shape_file.h"

namespace touche::clash {
namespace {

namespace fs = std::filesystem;

// What files are instead of meshes (io::foreign_file), with the first of them and their number.
using NotRead = std::map<std::string, std::pair<fs::path, std::size_t>>;

void tell_not_read(const NotRead& not_read, ClashParts& parts) {
  for (const auto& [what, files] : not_read) {
    const auto& [first, count] = files;
    parts.remarks.push_back(fmt::format(
        "{}: not read, it is {}{}", first.string(), what.empty() ? "no mesh file" : what,
        count == 1   ? ""
        : count == 2 ? "; nor is 1 other file"
                     : fmt::format("; nor are {} other files", count - 1)));
  }
}

// "; engine.step is a STEP file: export its parts as STL, 3MF or glTF"
std::string only_foreign(const NotRead& not_read) {
  for (const auto& [what, files] : not_read)
    if (!what.empty()) return fmt::format("; {} is {}", files.first.filename().string(), what);
  return "";
}

std::size_t steps_in(const fs::path& file, const fs::path& folder) {
  const fs::path relative = file.lexically_relative(folder);
  return static_cast<std::size_t>(std::distance(relative.begin(), relative.end()));
}

// Lists the mesh files of a folder and its subfolders by name, or the drawings if there are no
// meshes.
void list_folder(const fs::path& folder, std::size_t number, std::vector<Input>& inputs,
                 ClashParts& parts) {
  std::vector<fs::path> entries;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end());
  const bool meshes = std::any_of(entries.begin(), entries.end(), is_mesh);
  const std::size_t before = inputs.size();
  NotRead not_read;
  for (const fs::path& entry : entries) {
    // A glTF file's buffers are read with it, so they are no input of their own.
    if (meshes ? is_mesh(entry) : is_outline(entry))
      inputs.push_back({entry, "", steps_in(entry, folder), number});
    else if (is_outline(entry))
      parts.remarks.push_back(
          fmt::format("{}: not read, it is a drawing, and there are meshes", entry.string()));
    else if (base::ending_of(entry) != ".bin")
      ++not_read.try_emplace(io::foreign_file(entry), entry, 0).first->second.second;
  }
  tell_not_read(not_read, parts);
  if (inputs.size() == before)
    throw LoadError(folder.string(), "",
                    "there is no mesh file or drawing in the folder" + only_foreign(not_read));
}

std::string unit_of(const fs::path& file) {
  const std::string ending = base::ending_of(file);
  return ending == ".gltf" || ending == ".glb" || ending == ".dae" ? "m" : "mm";
}

bool is_split(const Input& input) { return is_face_list(input.file) || is_outline(input.file); }

}  // namespace

bool is_mesh(const fs::path& path) { return is_assembly(path) || is_face_list(path); }

std::vector<Input> list_inputs(const std::vector<fs::path>& files, ClashParts& parts) {
  std::vector<Input> inputs;
  std::size_t folders = 0;
  for (const fs::path& given : files) {
    std::error_code error;
    if (fs::is_directory(given, error)) {
      list_folder(given, folders++, inputs, parts);
      continue;
    }
    const PartName name = parse_part_name(given.string());
    if (const std::string reason = base::why_no_file(name.file); !reason.empty())
      throw LoadError(name.file.string(), "", reason);
    if (!is_outline(name.file) && !is_named_json(name.file)) io::check_ending(name.file);
    inputs.push_back({name.file, name.node});
  }
  return inputs;
}

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

std::string common_unit(const std::vector<Input>& inputs, const std::string& named) {
  if (!named.empty()) return std::string(length_unit(named).name);
  std::string unit = unit_of(inputs.front().file);
  for (const Input& input : inputs)
    if (unit_of(input.file) != unit)
      throw LoadError(
          input.file.string(), "",
          fmt::format("its lengths are in {}, the lengths of {} in {}; name the unit of all",
                      unit_of(input.file), inputs.front().file.string(), unit));
  return unit;
}

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

}  // namespace touche::clash
