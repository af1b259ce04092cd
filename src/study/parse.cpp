// SPDX-License-Identifier: Apache-2.0
// Reads a study file (docs/study.schema.json).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "io/readers.h"
#include "study/fingerprint.h"
#include "study/input_file.h"
#include "study/mesh_input.h"
#include "study/motion_input.h"
#include "study/shape_input.h"
#include "touche/io.h"
#include "touche/outline_file.h"
#include "touche/shape.h"
#include "touche/shape_file.h"
#include "touche/study.h"

namespace touche {
namespace {

using study::JsonCursor;
using study::MotionInput;

constexpr std::array<std::string_view, 6> kUnits = {"m", "cm", "mm", "um", "in", "ft"};

std::string read_unit(const JsonCursor& cursor) {
  std::string unit = cursor.text();
  if (std::find(kUnits.begin(), kUnits.end(), unit) == kUnits.end())
    cursor.fail(fmt::format("unknown unit \"{}\"; expected one of: {}", unit,
                            fmt::join(kUnits.begin(), kUnits.end(), ", ")));
  return unit;
}

// The allowed error of the polyhedron that replaces a shape; 0 if it is exact.
double read_mesh_error(const JsonCursor& part, const JsonCursor& where,
                       const study::ShapeInput& input) {
  try {
    // In the hull of a file, only the rounding is curved.
    const double usual = input.shape         ? default_mesh_error(*input.shape)
                         : input.rounded > 0 ? default_mesh_error(Shape::sphere(input.rounded))
                                             : 0;
    const auto given = part.find("chord_error");
    const double error = given ? given->positive_number() : usual;
    return usual > 0 ? error : 0;
  } catch (const InvalidInput& e) {
    where.fail(e.what());
  }
}

void read_part_shape(const JsonCursor& cursor, const JsonCursor& where, study::ShapeInput input,
                     StudyPart& part) {
  for (const char* key : {"scale", "unit"})
    if (const auto scale = cursor.find(key)) scale->fail("a shape is not scaled");
  if (const auto up = cursor.find("up")) up->fail("a shape is not turned, but by its pose");
  if (const auto weld = cursor.find("weld")) weld->fail("a shape has no vertices to join");
  if (const auto stretch = cursor.find("stretch")) stretch->fail("a shape is not mirrored");
  if (input.is_half_space())
    where.fail("a half space has no end; a study takes what has one: a box as large as needed");
  const double error = read_mesh_error(cursor, where, input);
  part.shape = PartShape{std::move(input.shape), input.rounded, error, std::move(input.json)};
  part.file = std::move(input.file);
  part.node = std::move(input.node);
  part.scale = input.scale;
  part.up = input.up;
  part.stretch = input.stretch;
}

// The frames of files, each read once. What cannot be read now cannot be loaded either.
class Frames {
 public:
  FileFrame of(const StudyPart& part) {
    const auto [found, is_new] = known_.try_emplace({part.file, part.up});
    try {
      if (is_new) found->second = file_frame(part.file, {.up = part.up});
    } catch (const LoadError&) {
      found->second = {};
    }
    FileFrame frame = found->second;
    frame.stretch = part.stretch;
    return frame;
  }

