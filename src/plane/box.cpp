// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "geometry/expansion.h"
#include "plane/volumes.h"

namespace touche::plane {
namespace {

double sum_down(double x, double y) {
  const geometry::exact::TwoTerms s = geometry::exact::two_sum(x, y);
  return s.low < 0 ? std::nextafter(s.high, -kInfinity) : s.high;
}

/// Returns x and y, and for K = 8 also x + y and x − y; `up` is the direction in which sums are
/// rounded.
template <int K>
std::array<double, K / 2> places(const Vec2& p, bool up) {
  if constexpr (K == 4) {
    return {p.x(), p.y()};
  } else {
    const auto sum = [&](double x, double y) { return up ? -sum_down(-x, -y) : sum_down(x, y); };
    return {p.x(), p.y(), sum(p.x(), p.y()), sum(p.x(), -p.y())};
  }
}

/// The points where neighbouring sides meet, each with an error of at most one rounding. Their hull
/// contains the volume, whatever the intervals are: a direction between the normals of two
/// neighbours is their sum with weights >= 0, so no point of the volume is farther along it than
/// the point where they meet.
std::vector<Vec2> dop_corners(const Dop<4>& v) {
  return {{v.lo[0], v.lo[1]}, {v.hi[0], v.lo[1]}, {v.hi[0], v.hi[1]}, {v.lo[0], v.hi[1]}};
}

std::vector<Vec2> dop_corners(const Dop<8>& v) {
  const auto& [x0, y0, s0, d0] = v.lo;
  const auto& [x1, y1, s1, d1] = v.hi;
  return {{x1, x1 - d1}, {x1, s1 - x1}, {s1 - y1, y1}, {d0 + y1, y1},
          {x0, x0 - d0}, {x0, s0 - x0}, {s0 - y0, y0}, {d1 + y0, y0}};
}

template <int K>
Rounded rounded_dop(const Dop<K>& v) {
  double size = 0;
  for (std::size_t i = 0; i < v.lo.size(); ++i)
    size = std::max({size, std::abs(v.lo[i]), std::abs(v.hi[i])});
  return {convex_hull(dop_corners(v)), K == 4 ? 0 : 4 * math::kUnitRoundoff * size};
}

template <int K>
Dop<K> moved_dop(const Dop<K>& v, const Pose& pose) {
  const Rounded whole = rounded(v);
  std::vector<Vec2> around;
  for (const Vec2& p : whole.corners) {
    // Include the box of all positions that a point of the volume near this corner may have.
    const double reach = (whole.radius + moved_error(pose, p)) * (1 + 2 * math::kUnitRoundoff);
    const Vec2 there = pose * p;
    for (const double x : {std::nextafter(there.x() - reach, -kInfinity),
                           std::nextafter(there.x() + reach, kInfinity)})
      for (const double y : {std::nextafter(there.y() - reach, -kInfinity),
                             std::nextafter(there.y() + reach, kInfinity)})
        around.emplace_back(x, y);
  }
  return Dop<K>::fit(around);
}

template <int K>
bool intervals_overlap(const Dop<K>& a, const Dop<K>& b) {
  for (std::size_t i = 0; i < a.lo.size(); ++i)
    if (a.lo[i] > b.hi[i] || b.lo[i] > a.hi[i]) return false;
  return true;
}

}  // namespace

Box Box::fit(std::span<const Vec2> points) {
  check_points(points);
  Box box{points[0], points[0]};
  for (const Vec2& p : points) box.lo = box.lo.cwiseMin(p), box.hi = box.hi.cwiseMax(p);
  return box;
}

bool Box::contains(const Vec2& p) const {
  return (p.array() >= lo.array()).all() && (p.array() <= hi.array()).all();
}

double Box::area() const { return (hi - lo).prod(); }

double Box::perimeter() const { return 2 * (hi - lo).sum(); }

double Box::diameter() const { return (hi - lo).norm(); }

Rounded rounded(const Box& v) {
  return {convex_hull(dop_corners(Dop4{{v.lo.x(), v.lo.y()}, {v.hi.x(), v.hi.y()}})), 0};
}

Box moved(const Box& v, const Pose& pose) {
  const Dop4 there = moved(Dop4{{v.lo.x(), v.lo.y()}, {v.hi.x(), v.hi.y()}}, pose);
  return {{there.lo[0], there.lo[1]}, {there.hi[0], there.hi[1]}};
}

bool overlap(const Box& a, const Box& b) {
  return (a.lo.array() <= b.hi.array()).all() && (b.lo.array() <= a.hi.array()).all();
}

double lower_bound(const Box& a, const Box& b) {
  // Differences are too large by a relative error of at most u, and the norm as stated at kNormUp.
  const Vec2 gap = (a.lo - b.hi).cwiseMax(b.lo - a.hi).cwiseMax(0);
  return gap.norm() * (1 - 8 * math::kUnitRoundoff);
}

template <int K>
Dop<K> Dop<K>::fit(std::span<const Vec2> points) {
  check_points(points);
  Dop v;
  v.lo.fill(kInfinity);
  v.hi.fill(-kInfinity);
  for (const Vec2& p : points) {
    const auto low = places<K>(p, false), high = places<K>(p, true);
    for (std::size_t i = 0; i < v.lo.size(); ++i) {
      v.lo[i] = std::min(v.lo[i], low[i]);
      v.hi[i] = std::max(v.hi[i], high[i]);
    }
  }
  return v;
}

template <int K>
bool Dop<K>::contains(const Vec2& p) const {
  // A sum that is below an end of the interval is not above it after rounding.
  const auto low = places<K>(p, false), high = places<K>(p, true);
  for (std::size_t i = 0; i < lo.size(); ++i)
    if (high[i] < lo[i] || low[i] > hi[i]) return false;
  return true;
}

template <int K>
double Dop<K>::area() const {
  return polygon_area(rounded(*this).corners);
}

template <int K>
double Dop<K>::perimeter() const {
  return polygon_perimeter(rounded(*this).corners);
}

template <int K>
double Dop<K>::diameter() const {
  return polygon_diameter(rounded(*this).corners);
}

Rounded rounded(const Dop4& v) { return rounded_dop(v); }
Rounded rounded(const Dop8& v) { return rounded_dop(v); }
Dop4 moved(const Dop4& v, const Pose& pose) { return moved_dop(v, pose); }
Dop8 moved(const Dop8& v, const Pose& pose) { return moved_dop(v, pose); }
bool overlap(const Dop4& a, const Dop4& b) { return intervals_overlap(a, b); }
bool overlap(const Dop8& a, const Dop8& b) { return intervals_overlap(a, b); }

template struct Dop<4>;
template struct Dop<8>;

}  // namespace touche::plane
