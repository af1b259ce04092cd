// SPDX-License-Identifier: Apache-2.0
// The interface of a convex body for all algorithms: its farthest point along a direction, with a
// bound of the rounding error. A body is its core, the hull of corners plus (Minkowski) discs,
// cones and ellipsoids, plus a ball. So capsules, boxes, cylinders and all rounded shapes have one
// representation.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

#include "math/pose_bits.h"
#include "math/rounding.h"
#include "touche/pose.h"

namespace touche::convex {

/// A part that is not a hull of few corners, in a frame of its own: x = axes · local + centre.
struct Round {
  enum class Kind : std::uint8_t {
    disc,  ///< of radius size.x() in the plane z = 0
    cone,  ///< over the disc of radius size.x() at z = -size.z(), with its apex at z = size.z()
    ellipsoid,  ///< of half axes size
  };
  Kind kind = Kind::disc;
  Vec3 size = Vec3::Zero();
  Mat3 axes = Mat3::Identity();  ///< a rotation, up to rounding
  Vec3 centre = Vec3::Zero();
};

/// Corners are stored in blocks, by coordinate, for scans of several at a time.
inline constexpr std::size_t kBlock = 8;

/// A body has at most this many round parts.
inline constexpr std::size_t kMostRound = 8;

/// A view of a body that is stored elsewhere: in a shape, or in a `TriangleBody` (below).
struct Body {
  /// x, y and z of each corner, each with room for `padded` numbers: the last corner is repeated
  /// until their number is a multiple of kBlock. At least one corner.
  const double *x = nullptr, *y = nullptr, *z = nullptr;
  std::size_t corners = 0, padded = 0;
  std::span<const Round> round;
  double radius = 0;  ///< of the ball that is added to the core

  /// Radius of a ball around `centre` that is in the core (without the body's ball); 0 if none is
  /// known.
  double inner = 0;
  /// `centre`: a point in the core, up to a rounding; the intersection test uses it if `inner` of
  /// the other body is positive. `reach`: upper bound of the distance of the core's points from the
  /// frame's origin.
  Vec3 centre = Vec3::Zero();
  double reach = 0;

  /// Exact, in the sense that a corner is where its coordinates say.
  [[nodiscard]] bool is_polytope() const { return round.empty(); }
  [[nodiscard]] Vec3 corner(std::size_t i) const { return {x[i], y[i], z[i]}; }
};

/// The farthest point of a core along a direction of the body's frame of length in [2^-100, 2^100].
/// `point` is within supporting_error(body) of a point of the core, and no point of the core is
/// farther along the direction n than n · point by more than supporting_error(body) |n|. For a
/// polytope the point is exactly the corner number `corner`, and only the second error applies.
struct Supporting {
  Vec3 point;
  /// of the hull of corners; the first one of several that are equally far in double precision
  Index corner;
};
Supporting supporting(const Body& body, const Vec3& direction);

/// The contribution of the round parts to a supporting point.
Vec3 round_share(std::span<const Round> parts, const Vec3& direction);

/// Derived in support.cpp.
inline constexpr double kSupportError = 64 * math::kUnitRoundoff;
inline double supporting_error(const Body& body) { return kSupportError * body.reach; }

/// x_a = rotation x_b + translation: the pose of body b in a's frame.
struct RigidTransform {
  Mat3 rotation = Mat3::Identity();
  Vec3 translation = Vec3::Zero();

  RigidTransform() = default;
  RigidTransform(const Pose& a, const Pose& b) { PoseBits::relative(a, b, rotation, translation); }

  /// Upper bound of the length of the translation: the sum of magnitudes. The numbers are read one
  /// by one, as translations are written: otherwise compilers read two at a time, which takes
  /// longer than all sums.
  [[nodiscard]] double shift() const {
    const double* t = translation.data();
    return (std::abs(t[0]) + std::abs(t[1])) + std::abs(t[2]);
  }

  /// The rounding that defines where b's corners are; the same as for soups.
  Vec3 operator*(const Vec3& p) const {
    const auto row = [&](int i) {
      return ((rotation(i, 0) * p[0] + rotation(i, 1) * p[1]) + rotation(i, 2) * p[2]) +
             translation[i];
    };
    return {row(0), row(1), row(2)};
  }
  /// Rotates a direction from a's frame to b's.
  [[nodiscard]] Vec3 turned_back(const Vec3& d) const {
    const auto column = [&](int i) {
      return (rotation(0, i) * d[0] + rotation(1, i) * d[1]) + rotation(2, i) * d[2];
    };
    return {column(0), column(1), column(2)};
  }
};

/// Error bound of b's points in a's frame: the rounding of the pose (the matrix of a quaternion,
/// kMovedPointError) and of b's support.
inline double placed_error(const Body& b, const RigidTransform& b_in_a) {
  return supporting_error(b) + math::kMovedPointError * (b.reach + b_in_a.shift());
}

/// A triangle as a body, for the duration of a query; no allocation.
class TriangleBody {
 public:
  TriangleBody(const Vec3& p, const Vec3& q, const Vec3& r) {
    for (std::size_t i = 0; i < kBlock; ++i) {
      const Vec3& c = i == 0 ? p : i == 1 ? q : r;
      x_[i] = c.x(), y_[i] = c.y(), z_[i] = c.z();
    }
    centre_ = (p + q + r) / 3;
    reach_ =
        math::kRoundUp * std::sqrt(std::max({p.squaredNorm(), q.squaredNorm(), r.squaredNorm()}));
  }
  [[nodiscard]] Body body() const {
    Body b;
    b.x = x_.data(), b.y = y_.data(), b.z = z_.data();
    b.corners = 3, b.padded = kBlock;
    b.centre = centre_, b.reach = reach_;
    return b;
  }

 private:
  std::array<double, kBlock> x_, y_, z_;
  Vec3 centre_;
  double reach_ = 0;
};

}  // namespace touche::convex
