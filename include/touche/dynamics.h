// SPDX-License-Identifier: Apache-2.0
// Rigid-body dynamics without penetration: contacts are solved by impulses, and bodies move from
// impact to impact by the certified time of impact (thesis §10.4; Mirtich, Impulse-based dynamic
// simulation, 1996). Link target touche::dynamics.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "touche/mass.h"
#include "touche/motion.h"
#include "touche/names.h"
#include "touche/step.h"
#include "touche/world.h"

namespace touche {

// ---- joints -------------------------------------------------------------------------------------

enum class JointType : std::uint8_t {
  fixed,   ///< both bodies move as one
  ball,    ///< a point of one stays at a point of the other
  hinge,   ///< as `ball`, and they turn about one axis only
  slider,  ///< they slide along one axis and do not turn
};
template <>
inline constexpr std::array<std::string_view, 4> kNames<JointType> = {"fixed", "ball", "hinge",
                                                                      "slider"};

/// Drives a hinge or a slider at a speed with limited strength. Strength 0: no motor.
struct Motor {
  double speed = 0;     ///< of b relative to a: radians, or length, per unit of time
  double strength = 0;  ///< largest torque of a hinge or force of a slider, >= 0
};

/// Joins two nodes at the poses that they have when the joint is made. At least one of them must be
/// dynamic; the other one may be dynamic, stand still or follow given motions.
struct Joint {
  JointType type = JointType::fixed;
  NodeId a = {}, b = {};      ///< one of them may be left out: the default is the world
  Vec3 point = Vec3::Zero();  ///< common point of both, in the world
  Vec3 axis = Vec3::UnitZ();  ///< axis of a hinge or slider, in the world; any length > 0
  /// Limits of the position, `least` <= 0 <= `most`. The position is that of b relative to a, 0 at
  /// the start: the angle of a hinge in radians, right-handed about the axis, or the distance that
  /// a slider has moved. Angles may be larger than a turn.
  double least = -kInfinity, most = kInfinity;
  Motor motor = {};
  /// Whether bodies of one node collide with bodies of the other. If not, they may pass through
  /// each other.
  bool contacts = false;
};

/// Identifies a joint. The id of a removed joint is never used again.
struct JointId {
  Index index = kNone, generation = 0;
  friend auto operator<=>(const JointId&, const JointId&) = default;
};

struct JointState {
  double position = 0;  ///< angle of a hinge or distance of a slider, see Joint::least; else 0
  double speed = 0;     ///< rate of change of `position`
  /// Mean force on b in the last step, and torque about the joint's point, without motors and
  /// limits (DynamicsResult::pushes), and without what the joint transmits of impulses at bodies
  /// that meet within the step.
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  /// Error of the joint: distance of the two points that should coincide (a length), and angle
  /// between the axes that should be parallel (radians).
  double drift = 0, tilt = 0;
};

/// Contact properties of a body's surface. For a pair of bodies the larger restitution and the
/// geometric mean of the friction coefficients are used.
struct Surface {
  double restitution = 0;  ///< in [0, 1]: normal speed after an impact, relative to before
  double friction = 0.5;   ///< Coulomb's coefficient, >= 0
};

struct DynamicsOptions {
  /// Length, must be > 0. Bodies at rest on each other keep a gap of one to two tolerances; an
  /// impact happens when two bodies are nearer than one tolerance.
  double tolerance = 0;
  Vec3 gravity = Vec3::Zero();  ///< acceleration: length per time squared
  Surface surface = {};         ///< default of all bodies, see set_surface
  /// Maximum number of iterations, >= 1, each time that a step solves the contacts of bodies at
  /// rest. The solver stops earlier when an iteration changes the displacement at no contact by
  /// more than a thousandth of the tolerance.
  int iterations = 200;
  int threads = 0;  ///< 0: all; the results do not depend on it
  /// Time, >= 0; 0: no body sleeps. A body is put to sleep when it has moved by less than one
  /// tolerance for this time, and so have all bodies that it rests on, that rest on it or that are
  /// joined to it. A sleeping body stands still and costs almost nothing, and its contacts are not
  /// reported, until it is woken (see is_asleep).
  double sleep_time = 0;
};

/// The velocity of a body in world coordinates: `linear` is that of its centre of mass, in length
/// per unit of time; `angular` is in radians per unit of time.
struct Velocity {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
};

/// An impact of two bodies, a < b.
struct Impact {
  NodeId a, b;
  /// Time since the start of the step, at which the bodies meet on their parabolas. On the motions
  /// taken, which are chords of the parabolas, they may meet slightly earlier or later.
  double time = 0;
  Vec3 point = Vec3::Zero(), normal = Vec3::UnitX();  ///< in the world; the normal from a to b
  Vec3 impulse = Vec3::Zero();                        ///< on b; a gets the opposite impulse
  double speed = 0;                                   ///< approach speed along the normal
};

/// A contact of two bodies at rest on each other, a < b.
struct RestingContact {
  NodeId a, b;
  Feature feature_a, feature_b;
  Vec3 point = Vec3::Zero(), normal = Vec3::UnitX();  ///< in the world; the normal from a to b
  double distance = 0;                                ///< length, at `time`
  /// On b: the impulse of the contact, divided by the time of the whole step. The same contact may
  /// be listed for several times; its mean force over the step is the sum of these.
  Vec3 force = Vec3::Zero();
  /// Time since the start of the step, to which `point`, `normal` and `distance` belong: that at
  /// which the part of the step begins, or at which the bodies met in it.
  double time = 0;
};

/// What the motor and a limit of a joint did in a step, or in a part of one.
struct JointPush {
  JointId joint;
  double time = 0;  ///< since the start of the step: the part of the step begins
  /// Torque of a hinge, or force of a slider, on b along `axis`: the impulse, divided by the time
  /// of the whole step. A limit of `least` pushes along the axis, one of `most` against it.
  double motor = 0, limit = 0;
  Vec3 axis = Vec3::UnitZ();  ///< in the world, at `time`
};

/// A change of a node's momentum that neither forces nor contacts, impacts or joints made: what
/// limits of energy took, the impulse of forces in time that was lost, speed that was lost when the
/// node fell asleep, damping of tumbling bodies, what bodies that nothing holds give each other to
/// keep their common angular momentum, and errors of the reactions of joints that turn far.
struct MomentumCorrection {
  NodeId node;
  Vec3 impulse = Vec3::Zero();  ///< change of momentum
  Vec3 turn = Vec3::Zero();     ///< change of angular momentum about the centre of mass
};

/// A node that lost time: less time passed for it than the step has, because it could not move
/// further or would have turned by more than 402 radians (64 turns) in the step.
struct LostTime {
  NodeId node;
  double time = 0;     ///< the part of the step's time that did not pass for it
  double turning = 0;  ///< the part of `time` that was lost because it would have turned too far
};

/// The result of a step. It accounts for momentum: in a step, that of a node changes by
/// - the forces on it and its weight, times the time of the step,
/// - `impacts`: their impulses,
/// - `contacts`: their forces, times the time of the step,
/// - joints: JointState::force and the `pushes` of sliders, times the time of the step, and what
///   joints transmit of impulses at bodies that meet within the step, which adds up to zero over
///   all bodies that they join,
/// - `corrections`,
/// up to rounding. Nothing acts on nodes that sleep before and after a step.
struct DynamicsResult {
  std::vector<Impact> impacts;  ///< in order of time
  /// Sorted by bodies, features and time. The list has all contacts at the start of the step,
  /// whether they bear something or not, and the contacts that bear something between bodies that
  /// meet within the step but rest on each other there. If a step is taken in several parts, the
  /// contacts of each part are listed, with the time at which it begins; of all parts but the last
  /// one, only contacts that bear something. For a pair with more than 32 contact candidates only
  /// the ones that the solver used are listed; at each of the others the gap gets smaller than the
  /// one that resting bodies keep by at most a twentieth of the tolerance.
  std::vector<RestingContact> contacts;
  std::vector<JointPush> pushes;  ///< of motors and limits, in order of joints, then time
  std::vector<MomentumCorrection> corrections;  ///< in order of nodes
  std::vector<LostTime> lost;                   ///< in order of nodes
  /// Pairs of bodies, a < b, that touch or intersect at the start of the step and are not proved to
  /// separate. Both stay where they are. Bodies intersect if their faces do.
  std::vector<std::pair<NodeId, NodeId>> stuck;
  /// Pairs of bodies, a < b, that are near each other and whose distances from the origin add up to
  /// more than 2^41 tolerances. Rounding of their poses may be larger than the gap between them, so
  /// that they stand still.
  std::vector<std::pair<NodeId, NodeId>> unresolved;
  StepStats stats;
};

/// Simulates bodies of a world as rigid bodies under forces. A node that was added here is
/// *dynamic*: it moves under forces, together with all bodies attached to it. Nodes that are given
/// motions (`move`) follow them and push others, as if their mass were infinite. All other nodes
/// stand still. BodyOptions and the pair filter of the world select the pairs of bodies. The world
/// may be changed between steps; its data are shared, so it may also be moved, and destroyed before
/// this object. Nodes that were removed from the world are dropped.
///
///     Dynamics dynamics(world, {.tolerance = 1e-3, .gravity = {0, 0, -9.81}});
///     dynamics.add(box, mass_properties(world.shape(box), 1000));
///     for (int i = 0; i < 60; ++i) (void)dynamics.step(1.0 / 60);
///
/// Guarantees:
/// - No penetration: bodies that are apart before a step are disjoint at every moment of it, at any
///   speed and however thin they are. `last_motion` returns the motions taken, which can be proved
///   again.
/// - Free flight: at the ends of steps the centre of mass lies exactly on its parabola; in between
///   it moves on chords of it. Angular momentum and energy are kept except for rounding, at any
///   step size. The error of the orientation is of the order of the square of the angle turned in a
///   step.
/// - Impacts of free bodies have the times and speeds of their parabolas. All contact points of the
///   two bodies are solved together, with Coulomb friction: first without restitution, then the
///   normal impulses are increased by the coefficient of restitution (Poisson), but never to more
///   energy than before.
/// - Energy: a step does not increase the kinetic and potential energy of touching bodies beyond
///   the work of forces, with three exceptions: lifting bodies by up to a tolerance, opening gaps
///   that are smaller than the one that resting bodies keep, and free bodies that turn far in the
///   step (a hundredth of their energy in the worst case seen).
/// - Joints: jointed bodies move as one system (RATTLE), and an impulse on one acts on all of them
///   at once. When one of them loses time, all of them do. After a step joints are closed except
///   for rounding, unless time was lost. Within a step they open by at most the tolerance; where
///   bodies are supported, each of the two bodies of a joint opens it by at most an eighth of the
///   distance from the joint to the body's centre of mass, times the square of the angle that the
///   body turns. Closing a joint changes the motions, not the momentum; these motions are proved
///   like all others.
/// - Energy with joints: without motors and torques, a step increases the energy of jointed bodies
///   beyond the work of forces by at most a hundredth of their greatest recent energy, plus what
///   returns joints to their limits.
/// - Determinism: the same calls give the same bits for any number of threads.
///
/// Limits:
/// - Lost time: where contacts do not converge, bodies stand still for the rest of the step and
///   keep their momentum (DynamicsResult::lost). Bodies that start a step in each other stay where
///   they are.
/// - Resting contact: contacts whose approach speed is less than the speed that forces give a body
///   in two steps are resting contacts. Restitution is ignored there, and all resting contacts of
///   all bodies are solved together, by projected Gauss-Seidel.
/// - Impacts as resting contacts: an impact with a restitution of at most a quarter is solved as a
///   resting contact, without restitution, if one of the two bodies meets or presses a third one in
///   the same step, no joint holds them, and in the step they move relative to each other by at
///   most half the size of the smaller one. It is reported as a contact, and its remaining speed
///   ends in the next step.
/// - Parts: a step is divided into up to 32 parts where bodies roll on each other on facets that
///   stand for a smooth surface, as gears do. This applies if they rolled in the step before, or
///   may roll because one of them was given a velocity near the other. In a part they turn by at
///   most 0.06 radians relative to each other. Steps in which a hinge may turn far to one of its
///   limits are divided, too. Forces act in all parts.
/// - Closed loops of joints that no motion can follow move as one rigid body.
/// - Bodies of two nodes that a joint connects are no pair, unless Joint::contacts is set. So
///   these, and no others, may enter each other.
///
/// Functions throw InvalidInput for nodes that do not exist, and for numbers that are not finite.
class Dynamics {
 public:
  /// Throws InvalidInput for invalid options.
  Dynamics(World& world, const DynamicsOptions& options);
  ~Dynamics();
  Dynamics(Dynamics&&) noexcept;
  Dynamics& operator=(Dynamics&&) noexcept;

