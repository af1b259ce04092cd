// SPDX-License-Identifier: Apache-2.0
#include "math/shortest_turn.h"

#include <cmath>

namespace touche::math {

Eigen::Quaterniond shortest_turn(const Vec3& from, const Vec3& to) {
  constexpr double kOpposite = 1e-12;  // then rounding leaves too little of the cross product
  const Vec3 a = from.normalized(), b = to.normalized();
  const double cosine = b.dot(a);
  Eigen::Quaterniond turn;
  if (cosine < -1 + kOpposite) {
    const Vec3 across = a.unitOrthogonal();
    turn = shortest_turn(across, b) * shortest_turn(a, across);
    if (turn.w() < 0) turn.coeffs() = -turn.coeffs();
    return turn;
  }
  const Vec3 axis = a.cross(b);
  const double s = std::sqrt((1 + cosine) * 2);
  turn.vec() = axis * (1 / s);
  turn.w() = 0.5 * s;
  return turn;
}

}  // namespace touche::math
