// SPDX-License-Identifier: Apache-2.0
// A node that Dynamics moves, and its way in a step.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "dynamics/articulation.h"
#include "dynamics/rigid_body.h"
#include "touche/dynamics.h"

namespace touche {

/// A part of a way: a motion for the time of the step from `begin` to its end, [0, 1] for it.
struct WayPart {
  double begin = 0;
  Motion motion = Motion::at({});
};

/// How far bodies that lie on each other rise in a step, and may rise at most: both are work
/// against forces. Not known where there is other work on them.
struct Rise {
  double work = 0, most = 0;
  bool is_known = true;
};

/// A node that is dynamic, or that was given a motion: then its mass is 0, which stands for
/// infinite.
struct MovingNode {
  explicit MovingNode(NodeId id) : node(id) {}

  NodeId node;
  MassProperties mass;
  Inertia inertia;
  Vec3 linear = Vec3::Zero(), angular_momentum = Vec3::Zero();  // in the world
  /// By which its pose lags behind the rotation that belongs to its momentum and energy: those of a
  /// free flight that ended within a piece, see tumbling. None for who is supported or joined.
  Mat3 lag = Mat3::Identity();
  /// The share of the energy of its turning that a lag gave it when it ended in this step, unless
  /// limits of energy have taken it.
  double lag_share = 0;
  /// In a step: leads from where its centre of mass is to the place on the parabola that belongs to
  /// its velocity and energy, for a flight goes on chords of it. None where a step begins or ends,
  /// and for who is supported, joined or stopped.
  Vec3 to_parabola = Vec3::Zero();
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();  // of the caller, for one step

  // It was given a speed since the step before, or was about to roll on another in it.
  bool may_roll = false;

  bool is_dynamic() const { return inertia.mass > 0; }
  /// The rotation that its inertia counts with at that pose.
  Mat3 rotation(const Pose& pose) const { return pose.matrix() * lag; }
  double turning_energy(const Mat3& by_rotation) const {
    return 0.5 * angular_momentum.dot(inertia.inverse_world(by_rotation) * angular_momentum);
  }
  double kinetic_energy(const Mat3& by_rotation) const {
    return 0.5 * inertia.mass * linear.squaredNorm() + turning_energy(by_rotation);
  }

  // In a step. Velocities are those at `begin` (in [0, 1]) of a node that flies: forces act along
  // its way. One that is supported has had the impulse of all forces until the end of the step, for
  // what supports it must withstand them; and so its velocities are those of its motion.
  double begin = 0;
  bool supported = false;
  // Whether contacts join it, through others maybe, to what no forces move. Others keep the angular
  // momentum that they have together.
  bool grounded = false;
  Vec3 all_force = Vec3::Zero(), all_torque = Vec3::Zero();
  // For a supported node this is an angular momentum, in its frame, with the energy its turning
  // may have at most. Contacts make it turn about an axis that is none of its own, which an angular
  // momentum that stays in the world would pay with energy that nobody gave.
  Vec3 allowed_turning = Vec3::Zero();
  double energy = 0;  // of its motion, at the start of the step
  Velocity had;       // at the start of its motions, with an angular momentum
  // A node that is joined keeps from step to step its share in what all of them have above the
  // energy that forces gave them, and the greatest energy of its motion of late.
  double above = 0, greatest_energy = 0;
  Pose start;                    // at the start of the step
  std::optional<Motion> regain;  // by which it came there, before the step
  std::vector<WayPart> way;
  double reached = 1;  // until then it moved
  // A node that follows a motion and is stopped stands still for the rest of the step, from then
  // on.
  double halted = 1;
  double lost = 0;       // of the step, before it moved on
  double slowed = 0;     // of `lost`: its time passed more slowly, for it turned too far
  double idle = 0;       // of a step: stood still in this one and, less and less, in those before
  bool stopped = false;  // since `begin`, though it has momentum
  /// How fast its time passes since `begin`, against that of the step. Less than 1 for who turns
  /// too far, see passing_share: what does not pass is lost.
  double rate = 1;
  int responses = 0;
  double last_impact = 0;  // the time that was told of it, since the step began
  // Since when it has been within the tolerance of a pose, and whether it sleeps.
  double quiet = 0;
  Pose quiet_pose;
  bool asleep = false;
  std::vector<FlightPart> flight;  // of what is joined to others; empty: it moves by itself

  const Motion& motion() const { return way.back().motion; }
  /// Where it is at a time of the step from the beginning of its motion on.
  Pose pose(double t) const;
  void set_motion(double from, const Motion& motion);
  /// Lets it stand still from `begin` on.
  void stop(const Pose& at) {
    stopped = true;
    if (!is_dynamic()) halted = std::min(halted, begin);
    rate = 1;
    to_parabola.setZero();
    flight.clear();
    set_motion(begin, Motion::at(at));
  }
  /// The velocity of the node's origin, and its turn, over that part of the step: per step.
  Velocity motion_speed(double t, double part) const;
};

}  // namespace touche
