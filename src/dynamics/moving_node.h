// SPDX-License-Identifier: Apache-2.0
// A node that Dynamics moves, and its path in a step.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "dynamics/articulation.h"
#include "dynamics/rigid_body.h"
#include "touche/dynamics.h"

namespace touche::dynamics {

/// A part of a path: a motion from `begin` to the end of the step, whose own time is [0, 1].
struct WayPart {
  double begin = 0;
  Motion motion = Motion::at({});
};

/// The work against forces by which bodies that lie on each other rise in a step, and its limit.
/// Unknown if other work is done on the bodies.
struct Rise {
  double work = 0, most = 0;
  bool is_known = true;
};

/// A node that is dynamic, or that was given a motion: then its mass is 0, which stands for
/// infinite mass.
struct MovingNode {
  explicit MovingNode(NodeId id) : node(id) {}

  NodeId node;
  MassProperties mass;
  Inertia inertia;
  Vec3 linear = Vec3::Zero(), angular_momentum = Vec3::Zero();  // in the world
  /// The rotation from its pose to the orientation that belongs to its momentum and energy. Arises
  /// when a free flight ends within a motion piece, see tumbling. Identity for supported and joined
  /// nodes.
  Mat3 lag = Mat3::Identity();
  /// The share of its energy of rotation that came from a lag which ended in this step, unless
  /// limits of energy have taken it.
  double lag_share = 0;
  /// In a step: the offset from its centre of mass to the point on the parabola that belongs to its
  /// velocity and energy, because a flight goes on chords of the parabola. Zero at the beginning
  /// and end of a step, and for supported, joined and stopped nodes.
  Vec3 to_parabola = Vec3::Zero();
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();  // of the caller, for one step

  // It was given a velocity since the previous step, or was about to roll on another node in it.
  bool may_roll = false;

  bool is_dynamic() const { return inertia.mass > 0; }
  /// The orientation at that pose for which its inertia counts.
  Mat3 rotation(const Pose& pose) const { return pose.matrix() * lag; }
  double turning_energy(const Mat3& by_rotation) const {
    return 0.5 * angular_momentum.dot(inertia.inverse_world(by_rotation) * angular_momentum);
  }
  double kinetic_energy(const Mat3& by_rotation) const {
    return 0.5 * inertia.mass * linear.squaredNorm() + turning_energy(by_rotation);
  }

  // In a step. The velocities of a flying node belong to `begin` (in [0, 1]), and forces act along
  // its path. A supported node already has the impulse of all forces until the end of the step,
  // because its supports must withstand them; so these are the velocities of its motion.
  double begin = 0;
  bool supported = false;
  // Whether contacts connect it, perhaps through other bodies, to something that forces do not
  // move. Groups of other nodes keep their angular momentum.
  bool grounded = false;
  Vec3 all_force = Vec3::Zero(), all_torque = Vec3::Zero();
  // For a supported node: an angular momentum in its frame, whose energy its rotation must not
  // exceed. Contacts make it turn about an axis that is not the one of its free rotation; with an
  // angular momentum constant in the world its energy would then grow without work of forces.
  Vec3 allowed_turning = Vec3::Zero();
  double energy = 0;  // kinetic, at the start of the step
  Velocity had;       // at the start of its motions; `angular` is a momentum
  // A joined node keeps from step to step its share of its group's energy above what forces gave,
  // and the greatest kinetic energy that it had recently.
  double above = 0, greatest_energy = 0;
  Pose start;                    // at the start of the step
  std::optional<Motion> regain;  // the motion that regained gaps, before the step
  std::vector<WayPart> way;
  double reached = 1;  // the time until which it moved
  // A node that follows a motion and is stopped stands still from this time on, for the rest of the
  // step.
  double halted = 1;
  Vec3 paid = Vec3::Zero();  // momentum that it lost for lifts and was not given back
  double lost = 0;           // of the step, so far
  double slowed = 0;         // part of `lost`: it would have turned too far
  double idle = 0;           // steps it stood still: this one and, with less weight, earlier ones
  bool stopped = false;      // since `begin`, though it has momentum
  /// The rate at which its time has passed since `begin`, relative to the step's. Less than 1 for a
  /// node that would turn too far, see passing_share; time that does not pass is lost.
  double rate = 1;
  int responses = 0;
  double last_impact = 0;  // time of its last impact in the step
  // How long it has been within the tolerance of `quiet_pose`, and whether it sleeps.
  double quiet = 0;
  Pose quiet_pose;
  bool asleep = false;
  std::vector<FlightPart> flight;  // of a joined node; empty: it moves by itself
  // For the account of the step: changes of its momenta by other causes than forces, contacts and
  // joints (MomentumCorrection), the time in which forces acted in this part, whether it was asleep
  // when the part's contacts were solved, and whether it was awake in any part.
  Vec3 corrected = Vec3::Zero(), corrected_turn = Vec3::Zero();
  double pushed = 0;
  bool slept = false, was_awake = false;

  /// Makes a change of its momenta that is a correction.
  template <class Change>
  void correct(Change&& change) {
    const Vec3 had_linear = linear, had_angular = angular_momentum;
    change();
    corrected += inertia.mass * (linear - had_linear);
    corrected_turn += angular_momentum - had_angular;
  }
  void slow_down(double share) {
    correct([&] {
      linear *= share;
      angular_momentum *= share;
    });
  }

  const Motion& motion() const { return way.back().motion; }
  /// Its pose at a time of the step, from the beginning of its present motion on.
  Pose pose(double t) const;
  void set_motion(double from, const Motion& motion);
  /// Makes it stand still from `begin` on.
  void stop(const Pose& at) {
    stopped = true;
    if (!is_dynamic()) halted = std::min(halted, begin);
    rate = 1;
    to_parabola.setZero();
    flight.clear();
    set_motion(begin, Motion::at(at));
  }
  /// The velocity of the node's origin and its rotation over that part of the step, per step.
  Velocity motion_speed(double t, double part) const;
};

}  // namespace touche::dynamics
