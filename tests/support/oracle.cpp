// SPDX-License-Identifier: Apache-2.0
#include "oracle.h"

#include <algorithm>
#include <cmath>

namespace touche::test {
namespace {

Real clamp01(Real x) { return std::clamp(x, Real{0}, Real{1}); }

// Squared lengths of zero divide nothing: a segment of no length is its first point.
Real along(const Point& p, const Point& a, const Point& d) {
  const Real dd = d.squaredNorm();
  return dd > 0 ? clamp01((p - a).dot(d) / dd) : 0;
}

Real point_segment(const Point& p, const Point& a, const Point& b) {
  return (p - (a + along(p, a, b - a) * (b - a))).norm();
}

// Orthogonal to the longest edge also where a needle's other direction is lost in rounding: the
// plane may then roll about that edge, but not leave it. Zero for segments and points.
Point normal_of(const Corners& t) {
  std::size_t longest = 0;
  for (std::size_t i = 1; i < 3; ++i)
    if ((t[(i + 1) % 3] - t[i]).squaredNorm() > (t[(longest + 1) % 3] - t[longest]).squaredNorm())
      longest = i;
  const Point e = t[(longest + 1) % 3] - t[longest];
  Point height = t[(longest + 2) % 3] - t[longest];
  if (!(e.squaredNorm() > 0)) return Point::Zero();
  for (int twice = 0; twice < 2; ++twice) height -= e * (height.dot(e) / e.squaredNorm());
  return e.cross(height);
}

// The least over the four ends and, where the lines are skew, the inner minimum. Every value is
// the distance of two points of the segments, so rounding can only make it too large.
Real segment_segment(const Point& p0, const Point& p1, const Point& q0, const Point& q1) {
  const Point d = p1 - p0, e = q1 - q0, r = p0 - q0;
  Real best = std::min({point_segment(p0, q0, q1), point_segment(p1, q0, q1),
                        point_segment(q0, p0, p1), point_segment(q1, p0, p1)});
  const Point n = d.cross(e);
  const Real nn = n.squaredNorm();
  if (nn > 0) {
    const Real s = clamp01(-r.cross(e).dot(n) / nn);
    Point on_p = p0 + s * d;
    Point on_q = q0 + along(on_p, q0, e) * e;
    on_p = p0 + along(on_q, p0, d) * d;
    on_q = q0 + along(on_p, q0, e) * e;
    best = std::min(best, (on_p - on_q).norm());
  }
  return best;
}

// Where a segment crosses the triangle's plane, the crossing's distance from the triangle: a
// distance of two points again, and 0 where the segment pierces.
Real piercing(const Point& p, const Point& q, const Corners& t) {
  const Point n = normal_of(t);
  const Real side_p = n.dot(p - t[0]), side_q = n.dot(q - t[0]);
  if (!((side_p <= 0 && side_q >= 0) || (side_p >= 0 && side_q <= 0)) || side_p == side_q)
    return std::numeric_limits<Real>::infinity();
  const Real s = side_p / (side_p - side_q);
  return point_triangle_distance(p + s * (q - p), t);
}

struct Sphere {
  Point centre;
  Real radius;
};
Sphere around(const Corners& t) {
  const Point centre = (t[0] + t[1] + t[2]) / 3;
  return {centre,
          std::max({(t[0] - centre).norm(), (t[1] - centre).norm(), (t[2] - centre).norm()})};
}

}  // namespace

Real point_triangle_distance(const Point& p, const Corners& t) {
  const Real best = std::min(
      {point_segment(p, t[0], t[1]), point_segment(p, t[1], t[2]), point_segment(p, t[2], t[0])});
  const Point n = normal_of(t);
  const Real nn = n.squaredNorm();
  if (!(nn > 0)) return best;
  for (std::size_t i = 0; i < 3; ++i)
    if (n.cross(t[(i + 1) % 3] - t[i]).dot(p - t[i]) < 0) return best;
  return std::min(best, std::abs(n.dot(p - t[0])) / std::sqrt(nn));
}

Real triangle_distance(const Corners& a, const Corners& b) {
  Real best = std::numeric_limits<Real>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    const Point &a0 = a[i], &a1 = a[(i + 1) % 3], &b0 = b[i], &b1 = b[(i + 1) % 3];
    best = std::min({best, point_triangle_distance(a0, b), point_triangle_distance(b0, a),
                     piercing(a0, a1, b), piercing(b0, b1, a)});
    for (std::size_t j = 0; j < 3; ++j)
      best = std::min(best, segment_segment(a0, a1, b[j], b[(j + 1) % 3]));
  }
  return best;
}

