// SPDX-License-Identifier: Apache-2.0
// A hull grows by the point farthest beyond one of its faces until no point is beyond any face.
// Points that rounding may have missed are tested exactly, so no corner is lost.
#include "convex/extreme_points.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "convex/growing_hull.h"
#include "geometry/predicates.h"
#include "math/rounding.h"

namespace touche::convex {
namespace {

std::vector<Vec3> different(std::span<const Vec3> points) {
  std::vector<std::size_t> order(points.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto key = [&](std::size_t i) {
    return std::tuple(points[i].x(), points[i].y(), points[i].z(), i);
  };
  std::ranges::sort(order, {}, key);
  std::vector<bool> again(points.size(), false);
  for (std::size_t k = 1; k < order.size(); ++k)
    again[order[k]] = points[order[k]] == points[order[k - 1]];
  std::vector<Vec3> result;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!again[i]) result.push_back(points[i]);
  return result;
}

/// The point with the largest measure; point 0 if no measure is positive.
template <class Measure>
std::size_t largest(const std::vector<Vec3>& points, const Measure& measure) {
  std::size_t best = 0;
  double most = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (const double m = measure(points[i]); m > most) most = m, best = i;
  return best;
}

/// Starts with four points that are not coplanar, far from each other if possible.
bool start(GrowingHull& hull, const std::vector<Vec3>& points, double size) {
  const Vec3& a = points[0];
  const auto from_a = [&](const Vec3& p) { return Vec3((p - a) / size); };
  const Vec3 b = points[largest(points, [&](const Vec3& p) { return from_a(p).norm(); })];
  const Vec3 ab = from_a(b);
  const Vec3 c = points[largest(points, [&](const Vec3& p) { return ab.cross(from_a(p)).norm(); })];
  const Vec3 n = ab.cross(from_a(c));
  const Vec3 d = points[largest(points, [&](const Vec3& p) { return std::abs(n.dot(from_a(p))); })];
  if (hull.start(a, b, c, d)) return true;
  // Nearly flat: take any four points that are not coplanar by exact signs.
  for (const Vec3& p : points) {
    if (geometry::collinear(a, b, p)) continue;
    for (const Vec3& q : points)
      if (hull.start(a, b, p, q)) return true;
    return false;  // all points are in the plane of a, b and p
  }
  return false;
}

/// Returns the least sine of the angles of a face; 0 if it cannot be computed.
double least_sine(const GrowingHull& hull, const GrowingHull::Face& f) {
  double least = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3& p = hull.points()[f.corner[k]];
    const Vec3 u = (hull.points()[f.corner[(k + 1) % 3]] - p).stableNormalized(),
               v = (hull.points()[f.corner[(k + 2) % 3]] - p).stableNormalized();
    least = std::min(least, u.cross(v).norm());
  }
  return f.normal.isZero(0) ? 0 : least;
}

/// Returns the number of a point beyond a face, the farthest up to rounding; points.size() if there
/// is none.
std::size_t beyond(const GrowingHull& hull, std::uint32_t face, const std::vector<Vec3>& points,
                   double size, std::vector<double>& height) {
  const GrowingHull::Face& f = hull.faces()[face];
  const Vec3& origin = hull.points()[f.corner[0]];
  height.clear();
  for (const Vec3& p : points) height.push_back(f.normal.dot(p - origin));
  const auto most = static_cast<std::size_t>(std::ranges::max_element(height) - height.begin());
  if (hull.sees(points[most], face)) return most;
  // The normal of two edges at a small angle may have an error of a few u over its sine. Every
  // point that may be higher than the computed highest one is tested exactly.
  const double band = size * (1e-9 + 1e-14 / least_sine(hull, f));
  for (std::size_t i = 0; i < points.size(); ++i)
    if (height[i] > height[most] - band && hull.sees(points[i], face)) return i;
  return points.size();
}

/// Computes the hull of the points; false if they are coplanar.
bool grow_around(const std::vector<Vec3>& points, GrowingHull& hull) {
  Aabb box;
  for (const Vec3& p : points) box.include(p);
  if (points.size() < 4 || !start(hull, points, box.diagonal())) return false;
  std::vector<std::uint32_t> waiting = {0, 1, 2, 3};
  std::vector<double> height;
  while (!waiting.empty()) {
    const std::uint32_t face = waiting.back();
    waiting.pop_back();
    if (!hull.faces()[face].alive) continue;
    const std::size_t p = beyond(hull, face, points, box.diagonal(), height);
    if (p == points.size()) continue;
    hull.grow(points[p], face);
    waiting.insert(waiting.end(), hull.fresh().begin(), hull.fresh().end());
  }
  return true;
}

}  // namespace

std::vector<Vec3> extreme_points(std::span<const Vec3> given) {
  std::vector<Vec3> points;
  for (const Vec3& p : given)
    points.push_back(p.unaryExpr([](double c) { return std::abs(c) < 1e-90 ? 0.0 : c; }));
  points = different(points);
  GrowingHull hull;
  if (!grow_around(points, hull)) return points;
  std::vector<bool> taken(hull.points().size(), false);
  for (const GrowingHull::Face& f : hull.faces())
    if (f.alive)
      for (const std::uint32_t c : f.corner) taken[c] = true;
  const auto key = [](const Vec3& p) { return std::tuple(p.x(), p.y(), p.z()); };
  std::set<std::tuple<double, double, double>> corners;
  for (std::size_t i = 0; i < taken.size(); ++i)
    if (taken[i]) corners.insert(key(hull.points()[i]));
  std::erase_if(points, [&](const Vec3& p) { return !corners.contains(key(p)); });
  return points;
}

// Offsets come from rounded differences, along normals whose length has an error of 4 u.
double inner_radius(std::span<const Vec3> points, const Vec3& centre) {
  std::vector<Vec3> seen;
  double size = 0;
  for (const Vec3& p : points) {
    seen.emplace_back(
        (p - centre).unaryExpr([](double c) { return std::abs(c) < 1e-90 ? 0.0 : c; }));
    size = std::max(size, p.lpNorm<1>());
  }
  seen = different(seen);
  GrowingHull hull;
  if (!grow_around(seen, hull)) return 0;
  return std::max(0.0, hull.offset(hull.nearest()) * math::kRoundDown - 1e-14 * size);
}

}  // namespace touche::convex
