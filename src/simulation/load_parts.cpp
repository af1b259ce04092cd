// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <cmath>
#include <map>

#include "base/file_kind.h"
#include "touche/io.h"
#include "touche/simulation.h"

namespace touche {
namespace {

// Assemblies by their files and scales, each of which is read once.
using Assemblies = std::map<std::pair<std::filesystem::path, double>, Assembly>;

PolygonSoup box(const Vec3& size) {
  std::vector<double> coordinates;
  for (int i = 0; i < 8; ++i)
    for (int k = 0; k < 3; ++k)
      coordinates.push_back((i >> k & 1) != 0 ? size[k] / 2 : -size[k] / 2);
  const std::vector<Index> corners = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4,
                                      2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
  const std::vector<Index> sizes(6, 4);
  return PolygonSoup(coordinates, corners, sizes);
}

PolygonSoup load_mesh(const Simulation& scene, const SimulationMesh& mesh, Assemblies& assemblies) {
  if (mesh.is_box()) return box(mesh.box);
  if (const std::string reason = why_no_file_named(mesh.file); !reason.empty())
    throw LoadError(scene.file.string(), mesh.place, reason);
  const LoadOptions options = {.scale = mesh.scale};
  if (mesh.node.empty()) return load_soup(mesh.file, options);
  const auto key = std::pair(mesh.file, mesh.scale);
  if (!assemblies.contains(key)) assemblies.emplace(key, load_assembly(mesh.file, options));
  const Assembly& assembly = assemblies.at(key);
  return assembly.soup(assembly.find(mesh.node));
}

// Mass, centre and inertia at a density of one, of each mesh that somebody asks for.
class Solids {
 public:
  explicit Solids(const std::vector<Object>& meshes) : meshes_(meshes), known_(meshes.size()) {}
  const MassProperties& of(std::size_t mesh) {
    if (!known_[mesh]) known_[mesh] = mass_properties(meshes_[mesh].soup(), 1);
    return *known_[mesh];
  }

 private:
  const std::vector<Object>& meshes_;
  std::vector<std::optional<MassProperties>> known_;
};

MassProperties scaled(const MassProperties& solid, double density) {
  MassProperties made{solid.mass * density, solid.centre, solid.inertia * density};
  validate(made);
  return made;
}

MassProperties weigh(const Simulation& scene, const SimulationBody& body, Solids& solids) {
  if (const auto* given = std::get_if<MassProperties>(&body.mass)) return *given;
  if (const auto* density = std::get_if<SimulationBody::Density>(&body.mass))
    return scaled(solids.of(body.mesh), density->value * std::pow(metres_per_unit(scene.unit), 3));
  if (const auto* mass = std::get_if<SimulationBody::Mass>(&body.mass))
    return scaled(solids.of(body.mesh), mass->value / solids.of(body.mesh).mass);
  return {};
}

}  // namespace

SimulationParts load_parts(const Simulation& scene) {
  SimulationParts parts;
  Assemblies assemblies;
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    const SimulationMesh& mesh = scene.meshes[m];
    const std::string name = mesh.is_box() ? "box" : mesh.file.stem().string();
    try {
      parts.meshes.emplace_back(load_mesh(scene, mesh, assemblies), name);
    } catch (const InvalidInput& e) {
      throw LoadError(scene.file.string(), mesh.place, e.what());
    }
  }
  Solids solids(parts.meshes);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    try {
      parts.mass.push_back(weigh(scene, scene.bodies[b], solids));
    } catch (const InvalidInput& e) {
      throw LoadError(scene.file.string(), fmt::format("/bodies/{}", b),
                      fmt::format("its mass: {}; \"mass_properties\" gives what the mesh does not "
                                  "tell",
                                  e.what()));
    }
  }
  return parts;
}

}  // namespace touche
