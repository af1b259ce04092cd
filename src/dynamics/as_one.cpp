// SPDX-License-Identifier: Apache-2.0
#include "dynamics/as_one.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

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

double AsOne::share_within(double most, const Vec3& push, const Vec3& turn) const {
  // The energy is energy() + s first + s² second.
  const double first = mass_ * linear_.dot(push) + angular_.dot(inertia_ * turn),
               second = 0.5 * (mass_ * push.squaredNorm() + turn.dot(inertia_ * turn)),
               room = std::max(most - energy(), 0.0);
  if (!(first + second > room)) return 1;
  // The positive root, without cancellation.
  const double root = std::sqrt(first * first + 4 * second * room);
  return std::min(first > 0 ? 2 * room / (first + root) : (root - first) / (2 * second), 1.0);
}

void AsOne::share(double part, const Inertia& inertia, const Vec3& centre, const Mat3& rotation,
                  Vec3& linear, Vec3& angular_momentum) const {
  linear += part * (linear_ + angular_.cross(centre - centre_) - linear);
  angular_momentum += part * (inertia.world(rotation) * angular_ - angular_momentum);
}

}  // namespace touche::dynamics
