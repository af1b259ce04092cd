// SPDX-License-Identifier: Apache-2.0
// Along a fixed direction n, let f(t) be how far a corner of b's box is beyond a corner of a's. A
// point x of a body rotates about an axis of fixed direction d through a point that moves at
// constant velocity. So its acceleration is orthogonal to d, and at most k r, with k the bound of
// acceleration by distance and r the distance from the axis; along n that is at most
//   |n × d| k r.
// With `most` the sum of this over both bodies, f deviates from the chord between its values at
// both ends of a time h by at most s (1 − s) most h² / 2 at the share s of h. All corners are apart
// as long as
//   (1 − s) gap(0) + s gap(1) − s (1 − s) most h² / 2 > 0
// with the least of all f at either end as gaps. Along its own normal, a plate that turns about
// that normal does not deviate at all, however far it turns.
#include "query/boxes_apart.h"

#include <algorithm>
#include <cmath>

#include "math/rounding.h"

namespace touche::query {
namespace {

constexpr int kMostBoxLooks = 12;
// A test that proves a smaller share of the whole time is the last.
constexpr double kLeastGain = 1.0 / 256;

// The box around a body, and its motion in one piece.
struct MovingRootBox {
  const detail::Piece& piece;
  Vec3 centre, half;    // body coordinates
  double radius;        // from the piece's centre, so at least the distance from its axis
  double size;          // of the largest coordinates
  double acceleration;  // of its farthest points, across the axis

  MovingRootBox(const Object& object, const detail::Piece& of)
      : piece(of),
        centre(0.5 * object.bounds().lo + 0.5 * object.bounds().hi),
        half(0.5 * object.bounds().hi - 0.5 * object.bounds().lo),
        radius(((centre - piece.centre).cwiseAbs() + half).norm()),
        size(std::max(1.0, std::abs(piece.angle)) *
             (piece.start.norm() + piece.travel.norm() + piece.centre.norm() + centre.norm() +
              half.norm())),
        acceleration(math::kRoundUp * radius *
                     detail::moving_body(piece, piece.t_begin).velocity.acceleration_per_distance) {
  }

  // An upper bound of the acceleration of the box's points along n.
  double along(const Vec3& n) const {
    return acceleration == 0 ? 0
                             : (n.cross(piece.axis).norm() + math::kFormulaError) * acceleration;
  }
};

// The boxes at one instant.
struct BoxesAt {
  detail::MovingBody a, b;
  Vec3 apart;  // from the centre of a's box to that of b's

  BoxesAt(const MovingRootBox& box_a, const MovingRootBox& box_b, double t)
      : a(detail::moving_body(box_a.piece, t)),
        b(detail::moving_body(box_b.piece, t)),
        apart((b.translation - a.translation) + b.rotation * box_b.centre -
              a.rotation * box_a.centre) {}

  double gap(const MovingRootBox& box_a, const MovingRootBox& box_b, const Vec3& n) const {
    return n.dot(apart) - (a.rotation.transpose() * n).cwiseAbs().dot(box_a.half) -
           (b.rotation.transpose() * n).cwiseAbs().dot(box_b.half);
  }
};

// The largest s <= 1 for which start + (end − start) s − bend s (1 − s) > 0 holds up to s.
double share_above_zero(double start, double end, double bend) {
  if (!(start > 0)) return 0;
  const double falls = start - end + bend;  // the inequality is bend s² − falls s + start > 0
  const double root = falls * falls - 4 * bend * start;
  if (falls <= 0 || root < 0) return 1;
  const double share = 2 * start / (falls + std::sqrt(root));
  return share >= 1 ? 1 : (share > 0 ? share : 0);
}

class BoxesProof {
 public:
  BoxesProof(const Object& a, const Object& b, const TimeSlice& slice, double least)
      : a_(a, *slice.piece_a),
        b_(b, *slice.piece_b),
        least_(least + math::kFormulaError * (a_.size + b_.size)) {}

