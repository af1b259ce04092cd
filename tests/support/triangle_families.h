// SPDX-License-Identifier: Apache-2.0
// Random pairs of triangles in general and in degenerate positions.
#pragma once

#include <cmath>
#include <random>
#include <utility>

#include "touche/distance.h"

namespace touche::test {

using TrianglePair = std::pair<Triangle, Triangle>;

/// Random pairs of triangles of a family, about half of them touching.
class Pairs {
 public:
  explicit Pairs(unsigned seed) : engine_(seed) {}
  double real(double lo, double hi) { return std::uniform_real_distribution(lo, hi)(engine_); }
  int integer(int lo, int hi) { return std::uniform_int_distribution(lo, hi)(engine_); }
  Vec3 point() { return {real(-1, 1), real(-1, 1), real(-1, 1)}; }
  Triangle triangle() { return {point(), point(), point()}; }
  Vec3 on(const Triangle& t) {
    const double s = real(0, 1), r = real(0, 1 - s);
    return t[0] + s * (t[1] - t[0]) + r * (t[2] - t[0]);
  }

  TrianglePair general() {
    const Triangle a = triangle();
    return {a, moved(triangle(), a)};
  }
  TrianglePair grid() {
    const auto corner = [&] { return Vec3(integer(-1, 1), integer(-1, 1), integer(-1, 1)); };
    return {{corner(), corner(), corner()}, {corner(), corner(), corner()}};
  }
  TrianglePair coplanar_on_grid() {
    const Vec3 origin(1, 2, 3), u(1, 1, 0), v(-1, 2, 1);
    const auto corner = [&] {
      return Vec3(origin + double(integer(-4, 4)) * u + double(integer(-4, 4)) * v);
    };
    return {{corner(), corner(), corner()}, {corner(), corner(), corner()}};
  }
  /// Coplanar up to rounding.
  TrianglePair nearly_coplanar() {
    const Triangle plane = triangle();
    const auto corner = [&] {
      return Vec3(plane[0] + real(-1, 1) * (plane[1] - plane[0]) +
                  real(-1, 1) * (plane[2] - plane[0]));
    };
    return {{corner(), corner(), corner()}, {corner(), corner(), corner()}};
  }
  TrianglePair sharing() {
    const Triangle a = triangle();
    Triangle b = triangle();
    b[integer(0, 2)] = a[integer(0, 2)];
    if (integer(0, 1) == 0) b[integer(0, 2)] = a[integer(0, 2)];
    if (integer(0, 1) == 0)  // torn apart by one rounding error
      for (Vec3& p : b) p.x() = std::nextafter(p.x(), 2);
    return {a, b};
  }
  /// A corner of b lies on a face, edge or corner of a up to rounding, b on one side.
  TrianglePair grazing() {
    const Triangle a = triangle();
    Vec3 touch = on(a);
    if (integer(0, 1) == 0) touch = a[0] + real(0, 1) * (a[1] - a[0]);
    Vec3 normal = (a[1] - a[0]).cross(a[2] - a[0]).normalized();
    Triangle b = {touch, touch + normal + 0.5 * point(), touch + normal + 0.5 * point()};
    std::rotate(b.begin(), b.begin() + integer(0, 2), b.end());
    return {a, b};
  }
  TrianglePair sliver() {
    Triangle a = triangle(), b = triangle();
    const auto flatten = [&](Triangle& t) {
      t[2] = t[0] + real(-0.2, 1.2) * (t[1] - t[0]) + std::pow(10, real(-17, -3)) * point();
    };
    if (integer(0, 2) != 0) flatten(a);
    if (integer(0, 2) != 0) flatten(b);
    const Vec3 shift = a[0] + real(0, 1) * (a[1] - a[0]) - b[0] - real(0, 1) * (b[1] - b[0]);
    const Vec3 gap =
        integer(0, 1) == 0 ? Vec3(Vec3::Zero()) : Vec3(std::pow(10, real(-17, 0)) * point());
    for (Vec3& p : b) p += shift + gap;
    return {a, b};
  }
  TrianglePair needle() {
    const Triangle a = triangle();
    Triangle b = triangle();
    b[1] = b[0] + std::pow(10, real(-16, -2)) * point();
    return {a, moved(b, a)};
  }
  /// Edges that cross, or nearly so, at angles down to rounding.
  TrianglePair nearly_parallel() {
    const Triangle a = triangle();
    const Vec3 u = a[1] - a[0];
    const Vec3 start = a[0] + real(-0.5, 0.5) * u + std::pow(10, real(-17, -1)) * point();
    const Vec3 end = start + real(0.5, 1.5) * u + std::pow(10, real(-17, -1)) * point();
    return {a, {start, end, point()}};
  }
  TrianglePair zero_area() {
    const auto corner = [&] { return Vec3(integer(-2, 2), integer(-2, 2), 0.5 * integer(-1, 1)); };
    const auto degenerate = [&] {
      const Vec3 p = corner(), u = integer(0, 3) == 0 ? Vec3(Vec3::Zero()) : corner();
      return Triangle{p, p + double(integer(-1, 2)) * u, p + u};
    };
    const Triangle a = integer(0, 1) == 0 ? degenerate() : Triangle{corner(), corner(), corner()};
    Triangle b = degenerate();
    if (integer(0, 1) == 0) b[0] = a[integer(0, 2)];
    return {a, b};
  }

  /// Any family, at any scale and position.
  TrianglePair any() {
    using Family = TrianglePair (Pairs::*)();
    static constexpr Family families[] = {&Pairs::general,          &Pairs::grid,
                                          &Pairs::coplanar_on_grid, &Pairs::nearly_coplanar,
                                          &Pairs::sharing,          &Pairs::grazing,
                                          &Pairs::sliver,           &Pairs::needle,
                                          &Pairs::zero_area,        &Pairs::nearly_parallel};
    TrianglePair pair = (this->*families[integer(0, std::size(families) - 1)])();
    const double scale = std::pow(10, integer(-6, 6));
    const Vec3 offset = integer(0, 1) == 0 ? Vec3(Vec3::Zero()) : Vec3(1e6 * point());
    for (Triangle* t : {&pair.first, &pair.second})
      for (Vec3& p : *t) p = scale * p + offset;
    if (integer(0, 1) == 0) std::swap(pair.first, pair.second);
    return pair;
  }

 private:
  Triangle moved(Triangle t, const Triangle& target) {
    const Vec3 shift = on(target) - on(t) + 0.2 * point();
    for (Vec3& p : t) p += shift;
    return t;
  }
  std::mt19937_64 engine_;
};

}  // namespace touche::test