Real signed_distance(const Corners& a, const Corners& b) {
  // A distance of zero is found with the rounding of coordinates.
  Real size = 0;
  for (const Point& p : a) size = std::max(size, p.lpNorm<Eigen::Infinity>());
  const Real apart = triangle_distance(a, b);
  if (apart > 64 * std::numeric_limits<Real>::epsilon() * size) return apart;
  // The faces of the Minkowski difference have these normals; where it is flat, one of them, or any
  // direction across both segments, is that of its plane.
  std::vector<Point> axes{normal_of(a), normal_of(b)};
  for (std::size_t i = 0; i < 3; ++i) {
    const Point e = a[(i + 1) % 3] - a[i], f = b[(i + 1) % 3] - b[i];
    for (int k = 0; k < 3; ++k) {
      axes.push_back(e.cross(Point(Point::Unit(k))));
      axes.push_back(f.cross(Point(Point::Unit(k))));
    }
    for (std::size_t j = 0; j < 3; ++j) axes.push_back(e.cross(b[(j + 1) % 3] - b[j]));
  }
  Real depth = std::numeric_limits<Real>::infinity();
  for (const Point& axis : axes) {
    const Real length = axis.norm();
    if (!(length > 0)) continue;
    const Point n = axis / length, &o = a[0];
    const auto ends = [&](const Corners& t) {
      const Real x = n.dot(t[0] - o), y = n.dot(t[1] - o), z = n.dot(t[2] - o);
      return std::pair(std::min({x, y, z}), std::max({x, y, z}));
    };
    const auto [a_min, a_max] = ends(a);
    const auto [b_min, b_max] = ends(b);
    depth = std::min({depth, a_max - b_min, b_max - a_min});
  }
  return std::isfinite(depth) ? -std::max(depth, Real{0}) : Real{0};
}

Corners corners(const PolygonSoup& soup, Index triangle, const Place& place) {
  Corners c;
  for (std::size_t i = 0; i < 3; ++i)
    c[i] = place * soup.vertex(soup.triangle(triangle)[i]).cast<Real>();
  return c;
}

namespace {

template <class Measure>
Real least_of_pairs(const PolygonSoup& a, const Ride& ride_a, const PolygonSoup& b,
                    const Ride& ride_b, Real t, const Measure& measure) {
  const Place place_a = ride_a.at(t), place_b = ride_b.at(t);
  Real best = std::numeric_limits<Real>::infinity();
  for (Index i = 0; i < a.triangle_count(); ++i)
    for (Index j = 0; j < b.triangle_count(); ++j)
      best = std::min(best, measure(corners(a, i, place_a), corners(b, j, place_b)));
  return best;
}

}  // namespace

Real soup_distance(const PolygonSoup& a, const Ride& ride_a, const PolygonSoup& b,
                   const Ride& ride_b, Real t) {
  return least_of_pairs(a, ride_a, b, ride_b, t, triangle_distance);
}

Real soup_signed_distance(const PolygonSoup& a, const Ride& ride_a, const PolygonSoup& b,
                          const Ride& ride_b, Real t) {
  return least_of_pairs(a, ride_a, b, ride_b, t, signed_distance);
}

double reach(const PolygonSoup& a, const Ride& ride_a, const PolygonSoup& b, const Ride& ride_b) {
  Real size = 0;
  const auto include = [&](const PolygonSoup& soup, const Ride& ride) {
    for (const Leg& leg : ride.legs)
      for (const Real u : {leg.u0, leg.u1}) {
        const Place place = leg.place(u);
        for (const Vec3& v : soup.vertices())
          size = std::max({size, v.cast<Real>().norm(), leg.centre.norm() + place.move.norm(),
                           (place * v.cast<Real>()).norm() + leg.speed});
      }
  };
  include(a, ride_a);
  include(b, ride_b);
  return static_cast<double>(size);
}

namespace {

// One pair of triangles over time.
class Walk {
 public:
  Walk(const PolygonSoup& a, const Ride& ride_a, Index ta, const PolygonSoup& b, const Ride& ride_b,
       Index tb, Real near, Real zero)
      : a_(a),
        b_(b),
        ride_a_(ride_a),
        ride_b_(ride_b),
        ta_(ta),
        tb_(tb),
        near_(near),
        fine_(near / 4),
        zero_(zero) {}

