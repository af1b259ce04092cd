// SPDX-License-Identifier: Apache-2.0
// Vectors that stay in registers. An Eigen vector is an array: compilers read pairs of its numbers
// that were not written as pairs, and then the processor stalls until they are in its cache, which
// takes as long as a cross product. In queries of a fraction of a microsecond such stalls dominate
// the time.
#pragma once

#include "touche/types.h"

namespace touche::math {

struct Three {
  double x, y, z;

  Three() = default;
  Three(double x_, double y_, double z_) : x(x_), y(y_), z(z_) {}
  explicit Three(const Vec3& v) : x(v.x()), y(v.y()), z(v.z()) {}
  [[nodiscard]] Vec3 vec() const { return {x, y, z}; }
};

[[gnu::always_inline]] inline Three operator-(const Three& a, const Three& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
[[gnu::always_inline]] inline Three operator-(const Three& a) { return {-a.x, -a.y, -a.z}; }
[[gnu::always_inline]] inline Three operator+(const Three& a, const Three& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
[[gnu::always_inline]] inline Three operator*(double s, const Three& a) {
  return {s * a.x, s * a.y, s * a.z};
}
[[gnu::always_inline]] inline double dot(const Three& a, const Three& b) {
  return (a.x * b.x + a.y * b.y) + a.z * b.z;
}
[[gnu::always_inline]] inline Three cross(const Three& a, const Three& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Evaluates both operands: no branch, which would be mispredicted.
[[gnu::always_inline]] inline bool both(bool a, bool b) {
  return (static_cast<unsigned>(a) & static_cast<unsigned>(b)) != 0;
}
[[gnu::always_inline]] inline bool either(bool a, bool b) {
  return (static_cast<unsigned>(a) | static_cast<unsigned>(b)) != 0;
}

}  // namespace touche::math
