// SPDX-License-Identifier: Apache-2.0
#include "geometry/predicates.h"

#include "geometry/expansion.h"

namespace touche {

namespace {

/// det[a−d, b−d, c−d] by expansion along the first row.
int exact_orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  using exact::difference;
  using Two = exact::Expansion<2>;
  const Two ax = difference(a.x(), d.x()), ay = difference(a.y(), d.y()),
            az = difference(a.z(), d.z());
  const Two bx = difference(b.x(), d.x()), by = difference(b.y(), d.y()),
            bz = difference(b.z(), d.z());
  const Two cx = difference(c.x(), d.x()), cy = difference(c.y(), d.y()),
            cz = difference(c.z(), d.z());
  return ((by * cz - bz * cy) * ax + (bz * cx - bx * cz) * ay + (bx * cy - by * cx) * az).sign();
}

}  // namespace

int orient3d(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, std::uint64_t& exact) {
  // Decide in double precision when the determinant exceeds its own rounding error.
  const Vec3 u = a - d, v = b - d, w = c - d;
  const double yz = v.y() * w.z(), zy = v.z() * w.y();
  const double zx = v.z() * w.x(), xz = v.x() * w.z();
  const double xy = v.x() * w.y(), yx = v.y() * w.x();
  const double det = u.x() * (yz - zy) + u.y() * (zx - xz) + u.z() * (xy - yx);
  const double permanent = std::abs(u.x()) * (std::abs(yz) + std::abs(zy)) +
                           std::abs(u.y()) * (std::abs(zx) + std::abs(xz)) +
                           std::abs(u.z()) * (std::abs(xy) + std::abs(yx));
  const double bound = PlaneSide::kFilter * permanent + PlaneSide::kSmallest;
  if (det > bound) return 1;
  if (det < -bound) return -1;

  // A difference is rounded to zero only if it is zero: nothing left to compute.
  if (permanent == 0) return 0;
  ++exact;
  return exact_orient3d(a, b, c, d);
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

bool collinear(const Vec3& a, const Vec3& b, const Vec3& c) {
  return orient2d(a, b, c, 0) == 0 && orient2d(a, b, c, 1) == 0 && orient2d(a, b, c, 2) == 0;
}

}  // namespace touche