  // ---- bodies ----------------------------------------------------------------------------------

  /// Makes a node dynamic, or gives it another mass. `mass` is that of all bodies attached to the
  /// node, in the node's frame. Throws InvalidInput as `validate` does, and for a node above or
  /// below another dynamic one in the scene graph.
  void add(NodeId node, const MassProperties& mass, const Velocity& velocity = {});
  /// The same with the mass of the node's bodies at uniform `density` (mass per volume, > 0).
  /// Throws InvalidInput as `mass_properties` does, naming the body.
  void add(NodeId node, double density, const Velocity& velocity = {});
  /// Makes a node static: it stands still from then on.
  void remove(NodeId node);
  [[nodiscard]] bool is_dynamic(NodeId node) const;
  [[nodiscard]] std::vector<NodeId> nodes() const;  ///< all dynamic nodes, in ascending order
  [[nodiscard]] const MassProperties& mass(NodeId node) const;

  /// Sets the surface of a body; the default is DynamicsOptions::surface. Throws InvalidInput for a
  /// restitution outside [0, 1] and for negative friction.
  void set_surface(NodeId body, const Surface& surface);
  [[nodiscard]] Surface surface(NodeId body) const;

  /// Precomputes data of objects that are near each other. Otherwise the first step that needs
  /// these data computes them and takes longer.
  void prepare();

