// SPDX-License-Identifier: Apache-2.0
// The cone that contains the impulses of a contact, and the operations on it that interior points
// need.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "touche/types.h"

namespace touche::dynamics {

/// A point x inside a cone and a point y inside its dual, which is the same cone: {x0 >= |(x1,
/// x2)|} or, for a ray, {x0 >= 0} with zeros beside. The scaling W of Nesterov and Todd is a
/// symmetric matrix for which W y = W⁻¹ x. Its eigenvectors are known, so nothing is inverted.
struct ConePair {
  bool is_ray = false;
  Vec3 x = Vec3::Zero(), y = Vec3::Zero();

  Mat3 axes = Mat3::Identity();  // of W, columns
  Vec3 scale = Vec3::Ones();     // eigenvalues of W
  Vec3 middle = Vec3::Zero();    // W y

  /// Finds W. Returns false if rounding leaves no point inside.
  bool find_scaling();
  /// Returns W v; for a power of -1 W⁻¹ v, for -2 W⁻² v.
  [[nodiscard]] Vec3 scaled(const Vec3& v, int power) const {
    Vec3 along = axes.transpose() * v;
    for (int k = 0; k < 3; ++k) along[k] *= power_of(k, power);
    return axes * along;
  }
  /// Returns (W⁻² + G)⁻¹, where G is diagonal: `along` the ray or the axis of the cone, and
  /// `beside` it. This is W², made no stiffer than 1 / G. All terms are positive, so no digits
  /// cancel.
  [[nodiscard]] Mat3 softened(double along, double beside) const;

  /// The product of the cone's Jordan algebra, whose unit is (1, 0, 0).
  [[nodiscard]] Vec3 product(const Vec3& u, const Vec3& v) const {
    if (is_ray) return {u[0] * v[0], 0, 0};
    Vec3 both = u[0] * v + v[0] * u;
    both[0] = u.dot(v);
    return both;
  }
  /// Returns the vector whose product with `middle` is `product`.
  [[nodiscard]] Vec3 divided(const Vec3& product) const;

  /// The largest t <= 1 for which from + t * by is in the cone.
  [[nodiscard]] double longest(const Vec3& from, const Vec3& by) const;

 private:
  [[nodiscard]] double power_of(int k, int power) const {
    return power == 1 ? scale[k] : power == -1 ? 1 / scale[k] : 1 / (scale[k] * scale[k]);
  }
  // The square of a vector's size in the metric of the cone.
  static double square(const Vec3& v) {
    const double beside = v.tail<2>().norm();
    return (v[0] - beside) * (v[0] + beside);
  }
};

inline bool ConePair::find_scaling() {
  if (is_ray) {
    if (!(x[0] > 0) || !(y[0] > 0)) return false;
    axes.setIdentity();
    scale = Vec3(std::sqrt(x[0] / y[0]), 1, 1);
    middle = Vec3(std::sqrt(x[0] * y[0]), 0, 0);
    return middle[0] > 0 && scale[0] < kInfinity;
  }
  const double square_x = square(x), square_y = square(y);
  if (!(x[0] > 0) || !(y[0] > 0) || !(square_x > 0) || !(square_y > 0)) return false;
  const double size_x = std::sqrt(square_x), size_y = std::sqrt(square_y);
  const Vec3 unit_x = x / size_x, unit_y = y / size_y;
  const double gamma = std::sqrt(0.5 * (1 + unit_x.dot(unit_y)));
  // The part beside the axis of the point whose quadratic representation maps unit_y to unit_x.
  const Eigen::Vector2d beside = (unit_x.tail<2>() - unit_y.tail<2>()) / (2 * gamma);
  const double aside = beside.norm(), all = std::sqrt(1 + aside * aside) + aside,
               root = std::sqrt(size_x / size_y);
  const Eigen::Vector2d along = aside > 0 ? Eigen::Vector2d(beside / aside) : Eigen::Vector2d(1, 0);
  const double half = std::sqrt(0.5);
  axes.col(0) << half, half * along;
  axes.col(1) << half, -half * along;
  axes.col(2) << 0, -along[1], along[0];
  scale = Vec3(root * all, root / all, root);
  middle = scaled(y, 1);
  return square(middle) > 0 && scale.allFinite() && scale.minCoeff() > 0;
}

inline Mat3 ConePair::softened(double along, double beside) const {
  Mat3 of = Mat3::Zero();
  if (is_ray) {
    of(0, 0) = 1 / (power_of(0, -2) + along);
    return of;
  }
  const double first = power_of(0, -2), second = power_of(1, -2), sum = 0.5 * (first + second),
               determinant = first * second + sum * (along + beside) + along * beside;
  const Eigen::Vector2d aside = std::sqrt(2) * axes.col(0).tail<2>(),
                        across = axes.col(2).tail<2>();
  of(0, 0) = (sum + beside) / determinant;
  of.block<2, 1>(1, 0) = 0.5 * (second - first) / determinant * aside;
  of.block<1, 2>(0, 1) = of.block<2, 1>(1, 0).transpose();
  of.block<2, 2>(1, 1) = (sum + along) / determinant * aside * aside.transpose() +
                         1 / (power_of(2, -2) + beside) * across * across.transpose();
  return of;
}

inline Vec3 ConePair::divided(const Vec3& product) const {
  if (is_ray) return {product[0] / middle[0], 0, 0};
  Vec3 of;
  of[0] = (middle[0] * product[0] - middle.tail<2>().dot(product.tail<2>())) / square(middle);
  of.tail<2>() = (product.tail<2>() - of[0] * middle.tail<2>()) / middle[0];
  return of;
}

inline double ConePair::longest(const Vec3& from, const Vec3& by) const {
  double most = 1;
  if (by[0] < 0) most = std::min(most, -from[0] / by[0]);
  if (is_ray) return most;
  // Where the square becomes 0: square(by) t² + 2 b t + square(from), the first t > 0.
  const double a = square(by), b = from[0] * by[0] - from.tail<2>().dot(by.tail<2>()),
               c = square(from), inside = b * b - a * c;
  if (inside < 0) return most;
  const double root = std::sqrt(inside);
  if (b < 0)
    most = std::min(most, c / (root - b));
  else if (a < 0)
    most = std::min(most, (-b - root) / a);
  return std::max(most, 0.0);
}

}  // namespace touche::dynamics
