// SPDX-License-Identifier: Apache-2.0
// Soups and poses for the tests of volume trees.
#pragma once

#include <algorithm>
#include <random>
#include <string_view>
#include <vector>

#include "touche/methods/volume_tree.h"
#include "touche/pose.h"
#include "touche/soup.h"

namespace touche::test {

/// Volumes that share what trees are compiled to, and much of which is tested with one is with all.
inline bool shares_code(std::string_view volume) {
  constexpr std::size_t kCompiled = 10;
  const auto others = volume_names().subspan(kCompiled);
  return std::find(others.begin(), others.end(), volume) != others.end();
}

class TreeCases {
 public:
  explicit TreeCases(unsigned seed) : engine_(seed) {}

  // Several draws stand in braces, which are evaluated in order: every compiler gets the same
  // cases.
  double real(double lo, double hi) { return std::uniform_real_distribution(lo, hi)(engine_); }
  int integer(int lo, int hi) { return std::uniform_int_distribution(lo, hi)(engine_); }
  Vec3 point() { return {real(-1, 1), real(-1, 1), real(-1, 1)}; }

  /// Triangles all over a box of random proportions, of about its size divided by the root of their
  /// number.
  PolygonSoup cloud(int triangles) {
    const Vec3 widths{real(0.3, 1), real(0.3, 1), real(0.3, 1)};
    const double size = 0.8 / std::sqrt(triangles);
    std::vector<double> coordinates;
    for (int i = 0; i < triangles; ++i) {
      const Vec3 middle = widths.cwiseProduct(point());
      for (int k = 0; k < 3; ++k) {
        const Vec3 p = middle + size * point();
        coordinates.insert(coordinates.end(), p.begin(), p.end());
      }
    }
    return separate(coordinates);
  }
  /// Triangles with corners on a small grid: points, segments, duplicates, common planes.
  PolygonSoup degenerate(int triangles) {
    std::vector<double> coordinates;
    for (int i = 0; i < triangles; ++i) {
      const Vec3 middle = {0.0 + integer(-2, 2), 0.0 + integer(-2, 2), 0.0 + integer(-2, 2)};
      for (int k = 0; k < 3; ++k)
        for (int axis = 0; axis < 3; ++axis)
          coordinates.push_back(0.25 * (middle[axis] + integer(0, 1)));
    }
    return separate(coordinates);
  }
  /// Smaller or larger, and about another point.
  static PolygonSoup scaled(const PolygonSoup& soup, double size, const Vec3& middle) {
    std::vector<double> coordinates;
    for (const Vec3& p : soup.vertices()) {
      const Vec3 q = middle + size * p;
      coordinates.insert(coordinates.end(), q.begin(), q.end());
    }
    return separate(coordinates);
  }
  Pose turned(const Vec3& translation) {
    const auto g = [&] { return std::normal_distribution()(engine_); };
    return Pose::from_quaternion_unchecked(Eigen::Quaterniond{g(), g(), g(), g()}.normalized(),
                                           translation);
  }
  /// About half of all such pairs of `cloud` meet.
  Pose near(double distance) { return turned(distance * point().normalized()); }

 private:
  static PolygonSoup separate(const std::vector<double>& coordinates) {
    std::vector<Index> corners(coordinates.size() / 3);
    for (std::size_t i = 0; i < corners.size(); ++i) corners[i] = static_cast<Index>(i);
    return PolygonSoup(coordinates, corners);
  }

  std::mt19937 engine_;
};

}  // namespace touche::test
