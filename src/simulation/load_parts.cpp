// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <cmath>
#include <string>
#include <utility>

#include "base/file_kind.h"
#include "geometry/box_soup.h"
#include "io/part_reader.h"
#include "shape/shape_data.h"
#include "touche/io.h"
#include "touche/shape.h"
#include "touche/simulation.h"

namespace touche {
namespace {

// A mesh may lie inside of its shape by up to this fraction of the shape's size.
constexpr double kShown = 1. / 500;
// A half space is shown as a slab: half its side and its thickness, as fractions of the size of all
// else.
constexpr double kHalfSide = 1.5, kThickness = 0.02;

PolygonSoup shown(const Shape& shape) {
  const double size = shape.bounds().diagonal();
  // A single point is shown, too.
  return shape_mesh(shape, kShown * (size > 0 ? size : 1));
}

// A slab whose upper side lies in the plane of a half space, centred below a point. In the body's
// frame.
PolygonSoup slab(const Shape& half_space, const Vec3& middle, double size) {
  const auto& [normal, offset] = base::data_of(half_space).half_space;
  const Vec3 on_plane = middle - (normal.dot(middle) - offset) * normal;
  const Vec3 aside = kHalfSide * size * normal.unitOrthogonal(), across = normal.cross(aside);
  PolygonSoup made = geometry::box_soup(Vec3::Constant(2));
  std::vector<double> coordinates;
  std::vector<Index> corners, sizes;
  for (const Vec3& v : made.vertices()) {
    const Vec3 x = on_plane + v.x() * aside + v.y() * across +
                   kThickness * size * (0.5 * v.z() - 0.5) * normal;
    coordinates.insert(coordinates.end(), {x.x(), x.y(), x.z()});
  }
  for (Index f = 0; f < made.face_count(); ++f) {
    const auto face = made.face(f);
    corners.insert(corners.end(), face.begin(), face.end());
    sizes.push_back(static_cast<Index>(face.size()));
  }
  return PolygonSoup(coordinates, corners, sizes);
}

PolygonSoup load_mesh(const Simulation& scene, const SimulationMesh& mesh, io::PartReader& reader) {
  if (mesh.is_half_space()) return geometry::box_soup(Vec3::Ones());  // until add_slabs()
  if (mesh.shape) return shown(*mesh.shape);
  if (mesh.is_box()) return geometry::box_soup(mesh.box);
  if (const std::string reason = base::why_no_file_named(mesh.file); !reason.empty())
    throw LoadError(scene.file.string(), mesh.place, reason);
  return reader.read(
      {mesh.file, mesh.node},
      {.scale = mesh.scale, .up = mesh.up, .weld = mesh.weld, .stretch = mesh.stretch});
}

// Mass, centre and inertia of each mesh at a density of one, computed when first needed.
class Solids {
 public:
  explicit Solids(const SimulationParts& parts) : parts_(parts), known_(parts.meshes.size()) {}
  const MassProperties& of(std::size_t mesh) {
    const std::optional<Shape>& shape = parts_.shapes[mesh];
    if (!known_[mesh])
      known_[mesh] =
          shape ? mass_properties(*shape, 1) : mass_properties(parts_.meshes[mesh].soup(), 1);
    return *known_[mesh];
  }

 private:
  const SimulationParts& parts_;
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

// The convex shape of a mesh, if it is one.
std::optional<Shape> convex_shape(const SimulationMesh& mesh, const PolygonSoup& soup) {
  if (!mesh.hull_rounded_by) return mesh.shape;
  const Shape hull = Shape::hull(soup.vertices());
  if (*mesh.hull_rounded_by > 0) return hull.rounded(*mesh.hull_rounded_by);
  (void)mass_properties(hull, 1);  // throws for a hull without volume
  return hull;
}

std::string name_of(const SimulationMesh& mesh) {
  if (mesh.is_box()) return "box";
  return mesh.shape ? std::string(name(mesh.shape->kind())) : mesh.file.stem().string();
}

// Returns the box of all bodies except half spaces, at their start poses.
Aabb box_of_bodies(const Simulation& scene, const std::vector<Object>& meshes) {
  Aabb all;
  for (const SimulationBody& body : scene.bodies)
    if (!scene.meshes[body.mesh].is_half_space())
      for (const Vec3& v : meshes[body.mesh].soup().vertices()) all.include(body.pose * v);
  return all;
}

// Replaces the meshes of half spaces by slabs, when all other meshes are there.
void add_slabs(const Simulation& scene, std::vector<Object>& meshes) {
  const Aabb all = box_of_bodies(scene, meshes);
  const double diagonal = all.diagonal(), size = diagonal > 0 ? diagonal : 1;
  for (const SimulationBody& body : scene.bodies) {
    const SimulationMesh& mesh = scene.meshes[body.mesh];
    if (!mesh.is_half_space()) continue;
    const Vec3 middle = diagonal > 0 ? body.pose.inverse() * all.centre() : Vec3(Vec3::Zero());
    try {
      meshes[body.mesh] = Object(slab(*mesh.shape, middle, size), name_of(mesh));
    } catch (const InvalidInput& e) {
      throw LoadError(scene.file.string(), mesh.place, e.what());
    }
  }
}

}  // namespace

Shape body_shape(const Simulation& scene, const SimulationParts& parts, std::size_t body) {
  const std::size_t mesh = scene.bodies[body].mesh;
  if (mesh < parts.shapes.size() && parts.shapes[mesh]) return *parts.shapes[mesh];
  return parts.meshes[mesh];
}

SimulationParts load_parts(const Simulation& scene) {
  SimulationParts parts;
  io::PartReader reader;
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    const SimulationMesh& mesh = scene.meshes[m];
    try {
      PolygonSoup soup = load_mesh(scene, mesh, reader);
      parts.shapes.push_back(convex_shape(mesh, soup));
      if (mesh.hull_rounded_by) {
        PolygonSoup hull = shown(*parts.shapes.back());
        for (const std::string& remark : soup.remarks()) hull.add_remark(remark);
        soup = std::move(hull);
      }
      parts.meshes.emplace_back(std::move(soup), name_of(mesh));
    } catch (const InvalidInput& e) {
      throw LoadError(scene.file.string(), mesh.place, e.what());
    }
  }
  Solids solids(parts);
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    const bool is_convex = parts.shapes[scene.bodies[b].mesh].has_value();
    try {
      parts.mass.push_back(weigh(scene, scene.bodies[b], solids));
    } catch (const InvalidInput& e) {
      throw LoadError(
          scene.file.string(), fmt::format("/bodies/{}", b),
          fmt::format("its mass: {}; \"mass_properties\" gives what the {} does not define",
                      e.what(), is_convex ? "shape" : "mesh"));
    }
  }
  add_slabs(scene, parts.meshes);
  return parts;
}

}  // namespace touche
