// SPDX-License-Identifier: Apache-2.0
// Writes a scene as files: study.json and one OBJ per part. Numbers are written in the shortest
// form that reads back as the same double, which is fmt's default.
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <string>

#include "json_vector.h"
#include "scenes.h"

namespace touche::scenes {
namespace {

std::string quoted(const std::string& s) {
  std::string result = "\"";
  for (const char c : s) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

std::string pose_members(const Pose& pose) {
  const Eigen::Quaterniond q = pose.rotation();
  return fmt::format(R"("translation": {}, "quaternion": [{}, {}, {}, {}])",
                     json_vector(pose.translation()), q.w(), q.x(), q.y(), q.z());
}

/// "[", the items written by `write`, one a line, "]".
template <class Items, class Write>
std::string list(const Items& items, Write write) {
  std::string result = "[";
  for (const auto& item : items)
    result += fmt::format("{}\n  {}", &item == &items.front() ? "" : ",", write(item));
  return result + "]";
}

std::string json(const RecordedMotion& m) {
  auto time = m.times.begin();
  return fmt::format(R"({{"poses": {}}})", list(m.poses, [&](const Pose& pose) {
                       const std::string t =
                           m.times.empty() ? "" : fmt::format(R"("t": {}, )", *time++);
                       return fmt::format("{{{}{}}}", t, pose_members(pose));
                     }));
}

std::string json(const ScrewMotion& m) {
  return fmt::format(
      R"({{"screw": {{"point": {}, "axis": {}, "turns": {}, "pitch": {}}}, "steps": {}}})",
      json_vector(m.point), json_vector(m.axis), m.turns, m.pitch, m.steps);
}

std::string json(const TranslationMotion& m) {
  return fmt::format(R"({{"translation": {}, "steps": {}}})", json_vector(m.by), m.steps);
}

constexpr const char* kHandFile = "hand.csv";

std::string json(const HandMotion& /*motion*/) {
  return fmt::format(R"({{"csv": {}}})", quoted(kHandFile));
}

std::string csv(const HandMotion& hand) {
  std::string result = "t,x,y,z,qw,qx,qy,qz\n";
  for (std::size_t i = 0; i < hand.poses.size(); ++i) {
    const Vec3& at = hand.poses[i].translation();
    const Eigen::Quaterniond q = hand.poses[i].rotation();
    fmt::format_to(std::back_inserter(result), "{},{},{},{},{},{},{},{}\n", hand.times[i], at.x(),
                   at.y(), at.z(), q.w(), q.x(), q.y(), q.z());
  }
  return result;
}

std::string json(const Scene& scene, const SceneGroup& group) {
  const std::string names =
      list(group.parts, [&](std::size_t part) { return quoted(scene.parts[part].name); });
  return fmt::format(R"({{"name": {}, "parts": {}, "motion": {}}})", quoted(group.name), names,
                     std::visit([](const auto& m) { return json(m); }, group.motion));
}

/// Lower case letters, digits and hyphens, for any system's file names.
std::string file_name(const ScenePart& part) {
  std::string result;
  for (const char c : part.name) {
    const bool upper = c >= 'A' && c <= 'Z';
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    result += upper ? static_cast<char>(c - 'A' + 'a') : plain ? c : '-';
  }
  return result + ".obj";
}

std::string json(const ScenePart& part) {
  const std::string what =
      part.shape.empty() ? "\"file\": " + quoted(file_name(part)) : "\"shape\": " + part.shape;
  return fmt::format(R"({{"name": {}, {}, "pose": {{{}}}}})", quoted(part.name), what,
                     pose_members(part.pose));
}

std::string json(const Scene& scene) {
  return fmt::format(
      R"({{"touche_study": 1,
"title": {},
"unit": {},
"tolerance": {},
"clearance_threshold": {},
"parts": {},
"groups": {}}}
)",
      quoted(scene.title), quoted(scene.unit), scene.tolerance, scene.clearance_threshold,
      list(scene.parts, [](const ScenePart& part) { return json(part); }),
      list(scene.groups, [&](const SceneGroup& group) { return json(scene, group); }));
}

std::string obj(const PolygonSoup& soup) {
  std::string result;
  const auto out = std::back_inserter(result);
  for (const Vec3& p : soup.vertices()) fmt::format_to(out, "v {} {} {}\n", p.x(), p.y(), p.z());
  for (Index f = 0; f < soup.face_count(); ++f) {
    result += 'f';
    for (const Index v : soup.face(f)) fmt::format_to(out, " {}", v + 1);
    result += '\n';
  }
  return result;
}

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw LoadError(file.string(), "", "cannot be written");
}

}  // namespace

void write_study(const Scene& scene, const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw LoadError(folder.string(), "", "cannot be made: " + error.message());
  for (const ScenePart& part : scene.parts)
    if (part.shape.empty()) write(folder / file_name(part), obj(part.soup));
  for (const SceneGroup& group : scene.groups)  // one of them at most is led by a hand
    if (const auto* hand = std::get_if<HandMotion>(&group.motion))
      write(folder / kHandFile, csv(*hand));
  write(folder / "study.json", json(scene));
}

}  // namespace touche::scenes
