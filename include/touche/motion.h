// SPDX-License-Identifier: Apache-2.0
// Motions: a pose as a function of t in [0, 1], with certified bounds of the displacement of
// points.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "touche/pose.h"
#include "touche/types.h"

namespace touche {

// ---- boxes that move ----------------------------------------------------------------------------

/// A box whose sides move linearly: at t in [0, 1] it is (1 − t) start + t end. It is empty when
/// either of them is.
struct MovingBox {
  Aabb start, end;

  [[nodiscard]] Aabb at(double t) const {
    return {(1 - t) * start.lo + t * end.lo, (1 - t) * start.hi + t * end.hi};
  }
};

/// The closed interval of times from `start` to `end`.
struct TimeInterval {
  double start = 0, end = 1;
  friend bool operator==(const TimeInterval&, const TimeInterval&) = default;
};

/// All t in [0, 1] at which the boxes overlap or are at most `clearance` (a length) apart along
/// every axis. At all other times their contents are farther apart than that. Rounded outwards.
/// Returns no value when there is no such time or a box is empty. Throws InvalidInput for a
/// clearance that is negative or not finite.
[[nodiscard]] std::optional<TimeInterval> overlap_time(const MovingBox& a, const MovingBox& b,
                                                       double clearance = 0);

namespace detail {
class MotionData;
}

/// Interpolation between two recorded poses.
enum class Interpolation {
  slerp,  ///< constant angular velocity the short way round, translation linear
  nlerp,  ///< normalised linear interpolation of the quaternions, translation linear
};

/// A pose as a function of t in [0, 1]; a value type. The functions that make motions throw
/// InvalidInput where lengths exceed 1e301 or numbers overflow. A motion of a single piece
/// allocates nothing, except for a user's function; copies of longer motions share their data.
///
///     const Motion motion = Motion::interpolated({}, Pose::from_translation({0, 0, 1}));
///     const Vec3 halfway = motion.pose(0.5) * point;
class [[nodiscard]] Motion {
 public:
  /// A motion that stands still at `pose`.
  static Motion at(const Pose& pose);

  /// From `start` to `end`; the body's local origin moves on a straight line. If the rotations
  /// differ by less than 2e-15 radians, that of `start` is used for both.
  static Motion interpolated(const Pose& start, const Pose& end,
                             Interpolation how = Interpolation::slerp);

  /// Turns by `angle` (radians, any size and sign) about the world axis through `point` along
  /// `axis`, while advancing by `travel` along it.
  static Motion screw(const Pose& start, const Vec3& point, const Vec3& axis, double angle,
                      double travel);

  /// Through all `poses`. `times` has one entry for each pose and increases from 0 to 1; empty
  /// means equal steps. Throws InvalidInput for fewer than two poses or times that do not increase.
  static Motion through(std::span<const Pose> poses, std::span<const double> times = {},
                        Interpolation how = Interpolation::slerp);

  /// One motion after the other, each on its part of [0, 1]. `times` are as for `through`, one more
  /// than motions. The end of each motion must be the start of the next (not checked).
  static Motion chain(std::span<const Motion> motions, std::span<const double> times = {});

  /// A user's function, which is called from several threads at once. The caller promises, for all
  /// t: the body point `reference` (in body coordinates) moves no faster than `max_speed` (length
  /// per unit of t) and the body turns no faster than `max_angular_speed` (radians per unit of t).
  /// Proofs about the motion are valid only if this holds. What the function throws ends the query
  /// that called it; so does InvalidInput of a Pose that would not be finite.
  static Motion function(std::function<Pose(double)> pose, double max_speed,
                         double max_angular_speed, const Vec3& reference = Vec3::Zero());

  /// t is clamped to [0, 1]. Throws InvalidInput when it is not a number.
  Pose pose(double t) const;

  /// The part of this motion between t0 < t1, stretched to [0, 1].
  Motion part(double t0, double t1) const;

  /// This motion backwards: pose(t) of one is pose(1 − t) of the other, up to rounding.
  Motion reversed() const;

  /// The motion of a second body, attached to this one at the relative pose `offset`: its pose at t
  /// is pose(t) · offset, up to rounding.
  Motion carrying(const Pose& offset) const;

  /// Upper bound of |x(t) − x(t_ref)| for all points x of the ball or box, given in body
  /// coordinates, and all t in [t0, t1]; t_ref may lie anywhere in [0, 1]. Rounded upwards;
  /// infinite for infinite balls and boxes. Throws InvalidInput for numbers that are NaN, as
  /// bulge_bound does.
  [[nodiscard]] double displacement_bound(const Ball& ball, double t_ref, double t0,
                                          double t1) const;
  [[nodiscard]] double displacement_bound(const Aabb& box, double t_ref, double t0,
                                          double t1) const;

  /// Upper bound, for all points x of the ball and all t in [0, 1], of the distance of x(t) from
  /// the segment from x(0) to x(1): how far paths deviate from straight lines. Rounded upwards.
  [[nodiscard]] double bulge_bound(const Ball& ball) const;

  /// A box that contains every point of `box`, given in body coordinates, at every t in [0, 1];
  /// rounded outwards. The error of a side is at most 3.5 % of the distance of the box from the
  /// axis of rotation. A body that makes more than one turn in one piece is treated as having all
  /// rotations all the time. For a user's function the error is the displacement that its speeds
  /// allow in a sixteenth of [0, 1]. An empty box stays empty. Throws InvalidInput for coordinates
  /// that are not finite.
  [[nodiscard]] Aabb swept_box(const Aabb& box) const;

  /// The same with a box that moves linearly: at every t, `at(t)` of the result contains every
  /// point of `box` at t. For long, straight motions this gives far fewer pairs than swept boxes.
  [[nodiscard]] MovingBox moving_box(const Aabb& box) const;

  /// The motion of `b` in the moving frame of `a`.
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

  alignas(double) std::byte memory_[432];  // storage of the data
};

}  // namespace touche
