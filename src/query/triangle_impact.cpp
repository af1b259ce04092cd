// SPDX-License-Identifier: Apache-2.0
#include "query/triangle_impact.h"

#include <algorithm>
#include <cmath>

namespace touche {
namespace {

// Least dt with gap = s dt + k dt² / 2, for gap > 0, k >= 0.
double time_to_close(double gap, double s, double k) {
  const double q = std::abs(s) + std::sqrt(s * s + 2 * k * gap);
  if (s >= 0) return q > 0 ? 2 * gap / q : kInfinity;
  return k > 0 ? q / k : kInfinity;
}

// Of unit length, up to rounding. A vector that is too short to be normalised, as the cross product
// of nearly parallel edges may be, is no axis.
bool is_axis(const Vec3& n) { return std::abs(n.squaredNorm() - 1) < 1e-9; }

/// Along one axis: the least gap between corners of a and corners of b, and when it may close.
struct Proof {
  double gap = kInfinity, dt = kInfinity;
};

/// Two triangles and the movement of their corners at one instant. All other points of a triangle
/// are between its corners, and so are their velocities.
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

  /// The proof by axis n, which is of about unit length: apart as long as every corner of a lies
  /// below every corner of b.
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
        // The gap less the error of both places, and the clearance; rates and accelerations with a
        // few roundings.
        const double gap = place_b - place_a[i] - error_;
        if (!(gap > 0)) return {gap, 0.0};  // not even apart now
        proof.gap = std::min(proof.gap, gap);
        const double slack = 1e-12 * (std::abs(rate_a[i]) + std::abs(rate_b));
        const double rate = rate_a[i] + rate_b + slack;
        const double acceleration = (acceleration_a_[i] + acceleration_b_[j]) * (1 + 1e-12);
        // What it closes by grows ever faster: if it is open then, it never was closed before.
        const double closed = (rate + 0.5 * acceleration * proof.dt) * proof.dt;
        if (!(closed < gap)) proof.dt = std::min(proof.dt, time_to_close(gap, rate, acceleration));
      }
    }
    return proof;
  }

  /// The longest proof by any axis that is known without the closest points, or by no axis at all:
  /// the distance, less its own error, cannot close faster than both triangles move. That is
  /// always some time, so a search never stands still.
  double along_any(double distance) const {
    double size = distance, speed = 0, speed_b = 0, acceleration_a = 0, acceleration_b = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      size = std::max({size, (a_[(i + 1) % 3] - a_[i]).norm(), (b_[(i + 1) % 3] - b_[i]).norm()});
      speed = std::max(speed, velocity_a_[i].norm() + undirected_a_[i]);
      speed_b = std::max(speed_b, velocity_b_[i].norm() + undirected_b_[i]);
      acceleration_a = std::max(acceleration_a, acceleration_a_[i]);
      acceleration_b = std::max(acceleration_b, acceleration_b_[i]);
    }
    const double gap = distance - kDistanceError * size - error_;
    double dt = time_to_close(std::max(gap, 0.0), (speed + speed_b) * (1 + 1e-12),
                              (acceleration_a + acceleration_b) * (1 + 1e-12));
    for_axes([&](const Vec3& n) { dt = std::max(dt, along(n).dt); });
    return dt;
  }

  /// The least time after which the gap along an axis is more than the tolerance, if it never is
  /// less than minus this before.
  double time_to_separate(const Vec3& closest, double tolerance) const {
    double least = kInfinity;
    const auto try_axis = [&](const Vec3& n) {
      if (is_axis(n)) least = std::min(least, opens(n, tolerance));
    };
    try_axis(closest);
    for_axes(try_axis);
    // Triangles in one plane separate in it, corners the way they go.
    const auto in_plane = [&](const Triangle& t) {
      const Vec3 normal = (t[1] - t[0]).cross(t[2] - t[0]);
      for (std::size_t i = 0; i < 3; ++i) {
        const Vec3 n = normal.cross(t[(i + 1) % 3] - t[i]).stableNormalized();
        try_axis(n);
        try_axis(-n);
      }
    };
    in_plane(a_);
    in_plane(b_);
    try_axis((velocity_b_[0] - velocity_a_[0]).stableNormalized());
    return least;
  }

 private:
  // Both directions of the normals and of the cross products of an edge of each.
  template <class Visit>
  void for_axes(const Visit& visit) const {
    Vec3 edges_a[3], edges_b[3];
    for (std::size_t i = 0; i < 3; ++i) {
      edges_a[i] = a_[(i + 1) % 3] - a_[i];
      edges_b[i] = b_[(i + 1) % 3] - b_[i];
    }
    const auto both = [&](const Vec3& axis) {
      const Vec3 n = axis.stableNormalized();
      if (!is_axis(n)) return;
      visit(n);
      visit(Vec3(-n));
    };
    both(edges_a[0].cross(edges_a[1]));
    both(edges_b[0].cross(edges_b[1]));
    for (const Vec3& e : edges_a)
      for (const Vec3& f : edges_b) both(e.cross(f));
  }

  // When all corners of b are beyond all of a by more than the tolerance, along an axis of about
  // unit length. In between a gap is no less than at both ends: the bound bends down, and so is
  // least at one of them.
  double opens(const Vec3& n, double tolerance) const {
    double when = 0;
    const auto each = [&](const auto& visit) {
      for (std::size_t j = 0; j < 3; ++j)
        for (std::size_t i = 0; i < 3; ++i) {
          const double gap = n.dot(b_[j]) - n.dot(a_[i]) - error_;
          const double speed_a = n.dot(velocity_a_[i]), speed_b = n.dot(velocity_b_[j]);
          const double rate = speed_b - speed_a - undirected_a_[i] - undirected_b_[j] -
                              1e-12 * (std::abs(speed_a) + std::abs(speed_b));
          visit(gap, rate, (acceleration_a_[i] + acceleration_b_[j]) * (1 + 1e-12));
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
  impact.closest = closest_points(at_a, at_b);
  if (!(impact.closest.distance > s.clearance + tolerance)) {
    impact.touching = true;
    return impact;
  }
  const Vec3 n = (impact.closest.point_b - impact.closest.point_a).stableNormalized();
  const MovingPair pair(at_a, at_b, s);
  const Proof proof = pair.along(n);
  // Two points that are close together tell their direction badly: at the far corners its error
  // may be more than the gap.
  impact.dt = proof.gap > 0.5 * (impact.closest.distance - s.clearance)
                  ? proof.dt
                  : std::max(proof.dt, pair.along_any(impact.closest.distance));
  impact.dt *= 1 - 1e-12;
  return impact;
}

double time_to_separate(const Object& a, Index triangle_a, const Object& b, Index triangle_b,
                        const Snapshot& s, double tolerance) {
  const Triangle at_a = triangle_of(a.soup(), triangle_a);
  const Triangle at_b = triangle_of(b.soup(), triangle_b, s.pose);
  const ClosestPoints closest = closest_points(at_a, at_b);
  const Vec3 n = (closest.point_b - closest.point_a).stableNormalized();
  return MovingPair(at_a, at_b, s).time_to_separate(n, tolerance);
}

}  // namespace touche
