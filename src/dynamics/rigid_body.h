// SPDX-License-Identifier: Apache-2.0
// One rigid body: where it is, how it moves, and the motion that it makes of that.
#pragma once

#include "math/motion_data.h"
#include "touche/mass.h"
#include "touche/motion.h"

namespace touche {

/// A constant velocity for some time: a straight line of the centre of mass, and a turn.
struct Drift {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();  // in the world
};

/// Mass properties about the centre, inverted.
class Inertia {
 public:
  Inertia() = default;
  explicit Inertia(const MassProperties& mass);

  double mass = 0, inverse_mass = 0;
  Vec3 centre = Vec3::Zero();  // in the node's frame
  Mat3 body = Mat3::Zero(), inverse_body = Mat3::Zero();

  /// In the world, for this rotation of the node.
  Mat3 world(const Mat3& rotation) const { return rotation * body * rotation.transpose(); }
  Mat3 inverse_world(const Mat3& rotation) const {
    return rotation * inverse_body * rotation.transpose();
  }
};

/// The constant angular velocity, in the world, with which a body that is free for a time `h` gets
/// from this rotation to where it has the same angular momentum and the same energy.
///
/// With Ω in the body's frame and M0 the angular momentum there at the start, it solves
/// I Ω − M0 + k/2 Ω × I Ω = 0: the implicit midpoint rule of Euler's equations. Its solution turns
/// M0 into M1 = 2 I Ω − M0 by the Cayley transform, a turn about Ω by 2 atan(k |Ω| / 2), which is
/// also how the body turns: so the angular momentum in the world stays, and the energy, which is
/// quadratic, too. k is chosen so that the angle is h |Ω|; then turns about principal axes are
/// exact.
Vec3 free_turn(const Inertia& inertia, const Mat3& rotation, const Vec3& angular_momentum,
               double h);

/// How long a body may turn with one free_turn: about half a radian; all of h where its axis stays.
double longest_free_turn(const Inertia& inertia, const Mat3& rotation, const Vec3& angular_momentum,
                         double h);

/// A rotation, turned about the world's axis and by the length of `by`.
Mat3 turned(const Mat3& rotation, const Vec3& by);

/// A piece in which the point `straight`, in the node's frame, moves on a straight line to where
/// this drift of the centre of mass and the turn bring it in a time `h`.
detail::Piece piece_about(const Vec3& straight, const Vec3& in_centre, const Vec3& centre,
                          const Mat3& rotation, const Drift& drift, double h);

/// Returns the motion of a node that begins at `pose`: `drift` for a time `h`.
Motion drifting(const Inertia& inertia, const Pose& pose, const Drift& drift, double h);

/// The same for a body without torques, in as many pieces as its tumbling needs.
///
/// A piece is a turn about one axis, so only at its ends does a pose belong to the body's momentum
/// and energy; within it is off by the square of the angle that it turns. A body that is stopped
/// there goes on from the pose that it has, with the momentum and the energy that it should have:
/// these belong to the rotation pose.matrix() * lag, and the lag ends within half a radian of the
/// motion that follows.
Motion tumbling(const Inertia& inertia, const Pose& pose, const Mat3& lag, const Vec3& linear,
                const Vec3& angular_momentum, double h);

/// Returns the lag after a time `t` <= h of such a motion, which began at `pose` with this lag;
/// `now` is the pose there.
Mat3 lag_after(const Inertia& inertia, const Pose& pose, const Mat3& lag,
               const Vec3& angular_momentum, double h, double t, const Pose& now);

}  // namespace touche
