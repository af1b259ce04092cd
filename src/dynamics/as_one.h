// SPDX-License-Identifier: Apache-2.0
// The motion of several bodies as one rigid body: with their total momentum, and the least energy
// that this momentum allows.
#pragma once

#include "dynamics/rigid_body.h"

namespace touche::dynamics {

class AsOne {
 public:
  /// Adds a body with this centre, rotation, velocity and angular momentum about its centre, all in
  /// the world.
  void add(const Inertia& inertia, const Vec3& centre, const Mat3& rotation, const Vec3& linear,
           const Vec3& angular_momentum);
  /// Must be called after all bodies are added.
  void finish();
  double mass() const { return mass_; }
  const Vec3& centre() const { return centre_; }
  const Vec3& linear() const { return linear_; }
  const Vec3& angular() const { return angular_; }
  const Mat3& inertia() const { return inertia_; }  ///< about the centre, in the world
  double energy() const;
  /// Returns the largest share in [0, 1] of this change of linear() and angular() with which
  /// energy() does not exceed `most`, nor, where it is greater, what it is without the change.
  double share_within(double most, const Vec3& push, const Vec3& turn) const;
  /// Moves the velocities of one of the bodies towards that motion, by a share in [0, 1]. If all
  /// bodies get the same share, their linear and angular momentum stay and their energy falls: it
  /// is a convex function of the share with its least value at 1.
  void share(double part, const Inertia& inertia, const Vec3& centre, const Mat3& rotation,
             Vec3& linear, Vec3& angular_momentum) const;

 private:
  double mass_ = 0;
  // Until finish() these are sums: of mass times position, of momentum, and of moments about
  // origin_.
  Vec3 centre_ = Vec3::Zero(), linear_ = Vec3::Zero(), angular_ = Vec3::Zero();
  Mat3 inertia_ = Mat3::Zero();
  Vec3 origin_ = Vec3::Zero();  // the first centre: sums about it are exact far from zero
};

}  // namespace touche::dynamics
