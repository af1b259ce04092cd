// SPDX-License-Identifier: Apache-2.0
#include "simulation/object_mesh.h"
#include "touche/simulation.h"

namespace touche {
std::vector<SimulationPose> recorded_poses(const SimulationResult& result, std::size_t body) {
  const std::vector<Pose>& at_ends = result.poses[body];
  // Results that a program made may have no poses in between.
  const std::vector<SimulationPose> none;
  const std::vector<SimulationPose>& between =
      body < result.between.size() ? result.between[body] : none;
  std::vector<SimulationPose> all;
  auto next = between.begin();
  for (std::size_t i = 0; i < at_ends.size(); ++i) {
    const double time = result.steps[i].time;
    // Times that are equal by rounding are left out.
    for (; next != between.end() && next->time < time; ++next)
      if (next->time > all.back().time) all.push_back(*next);
    all.push_back({time, at_ends[i]});
  }
  return all;
}

Animation animation(const SimulationResult& result) {
  const Simulation& scene = result.simulation;
  Animation made;
  made.name = scene.title;
  made.metres_per_unit = metres_per_unit(scene.unit);
  if (!scene.gravity.isZero(0)) made.up = -scene.gravity;
  for (const Object& mesh : result.parts.meshes) made.meshes.push_back(simulation::mesh_of(mesh));
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const SimulationBody& body = scene.bodies[b];
    AnimatedBody& shown = made.bodies.emplace_back();
    shown.name = body.name;
    shown.mesh = static_cast<Index>(body.mesh);
    for (const SimulationPose& recorded : recorded_poses(result, b)) {
      if (!body.fixed) shown.times.push_back(recorded.time);
      shown.poses.push_back(recorded.pose);
    }
  }
  return made;
}

}  // namespace touche
