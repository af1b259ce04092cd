// SPDX-License-Identifier: Apache-2.0
// Points, rigid placements and motions of the plane. Angles are in radians, counter-clockwise if x
// points right and y up.
#pragma once

#include <functional>
#include <span>

#include "touche/motion.h"
#include "touche/pose.h"

namespace touche::plane {

using Vec2 = Eigen::Vector2d;
using Mat2 = Eigen::Matrix2d;

/// A rotation followed by a translation: x' = R x + t. The plane is z = 0 in space, and its poses
/// are poses of space that rotate about z and keep z.
class [[nodiscard]] Pose {
 public:
  Pose() = default;  ///< identity

  /// `angle` may be of any size. Throws InvalidInput when a number is not finite.
  explicit Pose(double angle, const Vec2& translation = Vec2::Zero());

  /// Throws InvalidInput for a pose that rotates about another axis than z, or leaves z = 0.
  static Pose from_space(const touche::Pose& pose);
  [[nodiscard]] const touche::Pose& in_space() const { return pose_; }

  [[nodiscard]] double angle() const;  ///< in (−π, π]
  [[nodiscard]] Vec2 translation() const { return pose_.translation().head<2>(); }
  [[nodiscard]] Mat2 matrix() const { return pose_.matrix().topLeftCorner<2, 2>(); }

  Pose inverse() const;
  [[nodiscard]] Vec2 operator*(const Vec2& point) const;
  [[nodiscard]] Vec2 rotate(const Vec2& direction) const;

  /// Applies b first, then a.
  friend Pose operator*(const Pose& a, const Pose& b);

 private:
  touche::Pose pose_;
};

/// A pose as a function of t in [0, 1]; a value type.
///
///     const Motion turn = Motion::turning({}, 0.5, Vec2::Zero());
class [[nodiscard]] Motion {
 public:
  /// A motion that stands still at `pose`.
  static Motion at(const Pose& pose);

  /// From `start` to `end` at constant angular speed, by the smaller angle; the body's origin moves
  /// on a straight line.
  static Motion interpolated(const Pose& start, const Pose& end);

  /// Rotates at constant speed by `angle` (any size and sign) about the body's point `pivot` (body
  /// coordinates), which moves by `travel` (world coordinates) on a straight line. Throws
  /// InvalidInput when a number is not finite.
  static Motion turning(const Pose& start, double angle, const Vec2& pivot,
                        const Vec2& travel = Vec2::Zero());

  /// Through all `poses`, as touche::Motion::through.
  static Motion through(std::span<const Pose> poses, std::span<const double> times = {});

  /// One motion after the other, as touche::Motion::chain.
  static Motion chain(std::span<const Motion> motions, std::span<const double> times = {});

  /// A user's function with declared speeds, as touche::Motion::function: the body's point
  /// `reference` moves no faster than `max_speed`, and the body turns no faster than
  /// `max_angular_speed`. Proofs about the motion are valid only if this holds.
  static Motion function(std::function<Pose(double)> pose, double max_speed,
                         double max_angular_speed, const Vec2& reference = Vec2::Zero());

  /// t is clamped to [0, 1]. Throws InvalidInput when it is not a number.
  Pose pose(double t) const;

  /// The part of this motion between t0 < t1, stretched to [0, 1].
  Motion part(double t0, double t1) const;

  /// This motion backwards, as touche::Motion::reversed.
  Motion reversed() const;

  [[nodiscard]] const touche::Motion& in_space() const { return motion_; }

 private:
  explicit Motion(touche::Motion motion) : motion_(std::move(motion)) {}
  touche::Motion motion_;
};

}  // namespace touche::plane
