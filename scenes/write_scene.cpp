// SPDX-License-Identifier: Apache-2.0
// Writes a dynamic scene as files: scene.json and one OBJ per mesh. Numbers are written in the
// shortest form that reads back as the same double, which is fmt's default.
#include <fmt/format.h>

#include <fstream>

#include "dynamic_scenes.h"
#include "json_vector.h"
#include "touche/io.h"

namespace touche::scenes {
namespace {

// A member of an object, unless it is what a reader takes for granted.
std::string member(const char* key, const Vec3& v) {
  return v.isZero(0) ? "" : fmt::format(", \"{}\": {}", key, json_vector(v));
}
std::string member(const char* key, double x) {
  return x == 0 ? "" : fmt::format(", \"{}\": {}", key, x);
}

std::string pose(const Pose& pose) {
  const Eigen::Quaterniond q = pose.rotation();
  const std::string turn =
      q.w() == 1 ? ""
                 : fmt::format(", \"quaternion\": [{}, {}, {}, {}]", q.w(), q.x(), q.y(), q.z());
  return fmt::format(R"({{"translation": {}{}}})", json_vector(pose.translation()), turn);
}

std::string file_name(const DynamicMesh& mesh) {
  std::string name = mesh.name;
  for (char& c : name)
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+')) c = '-';
  return name + ".obj";
}

std::string json(const DynamicScene& scene, const DynamicBody& body) {
  const DynamicMesh& mesh = scene.meshes[body.mesh];
  const std::string what = mesh.shape.empty() ? fmt::format(R"("file": "{}")", file_name(mesh))
                                              : "\"shape\": " + mesh.shape;
  return fmt::format(R"({{"name": "{}", {}, "pose": {}{}{}{}{}{}}})", body.name, what,
                     pose(body.pose), body.fixed ? ", \"fixed\": true" : "",
                     member("friction", body.friction), member("restitution", body.restitution),
                     member("velocity", body.velocity),
                     member("angular_velocity", body.angular_velocity));
}

std::string json(const DynamicScene& scene, const DynamicForce& force) {
  return fmt::format(R"({{"body": "{}"{}{}}})", scene.bodies[force.body].name,
                     member("force", force.force), member("torque", force.torque));
}

std::string json(const DynamicScene& scene, const DynamicHinge& hinge) {
  const std::string to =
      hinge.to ? fmt::format(", \"to\": \"{}\"", scene.bodies[*hinge.to].name) : "";
  return fmt::format(R"({{"type": "hinge", "body": "{}"{}, "point": {}, "axis": {}}})",
                     scene.bodies[hinge.body].name, to, json_vector(hinge.point),
                     json_vector(hinge.axis));
}

template <class Items>
std::string list(const DynamicScene& scene, const Items& items) {
  std::string result = "[";
  for (const auto& item : items)
    result += fmt::format("{}\n  {}", &item == &items.front() ? "" : ",", json(scene, item));
  return result + "]";
}

std::string json(const DynamicScene& scene) {
  const std::string hinges =
      scene.hinges.empty() ? "" : ",\n\"joints\": " + list(scene, scene.hinges);
  return fmt::format(
      R"({{"touche_scene": 1,
"title": "{}",
"unit": "{}",
"gravity": {},
"duration": {},
"time_step": {},
"tolerance": {},
"density": {},
"bodies": {},
"forces": {}{}}}
)",
      scene.title, scene.unit, json_vector(scene.gravity), scene.duration, scene.time_step,
      scene.tolerance, scene.density, list(scene, scene.bodies), list(scene, scene.forces), hinges);
}

}  // namespace

void write_scene(const DynamicScene& scene, const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw LoadError(folder.string(), "", "cannot be made: " + error.message());
  for (const DynamicMesh& mesh : scene.meshes)
    if (mesh.shape.empty()) save(mesh.soup, folder / file_name(mesh));
  const std::filesystem::path file = folder / "scene.json";
  std::ofstream out(file, std::ios::binary);
  out << json(scene);
  out.close();
  if (!out) throw LoadError(file.string(), "", "cannot be written");
}

}  // namespace touche::scenes
