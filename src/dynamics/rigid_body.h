// SPDX-License-Identifier: Apache-2.0
// A rigid body: its mass properties, and its motion at given velocities.
#pragma once

#include "math/motion_data.h"
#include "touche/mass.h"
#include "touche/motion.h"

namespace touche::dynamics {

/// A constant velocity for some time: the centre of mass moves on a straight line, and the body
/// turns.
struct Drift {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();  // in the world
};

/// Mass properties about the centre of mass, and their inverses.
class Inertia {
 public:
  Inertia() = default;
  explicit Inertia(const MassProperties& mass);

  double mass = 0, inverse_mass = 0;
  Vec3 centre = Vec3::Zero();  // in the node's frame
  Mat3 body = Mat3::Zero(), inverse_body = Mat3::Zero();

  /// The inertia in the world, for this rotation of the node.
  Mat3 world(const Mat3& rotation) const { return rotation * body * rotation.transpose(); }
  Mat3 inverse_world(const Mat3& rotation) const {
    return rotation * inverse_body * rotation.transpose();
  }
};

/// Returns the constant angular velocity, in the world, that moves a body which is free for a time
/// `h` from this rotation to one with the same angular momentum and the same energy.
///
/// With Ω in the body's frame and M0 the angular momentum there at the start, it solves I Ω − M0 +
/// k/2 Ω × I Ω = 0: the implicit midpoint rule of Euler's equations. Its solution turns M0 into M1
/// = 2 I Ω − M0 by the Cayley transform, a rotation about Ω by 2 atan(k |Ω| / 2). The body turns by
/// the same angle, so the angular momentum in the world is kept, and so is the energy, which is
/// quadratic. k is chosen so that the angle is h |Ω|; then rotations about principal axes are
/// exact.
Vec3 free_turn(const Inertia& inertia, const Mat3& rotation, const Vec3& angular_momentum,
               double h);

/// Returns how long a body may turn with one free_turn: for about half a radian, or for all of h if
/// its axis stays.
double longest_free_turn(const Inertia& inertia, const Mat3& rotation, const Vec3& angular_momentum,
                         double h);

/// Returns `rotation`, turned about the axis `by` of the world by the length of `by`.
Mat3 turned(const Mat3& rotation, const Vec3& by);

/// Returns a piece in which the point `straight`, in the node's frame, moves on a straight line to
/// where the drift of the centre of mass and the rotation bring it in a time `h`.
detail::Piece piece_about(const Vec3& straight, const Vec3& in_centre, const Vec3& centre,
                          const Mat3& rotation, const Drift& drift, double h);

/// Returns the motion of a node that begins at `pose`: `drift` for a time `h`.
Motion drifting(const Inertia& inertia, const Pose& pose, const Drift& drift, double h);

/// The same for a free body without torques, in as many pieces as its tumbling needs.
///
/// A piece is a rotation about one axis, so its pose belongs to the body's momentum and energy only
/// at its ends; within, it is off by the square of the angle that it turns. A body that is stopped
/// within a piece goes on from its pose with the momentum and the energy that it should have. These
/// belong to the rotation pose.matrix() * lag. The lag ends within half a radian of the motion that
/// follows.
Motion tumbling(const Inertia& inertia, const Pose& pose, const Mat3& lag, const Vec3& linear,
                const Vec3& angular_momentum, double h);

/// Returns the lag after a time `t` <= h of such a motion, which began at `pose` with the lag
/// `lag`. `now` is the pose then.
Mat3 lag_after(const Inertia& inertia, const Pose& pose, const Mat3& lag,
               const Vec3& angular_momentum, double h, double t, const Pose& now);

}  // namespace touche::dynamics
