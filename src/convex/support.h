// SPDX-License-Identifier: Apache-2.0
// A convex body tells all algorithms what is farthest along a direction, and how far rounding
// may put that off. A body is the hull of corners plus (Minkowski) discs, cones and ellipsoids, its
// core, plus a ball. So capsule, box, cylinder and whatever is rounded are one kind of thing.
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

/// Describes what is not a hull of few corners, in a frame of its own: x = axes · local + centre.
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

/// Corners are stored in blocks, coordinate by coordinate, for scans of several at a time.
inline constexpr std::size_t kBlock = 8;

/// A body has at most this many round parts.
inline constexpr std::size_t kMostRound = 8;

/// Sees a body that someone else stores; a shape, or `TriangleBody` below.
struct Body {
  /// x, y and z of each corner, each with room for `padded` numbers: the last corner is repeated
  /// until their number is a multiple of kBlock. At least one.
  const double *x = nullptr, *y = nullptr, *z = nullptr;
  std::size_t corners = 0, padded = 0;
  std::span<const Round> round;
  double radius = 0;  ///< of the ball that is added to the core

  /// Radius of a ball around `centre` that is in the core, without its ball; 0 where none is known.
  double inner = 0;
  /// A point in the core, up to a rounding: whether bodies meet is decided with it where `inner` of
  /// the other one is above 0. And how far the core's points are from the frame's origin at
  /// most, rounded up.
  Vec3 centre = Vec3::Zero();
  double reach = 0;

  /// Exact, in the sense that a corner is where its coordinates say.
  [[nodiscard]] bool is_polytope() const { return round.empty(); }
  [[nodiscard]] Vec3 corner(std::size_t i) const { return {x[i], y[i], z[i]}; }
};

/// A core's answer along a direction of the body's frame of length in [2^-100, 2^100]: `point` is
/// within supporting_error(body) of a point of the core, and no point of the core is farther along
/// the direction n than n · point by more than supporting_error(body) |n|. For a polytope the point
/// is a corner, number `corner`, and only the second is off.
struct Supporting {
  Vec3 point;
  Index corner;  ///< of the hull of corners; the first one of several that are equally far in
                 ///< double precision
};
Supporting supporting(const Body& body, const Vec3& direction);

/// The round parts' share of a supporting point.
Vec3 round_share(std::span<const Round> parts, const Vec3& direction);

/// Derived in support.cpp.
inline constexpr double kSupportError = 64 * kUnitRoundoff;
inline double supporting_error(const Body& body) { return kSupportError * body.reach; }

/// x_a = rotation x_b + translation: body b as a sees it.
struct RigidTransform {
  Mat3 rotation = Mat3::Identity();
  Vec3 translation = Vec3::Zero();

  RigidTransform() = default;
  RigidTransform(const Pose& a, const Pose& b) { PoseBits::relative(a, b, rotation, translation); }

  /// How far it moves the origin at most: the sum of magnitudes. Number by number, as translations
  /// are written: compilers read two at a time else, which takes longer than all sums.
  [[nodiscard]] double shift() const {
    const double* t = translation.data();
    return (std::abs(t[0]) + std::abs(t[1])) + std::abs(t[2]);
  }

  /// The one rounding that defines where b's corners are; the same as that of soups.
  Vec3 operator*(const Vec3& p) const {
    const auto row = [&](int i) {
      return ((rotation(i, 0) * p[0] + rotation(i, 1) * p[1]) + rotation(i, 2) * p[2]) +
             translation[i];
    };
    return {row(0), row(1), row(2)};
  }
  /// A direction of a's frame in b's.
  [[nodiscard]] Vec3 turned_back(const Vec3& d) const {
    const auto column = [&](int i) {
      return (rotation(0, i) * d[0] + rotation(1, i) * d[1]) + rotation(2, i) * d[2];
    };
    return {column(0), column(1), column(2)};
  }
};

/// Bounds what the places of b's points, as a sees them, are off by: the pose's own rounding
/// (a matrix of a quaternion, kMovedPointError) and that of b's support.
inline double placed_error(const Body& b, const RigidTransform& b_in_a) {
  return supporting_error(b) + kMovedPointError * (b.reach + b_in_a.shift());
}

/// A triangle as a body, for the length of a question; no allocation.
class TriangleBody {
 public:
  TriangleBody(const Vec3& p, const Vec3& q, const Vec3& r) {
    for (std::size_t i = 0; i < kBlock; ++i) {
      const Vec3& c = i == 0 ? p : i == 1 ? q : r;
      x_[i] = c.x(), y_[i] = c.y(), z_[i] = c.z();
    }
    centre_ = (p + q + r) / 3;
    reach_ = kRoundUp * std::sqrt(std::max({p.squaredNorm(), q.squaredNorm(), r.squaredNorm()}));
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
