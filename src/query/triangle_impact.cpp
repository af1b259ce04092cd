// SPDX-License-Identifier: Apache-2.0
#include "query/triangle_impact.h"
#include "query/closest_contact.h"

#include <algorithm>
#include <cmath>

#include "math/rounding.h"

namespace touche::query {

double time_to_close(double gap, double s, double k) {
  const double q = std::abs(s) + std::sqrt(s * s + 2 * k * gap);
  if (s >= 0) return q > 0 ? 2 * gap / q : kInfinity;
  return k > 0 ? q / k : kInfinity;
}

namespace {

/// The least gap between corners of a and corners of b along one axis, and the time until which it
/// stays open.
struct Proof {
  double gap = kInfinity, dt = kInfinity;
};

/// Two triangles and the movement of their corners at one instant. Positions and velocities of all
/// other points are convex combinations of the corners'.
class MovingPair {
 public:
  MovingPair(const Triangle& a, const Triangle& b, const Snapshot& s)
      : a_(a), b_(b), error_(s.error) {
    for (std::size_t i = 0; i < 3; ++i) {
      velocity_a_[i] = s.velocity_a.velocity(a[i]);
      velocity_b_[i] = s.velocity_b.velocity(b[i]);
      undirected_a_[i] = s.velocity_a.undirected(a[i]);
      undirected_b_[i] = s.velocity_b.undirected(b[i]);
      acceleration_a_[i] = s.velocity_a.acceleration(a[i]);
      acceleration_b_[i] = s.velocity_b.acceleration(b[i]);
    }
  }

  /// The proof by axis n, which has approximately unit length: the triangles are apart as long as
  /// every corner of a lies below every corner of b.
  Proof along(const Vec3& n) const {
    double place_a[3], rate_a[3];
    for (std::size_t i = 0; i < 3; ++i) {
      place_a[i] = n.dot(a_[i]);
      rate_a[i] = n.dot(velocity_a_[i]) + undirected_a_[i];
    }
    Proof proof;
    for (std::size_t j = 0; j < 3; ++j) {
      const double place_b = n.dot(b_[j]);
      const double rate_b = -n.dot(velocity_b_[j]) + undirected_b_[j];
      for (std::size_t i = 0; i < 3; ++i) {
        // Reduce the gap by the position error and the clearance; allow for a few roundings of
        // rates and accelerations.
        const double gap = place_b - place_a[i] - error_;
        if (!(gap > 0)) return {gap, 0.0};  // not even apart now
        proof.gap = std::min(proof.gap, gap);
        const double slack = math::kFormulaError * (std::abs(rate_a[i]) + std::abs(rate_b));
        const double rate = rate_a[i] + rate_b + slack;
        const double acceleration = (acceleration_a_[i] + acceleration_b_[j]) * math::kRoundUp;
        // The closing of a gap accelerates: if it is still open at proof.dt, it was never closed
        // before.
        const double closed = (rate + 0.5 * acceleration * proof.dt) * proof.dt;
        if (!(closed < gap)) proof.dt = std::min(proof.dt, time_to_close(gap, rate, acceleration));
      }
    }
    return proof;
  }

  /// The proof by a tilting axis n + tilt t, with n of approximately unit length and a tilt across
  /// it. Along a fixed axis, far corners of long triangles may approach fast although the triangles
  /// do not; an axis that stays orthogonal to the edges avoids this.
  ///
  /// With x and v the position and velocity of a corner of b relative to one of a's, their gap is
  ///   (n + tilt t) · (x + v t + s) >= n·x + (tilt·x + n·v) t + tilt·v t² − |n + tilt t| |s|
  /// where the unknown s is at most `undirected` t + `acceleration` t² / 2. Returns `least` if it
  /// proves no more.
  double along_tilting(const Vec3& n, const Vec3& tilt, double least) const {
    constexpr double kMostTilt = 0.25;
    const double size = tilt.norm(), longest = (1 + kMostTilt) * math::kRoundUp;
    if (!(size > 0)) return least;
    double dt = kMostTilt / size;
    if (!(dt > least)) return least;
    // What each corner of a pair contributes to its gap, its rate and its acceleration.
    struct Share {
      double place, rate, acceleration;
    };
    const auto share = [&](const Vec3& x, const Vec3& v, double undirected, double acceleration,
                           double towards) {
      const double speed = v.lpNorm<1>();
      return Share{
          n.dot(x),
          towards * (tilt.dot(x) + n.dot(v)) + longest * undirected +
              math::kFormulaError * (size * x.lpNorm<1>() + speed),
          towards * 2 * tilt.dot(v) + longest * acceleration + math::kFormulaError * size * speed};
    };
    Share of_a[3];
    for (std::size_t i = 0; i < 3; ++i)
      of_a[i] = share(a_[i], velocity_a_[i], undirected_a_[i], acceleration_a_[i], 1);
    for (std::size_t j = 0; j < 3; ++j) {
      const Share b = share(b_[j], velocity_b_[j], undirected_b_[j], acceleration_b_[j], -1);
      for (const Share& a : of_a) {
        const double gap = b.place - a.place - longest * error_;
        if (!(gap > 0)) return least;
        const double rate = a.rate + b.rate;
        const double acceleration = std::max(a.acceleration + b.acceleration, 0.0);
        if ((rate + 0.5 * acceleration * dt) * dt < gap) continue;
        dt = std::min(dt, time_to_close(gap, rate, acceleration));
        if (!(dt > least)) return least;
      }
    }
    return dt;
  }

