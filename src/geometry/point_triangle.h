// SPDX-License-Identifier: Apache-2.0
// Point and triangle (point–face): whether the point lies on it, and its foot inside the triangle.
#pragma once

#include <array>
#include <optional>

#include "geometry/predicates.h"
#include "geometry/triangle_pair.h"

namespace touche::geometry {

/// Exact, also for zero-area triangles. The triangle is a closed set.
bool point_on_triangle(const Vec3& p, const Triangle& t, std::uint64_t& exact);

/// The same for a point in the plane of the triangle, projected along `axis`.
bool point_in_triangle_2d(const Vec3& p, const Triangle& t, int axis);

/// A triangle prepared for finding the feet of points on it.
///
/// The frame is built on the longest edge: along it directions are accurate however thin the
/// triangle is, and across it a wrong direction does no harm, because the triangle is thin there.
/// So even for needles and slivers the foot is accurate to a few rounding errors of the sizes
/// involved.
class TriangleFrame {
 public:
  explicit TriangleFrame(const Triangle& t) {
    const double d0 = (t[1] - t[0]).squaredNorm(), d1 = (t[2] - t[1]).squaredNorm(),
                 d2 = (t[0] - t[2]).squaredNorm();
    const int k = d0 >= d1 ? (d0 >= d2 ? 0 : 2) : (d1 >= d2 ? 1 : 2);
    const double length2 = k == 0 ? d0 : k == 1 ? d1 : d2;
    origin_ = t[k];
    along_ = t[(k + 1) % 3] - origin_;
    const Vec3 apex = t[(k + 2) % 3] - origin_;
    if (!(length2 > 0)) return;
    per_length2_ = 1 / length2;
    skew_ = apex.dot(along_) * per_length2_;
    across_ = apex - skew_ * along_;
    const double height2 = across_.squaredNorm();
    flat_ = !(height2 > 0);
    if (!flat_) per_height2_ = 1 / height2;
  }

  /// The vector from the foot of p to p, if the foot lies inside the triangle. A foot on the border
  /// may be missed: the distance to the edges covers it as well.
  std::optional<Vec3> offset(const Vec3& p) const {
    if (flat_) return std::nullopt;
    const Vec3 w = p - origin_;
    const double x = w.dot(along_) * per_length2_;
    const Vec3 rest = w - x * along_;
    const double t = rest.dot(across_) * per_height2_;
    const double s = x - t * skew_;
    const bool inside = static_cast<int>(t >= 0) & static_cast<int>(s >= 0) &
                        static_cast<int>(s + t <= 1);  // one branch
    if (!inside) return std::nullopt;
    return rest - t * across_;
  }

  /// The heights of three points above the plane, multiplied by the length of normal().
  std::array<double, 3> heights(const Triangle& of) const {
    const Vec3 n = normal();
    return {n.dot(of[0] - origin_), n.dot(of[1] - origin_), n.dot(of[2] - origin_)};
  }
  Vec3 normal() const { return along_.cross(across_); }
  double least_altitude() const { return across_.norm(); }

  /// A lower bound of the distance of p's foot from the triangle's border, in multiples of
  /// least_altitude().
  double from_border(const Vec3& p) const {
    const Vec3 w = p - origin_;
    const double x = w.dot(along_) * per_length2_;
    const double t = (w - x * along_).dot(across_) * per_height2_;
    const double s = x - t * skew_;
    return std::abs(std::min({s, t, 1 - s - t}));
  }

 private:
  Vec3 origin_, along_, across_ = Vec3::Zero();
  double per_length2_ = 0, per_height2_ = 0, skew_ = 0;
  bool flat_ = true;  // no area: everything is on the edges
};

/// The vector to p from the nearest point of the triangle, for triangles of any shape. Its length
/// is the distance up to kOffsetError times the sum of the distance and the longest edge.
Vec3 nearest_offset(const Vec3& p, const Triangle& t);
inline constexpr double kOffsetError = 0x1p-45;

}  // namespace touche::geometry
