// SPDX-License-Identifier: Apache-2.0
#include "methods/bounds/shell.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "geometry/point_triangle.h"
#include "math/rounding.h"
#include "methods/bounds/convex_pair.h"
#include "methods/bounds/fit_obb.h"
#include "methods/bounds/smallest_sphere.h"

namespace touche::bounds {
namespace {

// The norm of a difference as for a sphere: below 8 u.
constexpr double kNormUp = 1 + 8 * math::kUnitRoundoff, kNormDown = 1 - 8 * math::kUnitRoundoff;

/// Smaller cones are not made, because a cosine determines them too poorly.
constexpr double kLeastAngle = 1e-4;

bool leaves_nothing_out(const Shell& s) { return s.cosine < -1; }

double sine_of(const Shell& s) {
  return leaves_nothing_out(s) ? 0 : std::sqrt((1 - s.cosine) * (1 + s.cosine));
}

/// The unit vector of the cone that is farthest along d, which need not have unit length.
Vec3 direction_along(const Shell& s, const Vec3& d) {
  const double length = d.norm();
  if (!(length > 0)) return s.axis;
  if (leaves_nothing_out(s)) return d / length;
  const double along = s.axis.dot(d);
  if (along >= s.cosine * length) return d / length;
  Vec3 across = d - along * s.axis;  // once more where only rounding is left
  across -= s.axis.dot(across) * s.axis;
  const double width = across.norm();
  const Vec3 u = width > 0 ? Vec3(across / width) : Vec3(s.axis.unitOrthogonal());
  return s.cosine * s.axis + sine_of(s) * u;
}

/// How far a unit vector of the cone reaches along d, rounded up. A cosine that is off by c turns
/// the cone's side by c / sine: 8 u for the axis' length, 8 u for its own products. Parts along and
/// across d: 16 u of its length.
double most_along(const Shell& s, const Vec3& d) {
  const double length = d.norm() * kNormUp;
  if (leaves_nothing_out(s)) return length;
  const double slack =
      32 * math::kUnitRoundoff * (1 + 1 / std::max(sine_of(s), kLeastAngle)) * length;
  const double along = s.axis.dot(d);
  if (along + slack >= s.cosine * length) return length;
  return s.cosine * along + sine_of(s) * (d - along * s.axis).norm() + slack;
}

/// The sphere with the least sum of squares of |p − c|² − r²: linear in c and |c|² − r².
Vec3 centre_of_nearest_sphere(std::span<const Vec3> points) {
  const Vec3 origin = points[0];
  Vec3 mean = Vec3::Zero();
  for (const Vec3& p : points) mean += (p - origin) / static_cast<double>(points.size());
  Mat3 matrix = Mat3::Zero();
  Vec3 right = Vec3::Zero();
  double mean2 = 0;
  for (const Vec3& p : points)
    mean2 += (p - origin - mean).squaredNorm() / static_cast<double>(points.size());
  for (const Vec3& p : points) {
    const Vec3 d = p - origin - mean;
    matrix += d * d.transpose();
    right += 0.5 * (d.squaredNorm() - mean2) * d;
  }
  const Eigen::FullPivLU<Mat3> lu(matrix);
  const Vec3 c = lu.isInvertible() ? Vec3(lu.solve(right)) : Vec3(Vec3::Zero());
  return origin + mean + (c.allFinite() ? c : Vec3(Vec3::Zero()));
}

/// A centre much farther away says no more of the points, and loses their digits.
constexpr double kFarthest = 30;

std::vector<Vec3> centres_to_try(std::span<const Vec3> points) {
  const Obb box = fit_obb(points);
  int flat = 0;
  box.half.minCoeff(&flat);
  const double size = box.half.norm();
  std::vector<Vec3> centres;
  const Vec3 nearest = centre_of_nearest_sphere(points);
  if ((nearest - box.centre).norm() <= kFarthest * size) centres.push_back(nearest);
  for (const double far : {1.0, 3.0, 9.0, 27.0})
    for (const double side : {-1.0, 1.0})
      centres.emplace_back(box.centre + side * far * size * box.axes.col(flat));
  return centres;
}

}  // namespace

namespace {

/// The convex hull of points, about a centre that need not be in it.
struct PointCloud {
  std::span<const Vec3> points;
  Sphere ball;
};
Sphere ball_of(const PointCloud& c) { return c.ball; }
Vec3 farthest(const PointCloud& c, const Vec3& d) {
  const auto along = [&](const Vec3& p) { return d.dot(p - c.ball.centre); };
  return *std::ranges::max_element(c.points, {}, along) - c.ball.centre;
}
double reach(const PointCloud& c, const Vec3& d) {
  return d.dot(farthest(c, d)) + 16 * math::kUnitRoundoff * c.ball.radius * d.lpNorm<1>();
}

/// About this centre, around something convex, or several such things, with these corners;
/// `nearest` is no more than how near they come to the centre.
Shell shell_about(const Vec3& centre, std::span<const Vec3> corners, double nearest) {
  Shell s;
  s.centre = centre;
  s.inner = nearest;
  std::vector<Vec3> directions;
  for (const Vec3& p : corners) {
    const Vec3 w = p - centre;
    const double length = w.norm();
    s.outer = std::max(s.outer, length > 0 ? length * kNormUp + math::kUnderflow : 0);
    if (const Vec3 unit = math::unit_or_zero(w); !unit.isZero(0)) directions.push_back(unit);
  }
  if (directions.empty()) return s;
  // The smallest sphere around unit vectors has its centre on the axis of the smallest cone, if
  // that is less than a half space.
  const Vec3 middle = smallest_sphere(directions).sphere.centre;
  if (middle.norm() < 0.05) return s;
  s.axis = middle.normalized();
  s.cosine = std::cos(kLeastAngle);
  for (const Vec3& v : directions)  // 8 u for the unit vector, as much for the product
    s.cosine = std::min(s.cosine, s.axis.dot(v) - 32 * math::kUnitRoundoff);
  // Only a cone that is convex contains what lies between its points.
  if (s.cosine < 0) s.cosine = -2;
  return s;
}

/// `nearest(centre)` does the same as for shell_about.
template <typename Nearest>
Shell best_shell(std::span<const Vec3> corners, const Nearest& nearest) {
  const Vec3 middle = smallest_sphere(corners).sphere.centre;
  Shell best = shell_about(middle, corners, nearest(middle));
  const double widest = 1.01 * 2 * best.outer;
  for (const Vec3& centre : centres_to_try(corners)) {
    const Shell s = shell_about(centre, corners, nearest(centre));
    if (s.diameter() <= widest && s.surface_area() < best.surface_area()) best = s;
  }
  return best;
}

}  // namespace

Shell Shell::fit(std::span<const Vec3> points) {
  require_points(points);
  const PointCloud cloud = {points, sphere_about(smallest_sphere(points).sphere.centre, points)};
  return best_shell(points, [&](const Vec3& from) {
    return proved_gap(single_point(from), convex_set(cloud), PoseMatrix(), Seek::distance);
  });
}

Shell Shell::fit_faces(std::span<const Triangle> triangles) {
  static_assert(sizeof(Triangle) == 3 * sizeof(Vec3));
  if (triangles.empty()) throw InvalidInput("a spherical shell needs at least one triangle");
  const std::span<const Vec3> corners(triangles.front().data(), 3 * triangles.size());
  require_points(corners);
  return best_shell(corners, [&](const Vec3& from) {
    double least = kInfinity;
    for (const Triangle& t : triangles) {
      const double distance = geometry::nearest_offset(from, t).norm();
      const double size = std::sqrt(std::max(
          {(t[0] - t[1]).squaredNorm(), (t[1] - t[2]).squaredNorm(), (t[2] - t[0]).squaredNorm()}));
      least = std::min(least, distance - 2 * geometry::kOffsetError * (distance + size) -
                                  16 * math::kUnitRoundoff * from.lpNorm<1>());
    }
    return std::max(0.0, least - math::kUnderflow);
  });
}

bool Shell::contains(const Vec3& p) const {
  const Vec3 w = p - centre;
  const double length = w.norm();
  if (length > outer * kNormUp + math::kUnderflow || length < inner * kNormDown - math::kUnderflow)
    return false;
  return leaves_nothing_out(*this) || axis.dot(w) >= cosine * length -
                                                         32 * math::kUnitRoundoff * w.lpNorm<1>() -
                                                         math::kUnderflow;
}

double Shell::half_angle() const { return cosine < -1 ? std::numbers::pi : std::acos(cosine); }

double Shell::volume() const {
  const double cap = 1 - std::max(cosine, -1.0);
  return 2 * std::numbers::pi / 3 * cap * (outer * outer * outer - inner * inner * inner);
}

double Shell::surface_area() const {
  const double cap = 1 - std::max(cosine, -1.0);
  return std::numbers::pi * (2 * cap * (outer * outer + inner * inner) +
                             sine_of(*this) * (outer * outer - inner * inner));
}

double Shell::diameter() const {
  // Takes two points on both spheres or on the outer one, as far apart as the cone allows.
  const double angle = std::min(half_angle(), std::numbers::pi / 2), c = std::cos(2 * angle);
  return std::max(2 * outer * std::sin(angle),
                  std::sqrt(std::max(0.0, outer * outer + inner * inner - 2 * outer * inner * c)));
}

Sphere ball_of(const Shell& s) { return {s.centre, s.outer}; }

Vec3 farthest(const Shell& s, const Vec3& d) {
  const Vec3 v = direction_along(s, d);
  return (v.dot(d) > 0 ? s.outer : s.inner) * v;
}

double reach(const Shell& s, const Vec3& d) {
  const double most = most_along(s, d);
  return most * (most > 0 ? s.outer * kNormUp : s.inner * kNormDown);
}

Shell moved(const Shell& s, const PoseMatrix& pose) {
  Shell out = s;
  out.centre = pose * s.centre;
  double slack = pose.error(s.centre.lpNorm<1>() + 2 * s.outer);
  if (!leaves_nothing_out(s)) {
    // Points within `slack` of the cone lie in one whose apex stands back by slack / sine. The
    // axis is turned by below 64 u, and cosines change by no more than the angle.
    const double back = slack / std::max(sine_of(s), kLeastAngle) * (1 + 8 * math::kUnitRoundoff);
    out.axis = (pose.rotation * s.axis).normalized();
    out.centre -= back * out.axis;
    out.cosine -= 128 * math::kUnitRoundoff;
    slack += 2 * back;
  }
  out.inner = std::max(0.0, (s.inner - slack) * kNormDown);
  out.outer = (s.outer + slack) * kNormUp;
  return out;
}

namespace {

/// How far at least every point of b lies inside of the inner sphere of a.
double depth_in_hollow(const Shell& a, const Shell& b, const PoseMatrix& pose) {
  // |w + r v|² for a unit vector v of b's cone grows with v · w, and is largest at an end of r.
  const Vec3 w = pose * b.centre - a.centre;
  const double most = most_along(b, pose.rotation.transpose() * w);
  double far2 = 0;
  for (const double r : {b.inner, b.outer})
    far2 = std::max(far2, w.squaredNorm() + 2 * r * most + r * r);
  const double slack = pose.error(b.centre.lpNorm<1>() + 2 * b.outer) +
                       64 * math::kUnitRoundoff * (w.lpNorm<1>() + a.centre.lpNorm<1>() + b.outer);
  return std::max(0.0, a.inner * kNormDown - std::sqrt(far2) * kNormUp - slack);
}

double shell_gap(const Shell& a, const Shell& b, const PoseMatrix& pose, Seek seek) {
  const double in_hollow =
      std::max(depth_in_hollow(a, b, pose), depth_in_hollow(b, a, pose.inverse()));
  if (seek == Seek::any_gap && in_hollow > 0) return in_hollow;
  return std::max(in_hollow, proved_gap(convex_set(a), convex_set(b), pose, seek));
}

}  // namespace

double lower_bound(const Shell& a, const Shell& b, const PoseMatrix& pose) {
  return shell_gap(a, b, pose, Seek::distance);
}

bool overlap(const Shell& a, const Shell& b, const PoseMatrix& pose) {
  return shell_gap(a, b, pose, Seek::any_gap) == 0;
}

}  // namespace touche::bounds
