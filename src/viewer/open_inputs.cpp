// SPDX-License-Identifier: Apache-2.0
// Opens files and folders. A result file names its inputs; these are opened and the queries
// repeated, with the same answers.
#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "io/readers.h"
#include "touche/shape_file.h"
#include "viewer/opened.h"

namespace touche::viewer {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

Json json_of(const fs::path& file) {
  try {
    Json json = Json::parse(io::read_file(file));
    if (json.is_object()) return json;
  } catch (const Json::exception& error) {
    throw LoadError(file.string(), "", error.what());
  }
  throw LoadError(file.string(), "", "no JSON object, so neither a study, a scene nor a result");
}

std::string string_at(const Json& json, const fs::path& file, const char* object,
                      const char* member) {
  const Json::json_pointer place(fmt::format("/{}/{}", object, member));
  if (!json.contains(place) || !json.at(place).is_string())
    throw LoadError(file.string(), place.to_string(), "missing, expected a text");
  return json.at(place).get<std::string>();
}

// The input of a result. Its name is relative to the folder in which the program ran then; else it
// may lie beside the result.
fs::path input_of(const Json& json, const fs::path& file, const char* object) {
  const fs::path named = string_at(json, file, object, "file");
  std::error_code error;
  for (const fs::path& input :
       {named, file.parent_path() / named, file.parent_path() / named.filename(),
        file.parent_path().parent_path() / named.filename()})
    if (fs::is_regular_file(input, error)) return input;
  throw LoadError(file.string(), fmt::format("/{}/file", object),
                  "there is no file " + named.string());
}

void check_same(const Json& json, const fs::path& file, const char* object,
                std::uint64_t fingerprint) {
  if (string_at(json, file, object, "fingerprint") != fmt::format("{:016x}", fingerprint))
    throw LoadError(file.string(), fmt::format("/{}/fingerprint", object),
                    "the file it is about has been changed since");
}

constexpr const char* kNoDrawings =
    "drawings of the plane are not viewed: a hand would take them out of it; the reports of touche "
    "study and touche clash show them, and touche sheet makes a mesh of one, to be viewed";

Opened study_at(const fs::path& file) {
  Study study = load_study(file);
  if (has_drawings(study)) throw InvalidInput(kNoDrawings);
  std::vector<Object> parts = load_parts(study);
  return open_study(std::move(study), std::move(parts));
}

Opened simulation_at(const fs::path& file) {
  Simulation simulation = load_simulation(file);
  SimulationParts parts = load_parts(simulation);
  return open_simulation(std::move(simulation), std::move(parts));
}

Opened open_meshes(ClashParts parts) {
  if (has_drawings(parts)) throw InvalidInput(kNoDrawings);
  return open_parts(std::move(parts));
}

std::vector<fs::path> named_in(const std::string& source) {
  std::vector<fs::path> files;
  for (std::size_t from = 0; from <= source.size();) {
    const std::size_t comma = std::min(source.find(", ", from), source.size());
    files.emplace_back(source.substr(from, comma - from));
    from = comma + 2;
  }
  return files;
}

// JSON that is no part of its own.
bool names_study(const std::vector<fs::path>& inputs) {
  return inputs.size() == 1 && is_named_json(inputs[0]) && !is_shape_file(inputs[0]);
}

// The axis that was given for all files, if one was.
std::optional<UpAxis> up_at(const Json& json) {
  const std::string text = json.at("assembly").value("up", "");
  for (const UpAxis up : {UpAxis::x, UpAxis::y, UpAxis::z})
    if (name(up) == text) return up;
  return std::nullopt;
}

std::optional<Split> split_in(const Json& json, const fs::path& file) {
  if (!json.contains(Json::json_pointer("/assembly/split"))) return std::nullopt;
  try {
    return parse_split(string_at(json, file, "assembly", "split"));
  } catch (const InvalidInput& error) {
    throw LoadError(file.string(), "/assembly/split", error.what());
  }
}

// The length that was given to join vertices within, if one was.
std::optional<double> weld_in(const Json& json) {
  const Json& assembly = json.at("assembly");
  if (!assembly.contains("weld") || !assembly["weld"].is_number()) return std::nullopt;
  return assembly["weld"].get<double>();
}

std::optional<AnimationTime> animation_in(const Json& json, const fs::path& file) {
  const Json::json_pointer place("/assembly/animation");
  if (!json.contains(place)) return std::nullopt;
  const Json& given = json.at(place);
  if (!given.is_object() || !given.contains("name") || !given.at("name").is_string() ||
      !given.contains("seconds") || !given.at("seconds").is_number())
    throw LoadError(file.string(), "/assembly/animation", "expected a name and seconds");
  return AnimationTime{given.at("name").get<std::string>(), given.at("seconds").get<double>()};
}

Opened clash_result_at(const Json& json, const fs::path& file) {
  const std::string source = string_at(json, file, "assembly", "source");
  const std::vector<fs::path> inputs = named_in(source);
  const ClashLoadOptions how{.unit = string_at(json, file, "assembly", "unit"),
                             .up = up_at(json),
                             .split = split_in(json, file),
                             .weld = weld_in(json),
                             .animation = animation_in(json, file)};
  Opened opened =
      names_study(inputs) ? study_at(inputs[0]) : open_meshes(load_clash_parts(inputs, how));
  const Json& clearance = json.at("options").at("clearance");
  if (clearance.is_number()) opened.clash_options.clearance = clearance.get<double>();
  opened.kind = protocol::SourceKind::clashes;
  opened.find_clashes = true;
  return opened;
}

Opened result_at(const fs::path& file) {
  const Json json = json_of(file);
  Opened opened = [&] {
    try {
      if (json.contains("touche_result")) {
        Opened result = study_at(input_of(json, file, "study"));
        check_same(json, file, "study", result.study->fingerprint);
        return result;
      }
      if (json.contains("touche_handle")) return study_at(file.parent_path() / "study.json");
      if (json.contains("touche_clash_result")) return clash_result_at(json, file);
      if (json.contains("touche_simulation_result")) {
        Opened result = simulation_at(input_of(json, file, "scene"));
        check_same(json, file, "scene", result.simulation->fingerprint);
        return result;
      }
    } catch (const Json::exception& error) {
      throw LoadError(file.string(), "", error.what());
    }
    throw LoadError(file.string(), "", "no result of a study, a hand, a clash check or a scene");
  }();
  if (opened.study && !opened.find_clashes) {
    opened.kind = protocol::SourceKind::result;
    opened.prove = true;
  }
  opened.folder = file.parent_path();
  return opened;
}

Opened open_one_or_many(const std::vector<fs::path>& inputs, const OpenOptions& options) {
  std::error_code error;
  const fs::path& first = inputs.front();
  if (inputs.size() == 1 && fs::is_directory(first, error)) {
    if (fs::is_regular_file(first / "result.json", error)) return result_at(first / "result.json");
    if (fs::is_regular_file(first / "study.json", error)) return study_at(first / "study.json");
    if (fs::is_regular_file(first / "scene.json", error))
      return simulation_at(first / "scene.json");
  }
  if (names_study(inputs)) {
    const Json json = json_of(first);
    if (json.contains("touche_scene")) return simulation_at(first);
    if (!json.contains("touche_study") && first.filename() == "result.json")
      return result_at(first);
    return study_at(first);
  }
  Opened opened = open_meshes(
      load_clash_parts(inputs, {.unit = options.unit, .up = options.up, .weld = options.weld}));
  const bool folder = fs::is_directory(first, error);
  opened.folder = folder ? first : parse_part_name(first.string()).file.parent_path();
  opened.stem = first.stem().string();
  return opened;
}

}  // namespace

Opened open_inputs(const std::vector<fs::path>& inputs, const OpenOptions& options) {
  if (inputs.empty()) throw InvalidInput("there is nothing to view: name a file or a folder");
  Opened opened = open_one_or_many(inputs, options);
  if (!options.folder.empty()) opened.folder = options.folder;
  if (opened.folder.empty()) opened.folder = ".";
  if (opened.stem.empty()) opened.stem = "view";
  return opened;
}

}  // namespace touche::viewer