  /// The longest proof by tilting axes: one that stays orthogonal to the longest edges and, unless
  /// that proves enough, one that turns with either body.
  double along_any_tilting(const Vec3& n, const Vec3& turning_a, const Vec3& turning_b,
                           double least, double enough) const {
    struct Edge {
      Vec3 along, velocity;
    };
    const auto longest = [](const Triangle& t, const Vec3(&velocity)[3]) {
      Edge edge{t[1] - t[0], velocity[1] - velocity[0]};
      for (std::size_t i = 1; i < 3; ++i) {
        const std::size_t k = (i + 1) % 3;
        if ((t[k] - t[i]).squaredNorm() > edge.along.squaredNorm())
          edge = {t[k] - t[i], velocity[k] - velocity[i]};
      }
      return edge;
    };
    const Edge a = longest(a_, velocity_a_), b = longest(b_, velocity_b_);
    // Solve tilt · a = −n · a', tilt · b = −n · b', tilt · n = 0.
    const Vec3 across_a = n.cross(a.along), across_b = b.along.cross(n);
    const double determinant = a.along.dot(across_b);
    const Vec3 tilt = (-n.dot(a.velocity) * across_b - n.dot(b.velocity) * across_a) / determinant;
    if (tilt.allFinite()) least = along_tilting(n, tilt, least);
    if (least >= enough) return least;
    least = along_tilting(n, turning_a.cross(n), least);
    return along_tilting(n, turning_b.cross(n), least);
  }

  /// The longest time that is proved by any axis that does not need the closest points, or by no
  /// axis at all: the distance, reduced by its own error, cannot close faster than both triangles
  /// move. This bound is always positive, so a search always advances.
  double along_any(double distance) const {
    double size = distance, speed = 0, speed_b = 0, acceleration_a = 0, acceleration_b = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      size = std::max({size, (a_[(i + 1) % 3] - a_[i]).norm(), (b_[(i + 1) % 3] - b_[i]).norm()});
      speed = std::max(speed, velocity_a_[i].norm() + undirected_a_[i]);
      speed_b = std::max(speed_b, velocity_b_[i].norm() + undirected_b_[i]);
      acceleration_a = std::max(acceleration_a, acceleration_a_[i]);
      acceleration_b = std::max(acceleration_b, acceleration_b_[i]);
    }
    const double gap = distance - geometry::kDistanceError * size - error_;
    double dt = time_to_close(std::max(gap, 0.0), (speed + speed_b) * math::kRoundUp,
                              (acceleration_a + acceleration_b) * math::kRoundUp);
    for_axes([&](const Vec3& n) { dt = std::max(dt, along(n).dt); });
    return dt;
  }

  /// The earliest time at which the gap along some axis exceeds the tolerance, provided that it
  /// never was below minus the tolerance before. Infinite if there is none.
  double time_to_separate(const Vec3& closest, double tolerance) const {
    double least = kInfinity;
    const auto try_axis = [&](const Vec3& n) {
      if (!n.isZero()) least = std::min(least, opens(n, tolerance));
    };
    try_axis(closest);
    for_axes(try_axis);
    // Try axes for coplanar triangles, which separate in their plane, and for corners, which
    // separate along their velocity.
    const auto in_plane = [&](const Triangle& t) {
      const Vec3 normal = (t[1] - t[0]).cross(t[2] - t[0]);
      for (std::size_t i = 0; i < 3; ++i) {
        const Vec3 n = math::unit_or_zero(normal.cross(t[(i + 1) % 3] - t[i]));
        try_axis(n);
        try_axis(-n);
      }
    };
    in_plane(a_);
    in_plane(b_);
    try_axis(math::unit_or_zero(velocity_b_[0] - velocity_a_[0]));
    return least;
  }

 private:
  // Visits both directions of both normals and of the cross products of an edge of each triangle.
  template <class Visit>
  void for_axes(const Visit& visit) const {
    Vec3 edges_a[3], edges_b[3];
    for (std::size_t i = 0; i < 3; ++i) {
      edges_a[i] = a_[(i + 1) % 3] - a_[i];
      edges_b[i] = b_[(i + 1) % 3] - b_[i];
    }
    const auto both = [&](const Vec3& axis) {
      const Vec3 n = math::unit_or_zero(axis);
      if (n.isZero()) return;  // for example, edges are parallel
      visit(n);
      visit(Vec3(-n));
    };
    both(edges_a[0].cross(edges_a[1]));
    both(edges_b[0].cross(edges_b[1]));
    for (const Vec3& e : edges_a)
      for (const Vec3& f : edges_b) both(e.cross(f));
  }

