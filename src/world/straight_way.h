// SPDX-License-Identifier: Apache-2.0
// Bodies whose points nearly follow straight lines: many pairs of them are proved to stay apart by
// their bounding balls, or by the convex hulls of their corners, which saves a query.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "touche/motion.h"
#include "touche/shape.h"

namespace touche::world {

/// Bodies with more corners than this are not tested by their corners.
inline constexpr std::size_t kMostHullCorners = 128;

/// A body on the part of a motion from a time `begin` on. Its points move uniformly on straight
/// lines from their positions at that time to their positions at the end, with deviations of at
/// most `bulge`; the centre of the ball with at most `centre_bulge`.
struct StraightWay {
  std::span<const Vec3> corners;  // in body coordinates; empty if there are too many
  const Shape* hull = nullptr;    // of the corners, or null; it is searched faster
  Ball ball;                      // around the body, in body coordinates
  std::array<Mat3, 2> rotations = {Mat3::Identity(), Mat3::Identity()};
  std::array<Vec3, 2> translations = {Vec3::Zero(), Vec3::Zero()};
  std::array<Vec3, 2> centres = {Vec3::Zero(), Vec3::Zero()};  // of the ball
  double bulge = 0, centre_bulge = 0;
  double size = 0;  // magnitude of coordinates, for rounding errors

  /// Empty if the motion is not one smooth piece.
  static std::optional<StraightWay> of(const Motion& motion, const Ball& ball,
                                       std::span<const Vec3> corners, double begin = 0,
                                       const Shape* hull = nullptr);
};

/// The ball around a body on a part of its path: its centre moves uniformly on a straight line,
/// with deviations of at most `bulge`.
struct BallWay {
  std::array<Vec3, 2> centres;
  double radius, bulge, size;

  /// The ball on the whole path.
  explicit BallWay(const StraightWay& way);
  /// The rest of the path after a fraction of its time.
  BallWay rest(double from) const;
  /// The ball at rest where the path begins.
  BallWay stopped() const;
};

/// A ball around all of these points, about the centre of their box.
Ball ball_around(std::span<const Vec3> points);

/// True if both are proved to be farther apart than `enough` at every moment; false proves nothing.
/// The balls prove it by the distance of their centres. The hulls prove it if the difference of the
/// bodies lies beyond a plane both at the start and at the end: then it does so in between, too,
/// where its points lie between both. The plane is found by the algorithm of Gilbert, Johnson and
/// Keerthi, which begins with `normal` if that is given and not zero, and leaves the normal of the
/// plane there.
bool balls_stay_apart(const BallWay& a, const BallWay& b, double enough);
inline bool balls_stay_apart(const StraightWay& a, const StraightWay& b, double enough) {
  return balls_stay_apart(BallWay(a), BallWay(b), enough);
}
bool hulls_stay_apart(const StraightWay& a, const StraightWay& b, double enough,
                      Vec3* normal = nullptr);

}  // namespace touche::world
