// SPDX-License-Identifier: Apache-2.0
#include "convex/gjk.h"

#include <cmath>

#include "convex/exact_meet.h"
#include "convex/gjk-inl.h"
#include "convex/polytope_gjk.h"
#include "convex/scan.h"

namespace touche::convex {
namespace {

/// Finds vertices of any bodies.
class AnyFinder {
 public:
  static constexpr bool kAnyLength = false;

  AnyFinder(const Pair& pair, double scale) : pair_(pair), scale_(scale) {}
  Farthest find(const math::Three& d, Vertex& vertex) const {
    find_vertex(pair_, d.vec(), scale_, vertex);
    const math::Three w(vertex.w);
    return {w, math::dot(d, w)};
  }
  Ends complete(const Vertex& v) const { return {math::Three(v.a), math::Three(v.b)}; }
  [[nodiscard]] math::Three middle() const {
    return math::Three(scale_ * (pair_.b_in_a * pair_.b.centre - pair_.a.centre));
  }

 private:
  const Pair& pair_;
  const double scale_;
};

/// Whether rounding has ended the search before the goal was reached, and integer arithmetic can
/// continue. Whether two polytopes without balls meet is left to the caller, since exactly_meet()
/// is faster.
bool is_left_open(const Pair& pair, const SeparationOptions& options, const Separation& found) {
  const bool decide = options.goal == Goal::decide;
  if (found.converged || found.lower > (decide ? 0 : options.stop_above) || found.upper <= 0)
    return false;
  return pair.a.is_polytope() && pair.b.is_polytope() &&
         !(decide && pair.a.radius + pair.b.radius == 0) &&
         pair.a.reach + pair.b.reach + pair.b_in_a.shift() < 1e91;
}

/// The nearest points by integer arithmetic have only a rounding error, and so has the plane
/// perpendicular to them.
[[gnu::noinline]] void finish_exactly(const Pair& pair, double scale, Simplex& simplex,
                                      Separation& found) {
  const ExactNearest nearest = exactly_nearest(pair, scale, simplex);
  const double size = pair.a.reach + pair.b.reach + pair.b_in_a.shift();
  // The error as in GjkRun, plus the distance's own.
  const double error = pair.error() + 16 * math::kUnitRoundoff * size + 0x1p-48 * nearest.distance;
  const double radii = pair.a.radius + pair.b.radius;
  found.upper = nearest.distance + error - radii * (1 - 4 * math::kUnitRoundoff);
  found.converged = true;
  found.core_a = found.point_a = nearest.point_a, found.core_b = found.point_b = nearest.point_b;
  if (nearest.distance > 0) {
    found.lower = nearest.distance - error - radii * (1 + 4 * math::kUnitRoundoff);
    found.direction = nearest.towards;
  }
  if (nearest.distance >= radii) {
    found.point_a += pair.a.radius * nearest.towards;
    found.point_b -= pair.b.radius * nearest.towards;
  } else {  // a common point
    const double t = pair.a.radius / radii;
    found.point_a = found.point_b = (1 - t) * nearest.point_a + t * nearest.point_b;
  }
}

}  // namespace

bool inner_balls_meet(const Pair& pair) {
  const Vec3 apart = pair.b_in_a * pair.b.centre - pair.a.centre;
  const double within =
      (pair.a.inner + pair.a.radius + pair.b.inner + pair.b.radius) * math::kRoundDown -
      pair.error();
  return within > 0 && apart.squaredNorm() < within * within;
}

double scale_of(const Pair& pair) {
  const double size = pair.a.reach + pair.b.reach + pair.b_in_a.shift();
  if (size == 0 || (size > 0x1p-60 && size < 0x1p60)) return 1;
  return std::exp2(-static_cast<double>(std::ilogb(size)));
}

void find_vertex(const Pair& pair, const Vec3& direction, double scale, Vertex& v) {
  static const FindPolytopeVertex find = find_polytope_vertex();
  const Body &a = pair.a, &b = pair.b;
  find(a, b, pair.b_in_a, direction.x(), direction.y(), direction.z(), scale, v);
  if (a.round.empty() && b.round.empty()) return;
  const Vec3 at_a = a.corner(v.corner_a) + round_share(a.round, -direction),
             at_b = b.corner(v.corner_b) + round_share(b.round, pair.b_in_a.turned_back(direction));
  v.a = scale * at_a, v.b = scale * (pair.b_in_a * at_b);
  v.w = v.b - v.a;
}

Separation separation(const Pair& pair, const SeparationOptions& options, Simplex& simplex) {
  Separation found;
  const double scale = scale_of(pair);
  if (scale == 1 && has_few_corners(pair.a) && has_few_corners(pair.b)) {
    polytope_pair_kernels().separate(pair, options, simplex, found);
  } else {
    const AnyFinder finder(pair, scale);
    HWY_NAMESPACE::convex_gjk::GjkRun(pair, options, scale, finder, simplex).run(found);
  }
  if (is_left_open(pair, options, found)) [[unlikely]]
    finish_exactly(pair, scale, simplex, found);
  return found;
}

Separation separation(const Pair& pair, const SeparationOptions& options) {
  Simplex simplex;
  return separation(pair, options, simplex);
}

}  // namespace touche::convex
