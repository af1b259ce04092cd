// SPDX-License-Identifier: Apache-2.0
#include "simulation/object_mesh.h"
#include "touche/simulation.h"

namespace touche {

Animation animation(const SimulationView& view) {
  const Simulation& scene = view.simulation;
  Animation made;
  made.name = scene.title;
  made.metres_per_unit = metres_per_unit(scene.unit);
  if (!scene.gravity.isZero(0)) made.up = -scene.gravity;
  for (const Object& mesh : view.parts.meshes) made.meshes.push_back(simulation::mesh_of(mesh));
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