  // Up to `limit`; lowers truth.touch and truth.near_from.
  void run(Real limit, Truth& truth) {
    struct Sample {
      Real t, d;
    };
    Sample before{-1, 0}, last{-1, 0};
    Real t = 0;
    for (int steps = 0; t <= limit; ++steps) {
      const Real d = distance(t, true);
      if (d <= near_ + fine_) {
        truth.near_from = std::min(truth.near_from, static_cast<double>(last.t < 0 ? 0 : last.t));
        if (d <= zero_) return found(last.t < 0 ? t : first_zero(last.t, t), truth);
        // A minimum between coarse samples is covered by the step; between fine ones, look for it.
        if (before.t >= 0 && last.d <= fine_ && last.d <= before.d && last.d <= d) {
          const Real lowest = minimum(before.t, t);
          if (distance(lowest, false) <= zero_) return found(first_zero(before.t, lowest), truth);
        }
        if (d < fine_ / 8) truth.sure = false;
      }
      if (t >= limit) return;
      if (steps >= 5000) {
        truth.sure = false;
        truth.near_from = std::min(truth.near_from, static_cast<double>(t));
        return;
      }
      Real leg_end = 0;
      const Real speed = fastest(t, leg_end);
      const Real step = d > fine_ ? std::max(d - near_, fine_) : fine_ / 4;
      before = last;
      last = {t, d};
      t = std::min(limit, speed * (leg_end - t) > step ? t + step / speed : leg_end);
    }
  }

 private:
  // `rough`: a lower bound is enough while they are far apart.
  Real distance(Real t, bool rough) const {
    const Corners ca = corners(a_, ta_, ride_a_.at(t)), cb = corners(b_, tb_, ride_b_.at(t));
    if (rough) {
      const Sphere sa = around(ca), sb = around(cb);
      const Real apart = (sa.centre - sb.centre).norm() - sa.radius - sb.radius;
      if (apart > (sa.radius + sb.radius) / 4 && apart > 4 * near_) return apart;
    }
    return triangle_distance(ca, cb);
  }

  static Real leg_speed(const PolygonSoup& soup, Index t, const Ride& ride, Real time, Real& end) {
    for (const Leg& leg : ride.legs)
      if (time < leg.end || &leg == &ride.legs.back()) {
        end = leg.end;
        Real radius = 0;
        for (const Index v : soup.triangle(t))
          radius = std::max(radius, (soup.vertex(v).cast<Real>() - leg.centre).norm());
        return (leg.speed + leg.spin * radius) * leg.rate();
      }
    return 0;
  }

  // How fast the two can approach from t until the end of both legs.
  Real fastest(Real t, Real& leg_end) const {
    Real end_a = 1, end_b = 1;
    const Real speed =
        leg_speed(a_, ta_, ride_a_, t, end_a) + leg_speed(b_, tb_, ride_b_, t, end_b);
    leg_end = std::min(end_a, end_b);
    return speed * (1 + Real{1e-12L});
  }

  Real minimum(Real lo, Real hi) const {
    for (int i = 0; i < 200 && hi > lo; ++i) {
      const Real m1 = lo + (hi - lo) * 0.45L, m2 = lo + (hi - lo) * 0.55L;
      if (distance(m1, false) < distance(m2, false))
        hi = m2;
      else
        lo = m1;
    }
    return lo + (hi - lo) / 2;
  }

  // Free at lo, touching at hi.
  Real first_zero(Real lo, Real hi) const {
    for (int i = 0; i < 100; ++i) {
      const Real mid = lo + (hi - lo) / 2;
      if (!(lo < mid && mid < hi)) break;
      (distance(mid, false) <= zero_ ? hi : lo) = mid;
    }
    return hi;
  }

  static void found(Real t, Truth& truth) {
    const double at = static_cast<double>(t);
    truth.touch = truth.touch ? std::min(*truth.touch, at) : at;
  }

  const PolygonSoup& a_;
  const PolygonSoup& b_;
  const Ride &ride_a_, &ride_b_;
  Index ta_, tb_;
  Real near_, fine_, zero_;
};

}  // namespace

Truth find_touch(const PolygonSoup& a, const Ride& ride_a, const PolygonSoup& b, const Ride& ride_b,
                 double near) {
  Truth truth;
  const Real zero = 64 * std::numeric_limits<Real>::epsilon() * reach(a, ride_a, b, ride_b);
  for (Index i = 0; i < a.triangle_count(); ++i)
    for (Index j = 0; j < b.triangle_count(); ++j)
      Walk(a, ride_a, i, b, ride_b, j, near, zero).run(truth.touch.value_or(1), truth);
  return truth;
}

}  // namespace touche::test
