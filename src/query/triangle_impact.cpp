// SPDX-License-Identifier: Apache-2.0
#include "query/triangle_impact.h"

#include <algorithm>
#include <cmath>

namespace touche {
namespace {

constexpr double kUnit = 0x1p-53;

// Bound of the error of closest_points, relative to the triangles' sizes and distance.
constexpr double kDistanceError = 1e-12;

// Search restarts from the roots after this much rotation: a pair of nodes that was opened never
// returns to a coarse level, so long motions are cut. Measured: 0.3 to 0.5 rad equally good for
// bodies that meet; those that slide along each other want less, which the search finds out.
constexpr double kSliceAngle = 0.4;

// The field of one body, from world into a's coordinates.
Field field_in(const Mat3& to_a, const Vec3& origin_a, const detail::Kinematics& k) {
  Field f;
  f.still = k.still;
  if (f.still) return f;
  f.linear = to_a * k.velocity;
  f.angular = to_a * k.angular;
  f.centre = to_a * (k.centre - origin_a);
  f.axis = to_a * k.axis;
  f.curvature = k.curvature;
  f.free_speed = k.free_speed;
  f.free_angular = k.free_angular;
  return f;
}

// Least dt with gap = s dt + k dt² / 2, for gap > 0, k >= 0.
double time_to_close(double gap, double s, double k) {
  const double q = std::abs(s) + std::sqrt(s * s + 2 * k * gap);
  if (s >= 0) return q > 0 ? 2 * gap / q : kInfinity;
  return k > 0 ? q / k : kInfinity;
}

double farthest(const Aabb& box, const Vec3& from) {
  return (box.hi - from).cwiseAbs().cwiseMax((box.lo - from).cwiseAbs()).norm();
}

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
      velocity_a_[i] = s.a.velocity(a[i]);
      velocity_b_[i] = s.b.velocity(b[i]);
      free_a_[i] = s.a.free(a[i]);
      free_b_[i] = s.b.free(b[i]);
      curve_a_[i] = s.a.acceleration(a[i]);
      curve_b_[i] = s.b.acceleration(b[i]);
    }
  }

  /// The proof by axis n, which is of about unit length: apart as long as every corner of a lies
  /// below every corner of b.
  Proof along(const Vec3& n) const {
    double place_a[3], rate_a[3];
    for (std::size_t i = 0; i < 3; ++i) {
      place_a[i] = n.dot(a_[i]);
      rate_a[i] = n.dot(velocity_a_[i]) + free_a_[i];
    }
    Proof proof;
    for (std::size_t j = 0; j < 3; ++j) {
      const double place_b = n.dot(b_[j]);
      const double rate_b = -n.dot(velocity_b_[j]) + free_b_[j];
      for (std::size_t i = 0; i < 3; ++i) {
        // The gap less the error of both places, and the separation; rates and accelerations with a
        // few roundings.
        const double gap = place_b - place_a[i] - error_;
        if (!(gap > 0)) return {gap, 0.0};  // not even apart now
        proof.gap = std::min(proof.gap, gap);
        const double slack = 1e-12 * (std::abs(rate_a[i]) + std::abs(rate_b));
        const double rate = rate_a[i] + rate_b + slack;
        const double gain = (curve_a_[i] + curve_b_[j]) * (1 + 1e-12);
        // What it closes by grows ever faster: if it is open then, it never was closed before.
        const double closed = (rate + 0.5 * gain * proof.dt) * proof.dt;
        if (!(closed < gap)) proof.dt = std::min(proof.dt, time_to_close(gap, rate, gain));
      }
    }
    return proof;
  }

  /// The longest proof by any axis that is known without the closest points, or by no axis at all:
  /// the distance, less its own error, cannot close faster than both triangles move. That is
  /// always some time, so a search never stands still.
  double along_any(double distance) const {
    double size = distance, speed = 0, speed_b = 0, curve = 0, curve_b = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      size = std::max({size, (a_[(i + 1) % 3] - a_[i]).norm(), (b_[(i + 1) % 3] - b_[i]).norm()});
      speed = std::max(speed, velocity_a_[i].norm() + free_a_[i]);
      speed_b = std::max(speed_b, velocity_b_[i].norm() + free_b_[i]);
      curve = std::max(curve, curve_a_[i]);
      curve_b = std::max(curve_b, curve_b_[i]);
    }
    const double gap = distance - kDistanceError * size - error_;
    double dt = time_to_close(std::max(gap, 0.0), (speed + speed_b) * (1 + 1e-12),
                              (curve + curve_b) * (1 + 1e-12));
    for_axes([&](const Vec3& n) { dt = std::max(dt, along(n).dt); });
    return dt;
  }

  /// The least time after which the gap along an axis is more than the tolerance, if it never is
  /// less than minus this before.
  double time_to_separate(const Vec3& closest, double tolerance) const {
    double least = kInfinity;
    const auto try_axis = [&](const Vec3& n) { least = std::min(least, opens(n, tolerance)); };
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
      if (!n.allFinite()) return;
      visit(n);
      visit(Vec3(-n));
    };
    both(edges_a[0].cross(edges_a[1]));
    both(edges_b[0].cross(edges_b[1]));
    for (const Vec3& e : edges_a)
      for (const Vec3& f : edges_b) both(e.cross(f));
  }

  // When all corners of b are beyond all of a by more than the tolerance, along an axis of about
  // unit length. In between a gap is no less than at both ends: it is proved by what bends down.
  double opens(const Vec3& n, double tolerance) const {
    double when = 0;
    const auto each = [&](const auto& visit) {
      for (std::size_t j = 0; j < 3; ++j)
        for (std::size_t i = 0; i < 3; ++i) {
          const double gap = n.dot(b_[j]) - n.dot(a_[i]) - error_;
          const double speed_a = n.dot(velocity_a_[i]), speed_b = n.dot(velocity_b_[j]);
          const double rate = speed_b - speed_a - free_a_[i] - free_b_[j] -
                              1e-12 * (std::abs(speed_a) + std::abs(speed_b));
          visit(gap, rate, (curve_a_[i] + curve_b_[j]) * (1 + 1e-12));
        }
    };
    each([&](double gap, double rate, double bend) {
      if (!(gap >= -tolerance)) when = kInfinity;
      // The first root of gap + rate t − bend t² / 2 = 2 tolerance.
      const double missing = 2 * tolerance - gap, square = rate * rate - 2 * bend * missing;
      if (missing > 0)
        when = rate > 0 && square >= 0 ? std::max(when, 2 * missing / (rate + std::sqrt(square)))
                                       : kInfinity;
    });
    each([&](double gap, double rate, double bend) {
      if (!(gap + (rate - 0.5 * bend * when) * when > tolerance)) when = kInfinity;
    });
    return when;
  }

  const Triangle &a_, &b_;
  double error_;
  Vec3 velocity_a_[3], velocity_b_[3];
  double free_a_[3], free_b_[3], curve_a_[3], curve_b_[3];
};

}  // namespace

