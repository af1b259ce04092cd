// SPDX-License-Identifier: Apache-2.0
#include "geometry/predicates.h"

#include <optional>

#include "geometry/expansion.h"
#include "math/rounding.h"

namespace touche::geometry {

namespace {

/// det[a−d, b−d, c−d] by expansion along the first row.
auto exact_determinant3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  using exact::difference;
  using Two = exact::Expansion<2>;
  const Two ax = difference(a.x(), d.x()), ay = difference(a.y(), d.y()),
            az = difference(a.z(), d.z());
  const Two bx = difference(b.x(), d.x()), by = difference(b.y(), d.y()),
            bz = difference(b.z(), d.z());
  const Two cx = difference(c.x(), d.x()), cy = difference(c.y(), d.y()),
            cz = difference(c.z(), d.z());
  return ((by * cz - bz * cy) * ax + (bz * cx - bx * cz) * ay + (bx * cy - by * cx) * az);
}

/// p q − r s, exactly.
exact::Expansion<4> minor(double p, double q, double r, double s) {
  return exact::product(p, q) - exact::product(r, s);
}

/// The rounding error of the subtraction: (a − b) − rounded, exactly.
Vec3 rounded_away(const Vec3& a, const Vec3& b) {
  return {exact::two_sum(a.x(), -b.x()).low, exact::two_sum(a.y(), -b.y()).low,
          exact::two_sum(a.z(), -b.z()).low};
}

/// The second stage, several times faster than the full expansion: the determinant of the rounded
/// differences u, v, w is computed exactly and corrected to first order for their rounding
/// (Shewchuk's stages B and C with his error bounds). Returns nothing if that does not decide.
std::optional<int> nearly_exact_orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d,
                                         double permanent) {
  const Vec3 u = a - d, v = b - d, w = c - d;
  const auto det = minor(v.y(), w.z(), v.z(), w.y()) * u.x() +
                   minor(v.z(), w.x(), v.x(), w.z()) * u.y() +
                   minor(v.x(), w.y(), v.y(), w.x()) * u.z();
  double estimate = det.estimate();
  if (std::abs(estimate) >
      (3 + 28 * math::kUnitRoundoff) * math::kUnitRoundoff * permanent + math::kUnderflow)
    return det.sign();

  const Vec3 du = rounded_away(a, d), dv = rounded_away(b, d), dw = rounded_away(c, d);
  if (du.isZero(0) && dv.isZero(0) && dw.isZero(0)) return det.sign();

  estimate += u.dot(dv.cross(w) + v.cross(dw)) + du.dot(v.cross(w));
  const double bound =
      (26 + 288 * math::kUnitRoundoff) * math::kUnitRoundoff * math::kUnitRoundoff * permanent +
      (3 + 8 * math::kUnitRoundoff) * math::kUnitRoundoff * std::abs(estimate) + math::kUnderflow;
  if (std::abs(estimate) > bound) return estimate > 0 ? 1 : -1;
  return std::nullopt;
}

}  // namespace

int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, std::uint64_t& exact) {
  // Decide in double precision if the determinant exceeds its own rounding error.
  const Vec3 u = a - d, v = b - d, w = c - d;
  const double yz = v.y() * w.z(), zy = v.z() * w.y();
  const double zx = v.z() * w.x(), xz = v.x() * w.z();
  const double xy = v.x() * w.y(), yx = v.y() * w.x();
  const double det = u.x() * (yz - zy) + u.y() * (zx - xz) + u.z() * (xy - yx);
  const double permanent = std::abs(u.x()) * (std::abs(yz) + std::abs(zy)) +
                           std::abs(u.y()) * (std::abs(zx) + std::abs(xz)) +
                           std::abs(u.z()) * (std::abs(xy) + std::abs(yx));
  const double bound = PlaneSide::kFilter * permanent + math::kUnderflow;
  if (det > bound) return 1;
  if (det < -bound) return -1;

  // A difference is rounded to zero only if it is zero: the determinant is 0.
  if (permanent == 0) return 0;
  ++exact;
  if (const auto sign = nearly_exact_orient3d(a, b, c, d, permanent)) return *sign;
  return exact_determinant3d(a, b, c, d).sign();
}

int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  std::uint64_t exact = 0;
  return orient3d(a, b, c, d, exact);
}

int orient2d(const Vec3& a, const Vec3& b, const Vec3& c, int axis) {
  const int x = axis == 2 ? 0 : axis + 1, y = axis == 0 ? 2 : axis - 1;
  const double left = (a[x] - c[x]) * (b[y] - c[y]);
  const double right = (a[y] - c[y]) * (b[x] - c[x]);
  const double det = left - right;
  // Shewchuk's (3 + 16 ε) ε, rounded up.
  const double bound = 3.3307e-16 * (std::abs(left) + std::abs(right));
  if (det > bound) return 1;
  if (det < -bound) return -1;
  if (bound == 0) return 0;
  using exact::difference;
  return (difference(a[x], c[x]) * difference(b[y], c[y]) -
          difference(a[y], c[y]) * difference(b[x], c[x]))
      .sign();
}

// A determinant in double precision is accurate enough if it is no smaller than this share of the
// sum of the magnitudes of its products, because its rounding error is less than kFilter of that
// sum.
static constexpr double kAccurateShare = 2 * PlaneSide::kFilter / kDeterminantError;

double determinant3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = a - d, v = b - d, w = c - d;
  const Vec3 forward(v.y() * w.z(), v.z() * w.x(), v.x() * w.y());
  const Vec3 backward(v.z() * w.y(), v.x() * w.z(), v.y() * w.x());
  const double det = u.dot(forward - backward);
  const double permanent = u.cwiseAbs().dot(forward.cwiseAbs() + backward.cwiseAbs());
  if (std::abs(det) > kAccurateShare * permanent + math::kUnderflow) return det;
  return exact_determinant3d(a, b, c, d).estimate();
}

double determinant2d(const Vec3& a, const Vec3& b, const Vec3& c, int axis) {
  const int x = axis == 2 ? 0 : axis + 1, y = axis == 0 ? 2 : axis - 1;
  const double left = (a[x] - c[x]) * (b[y] - c[y]);
  const double right = (a[y] - c[y]) * (b[x] - c[x]);
  const double det = left - right;
  if (std::abs(det) > kAccurateShare * (std::abs(left) + std::abs(right))) return det;
  using exact::difference;
  return (difference(a[x], c[x]) * difference(b[y], c[y]) -
          difference(a[y], c[y]) * difference(b[x], c[x]))
      .estimate();
}

bool collinear(const Vec3& a, const Vec3& b, const Vec3& c) {
  return orient2d(a, b, c, 0) == 0 && orient2d(a, b, c, 1) == 0 && orient2d(a, b, c, 2) == 0;
}

}  // namespace touche::geometry
