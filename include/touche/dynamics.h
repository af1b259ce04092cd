// SPDX-License-Identifier: Apache-2.0
// Rigid bodies under forces that never enter each other: impulses at contacts, moved from impact to
// impact by the certified time of impact (thesis §10.4; Mirtich, Impulse-based dynamic simulation,
// 1996). Link target touche::dynamics.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "touche/joint.h"
#include "touche/mass.h"
#include "touche/motion.h"
#include "touche/step.h"
#include "touche/world.h"

namespace touche {

/// How a body's surface answers contacts. Between two bodies the larger restitution counts, and the
/// geometric mean of their friction.
struct Surface {
  double restitution = 0;  ///< in [0, 1]: speed of leaving over that of coming
  double friction = 0.5;   ///< Coulomb's coefficient, >= 0
};

struct DynamicsOptions {
  /// Length, must be > 0: bodies at rest keep two of it between them, and impacts happen when they
  /// are nearer than one.
  double tolerance = 0;
  Vec3 gravity = Vec3::Zero();  ///< acceleration, length per time squared
  Surface surface = {};         ///< of bodies that were given none
  /// Passes over all contacts of bodies at rest in a step, at most, >= 1: they end when none
  /// changes the way of a body by more than a thousandth of the tolerance.
  int iterations = 200;
  int threads = 0;  ///< 0: all; results do not depend on it
  /// A body that has kept within one tolerance for this time, with all that it lies on, that lies
  /// on it and that is joined to it, is put to sleep: it stands still and costs next to nothing,
  /// and its contacts are not told, until something wakes it. 0: nobody sleeps.
  double sleep_time = 0;
};

/// The velocities of a body in the world: of its centre of mass, and radians per unit of time.
struct Velocity {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
};

/// Two bodies that met with some speed: a < b.
struct Impact {
  NodeId a, b;
  /// Since the step began: when their parabolas meet. On the ways that they took, which are chords
  /// of these, they may meet somewhat before or after.
  double time = 0;
  Vec3 point = Vec3::Zero(), normal = Vec3::UnitX();  ///< the normal from a to b
  Vec3 impulse = Vec3::Zero();                        ///< on b; that on a is its opposite
  double speed = 0;                                   ///< of coming together, along the normal
};

/// A place where two bodies lie on each other: a < b.
struct RestingContact {
  NodeId a, b;
  Feature feature_a, feature_b;
  Vec3 point = Vec3::Zero(), normal = Vec3::UnitX();  ///< the normal from a to b
  double distance = 0;                                ///< at the start of the step
  Vec3 force = Vec3::Zero();                          ///< on b, mean of the step
};

/// A node for which time passed more slowly, because it could go no further, or because it would
/// have turned by more than 402 radians (64 turns) in the step.
struct LostTime {
  NodeId node;
  double time = 0;     ///< of the step's, that did not pass for it
  double turning = 0;  ///< part of it, lost because it would have turned too far
};

/// Tells what became of a step. It is valid until the next one.
struct DynamicsResult {
  std::vector<Impact> impacts;  ///< in the order of time
  /// They are ordered by bodies, then features. Pairs that are near at many places list those that
  /// hold: the others would close their gaps by at most a twentieth of the tolerance. If a step
  /// is taken in parts, they are those of the last part.
  std::vector<RestingContact> contacts;
  std::vector<LostTime> lost;  ///< in the order of nodes
  /// Bodies, a < b, that touch or are in each other from the start and are not proved to come
  /// apart: both stay where they are. Bodies are in each other if their faces intersect.
  std::vector<std::pair<NodeId, NodeId>> stuck;
  /// Bodies, a < b, near each other whose distances from the origin add up to more than 2^41 times
  /// the tolerance: rounding of their poses may hide their gap, so that they stand still.
  std::vector<std::pair<NodeId, NodeId>> unresolved;
  StepStats stats;
};

/// Moves the bodies of a world as rigid bodies. A node is *dynamic* when it was added here: all
/// bodies on it move with it under forces. Nodes that are given motions (`move`) follow them and
/// push others, as if their mass was infinite. All else stands still. Pairs are those of the world
/// (BodyOptions, pair filter). The world must outlive this, be the same object, and may be changed
/// between steps; nodes that were removed from it are dropped.
///
///     Dynamics dynamics(world, {.tolerance = 1e-3, .gravity = {0, 0, -9.81}});
///     dynamics.add(box, mass_properties(world.object(box).soup(), 1000));
///     for (int i = 0; i < 60; ++i) (void)dynamics.step(1.0 / 60);
///
/// Guarantee: bodies that are apart before a step are disjoint at every moment of it, at any speed
/// and however thin they are. The ways really taken can be proved again, see `way`. Where contacts
/// do not end, time is given up: a body then stands still for the rest of the step and
/// keeps its momentum (DynamicsResult::lost). Bodies that begin in each other are left there.
///
/// Flight: between impacts the centre of mass moves on chords of its parabola, and exactly so at
/// the ends of steps; a free body keeps its angular momentum and energy but for rounding, at any
/// step, and its orientation is off by the square of the angle it turns in a step. Impacts of free
/// bodies have the times and the speeds of their parabolas. Impacts: all
/// places where two bodies touch are solved together, with Coulomb friction, first as if they
/// stayed together, then restitution returns its share of the normal impulses (Poisson), but never
/// more energy than there was; nor does a step give bodies that touch more than forces do, as speed
/// or as height, but for lifting them by a tolerance, for opening gaps that are too small, and for
/// free ones that turn far in it (a hundredth at worst seen). Where bodies come
/// together by less than two steps' worth of acceleration, they are at rest on each other:
/// restitution does not count there, and the contacts of all bodies are solved together, by
/// projected Gauss-Seidel. So are impacts with a restitution of at most a quarter, which then does
/// not count, where one of the two has to do with a third body in the same step, no joint holds
/// them, and they move by at most half the size of the smaller one: these are told as contacts, and
/// the speed that is left then ends in the step after.
///
/// Parts: where bodies rolled on each other in the step before, at facets that stand for something
/// smooth, as gears do, or may roll since one was given a speed near the other, a step is taken in
/// up to 32 parts, in which they turn by at most 0.06 radians against each other. Forces act in all
/// of them.
///
/// Joints: bodies that are joined fly as one system (RATTLE), impulses at one act on all of them at
/// once, and when one of them loses time, all of them do. After a step joints are closed but for
/// rounding, unless time was lost; within one they open by at most the tolerance, and where bodies
/// are supported by at most an eighth of their length times the square of the angle that they turn.
/// Only the motions close what opened, and all motions are proved. Without motors and
/// torques they have no more energy after a step than before and by the work of forces, but for a
/// hundredth of the greatest of late and for what brings joints back to their limits. Loops that no
/// motion can follow go on as one body. Bodies of two nodes that a joint connects are no pair,
/// unless it says so: these may enter each other, no others.
///
/// The same calls give the same bits for any number of threads. Functions throw InvalidInput for
/// nodes that are not there, and for numbers that are not finite.
class Dynamics {
 public:
  /// Throws InvalidInput for options without meaning.
  Dynamics(World& world, const DynamicsOptions& options);
  ~Dynamics();
  Dynamics(Dynamics&&) noexcept;
  Dynamics& operator=(Dynamics&&) noexcept;

