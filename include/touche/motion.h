// SPDX-License-Identifier: Apache-2.0
// Motions: a pose as a function of t in [0, 1], with certified bounds of how far points travel.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "touche/moving_box.h"
#include "touche/pose.h"

namespace touche {

namespace detail {
class MotionData;
}

/// How to get from one recorded pose to the next.
enum class Interpolation {
  slerp,  ///< constant angular velocity the short way round, translation linear
  nlerp,  ///< normalised linear interpolation of the quaternions, translation linear
};

/// A pose as a function of t in [0, 1]. A value. One of a single piece allocates nothing, but for a
/// user's function; copies of longer ones share their data.
class [[nodiscard]] Motion {
 public:
  /// Standing still.
  static Motion at(const Pose& pose);

  /// From `start` to `end`; the body's local origin moves on a straight line. Rotations that differ
  /// by less than 2e-15 radians are one, that of `start`.
  static Motion interpolated(const Pose& start, const Pose& end,
                             Interpolation how = Interpolation::slerp);

  /// Turns by `angle` (radians, any size and sign) about the world axis through `point` along
  /// `axis`, while advancing by `travel` along it.
  static Motion screw(const Pose& start, const Vec3& point, const Vec3& axis, double angle,
                      double travel);

  /// Through all `poses`. `times` increase from 0 to 1; empty means equal steps.
  /// Throws InvalidInput for fewer than two poses or times that do not increase.
  static Motion through(std::span<const Pose> poses, std::span<const double> times = {},
                        Interpolation how = Interpolation::slerp);

  /// One motion after the other, each given its share of [0, 1]; `times` as for `through`, one
  /// more than motions. The end of each must be the start of the next (not checked).
  static Motion chain(std::span<const Motion> motions, std::span<const double> times = {});

  /// A user's function, which is called from several threads at once. The caller promises, for all
  /// t: the body point `reference` (in body coordinates) moves no faster than `max_speed` (length
  /// per unit of t) and the body turns no faster than `max_angular_speed` (radians per unit of t).
  /// The certificate is as good as that promise.
  static Motion function(std::function<Pose(double)> pose, double max_speed,
                         double max_angular_speed, const Vec3& reference = Vec3::Zero());

  /// t is clamped to [0, 1]. Throws InvalidInput when it is not a number.
  Pose pose(double t) const;

  /// The part of this motion between t0 < t1, stretched to [0, 1].
  Motion part(double t0, double t1) const;

  /// The same way back: pose(t) of one is pose(1 − t) of the other, up to rounding.
  Motion reversed() const;

  /// The motion of a body that this one carries with it, at the pose `offset` relative to it: its
  /// pose(t) is pose(t) · offset, up to rounding.
  Motion carrying(const Pose& offset) const;

  /// Upper bound of |x(t) − x(t_ref)| for all points x of the ball or box, given in body
  /// coordinates, and all t in [t0, t1]; t_ref may lie anywhere in [0, 1]. Rounded upwards.
  [[nodiscard]] double displacement_bound(const Ball& ball, double t_ref, double t0,
                                          double t1) const;
  [[nodiscard]] double displacement_bound(const Aabb& box, double t_ref, double t0,
                                          double t1) const;

  /// Upper bound, for all points x of the ball and all t in [0, 1], of the distance of x(t) from
  /// the segment from x(0) to x(1): how far the way bulges. Rounded upwards.
  [[nodiscard]] double bulge_bound(const Ball& ball) const;

  /// Holds every point of the box, given in body coordinates, at every t in [0, 1]. Rounded
  /// outwards. A side is off by at most 3.5 % of the distance of the box from the axis that it
  /// turns about. A body that turns more than once in one piece is taken to show all sides all the
  /// time; of a user's function the sides are off by what may travel in a sixteenth of [0, 1]. An
  /// empty box stays empty; throws InvalidInput for coordinates that are not finite.
  [[nodiscard]] Aabb swept_box(const Aabb& box) const;

  /// The same, evenly moving: at every t, `at(t)` of what is returned holds every point of the box
  /// at t. Where a motion is long and straight this leaves far fewer pairs than swept boxes do.
  [[nodiscard]] MovingBox moving_box(const Aabb& box) const;

  /// The motion of `b` as seen by an observer who rides on `a`.
  static Motion relative(const Motion& a, const Motion& b);

  [[nodiscard]] bool is_still() const;

  Motion(const Motion& other);
  Motion(Motion&& other) noexcept;
  Motion& operator=(const Motion& other);
  Motion& operator=(Motion&& other) noexcept;
  ~Motion();

 private:
  friend detail::MotionData;
  explicit Motion(detail::MotionData&& data);
  const detail::MotionData& data() const;
  detail::MotionData& data();

  alignas(double) std::byte memory_[432];  // holds the data
};

}  // namespace touche
