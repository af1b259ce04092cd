// SPDX-License-Identifier: Apache-2.0
// Penetration depth of two convex bodies: the expanding polytope algorithm of van den Bergen
// (Proximity queries and penetration depth computation on 3D game objects, 2001), with bounds.
#pragma once

#include <algorithm>

#include "convex/gjk.h"

namespace touche::convex {

struct PenetrationOptions {
  /// Stop when lower >= upper / (1 + relative_error) or lower >= upper - absolute_error.
  double relative_error = 0, absolute_error = 0;
  /// Stop as soon as the depth is proved to be larger than this.
  double stop_above = kInfinity;
};

/// All in a's frame, of the bodies with their balls.
struct Penetration {
  double lower = 0, upper = kInfinity;
  Vec3 direction = Vec3::UnitX();  ///< b shifted by `upper` along it does not overlap a
  Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();
  bool converged = false;  ///< the bounds agree as the options demand, or up to rounding
  int supports = 0;
};

/// Bounds the error of the points of b minus a, and the rounding of the sums and the division for
/// their offsets.
inline double depth_error(const Pair& pair) {
  return pair.error() +
         8 * math::kUnitRoundoff * (pair.a.reach + pair.b.reach + pair.b_in_a.shift());
}
/// Whether the bounds agree as the options demand, or as well as `error` or denormal numbers allow.
/// Lengths are scaled.
inline bool bounds_agree(double lower, double upper, double error,
                         const PenetrationOptions& options, double scale = 1) {
  const double above = std::max(lower, 0.0);
  return upper - above <= std::max({options.relative_error * above, scale * options.absolute_error,
                                    8 * error, math::kUnderflow});
}

/// The result if the cores are separated: the overlap of the balls, if any.
inline Penetration overlap_of_balls(const Body& a, const Body& b, const Separation& s) {
  Penetration p;
  p.lower = std::max(0.0, -s.upper), p.upper = std::max(0.0, -s.lower);
  p.direction = s.direction;
  p.point_a = s.core_a + a.radius * s.direction;
  p.point_b = s.core_b - b.radius * s.direction;
  p.converged = s.converged || p.upper <= p.lower;
  p.supports = s.supports;
  return p;
}

/// For any bodies, also if they are separated. Memory is kept per thread, so that nothing is
/// allocated once it is large enough.
Penetration penetration(const Pair& pair, const PenetrationOptions& options = {});

}  // namespace touche::convex