  void set_gravity(const Vec3& gravity);
  void set_velocity(NodeId node, const Velocity& velocity);
  [[nodiscard]] Velocity velocity(NodeId node) const;

  /// Whether a node sleeps, see DynamicsOptions::sleep_time. A body is woken, with all bodies that
  /// fell asleep together with it, when another body comes near or meets it, when a velocity,
  /// force, impulse, motor, joint or gravity is set, and when it or a body that it rests on was
  /// moved or removed. New surfaces and pair rules do not wake bodies: call `wake`.
  [[nodiscard]] bool is_asleep(NodeId node) const;
  void wake(NodeId node);

  // ---- forces ----------------------------------------------------------------------------------

  /// Apply a force or a torque, in world coordinates, during the next step. A force acts at
  /// `point`, or at the centre of mass. Forces and torques of several calls add up.
  void apply_force(NodeId node, const Vec3& force);
  void apply_force(NodeId node, const Vec3& force, const Vec3& point);
  void apply_torque(NodeId node, const Vec3& torque);
  /// Changes the velocity at once by an impulse at a point, both in world coordinates.
  void apply_impulse(NodeId node, const Vec3& impulse, const Vec3& point);

  /// Sets the motion of a node that is not dynamic for the next step; t in [0, 1] is the whole
  /// step. The motion should start at the node's pose. Otherwise the node jumps to the start, and
  /// the jump is not tested for contacts.
  void move(NodeId node, const Motion& motion);

