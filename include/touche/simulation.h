// SPDX-License-Identifier: Apache-2.0
// Simulations: what do gravity, impacts and friction do to these bodies? A scene file goes in
// (docs/scene.schema.json), a result, an animation and a report come out. Link target
// touche::simulation.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "touche/animation.h"
#include "touche/budget.h"
#include "touche/joint.h"
#include "touche/mass.h"
#include "touche/names.h"
#include "touche/object.h"
#include "touche/pose.h"
#include "touche/query.h"
#include "touche/separation.h"
#include "touche/shape.h"
#include "touche/study.h"

namespace touche {

// ---- what is asked ---------------------------------------------------------------------------
// Lengths, and speeds with them, are in the scene's unit. All else is in SI units, as in the file:
// kilograms, newtons, m/s² and kg/m³.

/// The shape of a body: a mesh file, a box, or a convex shape.
struct SimulationMesh {
  /// Names the file as loaded: relative names are taken from the scene's folder. It is empty for a
  /// box, and for a convex shape that stands in the scene itself.
  std::filesystem::path file;
  std::string node;         ///< its path in an assembly, see touche/io.h; empty: the whole file
  double scale = 1;         ///< the file's coordinates times this are lengths in the scene's unit
  Vec3 box = Vec3::Zero();  ///< in place of a file: the lengths of its sides, its middle is at 0
  std::string place;        ///< in the scene file, of the first body that has it
  std::optional<Shape> shape = {};  ///< in place of a file: a convex shape
  /// Takes of a file not its faces, but the convex hull of its vertices, rounded by a length >= 0.
  std::optional<double> hull_rounded_by = {};
  [[nodiscard]] bool is_box() const { return file.empty() && !shape; }
  [[nodiscard]] bool is_half_space() const {
    return shape && shape->kind() == ShapeKind::half_space;
  }
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

/// Joins a body to another one, or to the world, where they are at the start.
struct SimulationJoint {
  JointType type = JointType::fixed;
  std::size_t body = 0;
  std::optional<std::size_t> to;  ///< none: the world
  Vec3 point = Vec3::Zero();      ///< in the world
  Vec3 axis = Vec3::UnitZ();      ///< in the world, of a hinge or slider
  /// They bound the angle of a hinge in radians, or a slider's way, of the body as seen from `to`.
  double least = -kInfinity, most = kInfinity;
  double motor_speed = 0;     ///< rad/s, or unit/s
  double motor_strength = 0;  ///< N m of a hinge, N of a slider; 0: no motor
  bool contacts = false;      ///< whether the two may meet; else they are no pair
};

struct Simulation {
  std::string title;
  std::string unit;                 ///< of all lengths: "m", "cm", "mm", "um", "in" or "ft"
  std::filesystem::path file;       ///< where it came from
  std::uint64_t fingerprint = 0;    ///< FNV-1a of its text
  Vec3 gravity = {0, 0, -9.80665};  ///< m/s²
  double duration = 0;              ///< s, > 0
  double time_step = 1. / 60;       ///< s, > 0
  double tolerance = 0;             ///< length, > 0: see DynamicsOptions
  std::vector<SimulationMesh> meshes;
  std::vector<SimulationBody> bodies;
  std::vector<SimulationForce> forces;
  std::vector<SimulationJoint> joints;
  std::vector<std::filesystem::path> inputs = {};  ///< files of convex shapes that were read
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

/// Holds what the bodies are made of.
struct SimulationParts {
  /// They are Simulation::meshes. Meshes of convex shapes only show them, inside and by no more
  /// than 1/500 of their size away; of a half space it is a slab below the other bodies.
  std::vector<Object> meshes;
  /// Holds for each mesh the convex shape that it stands for, which is what moves and is asked
  /// about. Empty where there are none.
  std::vector<std::optional<Shape>> shapes = {};
  std::vector<MassProperties> mass;  ///< of each body: kg and the scene's unit; 0 where it is fixed
};

/// Returns what a body is to all questions: a convex shape, or the surface of its mesh.
[[nodiscard]] Shape body_shape(const Simulation& simulation, const SimulationParts& parts,
                               std::size_t body);

/// Loads each mesh once and weighs the bodies. Throws LoadError naming the mesh file, or the JSON
/// path of a file that is not there or of a body that cannot be weighed, as one that is not closed.
[[nodiscard]] SimulationParts load_parts(const Simulation& simulation);

// ---- what is answered ------------------------------------------------------------------------

enum class SimulationVerdict : std::uint8_t {
  undecided,    ///< there are pairs of which it is not proved that they stayed apart
  free,         ///< proved: no two bodies touched at any time of any step
  contact,      ///< bodies that moved have touched or were in each other, see `unproved`
  interrupted,  ///< before the end; what is there holds
};
template <>
inline constexpr std::array<std::string_view, 4> kNames<SimulationVerdict> = {
    "undecided", "free", "contact", "interrupted"};

/// The whole of all bodies that move, at the end of a step; in SI units, about the origin.
struct SimulationStep {
  double time = 0;                        ///< s
  double kinetic = 0, potential = 0;      ///< J; potential energy is 0 at the origin
  Vec3 momentum = Vec3::Zero();           ///< kg m/s
  Vec3 angular_momentum = Vec3::Zero();   ///< kg m²/s
  std::size_t impacts = 0, contacts = 0;  ///< in this step; contacts of bodies at rest
  double lost = 0;                        ///< s for which bodies stood still, all together
  std::size_t proved = 0;                 ///< pairs of ways that came near and are proved
};

/// Two bodies that met, a < b.
struct SimulationImpact {
  double time = 0;  ///< s
  std::size_t body_a = 0, body_b = 0;
  Vec3 point = Vec3::Zero(), normal = Vec3::UnitX();  ///< world; the normal from a to b
  Vec3 impulse = Vec3::Zero();                        ///< on b, N s
  double speed = 0;                                   ///< of coming together, unit/s
};

/// Where a body was at a time.
struct SimulationPose {
  double time = 0;  ///< s
  Pose pose;
};

/// Two bodies, a < b, of which it is not proved that they stayed apart in a step.
struct UnprovedPair {
  std::size_t step = 0, body_a = 0, body_b = 0;
  /// undecided, contact or initially_touching, at the least tolerance there is.
  ToiStatus status = ToiStatus::undecided;
  double time = 0;  ///< s: proved to be apart from the start of the step until then
};

/// Two bodies, a < b, that began a step nearer than the tolerance, or in each other, and stood
/// still in it.
struct StuckPair {
  std::size_t body_a = 0, body_b = 0;
  std::size_t step = 0;  ///< the first such step
  /// How deep they were in each other then, and which shift of b would part them, by more than a
  /// tolerance. None where that cannot be told, as of a mesh that is not closed, and
  /// after the first hundred pairs.
  std::optional<Separation> separation = {};
};

/// A body that was shifted before the first step, see SimulationOptions::resolve.
struct ResolvedStart {
  std::size_t body = 0;
  Vec3 shift = Vec3::Zero();
};

/// Tells what became of a joint.
struct SimulationJointResult {
  double position = 0;  ///< at the end: rad of a hinge, way of a slider
  double force = 0;     ///< N: the largest mean of a step
  double drift = 0;     ///< how far it was open after a step, at most
};

struct [[nodiscard]] SimulationResult {
  SimulationVerdict verdict = SimulationVerdict::undecided;
  std::vector<SimulationStep> steps;     ///< those taken; step 0 is the start, without a step
  std::vector<std::vector<Pose>> poses;  ///< of each body at these times; of fixed ones the first
  /// Poses of each body inside of steps in which it turned by more than two radians, so that from
  /// one pose to the next it turns by no more than that. They end after a million of all bodies.
  std::vector<std::vector<SimulationPose>> between;
  std::vector<SimulationImpact> impacts;      ///< in the order of time
  std::vector<SimulationJointResult> joints;  ///< of each joint
  std::vector<UnprovedPair> unproved;         ///< by step, then bodies
  std::vector<StuckPair> stuck;               ///< each pair once, by its first step
  std::vector<ResolvedStart> resolved;        ///< by body
  /// Bodies so far from the origin that rounding may hide the gap between them, so that they stand
  /// still: see DynamicsResult::unresolved.
  std::vector<std::pair<std::size_t, std::size_t>> unresolved;
  std::size_t proved = 0;  ///< pairs of ways, of all steps
  double lost = 0;         ///< s for which bodies stood still, all together
  QueryStats proof;        ///< what the proof took
};

struct SimulationOptions {
  /// The deadline and the flag end it between two steps. Progress: steps. Its work is not limited.
  Budget budget = {};
  int threads = 0;  ///< 0: all; the result does not depend on it
  /// Bodies that start in each other are shifted apart before the first step: of each pair the
  /// lighter one, along the shortest way out that `separation` finds, again and again while shifted
  /// bodies come upon others. Bodies with joints stay where they are. Bodies that are in each other
  /// after all stand still, as without this.
  bool resolve = false;
};

/// Moves the bodies from step to step with `Dynamics`, and proves of each step that nothing
/// penetrated: of the ways that bodies really took, all pairs that come near are asked by
/// `time_of_impact`, but those of bodies that a joint lets pass, one by one, without anything that
/// the steps themselves found out or remember; and each way begins where the one before ended: what
/// rounding leaves between is proved with it.
SimulationResult simulate(const Simulation& simulation, const SimulationParts& parts,
                          const SimulationOptions& options = {});

/// Holds what the following functions tell about.
struct SimulationView {
  const Simulation& simulation;
  const SimulationParts& parts;
  const SimulationResult& result;
};

/// The answer in one or two sentences of English.
[[nodiscard]] std::string verdict_sentence(const SimulationView& view);
/// See docs/simulation-result.schema.json.
[[nodiscard]] std::string result_json(const SimulationView& view);
/// A line for each time: energies, momenta, contacts.
[[nodiscard]] std::string result_csv(const SimulationView& view);
/// A line for each impact.
[[nodiscard]] std::string impacts_csv(const SimulationView& view);
/// A page that needs no other file: plots, pictures, the proof.
[[nodiscard]] std::string result_html(const SimulationView& view, const PageNotes& notes = {});
/// Returns all poses that were recorded of a body, at the ends of steps and inside of them, in the
/// order of time; of a fixed one its only pose.
[[nodiscard]] std::vector<SimulationPose> recorded_poses(const SimulationResult& result,
                                                         std::size_t body);
/// For save_animation, with the poses inside of steps; up is against gravity.
[[nodiscard]] Animation animation(const SimulationView& view);

}  // namespace touche
