// SPDX-License-Identifier: Apache-2.0
#include "dynamics/as_one.h"

#include <Eigen/Geometry>
#include <Eigen/LU>

namespace touche::dynamics {
namespace {

// Returns the inertia of a point mass about the origin.
Mat3 point_inertia(double mass, const Vec3& at) {
  return mass * (at.squaredNorm() * Mat3::Identity() - at * at.transpose());
}

}  // namespace

void AsOne::add(const Inertia& inertia, const Vec3& centre, const Mat3& rotation,
                const Vec3& linear, const Vec3& angular_momentum) {
  if (mass_ == 0) origin_ = centre;
  const Vec3 at = centre - origin_, momentum = inertia.mass * linear;
  mass_ += inertia.mass;
  centre_ += inertia.mass * at;
  linear_ += momentum;
  angular_ += angular_momentum + at.cross(momentum);
  inertia_ += inertia.world(rotation) + point_inertia(inertia.mass, at);
}

void AsOne::finish() {
  centre_ /= mass_;
  angular_ -= centre_.cross(linear_);
  linear_ /= mass_;
  inertia_ -= point_inertia(mass_, centre_);
  angular_ = inertia_.inverse() * angular_;
  centre_ += origin_;
}

double AsOne::energy() const {
  return 0.5 * mass_ * linear_.squaredNorm() + 0.5 * angular_.dot(inertia_ * angular_);
}

void AsOne::share(double part, const Inertia& inertia, const Vec3& centre, const Mat3& rotation,
                  Vec3& linear, Vec3& angular_momentum) const {
  linear += part * (linear_ + angular_.cross(centre - centre_) - linear);
  angular_momentum += part * (inertia.world(rotation) * angular_ - angular_momentum);
}

}  // namespace touche::dynamics
