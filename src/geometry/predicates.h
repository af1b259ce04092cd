// SPDX-License-Identifier: Apache-2.0
// Exact signs of determinants: a static filter in double precision, then expansion arithmetic
// (Shewchuk 1997). Exact for finite coordinates whose magnitudes are 0 or in [1e-90, 1e90].
#pragma once

#include <Eigen/Geometry>
#include <cmath>

#include "math/rounding.h"
#include "touche/types.h"

namespace touche::geometry {

/// Sign (−1, 0, +1) of det[a−d, b−d, c−d]: +1 when d sees a, b, c clockwise, that is, when d lies
/// below the plane through a, b, c taken counter-clockwise.
int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);

/// The same; `exact` is incremented if the filter could not decide.
int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, std::uint64_t& exact);

/// Sign of the area of a, b, c after dropping the coordinate `axis`: +1 if the path from a over b
/// to c turns left in the plane of the axes (axis + 1, axis + 2).
int orient2d(const Vec3& a, const Vec3& b, const Vec3& c, int axis);

/// The determinants themselves, with a relative error below kDeterminantError; 0 only if they are
/// exactly 0.
double determinant3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d);
double determinant2d(const Vec3& a, const Vec3& b, const Vec3& c, int axis);
inline constexpr double kDeterminantError = 0x1p-46;

/// Whether a, b, c lie on one line.
bool collinear(const Vec3& a, const Vec3& b, const Vec3& c);

/// The plane through three points, prepared for many calls of `side`.
class PlaneSide {
 public:
  PlaneSide(const Vec3& a, const Vec3& b, const Vec3& c) : a_(a), b_(b), c_(c) {
    const Vec3 u = b - a, v = c - a;
    const Vec3 forward(u.y() * v.z(), u.z() * v.x(), u.x() * v.y());
    const Vec3 backward(u.z() * v.y(), u.x() * v.z(), u.y() * v.x());
    normal_ = forward - backward;
    magnitude_ = forward.cwiseAbs() + backward.cwiseAbs();
  }

  /// +1 above the plane (a, b, c are seen counter-clockwise), −1 below, 0 on it; that is
  /// −orient3d(a, b, c, p).
  int side(const Vec3& p, std::uint64_t& exact) const {
    const Vec3 w = p - a_;
    const double det = w.x() * normal_.x() + w.y() * normal_.y() + w.z() * normal_.z();
    const double permanent = std::abs(w.x()) * magnitude_.x() + std::abs(w.y()) * magnitude_.y() +
                             std::abs(w.z()) * magnitude_.z();
    const double bound = kFilter * permanent + math::kUnderflow;
    if (det > bound) return 1;
    if (det < -bound) return -1;
    if (permanent == 0) return 0;
    return -orient3d(a_, b_, c_, p, exact);
  }

  /// Shewchuk's (7 + 56 ε) ε, rounded up: rounding error of a 3 × 3 determinant of differences
  /// relative to the sum of the magnitudes of its products.
  static constexpr double kFilter = 7.7716e-16 * 1.0001;

 private:
  const Vec3 &a_, &b_, &c_;
  Vec3 normal_, magnitude_;
};

}  // namespace touche::geometry
