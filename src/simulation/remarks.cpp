// SPDX-License-Identifier: Apache-2.0
// What is odd in a scene and its files.
#include <algorithm>

#include "math/moved_box.h"
#include "study/unit_doubts.h"
#include "touche/simulation.h"

namespace touche {
namespace {

std::vector<std::string> unit_doubts(const SimulationResult& result) {
  const Simulation& scene = result.simulation;
  Aabb all;
  std::vector<study::UnitlessPart> unitless;
  for (const SimulationBody& body : scene.bodies) {
    const SimulationMesh& mesh = scene.meshes[body.mesh];
    if (mesh.is_half_space()) continue;
    const Aabb& own = result.parts.meshes[body.mesh].bounds();
    all.include(math::turned_box(own, body.pose.matrix(), body.pose.translation()));
    const bool from_mesh_file = !mesh.file.empty() && !mesh.shape && !mesh.hull_rounded_by;
    if (from_mesh_file && !mesh.has_unit)
      unitless.push_back({body.name, mesh.file, own.diagonal()});
  }
  return study::unit_doubts(all.diagonal(), unitless, scene.unit, "scene");
}

}  // namespace

std::vector<std::string> simulation_remarks(const SimulationResult& result) {
  std::vector<std::string> remarks;
  const auto add = [&](std::string remark) {
    if (std::find(remarks.begin(), remarks.end(), remark) == remarks.end())
      remarks.push_back(std::move(remark));
  };
  for (std::size_t m = 0; m < result.parts.meshes.size(); ++m)
    for (const std::string& remark : result.parts.meshes[m].soup().remarks())
      add(result.simulation.meshes[m].file.string() + ": " + remark);
  for (const std::string& remark : result.simulation.remarks) add(remark);
  for (std::string& remark : unit_doubts(result)) add(std::move(remark));
  return remarks;
}

}  // namespace touche