  // The time at which all corners of b are beyond all corners of a by more than the tolerance,
  // along an axis of approximately unit length. The bound of a gap is concave in time, so its
  // minimum is now or at that time; if it is too small now, the returned time is infinite.
  double opens(const Vec3& n, double tolerance) const {
    double when = 0;
    const auto each = [&](const auto& visit) {
      for (std::size_t j = 0; j < 3; ++j)
        for (std::size_t i = 0; i < 3; ++i) {
          const double gap = n.dot(b_[j]) - n.dot(a_[i]) - error_;
          const double speed_a = n.dot(velocity_a_[i]), speed_b = n.dot(velocity_b_[j]);
          const double rate = speed_b - speed_a - undirected_a_[i] - undirected_b_[j] -
                              math::kFormulaError * (std::abs(speed_a) + std::abs(speed_b));
          visit(gap, rate, (acceleration_a_[i] + acceleration_b_[j]) * math::kRoundUp);
        }
    };
    each([&](double gap, double rate, double acceleration) {
      if (!(gap >= -tolerance)) when = kInfinity;
      // The first root of gap + rate t − acceleration t² / 2 = 2 tolerance.
      const double missing = 2 * tolerance - gap, square = rate * rate - 2 * acceleration * missing;
      if (missing > 0)
        when = rate > 0 && square >= 0 ? std::max(when, 2 * missing / (rate + std::sqrt(square)))
                                       : kInfinity;
    });
    each([&](double gap, double rate, double acceleration) {
      if (!(gap + (rate - 0.5 * acceleration * when) * when > tolerance)) when = kInfinity;
    });
    return when;
  }

  const Triangle &a_, &b_;
  double error_;
  Vec3 velocity_a_[3], velocity_b_[3];
  double undirected_a_[3], undirected_b_[3], acceleration_a_[3], acceleration_b_[3];
};

}  // namespace

TriangleImpact conservative_advancement(const Object& a, Index triangle_a, const Object& b,
                                        Index triangle_b, const Snapshot& s, double tolerance) {
  const Triangle at_a = triangle_of(a.soup(), triangle_a);
  const Triangle at_b = triangle_of(b.soup(), triangle_b, s.pose);
  TriangleImpact impact;
  impact.closest = geometry::closest_points(at_a, at_b);
  if (!(impact.closest.distance > s.clearance + tolerance)) {
    impact.touching = true;
    return impact;
  }
  const Vec3 n = math::unit_or_zero(impact.closest.point_b - impact.closest.point_a);
  const MovingPair pair(at_a, at_b, s);
  const Proof proof = pair.along(n);
  // If two points are close together, the direction between them is inaccurate: at far corners its
  // error may exceed the gap.
  impact.dt = proof.gap > 0.5 * (impact.closest.distance - s.clearance)
                  ? proof.dt
                  : std::max(proof.dt, pair.along_any(impact.closest.distance));
  // If the closest points approach far more slowly than some corners, a tilting axis is better.
  const double rate = n.dot(s.velocity_a.velocity(impact.closest.point_a) -
                            s.velocity_b.velocity(impact.closest.point_b));
  constexpr double kPoor = 0.5;
  const double enough =
      rate > 0 ? kPoor * (impact.closest.distance - s.clearance) / rate : kInfinity;
  if (impact.dt < enough)
    impact.dt =
        pair.along_any_tilting(n, s.velocity_a.angular, s.velocity_b.angular, impact.dt, enough);
  impact.dt *= math::kRoundDown;
  return impact;
}

double time_to_separate(const Object& a, Index triangle_a, const Object& b, Index triangle_b,
                        const Snapshot& s, double tolerance) {
  const Triangle at_a = triangle_of(a.soup(), triangle_a);
  const Triangle at_b = triangle_of(b.soup(), triangle_b, s.pose);
  const geometry::ClosestPoints closest = geometry::closest_points(at_a, at_b);
  const Vec3 n = math::unit_or_zero(closest.point_b - closest.point_a);
  return MovingPair(at_a, at_b, s).time_to_separate(n, tolerance);
}

void report_contact(const Object& a, const Object& b, const TriangleIds& pair, const Snapshot& s,
                    ToiResult& result) {
  const Triangle at_a = triangle_of(a.soup(), pair.a);
  const Triangle at_b = triangle_of(b.soup(), pair.b, s.pose);
  const Pose pose_a =
      Pose::from_quaternion_unchecked(Eigen::Quaterniond(s.rotation_a), s.translation_a);
  result.status = s.t > 0 ? ToiStatus::contact : ToiStatus::initially_touching;
  result.time = {s.t, s.t};
  result.contact = closest_contact(a, pair.a, b, pair.b, at_a, at_b, pose_a);
}

}  // namespace touche::query
