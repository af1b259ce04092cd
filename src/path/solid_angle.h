// SPDX-License-Identifier: Apache-2.0
// The solid angle of a triangle seen from a point (van Oosterom and Strackee 1983).
#pragma once

#include <algorithm>
#include <cmath>

#include "geometry/point_triangle.h"
#include "math/rounding.h"
#include "path/caps.h"

namespace touche::paths {

/// A solid angle and a bound of its error.
struct SolidAngle {
  double angle = 0, error = 0;
};

/// The error of numerator and denominator is a few roundings of the product of the three lengths,
/// and that of the solid angle is twice the angle between the computed and the exact vector
/// (denominator, numerator). Beside an edge of a sliver both vanish: the angle is arbitrary there.
inline SolidAngle solid_angle(const Triangle& t, const Vec3& x) {
  constexpr double kAny = kFourPi;  // the full range of angles
  const Vec3 a = t[0] - x, b = t[1] - x, c = t[2] - x;
  const double la = a.norm(), lb = b.norm(), lc = c.norm(), product = la * lb * lc;
  const double numerator = a.dot(b.cross(c));
  const double denominator = product + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
  const double off = 64 * math::kUnitRoundoff * product, size = std::hypot(denominator, numerator);
  // from one end of the range to the other
  const bool jumps = denominator <= off && std::abs(numerator) <= off;
  // An arc is at most π / 2 times as long as its chord; √2 because both components have an error.
  const double error = jumps ? kAny : std::min(kAny, 2 * 2.3 * off / size);
  if (numerator == 0) return {0, error};  // x lies in the plane, or even on the triangle
  return {2 * std::atan2(numerator, denominator), error};
}

}  // namespace touche::paths