  // The share of the time between two instants for which the boxes are proved apart.
  double share(const BoxesAt& start, const BoxesAt& end, double length) const {
    double most = 0;
    const auto try_along = [&](const Vec3& direction) {
      if (most == 1) return;
      const Vec3 n = direction.dot(start.apart) < 0 ? Vec3(-direction) : direction;
      const double at_start = start.gap(a_, b_, n) - least_;
      if (!(at_start > 0)) return;
      const double bend = 0.5 * length * length * math::kRoundUp * (a_.along(n) + b_.along(n)),
                   slack = math::kFormulaError * bend, at_end = end.gap(a_, b_, n) - least_;
      most = std::max(most, share_above_zero(at_start - slack, at_end - slack, bend));
    };
    for (const BoxesAt* at : {&start, &end}) {
      for (int k = 0; k < 3; ++k) try_along(at->a.rotation.col(k));
      for (int k = 0; k < 3; ++k) try_along(at->b.rotation.col(k));
      try_along(math::unit_or_zero(at->apart));
    }
    try_along(a_.piece.axis);
    try_along(b_.piece.axis);
    return most;
  }

  double until(double begin, double end, QueryStats& stats) const {
    double t = begin, length = end - begin;
    BoxesAt start(a_, b_, t);
    for (int look = 0; look < kMostBoxLooks && t < end; ++look) {
      // Test from t to `next`, which is nearer if the last test did not reach its end.
      const double next = t + 1.5 * length < end ? t + length : end;
      const BoxesAt there(a_, b_, next);
      ++stats.volume_tests;
      const double share = this->share(start, there, next - t);
      if (share == 1) {
        t = next;
        start = there;
        length *= 2;
        continue;
      }
      const double gained = math::kRoundFarDown * share * (next - t);
      t = std::min(next, t + gained);
      if (!(gained > kLeastGain * (end - begin))) return t;
      start = BoxesAt(a_, b_, t);
      length = 0.5 * (next - t);
    }
    return t;
  }

 private:
  const MovingRootBox a_, b_;
  const double least_;  // the distance that must remain, plus the rounding error
};

// Whether a proof is possible at all: a face of either box, or a plane across the line between
// their centres, separates them at an instant. A cheap test, because the boxes of near bodies
// mostly overlap.
bool part_now(const Aabb& a, const Aabb& b, const Snapshot& s) {
  const Vec3 half_a = 0.5 * (a.hi - a.lo), half_b = 0.5 * (b.hi - b.lo);
  const Vec3 apart = s.pose.translation + s.pose.rotation * b.centre() - a.centre();
  const Vec3 apart_in_b = s.pose.rotation.transpose() * apart;
  const Mat3 size = s.pose.rotation.cwiseAbs();
  if (((apart.cwiseAbs() - half_a - size * half_b).array() > s.error).any()) return true;
  if (((apart_in_b.cwiseAbs() - half_b - size.transpose() * half_a).array() > s.error).any())
    return true;
  const double reach = apart.cwiseAbs().dot(half_a) + apart_in_b.cwiseAbs().dot(half_b);
  return apart.squaredNorm() > reach + s.error * apart.norm();
}

}  // namespace

double boxes_apart_until(const Object& a, const Object& b, const TimeSlices& slices,
                         const TimeSlice& slice, double begin, QueryStats& stats) {
  if (slice.piece_a->kind == detail::PieceKind::function ||
      slice.piece_b->kind == detail::PieceKind::function)
    return begin;
  const Snapshot snapshot = slices.snapshot(slice, begin);
  ++stats.volume_tests;
  if (!part_now(a.bounds(), b.bounds(), snapshot)) return begin;
  const double least = snapshot.error + slices.tolerance();
  const double end = std::min({slice.piece_a->t_end, slice.piece_b->t_end, 1.0});
  return BoxesProof(a, b, slice, least).until(begin, end, stats);
}

}  // namespace touche::query
