// SPDX-License-Identifier: Apache-2.0
#include "methods/bounds/slabs.h"

#include <algorithm>

#include "math/rounding.h"
#include "methods/bounds/convex_hull.h"
#include "methods/bounds/fit_obb.h"

namespace touche::bounds {
namespace {

constexpr std::size_t kSlabs = 7;

/// Normals of the hull's larger faces; many of a round hull say no more than some.
std::vector<Vec3> normals_of_hull(std::span<const Vec3> points) {
  struct Rated {
    Vec3 normal;
    double area;
  };
  std::vector<Rated> rated;
  for (const auto& [a, b, c] : touche::convex_hull(points)) {
    const Vec3 n = (points[b] - points[a]).cross(points[c] - points[a]);
    const Vec3 unit = math::unit_or_zero(n);
    if (!unit.isZero(0)) rated.push_back({unit, n.norm()});
  }
  constexpr std::size_t kMost = 48;
  const std::size_t count = std::min(kMost, rated.size());
  std::ranges::partial_sort(rated, rated.begin() + static_cast<std::ptrdiff_t>(count),
                            std::greater(), &Rated::area);
  std::vector<Vec3> normals;
  for (std::size_t i = 0; i < count; ++i) normals.push_back(rated[i].normal);
  return normals;
}

double width_of(std::span<const Vec3> points, const Vec3& n) {
  double lo = kInfinity, hi = -kInfinity;
  for (const Vec3& p : points) {
    const double x = n.dot(p - points[0]);
    lo = std::min(lo, x);
    hi = std::max(hi, x);
  }
  return hi - lo;
}

}  // namespace

Slabs Slabs::fit(std::span<const Vec3> points) {
  const Mat3 axes = fit_obb(points).axes;
  std::vector<Vec3> chosen = {axes.col(0), axes.col(1), axes.col(2)};
  SlabPolytope body = SlabPolytope::around(points, chosen);
  struct Candidate {
    Vec3 normal;
    double width;
  };
  std::vector<Candidate> candidates;
  for (const Vec3& n : normals_of_hull(points)) candidates.push_back({n, width_of(points, n)});
  while (chosen.size() < kSlabs) {
    // Less than this is rounding, and would only bring in a direction that was there.
    double most = 1e-6 * ball_of(body).radius;
    const Candidate* best = nullptr;
    for (const Candidate& c : candidates) {
      if (std::ranges::any_of(chosen, [&](const Vec3& n) {
            return n.cross(c.normal).norm() < SlabPolytope::kAlike;
          }))
        continue;
      const double now =
          farthest(body, c.normal).dot(c.normal) - farthest(body, -c.normal).dot(c.normal);
      if (now - c.width > most) most = now - c.width, best = &c;
    }
    if (best == nullptr) break;
    chosen.push_back(best->normal);
    body = SlabPolytope::around(points, chosen);
  }
  return {std::move(body)};
}

std::vector<double> numbers_of(const SlabPolytope& p) {
  std::vector<double> out;
  for (const Slab& s : p.slabs())
    out.insert(out.end(), {s.normal.x(), s.normal.y(), s.normal.z(), s.lo, s.hi});
  return out;
}

SlabPolytope slab_polytope_from(std::span<const double> numbers) {
  if (numbers.size() % 5 != 0) throw InvalidInput("these numbers are no slabs");
  std::vector<Slab> slabs;
  for (std::size_t i = 0; i < numbers.size(); i += 5)
    slabs.push_back({{numbers[i], numbers[i + 1], numbers[i + 2]}, numbers[i + 3], numbers[i + 4]});
  return SlabPolytope(slabs);
}

std::vector<double> Slabs::numbers() const { return numbers_of(body); }
Slabs Slabs::from_numbers(std::span<const double> numbers) { return {slab_polytope_from(numbers)}; }

}  // namespace touche::bounds
