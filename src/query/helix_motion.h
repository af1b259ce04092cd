// SPDX-License-Identifier: Apache-2.0
// Motions on a helix: one body stands still while the other one turns about a line and advances
// along it in proportion, as a nut on its bolt.
//
// In cylindrical coordinates (radius, angle, z) around that line such a motion only adds to angle
// and z. So the radius of a point and its height w = z − advance · angle never change: where two
// points differ in one of them they never meet, however far the body turns. The half plane of
// (radius, w) is called the profile: a thread has the same profile all around.
#pragma once

#include <optional>

#include "query/time_slices.h"

namespace touche {

/// How two bodies move. Coordinates have the z axis as the line, and are those of the moving body
/// before it turns at all.
struct HelixMotion {
  struct Map {
    Mat3 rotation = Mat3::Identity();
    Vec3 translation = Vec3::Zero();
    Vec3 operator()(const Vec3& x) const { return rotation * x + translation; }
  };
  Map moving, still;                    // from the bodies' own coordinates
  bool a_moves = false;                 // or b does
  double advance = 0;                   // along the line, for each radian
  double turn_begin = 0, turn_end = 0;  // radians, in order
  /// Bodies whose distance is at most this in these coordinates may be in contact: it bounds how
  /// far the motion is off a helix, the rounding of all coordinates of the profile, and contains
  /// the clearance.
  double error = 0;
};

/// The motion in the pieces of a slice, from `begin` until `end`, if it is one on a helix; `end` is
/// set to when the first of these pieces ends.
std::optional<HelixMotion> helix_motion(const Object& a, const Object& b, const TimeSlices& slices,
                                        const TimeSlice& slice, double begin, double& end);

}  // namespace touche
