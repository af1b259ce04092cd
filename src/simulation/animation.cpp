// SPDX-License-Identifier: Apache-2.0
#include "touche/simulation.h"

namespace touche {
namespace {

AssemblyMesh mesh_of(const Object& object) {
  const PolygonSoup& soup = object.soup();
  AssemblyMesh mesh;
  mesh.name = object.name();
  for (const Vec3& v : soup.vertices())
    mesh.coordinates.insert(mesh.coordinates.end(), {v.x(), v.y(), v.z()});
  for (Index f = 0; f < soup.face_count(); ++f) {
    const auto face = soup.face(f);
    mesh.corners.insert(mesh.corners.end(), face.begin(), face.end());
    mesh.face_sizes.push_back(static_cast<Index>(face.size()));
  }
  return mesh;
}

}  // namespace

Animation animation(const SimulationView& view) {
  const Simulation& scene = view.simulation;
  Animation made;
  made.name = scene.title;
  made.metres_per_unit = metres_per_unit(scene.unit);
  if (!scene.gravity.isZero(0)) made.up = -scene.gravity;
  for (const Object& mesh : view.parts.meshes) made.meshes.push_back(mesh_of(mesh));
  std::vector<double> times;
  for (const SimulationStep& step : view.result.steps) times.push_back(step.time);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const SimulationBody& body = scene.bodies[b];
    made.bodies.push_back({body.name, static_cast<Index>(body.mesh),
                           body.fixed ? std::vector<double>() : times, view.result.poses[b]});
  }
  return made;
}

}  // namespace touche
