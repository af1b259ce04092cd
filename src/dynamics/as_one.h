// SPDX-License-Identifier: Apache-2.0
// How some bodies would move as one: with all the momentum that they have together, and the least
// energy that there is with it.
#pragma once

#include "dynamics/rigid_body.h"

namespace touche {

class AsOne {
 public:
  /// A body with this centre, rotation, velocity and angular momentum about its centre, in the
  /// world.
  void add(const Inertia& inertia, const Vec3& centre, const Mat3& rotation, const Vec3& linear,
           const Vec3& angular_momentum);
  /// After all were added.
  void finish();
  double mass() const { return mass_; }
  const Vec3& centre() const { return centre_; }
  const Vec3& linear() const { return linear_; }
  const Vec3& angular() const { return angular_; }
  const Mat3& inertia() const { return inertia_; }  ///< about the centre, in the world
  double energy() const;
  /// Gives a body of these a share, in [0, 1], of that motion. Where all get the same share their
  /// momentum stays, linear and angular, and their energy falls: it is a convex function of the
  /// share, with its least value at 1.
  void share(double part, const Inertia& inertia, const Vec3& centre, const Mat3& rotation,
             Vec3& linear, Vec3& angular_momentum) const;

 private:
  double mass_ = 0;
  // Until finish() these hold sums: masses times places and velocities, and about the origin.
  Vec3 centre_ = Vec3::Zero(), linear_ = Vec3::Zero(), angular_ = Vec3::Zero();
  Mat3 inertia_ = Mat3::Zero();
  Vec3 origin_ = Vec3::Zero();  // the first centre: sums about it lose nothing far from zero
};

}  // namespace touche
