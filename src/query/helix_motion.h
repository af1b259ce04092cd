// SPDX-License-Identifier: Apache-2.0
// Motions on a helix: one body stands still while the other one turns about a line and advances
// along it in proportion, as a nut on its bolt.
//
// In cylindrical coordinates (radius, angle, z) around that line, such a motion only changes angle
// and z. So the radius of a point and its height w = z − advance · angle never change: two points
// that differ in one of them never meet, however far the body turns. The half plane of (radius, w)
// is called the profile: a thread has the same profile all around.
//
// A motion through recorded poses follows a helix only approximately, at varying speed: at each
// time the body is close to its pose at some turning angle of the helix. The deviation is bounded.
#pragma once

#include <optional>

#include "query/time_slices.h"

namespace touche::query {

/// The motion of two bodies on a helix. Its coordinates have the line as z axis, and are the
/// coordinates of the moving body before it turns.
struct HelixMotion {
  struct Map {
    Mat3 rotation = Mat3::Identity();
    Vec3 translation = Vec3::Zero();
    Vec3 operator()(const Vec3& x) const { return rotation * x + translation; }
  };
  Map moving, still;                    // from the bodies' own coordinates
  bool a_moves = false;                 // otherwise b moves
  double advance = 0;                   // along the line, for each radian
  double turn_begin = 0, turn_end = 0;  // radians, in order
  /// Bounds the distance of points of the moving body from their position at the nearest turning
  /// angle.
  double off = 0;
  /// Bodies whose distance is at most this in these coordinates may be in contact: it includes
  /// `off`, the clearance, and the rounding of all coordinates of the profile.
  double error = 0;
};

/// The motion from `begin`, in the first of some slices, until the last of them ends, if its
/// deviation from a helix is small.
std::optional<HelixMotion> helix_motion(const Object& a, const Object& b, const TimeSlices& slices,
                                        std::size_t first, std::size_t last, double begin);

/// The number of slices, from the first one on, that belong to the same pieces of both motions as
/// it.
std::size_t slices_in_pieces(const TimeSlices& slices, std::size_t first);

/// The number of slices, from the first one on, that are known to follow one helix, at least all of
/// its pieces; 0 if even these do not.
std::size_t slices_on_helix(const Object& a, const Object& b, const TimeSlices& slices,
                            std::size_t first, double begin);

}  // namespace touche::query