TriangleImpact advance(const Object& a, Index triangle_a, const Object& b, Index triangle_b,
                       const Snapshot& s, double tolerance) {
  const Triangle at_a = triangle_of(a.soup(), triangle_a);
  const Triangle at_b = triangle_of(b.soup(), triangle_b, s.pose);
  TriangleImpact impact;
  impact.closest = closest_points(at_a, at_b);
  if (!(impact.closest.distance > s.separation + tolerance)) {
    impact.touching = true;
    return impact;
  }
  const Vec3 n = (impact.closest.point_b - impact.closest.point_a).stableNormalized();
  const MovingPair pair(at_a, at_b, s);
  const Proof proof = pair.along(n);
  // Two points that are close together tell their direction badly: at the far corners its error
  // may be more than the gap.
  impact.dt = proof.gap > 0.5 * (impact.closest.distance - s.separation)
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

ToiQuery::ToiQuery(const Object& a, const Motion& motion_a, const Object& b, const Motion& motion_b,
                   const ToiOptions& options)
    : a_(a),
      b_(b),
      motion_a_(motion_a),
      motion_b_(motion_b),
      tolerance_(options.tolerance),
      separation_(options.separation),
      may_separate_(options.may_separate) {
  if (!(tolerance_ > 0) || !std::isfinite(tolerance_))
    throw InvalidInput("time of impact: the tolerance must be a length > 0");
  if (!(separation_ >= 0) || !std::isfinite(separation_))
    throw InvalidInput("time of impact: the separation must be a length >= 0");
  if (!(options.from >= 0 && options.from < 1))
    throw InvalidInput("time of impact: `from` must lie in [0, 1)");
  make_slices(options.from);
  bound_errors();
}

void ToiQuery::make_slices(double begin) {
  const auto &pieces_a = motion_a_.data().pieces, &pieces_b = motion_b_.data().pieces;
  std::size_t i = 0, j = 0;
  double t = 0;
  while (t < 1) {
    const detail::Piece &pa = pieces_a[i], &pb = pieces_b[j];
    const double end = std::min({pa.t_end, pb.t_end, 1.0});
    const double angle = detail::turned_angle(pa, t, end) + detail::turned_angle(pb, t, end);
    const int parts = std::max(1, static_cast<int>(std::ceil(std::min(angle / kSliceAngle, 1e6))));
    double from = t;
    for (int k = 1; k <= parts; ++k) {
      const double to = k == parts ? end : t + (end - t) * (static_cast<double>(k) / parts);
      if (to > from && to > begin)
        slices_.push_back({std::max(from, begin), to, angle / parts, &pa, &pb});
      from = std::max(from, to);
    }
    if (pa.t_end <= end && i + 1 < pieces_a.size()) ++i;
    if (pb.t_end <= end && j + 1 < pieces_b.size()) ++j;
    t = end;
  }
}

// How far rounding may place a point of b in a's coordinates, at any time of the motion: poses are
// computed with a few roundings of numbers no larger than the reach of both bodies; the angle's
// own rounding is proportional to it.
void ToiQuery::bound_errors() {
  double reach = 0, angle = 0, speed = 0;
  const auto include = [&](const Object& object, const detail::Piece& piece) {
    const double radius = farthest(object.bounds(), piece.centre);
    double place = piece.start.norm() + piece.travel.norm();
    if (piece.kind == detail::PieceKind::function)
      place = (*piece.function)(piece.u_begin).translation().norm() + piece.max_speed +
              piece.centre.norm();
    reach = std::max(reach, place + 2 * piece.centre.norm() + 2 * radius +
                                farthest(object.bounds(), Vec3::Zero()));
    angle = std::max(angle, std::abs(piece.angle));
    const double turning = piece.kind == detail::PieceKind::function
                               ? piece.max_angular_speed
                               : detail::angle_at(piece, 0).max_rate;
    speed =
        std::max(speed, piece.rate() * (piece.travel.norm() + piece.max_speed + turning * radius));
  };
  for (const TimeSlice& slice : slices_) {
    include(a_, *slice.piece_a);
    include(b_, *slice.piece_b);
  }
  error_ = kUnit * (64 + 8 * angle) * reach;
  // Below this, neither the distance nor the time could tell apart from touching.
  const double size = std::max(a_.bounds().diagonal(), b_.bounds().diagonal()) + separation_;
  tolerance_ = std::max({tolerance_, 8 * error_, 64 * kUnit * speed, 2 * kDistanceError * size});
}

Snapshot ToiQuery::snapshot(const TimeSlice& slice, double t) const {
  const detail::Kinematics ka = detail::kinematics(*slice.piece_a, t);
  const detail::Kinematics kb = detail::kinematics(*slice.piece_b, t);
  const Mat3 to_a = ka.rotation.transpose();
  Snapshot s;
  s.t = t;
  s.pose.rotation = to_a * kb.rotation;
  s.pose.translation = to_a * (kb.translation - ka.translation);
  s.rotation_a = ka.rotation;
  s.translation_a = ka.translation;
  s.a = field_in(to_a, ka.translation, ka);
  s.b = field_in(to_a, ka.translation, kb);
  s.error = error_ + separation_ * (1 + 4 * kUnit);
  s.separation = separation_;
  return s;
}

void ToiQuery::report(const TimeSlice& slice, const ImpactHit& hit, ToiResult& result) const {
  const Snapshot s = snapshot(slice, hit.t);
  const Triangle at_a = triangle_of(a_.soup(), hit.triangle_a);
  const Triangle at_b = triangle_of(b_.soup(), hit.triangle_b, s.pose);
  const Pose pose_a =
      Pose::from_quaternion_unchecked(Eigen::Quaterniond(s.rotation_a), s.translation_a);
  result.status = hit.t > 0 ? ToiStatus::contact : ToiStatus::initially_touching;
  result.free_until = hit.t;
  result.touched_at = hit.t;
  if (hit.t == slices_.front().begin) result.separated_at = 0;  // not all of it does
  result.contact = make_contact(a_, hit.triangle_a, b_, hit.triangle_b, at_a, at_b,
                                closest_points(at_a, at_b), pose_a);
}

}  // namespace touche
