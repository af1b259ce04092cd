// SPDX-License-Identifier: Apache-2.0
// Simulations: what do gravity, impacts and friction do to these bodies? A scene file goes in
// (docs/scene.schema.json). Link target touche::simulation.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "touche/mass.h"
#include "touche/object.h"
#include "touche/pose.h"

namespace touche {

// ---- what is asked ---------------------------------------------------------------------------
// Lengths, and speeds with them, are in the scene's unit. All else is in SI units, as in the file:
// kilograms, newtons, m/s² and kg/m³.

/// The shape of a body: a mesh file, or a box.
struct SimulationMesh {
  std::filesystem::path file;  ///< as loaded: relative names are taken from the scene's folder
  std::string node;            ///< its path in an assembly, see touche/io.h; empty: the whole file
  double scale = 1;         ///< the file's coordinates times this are lengths in the scene's unit
  Vec3 box = Vec3::Zero();  ///< in place of a file: the lengths of its sides, its middle is at 0
  std::string place;        ///< in the scene file, of the first body that has it
  [[nodiscard]] bool is_box() const { return file.empty(); }
};

struct SimulationBody {
  /// kg per cubic metre, the mesh being filled evenly.
  struct Density {
    double value = 0;
  };
  /// In kg, spread evenly in the mesh.
  struct Mass {
    double value = 0;
  };
  std::string name;  ///< unique in the scene
  std::size_t mesh = 0;
  Pose pose;           ///< at the start
  bool fixed = false;  ///< it never moves, and has no mass
  /// Given properties are in kg and the scene's unit of length.
  std::variant<std::monostate, Density, Mass, MassProperties> mass;
  double friction = 0;                   ///< coefficient, >= 0
  double restitution = 0;                ///< in [0, 1]
  Vec3 velocity = Vec3::Zero();          ///< of its centre of mass at the start, unit/s
  Vec3 angular_velocity = Vec3::Zero();  ///< at the start, rad/s, in world axes
};

/// On the centre of mass of a body, in world axes.
struct SimulationForce {
  std::size_t body = 0;
  Vec3 force = Vec3::Zero();   ///< N
  Vec3 torque = Vec3::Zero();  ///< N m
  double start = 0, end = 0;   ///< s
};

struct Simulation {
  std::string title;
  std::string unit;                 ///< of all lengths: "m", "cm", "mm", "um", "in" or "ft"
  std::filesystem::path file;       ///< where it came from
  std::uint64_t fingerprint = 0;    ///< FNV-1a of its text
  Vec3 gravity = {0, 0, -9.80665};  ///< m/s²
  double duration = 0;              ///< s, > 0
  double time_step = 1. / 60;       ///< s, > 0
  double tolerance = 0;             ///< length, > 0: bodies at rest keep twice it
  std::vector<SimulationMesh> meshes;
  std::vector<SimulationBody> bodies;
  std::vector<SimulationForce> forces;
};

/// Metres per unit of length. Throws InvalidInput for a unit that is none of Simulation::unit.
[[nodiscard]] double metres_per_unit(std::string_view unit);

/// How many time steps there are; the last one may be shorter.
[[nodiscard]] std::size_t step_count(const Simulation& simulation);

/// Throws LoadError naming the file and the JSON path: syntax, unknown or missing keys, wrong
/// types, names that do not exist, poses that are not rigid, bodies that move and have no mass.
[[nodiscard]] Simulation load_simulation(const std::filesystem::path& file);

/// The same from memory; `file` is used in messages and to find meshes.
[[nodiscard]] Simulation parse_simulation(std::string_view json, const std::filesystem::path& file);

/// What the bodies are made of.
struct SimulationParts {
  std::vector<Object> meshes;        ///< of Simulation::meshes
  std::vector<MassProperties> mass;  ///< of each body: kg and the scene's unit; 0 where it is fixed
};

/// Loads each mesh once and weighs the bodies. Throws LoadError naming the mesh file, or the JSON
/// path of a file that is not there or of a body that cannot be weighed, as one that is not closed.
[[nodiscard]] SimulationParts load_parts(const Simulation& simulation);

}  // namespace touche
