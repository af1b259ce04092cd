// SPDX-License-Identifier: Apache-2.0
// Simulations of bodies under gravity, impacts and friction. The input is a scene file
// (docs/scene.schema.json), the output a result, an animation and a report. Link target
// touche::simulation.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "touche/budget.h"
#include "touche/dynamics.h"
#include "touche/io.h"
#include "touche/mass.h"
#include "touche/names.h"
#include "touche/object.h"
#include "touche/pose.h"
#include "touche/query.h"
#include "touche/separation.h"
#include "touche/shape.h"
#include "touche/study.h"

namespace touche {

// ---- input -----------------------------------------------------------------------------------
// Lengths and speeds are in the scene's unit of length. All else is in SI units, as in the file:
// kilograms, newtons, m/s² and kg/m³.

/// The shape of a body: a mesh file, a box, or a convex shape.
struct SimulationMesh {
  /// The file as loaded; relative names refer to the scene's folder. Empty for a box, and for a
  /// convex shape that is defined in the scene file.
  std::filesystem::path file;
  std::string node;  ///< path of a node in an assembly, see touche/io.h; empty: the whole file
  double scale = 1;  ///< the coordinates that load_soup gives times this are in the scene's unit
  Vec3 box = Vec3::Zero();          ///< in place of a file: side lengths of a box centred at 0
  std::string place;                ///< position in the scene file of the first body that uses it
  std::optional<Shape> shape = {};  ///< in place of a file: a convex shape
  /// If set: the shape is the convex hull of the file's vertices, rounded by this length, >= 0.
  std::optional<double> hull_rounded_by = {};
  /// The axis of the file's coordinates that points up. Not set: as the file says, see load_soup.
  std::optional<UpAxis> up = {};
  /// Whether the scene says how the file's coordinates become its unit: "unit" or "scale".
  bool has_unit = false;
  /// Length in the scene's unit, see LoadOptions::weld. Not set: as the file's precision says.
  std::optional<double> weld = {};
  Vec3 stretch = Vec3::Ones();  ///< factors along x, y and z, see LoadOptions::stretch
  [[nodiscard]] bool is_box() const { return file.empty() && !shape; }
  [[nodiscard]] bool is_half_space() const {
    return shape && shape->kind() == ShapeKind::half_space;
  }
};

struct SimulationBody {
  /// Uniform density in kg/m³.
  struct Density {
    double value = 0;
  };
  /// Mass in kg, with uniform density.
  struct Mass {
    double value = 0;
  };
  std::string name;  ///< unique in the scene
  std::size_t mesh = 0;
  Pose pose;           ///< start pose
  bool fixed = false;  ///< whether it never moves; it has no mass then
  /// MassProperties are in kg and the scene's unit of length.
  std::variant<std::monostate, Density, Mass, MassProperties> mass;
  double friction = 0;                   ///< Coulomb's coefficient, >= 0
  double restitution = 0;                ///< in [0, 1]
  Vec3 velocity = Vec3::Zero();          ///< of its centre of mass at the start, length/s
  Vec3 angular_velocity = Vec3::Zero();  ///< at the start, rad/s, in world axes
};

/// A force on the centre of mass of a body and a torque, along world axes.
struct SimulationForce {
  std::size_t body = 0;
  Vec3 force = Vec3::Zero();   ///< N
  Vec3 torque = Vec3::Zero();  ///< N m
  double start = 0, end = 0;   ///< s: when it acts
};

/// Joins a body to another one or to the world, at their start poses.
struct SimulationJoint {
  JointType type = JointType::fixed;
  std::size_t body = 0;
  std::optional<std::size_t> to;  ///< none: the world
  Vec3 point = Vec3::Zero();      ///< in the world
  Vec3 axis = Vec3::UnitZ();      ///< in the world, of a hinge or slider
  /// Limits of the angle of a hinge in radians, or of the distance of a slider, of the body
  /// relative to `to`.
  double least = -kInfinity, most = kInfinity;
  double motor_speed = 0;     ///< rad/s, or length/s
  double motor_strength = 0;  ///< N m of a hinge, N of a slider; 0: no motor
  bool contacts = false;      ///< whether the two bodies collide; if not, they are no pair
};

struct Simulation {
  std::string title;
  std::string unit;                 ///< of all lengths: "m", "cm", "mm", "um", "in" or "ft"
  std::filesystem::path file;       ///< the file that it was read from
  std::uint64_t fingerprint = 0;    ///< FNV-1a hash of its text
  Vec3 gravity = {0, 0, -9.80665};  ///< m/s²
  double duration = 0;              ///< s, > 0
  double time_step = 1. / 60;       ///< s, > 0
  double tolerance = 0;             ///< length, > 0: see DynamicsOptions
  std::vector<SimulationMesh> meshes;
  std::vector<SimulationBody> bodies;
  std::vector<SimulationForce> forces;
  std::vector<SimulationJoint> joints;
  std::vector<std::filesystem::path> inputs = {};  ///< files of convex shapes that were read
  std::vector<std::string> remarks = {};           ///< what is odd in the file, a sentence each
};

/// Metres per unit of length. Throws InvalidInput for a unit that Simulation::unit does not allow.
[[nodiscard]] double metres_per_unit(std::string_view unit);

/// The number of time steps; the last one may be shorter.
[[nodiscard]] std::size_t step_count(const Simulation& simulation);

/// Reads a scene file. Throws LoadError, naming the file and the JSON path, for syntax errors,
/// unknown or missing keys, wrong types, names that do not exist, poses that are not rigid, and
/// moving bodies without mass.
///
///     const Simulation scene = load_simulation("dominoes.json");
///     const SimulationParts parts = load_parts(scene);
///     const SimulationResult result = simulate(scene, parts);
[[nodiscard]] Simulation load_simulation(const std::filesystem::path& file);

/// The same from memory; `file` is used in messages and to find meshes.
[[nodiscard]] Simulation parse_simulation(std::string_view json, const std::filesystem::path& file);

/// The loaded meshes, shapes and masses of the bodies.
struct SimulationParts {
  /// One object for each of Simulation::meshes. The meshes of convex shapes are for display only:
  /// they are inscribed, with an error of at most 1/500 of their size. A half space is shown as a
  /// slab below the other bodies.
  std::vector<Object> meshes;
  /// For each mesh, the convex shape that it displays, which is used in the simulation. Empty if
  /// there are no convex shapes.
  std::vector<std::optional<Shape>> shapes = {};
  /// Of each body, in kg and the scene's unit of length; 0 if it is fixed.
  std::vector<MassProperties> mass;
};

/// The shape of a body in all queries: a convex shape, or the surface of its mesh.
[[nodiscard]] Shape body_shape(const Simulation& simulation, const SimulationParts& parts,
                               std::size_t body);

/// Loads each mesh once and computes the mass properties of the bodies. Throws LoadError naming the
/// mesh file, or naming the JSON path of a missing file or of a body whose mass cannot be computed,
/// such as one that is not closed.
[[nodiscard]] SimulationParts load_parts(const Simulation& simulation);

// ---- results ---------------------------------------------------------------------------------

enum class SimulationVerdict : std::uint8_t {
  undecided,    ///< for some pairs it is not proved that they stayed apart
  free,         ///< proved: no two bodies touched at any time of any step
  contact,      ///< moving bodies touched or were in each other, see `unproved` and `contained`
  interrupted,  ///< stopped before the end; the steps taken are valid
};
template <>
inline constexpr std::array<std::string_view, 4> kNames<SimulationVerdict> = {
    "undecided", "free", "contact", "interrupted"};

/// Totals over all moving bodies at the end of a step; in SI units, about the origin.
struct SimulationStep {
  double time = 0;                        ///< s
  double kinetic = 0, potential = 0;      ///< J; potential energy is 0 at the origin
  Vec3 momentum = Vec3::Zero();           ///< kg m/s
  Vec3 angular_momentum = Vec3::Zero();   ///< kg m²/s
  std::size_t impacts = 0, contacts = 0;  ///< in this step; contacts of bodies at rest
  double lost = 0;         ///< s: time for which bodies stood still, summed over bodies
  std::size_t proved = 0;  ///< pairs of bodies that came near and are proved free
};

/// An impact of two bodies, a < b.
struct SimulationImpact {
  double time = 0;  ///< s
  std::size_t body_a = 0, body_b = 0;
  Vec3 point = Vec3::Zero(), normal = Vec3::UnitX();  ///< world; the normal from a to b
  Vec3 impulse = Vec3::Zero();                        ///< on b, N s
  double speed = 0;                                   ///< approach speed along the normal, length/s
};

/// The pose of a body at a time.
struct SimulationPose {
  double time = 0;  ///< s
  Pose pose;
};

/// Two bodies, a < b, that are not proved to have stayed apart in a step.
struct UnprovedPair {
  std::size_t step = 0, body_a = 0, body_b = 0;
  /// undecided, contact or initially_touching, at the smallest possible tolerance.
  ToiStatus status = ToiStatus::undecided;
  double time = 0;  ///< s: from the start of the step until then they are proved apart
};

/// Two bodies, a < b, that started a step nearer than the tolerance or in each other, and stood
/// still in it.
struct StuckPair {
  std::size_t body_a = 0, body_b = 0;
  std::size_t step = 0;  ///< the first such step
  /// Their depth at the start of that step, and a shift of b that would separate them by more than
  /// a tolerance. Not set if it cannot be computed, as for a mesh that is not closed, and after the
  /// first hundred pairs.
  std::optional<Separation> separation = {};
};

/// A body that was shifted before the first step, see SimulationOptions::resolve.
struct ResolvedStart {
  std::size_t body = 0;
  Vec3 shift = Vec3::Zero();
};

/// The result of a joint.
struct SimulationJointResult {
  double position = 0;  ///< at the end: rad of a hinge, length of a slider
  double force = 0;     ///< N: largest mean force of a step
  double drift = 0;     ///< length: largest distance of its points after a step
};

/// A body that starts inside another one, without touching its surface. A convex shape is solid:
/// what is inside of it touches it.
struct ContainedStart {
  std::size_t inner = 0, outer = 0;
  /// Whether that is unknown: the outer body is open, and the inner one lies within its hull (see
  /// Containment::open). Then the verdict is about surfaces.
  bool is_unknown = false;
};

/// A result owns its input; copies share the data of meshes and shapes. In a result that a program
/// fills in, only the output functions need the input.
struct [[nodiscard]] SimulationResult {
  Simulation simulation;  ///< the input, before bodies were shifted (ResolvedStart)
  SimulationParts parts;  ///< the input, as returned by load_parts
  SimulationVerdict verdict = SimulationVerdict::undecided;
  std::vector<SimulationStep> steps;  ///< the steps taken; entry 0 is the start
  /// Of each body at these times; for fixed bodies the first only.
  std::vector<std::vector<Pose>> poses;
  /// Additional poses of each body within steps in which it rotated by more than two radians, so
  /// that it rotates by at most that from one pose to the next. At most a million poses of all
  /// bodies are recorded.
  std::vector<std::vector<SimulationPose>> between;
  std::vector<SimulationImpact> impacts;      ///< in order of time
  std::vector<SimulationJointResult> joints;  ///< one for each joint
  std::vector<UnprovedPair> unproved;         ///< by step, then bodies
  std::vector<StuckPair> stuck;               ///< each pair once, by its first step
  std::vector<ResolvedStart> resolved;        ///< by body
  /// By inner, then outer body, at the start after `resolved`. A body that does not touch a closed
  /// one stays inside of it.
  std::vector<ContainedStart> contained;
  /// Whether a body has openings or gaps, through which another one may reach into it at some time
  /// without contact: then what is proved is about surfaces.
  bool may_reach_in = false;
  /// Pairs of bodies so far from the origin that rounding may hide the gap between them, so that
  /// they stand still: see DynamicsResult::unresolved.
  std::vector<std::pair<std::size_t, std::size_t>> unresolved;
  std::size_t proved = 0;  ///< pairs of bodies that are proved free, summed over steps
  double lost = 0;         ///< s: time for which bodies stood still, summed over bodies
  QueryStats proof;        ///< cost of the proof
};

struct SimulationOptions {
  /// The deadline and the flag stop the simulation between two steps. Work is not limited.
  /// Progress: steps.
  Budget budget = {};
  int threads = 0;  ///< 0: all; the result does not depend on it
  /// Whether bodies that start in each other are shifted apart before the first step. Of each pair
  /// the lighter body is shifted by the shortest shift that `separation` finds; this is repeated
  /// while shifted bodies meet others. Bodies with joints are not shifted. Bodies that are still in
  /// each other stand still, as without this option.
  bool resolve = false;
  /// Whether only surfaces count: then a body that starts inside a closed mesh, as things in a room
  /// do, is apart from it, and `contained` is empty.
  bool surfaces = false;
};

/// Moves the bodies step by step with `Dynamics`, and proves for each step that no bodies
/// penetrated. The proof is independent of the step: it applies `time_of_impact` to the motions
/// that the bodies took, for every pair that comes near, without using anything that the step
/// computed or stored. Pairs that a joint allows to pass through each other are left out. Each
/// motion is proved from the end of the one before, so that gaps between them from rounding are
/// included. Simulation and parts become members of the result.
SimulationResult simulate(Simulation simulation, SimulationParts parts,
                          const SimulationOptions& options = {});

/// Whether it is unknown if a body starts inside an open one: what is proved is about surfaces.
[[nodiscard]] bool is_about_surfaces(const SimulationResult& result);

/// The result in one or two sentences.
[[nodiscard]] std::string verdict_sentence(const SimulationResult& result);
/// Remarks, a sentence each: what was odd in the files of meshes, starting with the file's name,
/// Simulation::remarks, and unit_remarks of files without a unit.
[[nodiscard]] std::vector<std::string> simulation_remarks(const SimulationResult& result);
/// result.json, see docs/simulation-result.schema.json.
[[nodiscard]] std::string result_json(const SimulationResult& result);
/// CSV: one line for each time with energies, momenta and numbers of contacts.
[[nodiscard]] std::string result_csv(const SimulationResult& result);
/// CSV: one line for each impact.
[[nodiscard]] std::string impacts_csv(const SimulationResult& result);
/// A self-contained HTML page with plots, pictures and the proof.
[[nodiscard]] std::string result_html(const SimulationResult& result, const PageNotes& notes = {});
/// All recorded poses of a body, at the ends of steps and within them, in order of time; for a
/// fixed body its only pose.
[[nodiscard]] std::vector<SimulationPose> recorded_poses(const SimulationResult& result,
                                                         std::size_t body);
/// The input of save_animation, including the poses within steps; `up` is opposite to gravity.
[[nodiscard]] Animation animation(const SimulationResult& result);

}  // namespace touche
