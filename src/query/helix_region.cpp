// SPDX-License-Identifier: Apache-2.0
// Let y = Σ λ y_i be a point of a triangle, v_i = y_i − y, and g a smooth function. By Taylor's
// theorem,
//   Σ λ g(y_i) − g(y) = ½ Σ λ D²g(ξ_i)(v_i, v_i),
// because Σ λ v_i = 0, with ξ_i somewhere in the triangle. Second derivatives depend only on the
// projection to the plane across the axis. With the components of v_i along the radius (e) and
// across it (f), both in the directions at ξ_i, they are f² / r for the radius and −2 e f / r² for
// the angle.
//
// The directions at ξ_i differ from the directions m and n at the triangle's middle by at most the
// angle Δ that the triangle spans: |e| <= |v · m| + Δ |v|. The λ-weighted mean square of a number
// is at most a quarter of the square of its range, and that of |v| at most a third of the square of
// the longest edge L. By the triangle inequality of root mean squares
//   rms(e) <= range(y · m) / 2 + Δ L / √3,   rms(f) <= range(y · n) / 2 + Δ L / √3,
// so the radius is off by at most rms(f)² / 2r and the angle by rms(e) rms(f) / r², with the least
// radius for r.
#include "query/helix_region.h"

#include <cmath>
#include <numbers>

#include "math/rounding.h"

namespace touche::query {
namespace {

constexpr double kHalfTurn = std::numbers::pi;

double dot_across(const Vec3& p, const Vec3& q) { return p.x() * q.x() + p.y() * q.y(); }

// The least distance of a segment from the axis.
double radius_of_segment(const Vec3& p, const Vec3& q) {
  const Vec3 edge = q - p;
  const double length2 = dot_across(edge, edge);
  const double s = length2 > 0 ? std::clamp(-dot_across(p, edge) / length2, 0.0, 1.0) : 0;
  return std::hypot(p.x() + s * edge.x(), p.y() + s * edge.y());
}

// A triangle's border in polar coordinates around the axis.
struct Border {
  double radius[3], largest = 0;
  double least = kInfinity;  // distance from the axis
  double angle[3];           // from one corner to the next one without a jump
  bool told = false;         // whether the angles are valid: the triangle does not meet the axis
};

Border border_of(const HelixTriangle& c) {
  Border border;
  for (std::size_t i = 0; i < 3; ++i) {
    border.radius[i] = std::hypot(c[i].x(), c[i].y());
    border.largest = std::max(border.largest, border.radius[i]);
    border.least = std::min(border.least, radius_of_segment(c[i], c[(i + 1) % 3]));
  }
  // If the border is nearer to the axis than a millionth of the largest radius, angles are
  // undefined. Otherwise an edge spans less than half a turn by more than rounding, and all three
  // span a whole turn if the axis is between them.
  constexpr double kNear = 1e-6;
  if (!(border.least > kNear * border.largest)) return border;
  for (std::size_t i = 0; i < 3; ++i) border.angle[i] = std::atan2(c[i].y(), c[i].x());
  const auto turn = [&](std::size_t from, std::size_t to) {
    const double by = border.angle[to] - border.angle[from];
    return by > kHalfTurn ? by - 2 * kHalfTurn : by < -kHalfTurn ? by + 2 * kHalfTurn : by;
  };
  const double first = turn(0, 1), second = turn(1, 2), third = turn(2, 0);
  border.told = std::abs(first + second + third) < 1;
  border.angle[1] = border.angle[0] + first;
  border.angle[2] = border.angle[1] + second;
  return border;
}

}  // namespace

HelixRegion helix_region(const HelixTriangle& c, double advance) {
  HelixRegion region;
  const Border border = border_of(c);
  for (const Vec3& corner : c) region.z.include(corner.z());
  if (!border.told) {
    // Points may have any angle and any smaller radius.
    for (std::size_t i = 0; i < 3; ++i) region.corner[i] = {border.radius[i], c[i].z()};
    region.radius_error = border.largest;
    region.height_error = std::abs(advance) * kHalfTurn * math::kRoundUp;
    region.angle = {-kHalfTurn, kHalfTurn};
    return region;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    region.angle.include(border.angle[i]);
    region.corner[i] = {border.radius[i], c[i].z() - advance * border.angle[i]};
  }
  const double least = region.least_radius = border.least * math::kRoundDown;

  Vec3 middle = (c[0] + c[1] + c[2]) / 3;
  middle.z() = 0;
  middle /= std::hypot(middle.x(), middle.y());
  const Vec3 tangent(-middle.y(), middle.x(), 0);
  HelixRange along_middle, along_tangent;
  double longest = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    along_middle.include(dot_across(c[i], middle));
    along_tangent.include(dot_across(c[i], tangent));
    const Vec3 edge = c[(i + 1) % 3] - c[i];
    longest = std::max(longest, std::hypot(edge.x(), edge.y()));
  }
  constexpr double kRootOfThird = 0.5773502691896258;
  const double spanned = region.angle.size(), turning = kRootOfThird * spanned * longest;
  const double e = 0.5 * along_middle.size() + turning, f = 0.5 * along_tangent.size() + turning;
  region.radius_error = std::min(f * f / (2 * least), border.largest - least) * math::kRoundUp;
  region.height_error =
      std::abs(advance) * std::min(e * f / (least * least), spanned) * math::kRoundUp;
  return region;
}

std::array<HelixTriangle, 4> quarters(const HelixTriangle& c) {
  const Vec3 m[3] = {0.5 * (c[1] + c[2]), 0.5 * (c[2] + c[0]), 0.5 * (c[0] + c[1])};
  return {{{m[0], m[1], m[2]}, {c[0], m[2], m[1]}, {c[1], m[0], m[2]}, {c[2], m[1], m[0]}}};
}

}  // namespace touche::query