 private:
  std::map<std::pair<std::filesystem::path, std::optional<UpAxis>>, FileFrame> known_;
};

OutlineOptions read_drawing(const JsonCursor& cursor) {
  cursor.expect_keys(
      {"chord_error", "join_gap", "layers", "all_layers", "drop_open", "drop_loops_below"});
  OutlineOptions options;
  if (const auto error = cursor.find("chord_error")) options.chord_error = error->positive_number();
  if (const auto gap = cursor.find("join_gap")) options.join_gap = gap->positive_number();
  if (const auto layers = cursor.find("layers"))
    for (const JsonCursor& layer : layers->items(1)) options.layers.push_back(layer.text());
  if (const auto all = cursor.find("all_layers")) options.all_layers = all->boolean();
  if (const auto drop = cursor.find("drop_open")) options.drop_open = drop->boolean();
  if (const auto below = cursor.find("drop_loops_below"))
    options.drop_loops_below = below->positive_number();
  return options;
}

StudyPart read_part(const JsonCursor& cursor, const std::filesystem::path& folder, Frames& frames,
                    Study& study) {
  cursor.expect_keys({"name", "file", "shape", "chord_error", "drawing", "scale", "unit", "up",
                      "weld", "stretch", "pose"});
  StudyPart part;
  part.name = cursor.at("name").text();
  const auto file = cursor.find("file"), shape = cursor.find("shape");
  if (file.has_value() == shape.has_value()) cursor.fail("expected either \"file\" or \"shape\"");
  PartName name = shape ? PartName{} : parse_part_name(file->text());
  if (shape) {
    read_part_shape(cursor, *shape, study::read_shape(*shape, folder), part);
  } else if (is_named_json(name.file)) {
    study.inputs.push_back(folder / name.file);
    read_part_shape(cursor, *file, study::read_shape_file(study.inputs.back()), part);
  } else {
    if (const auto error = cursor.find("chord_error"))
      error->fail("only the mesh of a shape is made with an error");
    part.file = folder / name.file;
    part.node = std::move(name.node);
    part.scale = study::read_scale(cursor, study.unit);
    part.has_unit = cursor.has("scale") || cursor.has("unit");
    part.up = study::read_up(cursor);
    if (part.up && is_outline(part.file))
      cursor.at("up").fail("a drawing of the plane has no axis that is up");
    part.weld = study::read_weld(cursor);
    if (part.weld && is_outline(part.file))
      cursor.at("weld").fail("the ends of a drawing's lines are joined by its join_gap");
    part.stretch = study::read_stretch(cursor);
    if (part.stretch.z() != 1 && is_outline(part.file))
      cursor.at("stretch").fail("a drawing of the plane has no depth: its third factor is 1");
  }
  if (!part.file.empty() && !(part.shape && part.shape->shape)) part.frame = frames.of(part);
  if (const auto drawing = cursor.find("drawing")) {
    if (part.shape || !is_outline(part.file)) drawing->fail("only a drawing is read so");
    part.drawing = read_drawing(*drawing);
  }
  if (const auto pose = cursor.find("pose")) part.pose = study::read_pose(*pose, &study.remarks);
  return part;
}

// Names that have been read; a name may be used once.
class Names {
 public:
  void add(const std::string& name, const JsonCursor& where) {
    if (!index_.emplace(name, index_.size()).second)
      where.fail(fmt::format("the name \"{}\" is there twice", name));
  }
  std::size_t take(const JsonCursor& where) {
    const auto found = index_.find(where.text());
    if (found == index_.end())
      where.fail(fmt::format("there is no part named \"{}\"", where.text()));
    if (const auto [owner, is_new] = owners_.emplace(found->second, where.path()); !is_new)
      where.fail(fmt::format("the part is already at {}", owner->second));
    return found->second;
  }

 private:
  std::map<std::string, std::size_t> index_;
  std::map<std::size_t, std::string> owners_;
};

// Reads the pairs of parts that may touch.
std::vector<AllowedContact> read_allowed(const JsonCursor& list, const Study& study) {
  const auto part_at = [&](const JsonCursor& where) {
    for (std::size_t p = 0; p < study.parts.size(); ++p)
      if (study.parts[p].name == where.text()) return p;
    where.fail(fmt::format("there is no part named \"{}\"", where.text()));
  };
  std::vector<AllowedContact> allowed;
  for (const JsonCursor& entry : list.items(0)) {
    entry.expect_keys({"parts", "reason"});
    const JsonCursor pair = entry.at("parts");
    const std::vector<JsonCursor> names = pair.items(2);
    if (names.size() != 2) pair.fail(fmt::format("{} parts, expected 2", names.size()));
    const auto [a, b] = std::minmax({part_at(names[0]), part_at(names[1])});
    if (a == b) pair.fail("a part does not touch itself");
    for (const AllowedContact& other : allowed)
      if (other.part_a == a && other.part_b == b) pair.fail("this pair is there twice");
    allowed.push_back({a, b, entry.at("reason").text()});
  }
  return allowed;
}

// Checks that all groups use the same time interval. Each one is mapped to s in [0, 1], so
// different intervals would be stretched without notice.
class Clock {
 public:
  void check(const MotionInput& input, const JsonCursor& where) {
    if (!input.clock) return;
    if (first_ && *first_ != *input.clock)
      where.fail(fmt::format("recorded from {} to {}, but an earlier group from {} to {}",
                             input.clock->first, input.clock->second, first_->first,
                             first_->second));
    first_ = input.clock;
  }

