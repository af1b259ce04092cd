// SPDX-License-Identifier: Apache-2.0
#include "convex/pose_lanes.h"

#include <algorithm>
#include <cmath>

namespace touche::convex {
namespace {

math::Three corner_of(const Body& body, std::size_t i) { return {body.x[i], body.y[i], body.z[i]}; }

/// Transforms p by the pose at column i.
math::Three placed(const TransformColumns& columns, std::size_t i, const math::Three& p) {
  const auto row = [&](std::size_t k) {
    return ((columns.at[k][i] * p.x + columns.at[3 + k][i] * p.y) + columns.at[6 + k][i] * p.z) +
           columns.at[9 + k][i];
  };
  return {row(0), row(1), row(2)};
}

}  // namespace

// The same as GjkRun::finish, with scalar numbers (see three.h). Absent vertices have no weight.
std::optional<Separation> separation_at(const PosesQuestion& q, const TransformColumns& columns,
                                        std::size_t i, const AtPose& found) {
  std::array<math::Three, 4> vertex_a, vertex_b;
  math::Three a(0, 0, 0), b(0, 0, 0);
  double all = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    vertex_a[k] = corner_of(q.a, found.vertex[k] / kFewCorners);
    vertex_b[k] = placed(columns, i, corner_of(q.b, found.vertex[k] % kFewCorners));
    a = a + found.share[k] * vertex_a[k], b = b + found.share[k] * vertex_b[k];
    all += found.share[k];
  }
  if (!(all > 0)) return {};
  const double one = 1 / all;
  a = one * a, b = one * b;

  const double move =
      (std::abs(columns.at[9][i]) + std::abs(columns.at[10][i])) + std::abs(columns.at[11][i]);
  const PoseErrors errors(q, move);
  const math::Three between = b - a;
  const double apart = std::sqrt(math::dot(between, between));
  const double radius_a = q.a.radius, radius_b = q.b.radius, radii = radius_a + radius_b;
  double upper = apart + errors.all;
  if (found.ending == PoseEnding::around) {
    Simplex simplex;
    for (std::size_t k = 0; k < 4; ++k) {
      Vertex v;
      v.a = vertex_a[k].vec(), v.b = vertex_b[k].vec();
      v.w = (vertex_b[k] - vertex_a[k]).vec();
      simplex.add(v);
    }
    const double inside = depth_inside(simplex) - errors.all;
    if (!(inside > 0)) return {};
    upper = -inside;
  }
  Separation s;
  s.supports = found.supports;
  s.direction = found.direction.vec();
  s.lower = proved_lower(q, found), s.upper = upper - radii * (1 - 4 * math::kUnitRoundoff);
  const double lower = std::max(s.lower, 0.0),
               gap = std::max(
                   {q.options.relative_error * lower, q.options.absolute_error, 4 * errors.all});
  s.converged =
      found.lower >= upper - gap || s.upper <= 0 ||
      (q.options.goal == Goal::distance && s.upper - lower <= gap) ||
      upper - found.lower <= kPolytopeSeparationError / 8 / math::kUnitRoundoff * errors.size;
  s.core_a = a.vec(), s.core_b = b.vec();
  if (apart >= radii) {
    const math::Three n = apart > 0 ? (1 / apart) * between : found.direction;
    a = a + radius_a * n, b = b - radius_b * n;
  } else if (radii > 0) {  // a common point
    const double t = radius_a / radii;
    a = b = (1 - t) * a + t * b;
  }
  s.point_a = a.vec(), s.point_b = b.vec();
  return s;
}

}  // namespace touche::convex
