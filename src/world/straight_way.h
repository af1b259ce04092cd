// SPDX-License-Identifier: Apache-2.0
// Bodies whose points nearly follow straight lines: many pairs of them are proved to stay apart by
// their bounding balls, or by the convex hulls of their corners, before a question is asked.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "touche/motion.h"
#include "touche/shape.h"

namespace touche {

/// Corners of more than that many are not looked at.
inline constexpr std::size_t kMostHullCorners = 128;

/// A body on the part of a motion from a time `begin` on. Points go evenly on straight lines from
/// where they are then to where they end, but for `bulge`; the centre of the ball but for
/// `centre_bulge`.
struct StraightWay {
  std::span<const Vec3> corners;  // in body coordinates; none: there are too many
  const Shape* hull = nullptr;    // of the corners, or null: it is scanned faster
  Ball ball;                      // around the body, in body coordinates
  std::array<Mat3, 2> rotations = {Mat3::Identity(), Mat3::Identity()};
  std::array<Vec3, 2> translations = {Vec3::Zero(), Vec3::Zero()};
  std::array<Vec3, 2> centres = {Vec3::Zero(), Vec3::Zero()};  // of the ball
  double bulge = 0, centre_bulge = 0;
  double size = 0;  // of coordinates, for rounding

  /// None where the motion is not one smooth piece.
  static std::optional<StraightWay> of(const Motion& motion, const Ball& ball,
                                       std::span<const Vec3> corners, double begin = 0,
                                       const Shape* hull = nullptr);
};

/// The ball around a body on a part of its way: its centre goes evenly on a straight line, but for
/// `bulge`.
struct BallWay {
  std::array<Vec3, 2> centres;
  double radius, bulge, size;

  /// The ball on all of a way.
  explicit BallWay(const StraightWay& way);
  /// The rest of it after a share of its time.
  BallWay rest(double from) const;
  /// Where it is at the beginning.
  BallWay stopped() const;
};

/// A ball around all of these points, about the centre of their box.
Ball ball_around(std::span<const Vec3> points);

/// Whether both are proved to be farther apart than `enough` at every moment. The balls prove it
/// where that is so of their distance; the hulls where the difference of the bodies, at the start
/// and at the end, lies beyond a plane: then it does so in between, where it is between both. The
/// plane is found by the algorithm of Gilbert, Johnson and Keerthi, which begins with `normal` if
/// it is given and not zero, and leaves the plane's there. False tells nothing.
bool balls_stay_apart(const BallWay& a, const BallWay& b, double enough);
inline bool balls_stay_apart(const StraightWay& a, const StraightWay& b, double enough) {
  return balls_stay_apart(BallWay(a), BallWay(b), enough);
}
bool hulls_stay_apart(const StraightWay& a, const StraightWay& b, double enough,
                      Vec3* normal = nullptr);

}  // namespace touche
