// SPDX-License-Identifier: Apache-2.0
// Bounds of the velocities of a rigid body's points, from one instant on.
#pragma once

#include "touche/types.h"

namespace touche::math {

/// Per unit of t, in a frame that is at rest: the point x moves with linear + angular × (x −
/// centre), up to an error of undirected_speed + undirected_angular_speed |x − centre|. Later its
/// velocity differs from that by at most acceleration_per_distance times the elapsed time times the
/// distance of x from the line through the centre along the unit vector `axis`.
struct VelocityBound {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero(), centre = Vec3::Zero(), axis = Vec3::UnitX();
  double acceleration_per_distance = 0;
  double undirected_speed = 0, undirected_angular_speed = 0;
  bool still = false;  // then all other members are ignored

  Vec3 velocity(const Vec3& x) const { return linear + angular.cross(x - centre); }
  double undirected(const Vec3& x) const {
    return undirected_angular_speed == 0
               ? undirected_speed
               : undirected_speed + undirected_angular_speed * (x - centre).norm();
  }
  double acceleration(const Vec3& x) const {
    return acceleration_per_distance == 0
               ? 0
               : acceleration_per_distance * axis.cross(x - centre).norm();
  }

  /// The same in coordinates x' = rotation (x − origin).
  VelocityBound in_frame(const Mat3& rotation, const Vec3& origin) const {
    if (still) return *this;
    VelocityBound moved = *this;
    moved.linear = rotation * linear;
    moved.angular = rotation * angular;
    moved.centre = rotation * (centre - origin);
    moved.axis = rotation * axis;
    return moved;
  }
};

}  // namespace touche::math
