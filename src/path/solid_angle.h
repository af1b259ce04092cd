// SPDX-License-Identifier: Apache-2.0
// Under which solid angle a point sees a triangle (van Oosterom and Strackee 1983).
#pragma once

#include <algorithm>
#include <cmath>

#include "geometry/point_triangle.h"
#include "math/rounding.h"
#include "path/caps.h"

namespace touche {

/// A solid angle, and by how much it may be off.
struct SolidAngle {
  double angle = 0, error = 0;
};

/// Numerator and denominator are off by a few roundings of the product of the three lengths, and
/// the angle by twice the one between (denominator, numerator) and what that should be. Beside a
/// sliver's edge nothing is left of either: there the angle is anything.
inline SolidAngle solid_angle(const Triangle& t, const Vec3& x) {
  constexpr double kAny = kFourPi;  // from one end of what angles can be to the other
  const Vec3 a = t[0] - x, b = t[1] - x, c = t[2] - x;
  const double la = a.norm(), lb = b.norm(), lc = c.norm(), product = la * lb * lc;
  const double numerator = a.dot(b.cross(c));
  const double denominator = product + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
  const double off = 64 * kUnitRoundoff * product, size = std::hypot(denominator, numerator);
  const bool jumps = denominator <= off && std::abs(numerator) <= off;  // from one end to the other
  // The arc of a chord is at most π / 2 times as long; √2 for both being off.
  const double error = jumps ? kAny : std::min(kAny, 2 * 2.3 * off / size);
  if (numerator == 0) return {0, error};  // x lies in the plane, or even on the triangle
  return {2 * std::atan2(numerator, denominator), error};
}

}  // namespace touche
