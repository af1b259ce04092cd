// SPDX-License-Identifier: Apache-2.0
// A recording as a study: in memory, to be proved, and as files, for `touche study`.
#include <fmt/core.h>

#include "io/file_writer.h"
#include "study/placed_mesh.h"
#include "study/study_file.h"
#include "touche/io.h"
#include "viewer/recorder.h"

namespace touche::viewer {
namespace {

namespace fs = std::filesystem;

bool same(const Pose& a, const Pose& b) {
  return a.translation() == b.translation() && a.rotation().coeffs() == b.rotation().coeffs();
}

// The pose on top of the one that is in the vertices already.
Pose start_pose(const Pose& place, const std::optional<StudyPart>& origin) {
  if (!origin) return place;
  return same(place, {}) ? origin->pose : place * origin->pose;
}

// Parts without files of their own are written, each object once.
std::string mesh_name(std::size_t object) { return fmt::format("mesh-{}.obj", object + 1); }

// All of it or nothing, also in place of a file that is there.
void write(const fs::path& file, const std::string& text) {
  io::FileWriter out(file);
  out << text;
  out.finish();
}

}  // namespace

Study recorded_study(const Opened& opened, const Recorded& recorded, double tolerance,
                     const fs::path& folder) {
  Study study;
  study.title = opened.title + ": recorded";
  study.unit = opened.unit;
  study.file = folder / "study.json";
  study.allowed_contacts = opened.allowed_contacts;
  study.tolerance = tolerance;
  study.may_separate = !opened.study || opened.study->may_separate;
  if (opened.study) {
    study.clearance = opened.study->clearance;
    study.max_touching_thickness = opened.study->max_touching_thickness;
  }
  for (std::size_t p = 0; p < opened.parts.size(); ++p) {
    const OpenedPart& part = opened.parts[p];
    StudyPart own = part.origin.value_or(StudyPart{});
    own.name = part.name;
    if (!part.origin) own.file = folder / mesh_name(*opened.nodes[part.node].object);
    own.pose = start_pose(recorded.places[p], part.origin);
    study.parts.push_back(std::move(own));
  }
  for (std::size_t g = 0; g < recorded.tracks.size(); ++g) {
    const Track& track = recorded.tracks[g];
    StudyGroup group{
        .name = opened.nodes[track.node].name, .parts = {}, .motion = Motion::at({}), .times = {}};
    for (const StudyGroup& other : study.groups)
      if (other.name == group.name) group.name += fmt::format(" ({})", g + 1);
    for (std::size_t p = 0; p < opened.parts.size(); ++p)
      if (recorded.carried_by[p] == g) group.parts.push_back(p);
    for (const double t : track.path.times) group.times.push_back(t / track.path.times.back());
    group.motion = Motion::through(track.path.poses, group.times);
    study.times.insert(study.times.end(), group.times.begin(), group.times.end());
    study.groups.push_back(std::move(group));
  }
  std::sort(study.times.begin(), study.times.end());
  study.times.erase(std::unique(study.times.begin(), study.times.end()), study.times.end());
  return study;
}

fs::path save_recording(const Opened& opened, const Recorded& recorded, double tolerance,
                        const fs::path& folder) {
  if (recorded.empty()) throw InvalidInput("no part was moved during the recording");
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw LoadError(folder.string(), "", "the folder cannot be made: " + error.message());
  const Study study = recorded_study(opened, recorded, tolerance, folder);
  std::vector<bool> written(opened.objects.size(), false);
  for (const OpenedPart& part : opened.parts) {
    const std::size_t object = *opened.nodes[part.node].object;
    if (part.origin || written[object] || fs::exists(folder / mesh_name(object), error)) continue;
    save(opened.objects[object].soup(), folder / mesh_name(object));
    written[object] = true;
  }
  std::vector<std::string> tables;
  for (std::size_t g = 0; g < recorded.tracks.size(); ++g) {
    tables.push_back(fmt::format("path-{}.csv", g + 1));
    write(folder / tables.back(), hand_poses_csv(recorded.tracks[g].path));
  }
  write(study.file, study::study_json(study, "", tables, folder));
  return study.file;
}

std::vector<Object> recorded_parts(const Opened& opened, const Study& study) {
  std::vector<Object> objects;
  for (std::size_t p = 0; p < study.parts.size(); ++p) {
    const OpenedPart& part = opened.parts[p];
    const Object& object = opened.objects[*opened.nodes[part.node].object];
    const Pose& in_vertices = part.origin ? part.origin->pose : Pose();
    if (same(study.parts[p].pose, in_vertices)) {
      objects.push_back(object);
      continue;
    }
    PolygonSoup soup =
        part.origin ? load_soup(PartName{part.origin->file, part.origin->node}) : object.soup();
    objects.emplace_back(study::placed_mesh(study, p, std::move(soup)), part.name);
  }
  return objects;
}

}  // namespace touche::viewer
