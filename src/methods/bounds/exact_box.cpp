// SPDX-License-Identifier: Apache-2.0
// Given edges e and f, the first face's normal n is any unit vector at right angles to e, an angle;
// the second one's is then n × f. Between angles where a face changes the corner it passes through,
// the volume is smooth: it is sampled at steps far below the angles at which small sets change
// corners, and each dip is refined by golden sections.
#include "methods/bounds/exact_box.h"

#include <cmath>
#include <numbers>
#include <set>
#include <vector>

#include "geometry/predicates.h"

namespace touche::bounds {
namespace {

/// Directions of the edges of all faces of the convex hull; in a face of more than three corners
/// also its diagonals, which do no harm. Exact.
std::vector<Vec3> hull_edges(std::span<const Vec3> points) {
  const std::size_t n = points.size();
  std::set<std::pair<std::size_t, std::size_t>> found;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j)
      for (std::size_t k = j + 1; k < n; ++k) {
        bool above = false, below = false;
        for (std::size_t m = 0; m < n && !(above && below); ++m) {
          const int side = geometry::orient3d(points[i], points[j], points[k], points[m]);
          above |= side < 0;
          below |= side > 0;
        }
        if (above == below) continue;  // cuts the set, or all of it is in one plane or line
        found.insert({i, j});
        found.insert({i, k});
        found.insert({j, k});
      }
  std::vector<Vec3> edges;
  edges.reserve(found.size());
  for (const auto& [i, j] : found) edges.push_back((points[j] - points[i]).normalized());
  return edges;
}

struct Family {
  std::span<const Vec3> points;
  Vec3 u, v, f;  // n = cos u + sin v

  Mat3 axes(double angle) const {
    const Vec3 n = std::cos(angle) * u + std::sin(angle) * v;
    const Vec3 m = n.cross(f);
    Mat3 out;
    out << n, m.normalized(), n.cross(m).normalized();
    return out;
  }
  double volume(double angle) const {
    const Vec3 n = std::cos(angle) * u + std::sin(angle) * v;
    const Vec3 m = n.cross(f);
    const double length = m.norm();
    if (!(length > 1e-9)) return kInfinity;  // decided by the neighbouring angles
    const Vec3 k = n.cross(m);
    Vec3 lo = Vec3::Constant(kInfinity), hi = Vec3::Constant(-kInfinity);
    for (const Vec3& p : points) {
      const Vec3 y(n.dot(p), m.dot(p), k.dot(p));
      lo = lo.cwiseMin(y);
      hi = hi.cwiseMax(y);
    }
    return (hi - lo).prod() / (length * length);
  }
};

constexpr double kGolden = 0.6180339887498949;

}  // namespace

ExactBox exact_box(std::span<const Vec3> points) {
  require_points(points);
  const std::vector<Vec3> edges = hull_edges(points);
  if (edges.empty()) throw InvalidInput("the points of an exact box lie in one plane");
  std::vector<Vec3> relative_points;
  for (const Vec3& p : points) relative_points.push_back(p - points[0]);

  constexpr int kSteps = 180;  // over half a turn: n and −n are the same box
  constexpr double kStep = std::numbers::pi / kSteps;
  double least = kInfinity;
  Mat3 best = Mat3::Identity();
  std::vector<double> sampled(kSteps);
  for (const Vec3& e : edges) {
    int smallest = 0;
    e.cwiseAbs().minCoeff(&smallest);
    const Vec3 u = e.cross(Vec3::Unit(smallest)).normalized(), v = e.cross(u);
    for (const Vec3& f : edges) {
      const Family family = {relative_points, u, v, f};
      for (int k = 0; k < kSteps; ++k)
        sampled[static_cast<std::size_t>(k)] = family.volume(k * kStep);
      for (int k = 0; k < kSteps; ++k) {
        const double here = sampled[static_cast<std::size_t>(k)];
        if (here > sampled[static_cast<std::size_t>((k + 1) % kSteps)] ||
            here > sampled[static_cast<std::size_t>((k + kSteps - 1) % kSteps)])
          continue;
        // A dip cannot go deeper than the slope allows: refine only what may beat the best.
        if (here > 1.5 * least) continue;
        double lo = (k - 1) * kStep, hi = (k + 1) * kStep;
        double x = hi - kGolden * (hi - lo), y = lo + kGolden * (hi - lo);
        double at_x = family.volume(x), at_y = family.volume(y);
        for (int step = 0; step < 45; ++step) {
          if (at_x < at_y) {
            hi = y, y = x, at_y = at_x;
            x = hi - kGolden * (hi - lo), at_x = family.volume(x);
          } else {
            lo = x, x = y, at_x = at_y;
            y = lo + kGolden * (hi - lo), at_y = family.volume(y);
          }
        }
        const double value = std::min(at_x, at_y);
        if (value < least) least = value, best = family.axes(at_x < at_y ? x : y);
      }
    }
  }
  return {obb_in_frame(points, best), static_cast<int>(edges.size())};
}

}  // namespace touche::bounds