  // ---- bodies ----------------------------------------------------------------------------------

  /// Makes a node dynamic, or gives it another mass. `mass` is in the node's frame, for all bodies
  /// on it. Throws InvalidInput as `validate`, and for a node on or under another dynamic one.
  void add(NodeId node, const MassProperties& mass, const Velocity& velocity = {});
  /// The same, its bodies filled with this density. Throws InvalidInput as `mass_properties`,
  /// naming the body.
  void add(NodeId node, double density, const Velocity& velocity = {});
  /// It stands still from then on.
  void remove(NodeId node);
  [[nodiscard]] bool is_dynamic(NodeId node) const;
  [[nodiscard]] std::vector<NodeId> nodes() const;  ///< that are dynamic, in ascending order
  [[nodiscard]] const MassProperties& mass(NodeId node) const;

  /// Throws InvalidInput for a restitution outside of [0, 1] and for negative friction.
  void set_surface(NodeId body, const Surface& surface);
  [[nodiscard]] Surface surface(NodeId body) const;

  /// Finds out now what steps need to know of the objects that are near each other. Else the first
  /// step that needs it does, which takes longer then.
  void prepare();

  void set_gravity(const Vec3& gravity);
  void set_velocity(NodeId node, const Velocity& velocity);
  [[nodiscard]] Velocity velocity(NodeId node) const;

  /// Bodies are woken, with all that fell asleep together with them, by who comes near or meets
  /// them, by velocities, forces, impulses, motors, joints and gravity that are set, and when they
  /// or what they lie on were moved or removed. Not by new surfaces and rules of pairs: then
  /// `wake`.
  [[nodiscard]] bool is_asleep(NodeId node) const;
  void wake(NodeId node);

  // ---- forces ----------------------------------------------------------------------------------

  /// In the next step: a force at a point, both in the world, or at the centre of mass; a torque.
  /// They add up.
  void apply_force(NodeId node, const Vec3& force);
  void apply_force(NodeId node, const Vec3& force, const Vec3& point);
  void apply_torque(NodeId node, const Vec3& torque);
  /// At once.
  void apply_impulse(NodeId node, const Vec3& impulse, const Vec3& point);

  /// How a node that is not dynamic moves in the next step, whose time is [0, 1]. It begins where
  /// the node is; else that is a jump, and jumps are not looked at.
  void move(NodeId node, const Motion& motion);

  // ---- joints ----------------------------------------------------------------------------------

  /// Joins two nodes where they are now. Throws InvalidInput for a joint of a node to itself or to
  /// what moves with it, where none of both is dynamic, for an axis without a direction, and for
  /// limits and motors without meaning. Joints end with their nodes.
  JointId join(const Joint& joint);
  void remove(JointId joint);
  [[nodiscard]] bool has(JointId joint) const;
  [[nodiscard]] std::vector<JointId> joints() const;  ///< in ascending order
  [[nodiscard]] const Joint& joint(JointId joint) const;
  void set_motor(JointId joint, const Motor& motor);
  [[nodiscard]] JointState joint_state(JointId joint) const;

  // ---- time ------------------------------------------------------------------------------------

  /// Takes a step of that much time, > 0. Nothing has changed when it throws, except that parts of
  /// the step may be done when a function of a motion throws in a later one.
  [[nodiscard]] const DynamicsResult& step(double dt);

  /// The way that a node really took in the last step, whose time is [0, 1]; for nodes that were
  /// dynamic or given a motion then.
  [[nodiscard]] Motion way(NodeId node) const;

  // ---- what is conserved -----------------------------------------------------------------------

  [[nodiscard]] double kinetic_energy() const;    ///< of all dynamic nodes, likewise below
  [[nodiscard]] double potential_energy() const;  ///< in the field of gravity, 0 at the origin
  [[nodiscard]] Vec3 momentum() const;
  [[nodiscard]] Vec3 angular_momentum() const;  ///< about the origin

  struct Data;  ///< for the library

 private:
  std::unique_ptr<Data> data_;
};

}  // namespace touche
