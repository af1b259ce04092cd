// SPDX-License-Identifier: Apache-2.0
// Random point sets, poses and volumes for the tests of src/bounds.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <tuple>
#include <vector>

#include "methods/bounds/all.h"

namespace touche::test {

template <typename List>
struct ToTypes;
template <typename... V>
struct ToTypes<std::tuple<V...>> {
  using type = testing::Types<V...>;
};
/// For typed tests of what trees are compiled for.
using AllVolumeTypes = ToTypes<bounds::AllVolumes>::type;

class Sets {
 public:
  explicit Sets(unsigned seed) : engine_(seed) {}
  // Several draws stand in braces, which are evaluated in order: every compiler gets the same sets.
  double real(double lo, double hi) { return std::uniform_real_distribution(lo, hi)(engine_); }
  int integer(int lo, int hi) { return std::uniform_int_distribution(lo, hi)(engine_); }
  Vec3 point() { return {real(-1, 1), real(-1, 1), real(-1, 1)}; }
  Vec3 direction() {
    for (;;)
      if (const Vec3 p = point(); p.norm() < 1 && p.norm() > 0.1) return p.normalized();
  }
  Eigen::Quaterniond rotation() {
    const auto g = [&] { return std::normal_distribution()(engine_); };
    return Eigen::Quaterniond{g(), g(), g(), g()}.normalized();
  }
  Pose pose(const Vec3& translation) {
    return Pose::from_quaternion_unchecked(rotation(), translation);
  }

  /// Points in general position in a turned box of random proportions.
  std::vector<Vec3> cloud(int n) {
    const Vec3 widths{real(0.2, 1), real(0.2, 1), real(0.2, 1)};
    const Mat3 turn = rotation().toRotationMatrix();
    std::vector<Vec3> points;
    for (int i = 0; i < n; ++i) points.emplace_back(turn * widths.cwiseProduct(point()));
    return points;
  }
  /// A point (0), a segment (1) or a planar set (2), with repeated points.
  std::vector<Vec3> degenerate(int dimension, int n) {
    const Vec3 u = point(), v = point();
    std::vector<Vec3> points;
    for (int i = 0; i < n; ++i) {
      const double along_u = dimension > 0 ? real(-1, 1) : 0;
      const double along_v = dimension > 1 ? real(-1, 1) : 0;
      points.emplace_back(along_u * u + along_v * v);
    }
    for (int i = 0; i < n; i += 3) points.push_back(points[static_cast<std::size_t>(i)]);
    return points;
  }
  /// Many points on common planes, lines and spheres.
  std::vector<Vec3> grid(int n) {
    std::vector<Vec3> points;
    for (int i = 0; i < n; ++i)
      points.push_back({0.0 + integer(-1, 1), 0.0 + integer(-1, 1), 0.0 + integer(-1, 1)});
    return points;
  }
  /// Any of these, tiny, huge, or far from the origin.
  std::vector<Vec3> any() {
    const int family = integer(0, 7), n = integer(1, 30);
    std::vector<Vec3> points = family < 3    ? degenerate(family, n)
                               : family == 3 ? grid(n)
                                             : cloud(n);
    const double scale = std::vector{1e-6, 1.0, 1e6}[static_cast<std::size_t>(integer(0, 2))];
    const Vec3 offset = integer(0, 2) == 0 ? Vec3(1e6 * point()) : Vec3(Vec3::Zero());
    for (Vec3& p : points) p = scale * p + offset;
    return points;
  }
  /// A point of the convex hull.
  Vec3 inside(const std::vector<Vec3>& points) {
    Vec3 p = points[0];
    for (int i = 0; i < 3; ++i)
      p += real(0, 1) *
           (points[static_cast<std::size_t>(integer(0, static_cast<int>(points.size()) - 1))] - p);
    return p;
  }

  bounds::Obb box() {
    const auto half = [&] { return integer(0, 5) == 0 ? 0.0 : std::pow(10, real(-1.5, 0)); };
    return {point(), bounds::orthonormal(rotation().toRotationMatrix()), {half(), half(), half()}};
  }

 private:
  std::mt19937 engine_;
};

}  // namespace touche::test