 private:
  std::optional<std::pair<double, double>> first_;
};

// Reads a length, or null for the chord errors of the parts.
std::optional<double> read_touching(const JsonCursor& where) {
  if (where.is_text()) {
    if (where.text() != "chord_error")
      where.fail(fmt::format("\"{}\", expected a length or \"chord_error\"", where.text()));
    return std::nullopt;
  }
  const double length = where.number();
  if (length < 0) where.fail(fmt::format("{}, expected 0 or more", length));
  return length;
}

// Merges all recorded times. One instant that is written in two forms may differ in the last
// digits; such times become one, because a step of that length has no meaning.
std::vector<double> merged_times(const std::vector<StudyGroup>& groups) {
  std::vector<double> all;
  for (const StudyGroup& group : groups)
    all.insert(all.end(), group.times.begin(), group.times.end());
  std::sort(all.begin(), all.end());
  std::vector<double> times = {0};
  for (const double t : all)
    if (t - times.back() > 1e-12 && 1 - t > 1e-12) times.push_back(t);
  times.push_back(1);
  return times;
}

}  // namespace

Study parse_study(std::string_view json, const std::filesystem::path& file) {
  const JsonCursor root = JsonCursor::parse(json, file.string());
  if (root.has("touche_scene"))
    root.fail("this is the scene of a simulation, for touche simulate; expected a study");
  root.expect_keys({"$schema", "touche_study", "title", "comment", "unit", "parts", "groups",
                    "tolerance", "clearance_threshold", "touching", "allowed_contacts",
                    "may_separate"});
  if (const auto version = root.at("touche_study"); version.number() != 1)
    version.fail(fmt::format("format version {}, expected 1", version.number()));

  Study study;
  study.file = file;
  study.fingerprint = study::fingerprint(json.data(), json.size());
  if (const auto title = root.find("title")) study.title = title->text();
  if (const auto comment = root.find("comment")) comment->text();
  study.unit = read_unit(root.at("unit"));
  study.tolerance = root.at("tolerance").positive_number();
  if (const auto threshold = root.find("clearance_threshold")) {
    study.clearance = threshold->number();
    if (study.clearance < 0)
      threshold->fail(fmt::format("{}, expected 0 or more", study.clearance));
  }
  if (const auto touching = root.find("touching"))
    study.max_touching_thickness = read_touching(*touching);

  const std::filesystem::path folder = file.parent_path();
  Names part_names, group_names;
  Frames frames;
  for (const JsonCursor& entry : root.at("parts").items(2)) {
    study.parts.push_back(read_part(entry, folder, frames, study));
    part_names.add(study.parts.back().name, entry.at("name"));
  }
  if (const auto allowed = root.find("allowed_contacts"))
    study.allowed_contacts = read_allowed(*allowed, study);
  if (const auto separate = root.find("may_separate")) study.may_separate = separate->boolean();
  Clock clock;
  for (const JsonCursor& entry : root.at("groups").items(1)) {
    entry.expect_keys({"name", "parts", "motion"});
    const JsonCursor motion = entry.at("motion");
    MotionInput input = study::read_motion(motion, folder, has_drawings(study));
    clock.check(input, motion);
    if (!input.table.empty()) study.inputs.push_back(input.table);
    for (std::string& remark : input.remarks) study.remarks.push_back(std::move(remark));
    StudyGroup group{entry.at("name").text(), {}, input.motion, std::move(input.times)};
    group_names.add(group.name, entry.at("name"));
    for (const JsonCursor& part : entry.at("parts").items(1))
      group.parts.push_back(part_names.take(part));
    study.groups.push_back(std::move(group));
  }
  if (study.groups.size() == 1 && study.groups[0].parts.size() == study.parts.size())
    root.at("groups").fail("all parts move together, so no two can touch");
  study.times = merged_times(study.groups);
  return study;
}

Study load_study(const std::filesystem::path& file) {
  study::refuse_meshes(file, "study");
  return parse_study(io::read_file(file), file);
}

}  // namespace touche