  // ---- joints ----------------------------------------------------------------------------------

  /// Joins two nodes at their current poses. A joint is removed with its nodes. Throws InvalidInput
  /// for a joint of a node to itself or to a node that moves with it, for two nodes of which
  /// neither is dynamic, for an axis of length 0, and for invalid limits and motors.
  JointId join(const Joint& joint);
  void remove(JointId joint);
  [[nodiscard]] bool has(JointId joint) const;
  [[nodiscard]] std::vector<JointId> joints() const;  ///< all joints, in ascending order
  [[nodiscard]] const Joint& joint(JointId joint) const;
  void set_motor(JointId joint, const Motor& motor);
  [[nodiscard]] JointState joint_state(JointId joint) const;

  // ---- time ------------------------------------------------------------------------------------

  /// Takes a step of time `dt` > 0. Returns a reference that is valid until the next call; copy it
  /// to keep it. When it throws, nothing has changed; only if a user's motion function throws in a
  /// later part of a step, the parts before it remain done.
  [[nodiscard]] const DynamicsResult& step(double dt);

  /// The motion that a node actually took in the last step; t in [0, 1] is the whole step. For
  /// nodes that were dynamic or had been given a motion.
  [[nodiscard]] Motion last_motion(NodeId node) const;

  // ---- conserved quantities --------------------------------------------------------------------

  [[nodiscard]] double kinetic_energy() const;    ///< of all dynamic nodes, as all below
  [[nodiscard]] double potential_energy() const;  ///< in the gravity field; 0 at the origin
  [[nodiscard]] Vec3 momentum() const;
  [[nodiscard]] Vec3 angular_momentum() const;  ///< about the origin

  struct Data;  ///< internal

 private:
  std::unique_ptr<Data> data_;
};

}  // namespace touche
