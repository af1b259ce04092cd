// SPDX-License-Identifier: Apache-2.0
#include "methods/bounds/fit_obb.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "math/nelder_mead.h"
#include "methods/bounds/convex_hull.h"
#include "methods/bounds/min_rectangle.h"

namespace touche::bounds {
namespace {

Mat3 largest_first(const Mat3& covariance) {
  // Scaled to one, as the solver knows no units; all zero has any axes.
  const double size = covariance.cwiseAbs().maxCoeff();
  if (!(size > 0) || !std::isfinite(size)) return Mat3::Identity();
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(covariance / size);
  return orthonormal(solver.eigenvectors().rowwise().reverse());
}

/// The turn by |r| about r.
Mat3 turn(std::span<const double> r) {
  const Vec3 v(r[0], r[1], r[2]);
  const double angle = v.norm();
  if (!(angle > 0)) return Mat3::Identity();
  return Eigen::AngleAxisd(angle, v / angle).toRotationMatrix();
}

/// The criterion for the box with these axes, without its slack.
double cost(std::span<const Vec3> points, const Mat3& axes, Criterion criterion) {
  Vec3 lo = Vec3::Constant(kInfinity), hi = Vec3::Constant(-kInfinity);
  for (const Vec3& p : points) {
    const Vec3 y = axes.transpose() * (p - points[0]);
    lo = lo.cwiseMin(y);
    hi = hi.cwiseMax(y);
  }
  return measure(Obb{Vec3::Zero(), axes, 0.5 * (hi - lo)}, criterion);
}

}  // namespace

Mat3 principal_axes(std::span<const Vec3> points) {
  require_points(points);
  const Vec3 origin = points[0];
  Vec3 mean = Vec3::Zero();
  for (const Vec3& p : points) mean += (p - origin) / static_cast<double>(points.size());
  Mat3 covariance = Mat3::Zero();
  for (const Vec3& p : points) {
    const Vec3 d = p - origin - mean;
    covariance += d * d.transpose();
  }
  return largest_first(covariance);
}

Mat3 principal_axes(std::span<const Triangle> triangles) {
  if (triangles.empty()) throw InvalidInput("principal axes need at least one triangle");
  const Vec3 origin = triangles[0][0];
  double area = 0;
  Vec3 first = Vec3::Zero();
  for (const Triangle& t : triangles) {
    const double part = 0.5 * (t[1] - t[0]).cross(t[2] - t[0]).norm();
    area += part;
    first += part / 3 * ((t[0] - origin) + (t[1] - origin) + (t[2] - origin));
  }
  if (!(area > 0)) {
    std::vector<Vec3> corners;
    for (const Triangle& t : triangles) corners.insert(corners.end(), t.begin(), t.end());
    return principal_axes(std::span<const Vec3>(corners));
  }
  const Vec3 mean = origin + first / area;
  Mat3 second = Mat3::Zero();
  for (const Triangle& t : triangles) {
    const Vec3 a = t[0] - mean, b = t[1] - mean, c = t[2] - mean, sum = a + b + c;
    const double part = 0.5 * (t[1] - t[0]).cross(t[2] - t[0]).norm();
    second += part / 12 *
              (sum * sum.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
  }
  return largest_first(second);
}

Mat3 principal_axes_of_hull(std::span<const Vec3> points) {
  require_points(points);
  std::vector<Triangle> surface;
  for (const auto& [a, b, c] : touche::convex_hull(points))
    surface.push_back({points[a], points[b], points[c]});
  return surface.empty() ? principal_axes(points) : principal_axes(surface);
}

Obb fit_obb_principal(std::span<const Vec3> points, const Mat3& principal, KeepAxes keep,
                      Criterion criterion) {
  require_points(points);
  if (keep == KeepAxes::all) return obb_in_frame(points, principal);
  const Mat3 axes = orthonormal(principal);
  const int kept = keep == KeepAxes::largest ? 0 : 2;
  const Vec3 n = axes.col(kept), u = axes.col((kept + 1) % 3), v = axes.col((kept + 2) % 3);
  std::vector<Vec2> flat;
  flat.reserve(points.size());
  double lo = 0, hi = 0;
  for (const Vec3& p : points) {
    const Vec3 d = p - points[0];
    flat.emplace_back(u.dot(d), v.dot(d));
    lo = std::min(lo, n.dot(d));
    hi = std::max(hi, n.dot(d));
  }
  const Vec2 side = min_rectangle_direction(flat, hi - lo, criterion);
  const Vec3 along = side.x() * u + side.y() * v;
  Mat3 found;
  found << n, along, n.cross(along);
  return obb_in_frame(points, found);
}

Obb fit_obb(std::span<const Vec3> points, Criterion criterion) {
  const Mat3 principal = principal_axes(points);
  Obb best = fit_obb_principal(points, principal, KeepAxes::all);
  for (const KeepAxes keep : {KeepAxes::largest, KeepAxes::smallest}) {
    const Obb box = fit_obb_principal(points, principal, keep, criterion);
    if (measure(box, criterion) < measure(best, criterion)) best = box;
  }
  return best;
}

Obb fit_obb_minimised(std::span<const Vec3> points, Criterion criterion,
                      std::span<const Mat3> starts) {
  if (starts.empty()) throw InvalidInput("minimising a box needs a start");
  require_points(points);
  Mat3 best = starts[0];
  double least = kInfinity;
  for (const Mat3& start : starts) {
    const Mat3 from = orthonormal(start);
    // A run can end at a ridge, where several faces change corners: it is started anew from there,
    // with a smaller simplex, as long as that helps.
    std::vector<double> at = {0, 0, 0};
    double value = cost(points, from, criterion);
    for (double step : {0.4, 0.1, 0.02}) {
      const math::Minimum found = math::nelder_mead(
          [&](std::span<const double> r) { return cost(points, from * turn(r), criterion); }, at,
          step, {.max_evaluations = 300, .tolerance = 1e-9});
      at = found.at;
      value = found.value;
    }
    if (value < least) least = value, best = from * turn(at);
  }
  Obb box = obb_in_frame(points, best);
  for (const Mat3& start : starts) {  // rounding and slack must not make it worse than a start
    const Obb given = obb_in_frame(points, start);
    if (measure(given, criterion) < measure(box, criterion)) box = given;
  }
  return box;
}

Obb fit_obb_minimised(std::span<const Vec3> points, Criterion criterion) {
  const auto about = [](double x, double y, double z) { return turn(std::array{x, y, z}); };
  constexpr double kEighth = std::numbers::pi / 4;
  const std::array<Mat3, 7> starts = {fit_obb(points, criterion).axes,
                                      principal_axes(points),
                                      Mat3::Identity(),
                                      about(kEighth, 0, 0),
                                      about(0, kEighth, 0),
                                      about(0, 0, kEighth),
                                      about(0.6, 0.6, 0.6)};
  return fit_obb_minimised(points, criterion, starts);
}

}  // namespace touche::bounds
