// SPDX-License-Identifier: Apache-2.0
#include "query/time_slices.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "math/rounding.h"

namespace touche::query {
namespace {

// The search restarts from the roots after this much rotation (radians): an opened pair of nodes
// never returns to a coarser level, so long motions are cut. Measured: 0.3 to 0.5 rad are equally
// good for bodies that meet. Bodies that slide along each other need shorter parts, to which the
// search adapts.
constexpr double kSliceAngle = 0.4;

// Limits the number of slices for the turning of a whole motion; each piece gets a share in
// proportion to its time. Faster turning is proved in slices of more rotation, which is also valid.
constexpr double kMostSlices = 1e6;

// Slices are joined while velocities differ by less than this share of the largest.
constexpr double kAlike = 0.02;

// A point on the axis of a turn is used only if it is nearer to the body's farthest point than this
// multiple of the sum of the same distances from the body's origin and from its centre.
constexpr double kFarSlices = 4;

// Joining slices adds at most this share of the tolerance to the error of positions.
constexpr double kJoinedError = 0.25;

double farthest(const Aabb& box, const Vec3& from) {
  return (box.hi - from).cwiseAbs().cwiseMax((box.lo - from).cwiseAbs()).norm();
}

// Describes the velocities of a body by its rotation and the velocity of one of its points: either
// the centre or a point on the axis, whichever has the smaller change of velocity from this piece
// to the next.
VelocityRange steadiest(const Aabb& box, const detail::Piece& piece, const detail::Piece* next,
                        double most_bulge) {
  const auto about = [&](const Vec3& point) {
    VelocityRange range(point);
    range.include(piece);
    return range;
  };
  const auto spread = [&](VelocityRange range) {
    range.include(*next);
    return range.spread(farthest(box, range.point()));
  };
  VelocityRange about_centre = about(piece.centre);
  if (next == nullptr || next->kind == detail::PieceKind::function) return about_centre;
  const std::optional<Vec3> point = point_on_axis(piece);
  // A point far away does not help, and its rounding would count.
  const double far = kFarSlices * (farthest(box, Vec3::Zero()) + farthest(box, piece.centre));
  if (!point || !(farthest(box, *point) < far)) return about_centre;
  const VelocityRange about_axis = about(*point);
  return about_axis.bulge() < most_bulge && spread(about_axis) < spread(about_centre)
             ? about_axis
             : about_centre;
}

// The pieces of one body's motion that a span joins.
struct JoinedPieces {
  const detail::Piece* last;
  VelocityRange range;
  double radius;     // of the body about the range's point
  double jumps = 0;  // by how much positions may differ where pieces meet

  JoinedPieces(const Object& object, const Motion& motion, const detail::Piece& piece,
               double most_bulge)
      : last(&piece) {
    const std::span<const detail::Piece> pieces = math::pieces_of(motion);
    const detail::Piece* next = &piece == &pieces.back() ? nullptr : &piece + 1;
    range = steadiest(object.bounds(), piece, next, most_bulge);
    radius = farthest(object.bounds(), range.point());
  }

  void add(const detail::Piece& next) {
    if (&next == last) return;
    range.include(next);
    const detail::MovingBody end = detail::moving_body(*last, last->t_end),
                             begin = detail::moving_body(next, next.t_begin);
    jumps += (begin.to_world(range.point()) - end.to_world(range.point())).norm() +
             (begin.rotation - end.rotation).norm() * radius;
    last = &next;
  }

  double error() const { return jumps + 2 * range.bulge(); }
  double spread() const { return range.spread(radius); }
  double speed() const { return range.speed(radius); }
};

// Whether the directions of velocities are known. A user's functions only bound their magnitudes.
bool has_directions(const TimeSlice& slice) {
  return slice.piece_a->kind != detail::PieceKind::function &&
         slice.piece_b->kind != detail::PieceKind::function;
}

}  // namespace

TimeSlices::TimeSlices(const Object& a, const Motion& motion_a, const Object& b,
                       const Motion& motion_b, const ToiOptions& options,
                       std::vector<TimeSlice>& memory)
    : a_(a),
      b_(b),
      motion_a_(motion_a),
      motion_b_(motion_b),
      slices_(memory),
      tolerance_(options.tolerance),
      clearance_(options.clearance) {
  if (!(tolerance_ > 0) || !std::isfinite(tolerance_))
    throw InvalidInput("time of impact: the tolerance must be a length > 0");
  if (!(clearance_ >= 0) || !std::isfinite(clearance_))
    throw InvalidInput("time of impact: the clearance must be a length >= 0");
  if (!(options.t_start >= 0 && options.t_start < 1))
    throw InvalidInput("time of impact: `t_start` must lie in [0, 1)");
  slices_.clear();
  divide(options.t_start);
  bound_errors();
}

void TimeSlices::divide(double t_start) {
  const auto pieces_a = math::pieces_of(motion_a_), pieces_b = math::pieces_of(motion_b_);
  std::size_t i = 0, j = 0;
  double t = 0;
  while (t < 1) {
    const detail::Piece &pa = pieces_a[i], &pb = pieces_b[j];
    // Divide the interval that both pieces cover until the first of them ends.
    const double end = std::min({pa.t_end, pb.t_end, 1.0});
    const double angle = detail::turned_angle(pa, t, end) + detail::turned_angle(pb, t, end);
    const int parts = std::max(
        1, static_cast<int>(std::ceil(std::min(angle / kSliceAngle, kMostSlices * (end - t)))));
    double part_begin = t;
    for (int k = 1; k <= parts; ++k) {
      const double part_end = k == parts ? end : t + (end - t) * (static_cast<double>(k) / parts);
      if (part_end > part_begin && part_end > t_start)
        slices_.push_back({std::max(part_begin, t_start), part_end, angle / parts, &pa, &pb});
      part_begin = std::max(part_begin, part_end);
    }
    // Advance each motion whose piece ended to its next piece.
    if (pa.t_end <= end && i + 1 < pieces_a.size()) ++i;
    if (pb.t_end <= end && j + 1 < pieces_b.size()) ++j;
    t = end;
  }
}

// Bounds the rounding error of a point of b in a's coordinates, at any time of the motion. Poses
// are computed with a few roundings of numbers no larger than the reach of both bodies; the
// rounding of an angle is proportional to the angle. Times are rounded as well: the end of a proof
// by half an ulp; the limits of pieces, and the position within a piece, by at
// most seven more. Both bodies move in that time.
void TimeSlices::bound_errors() {
  double reach = 0, angle = 0, speed = 0;
  const auto include = [&](const Object& object, const detail::Piece& piece) {
    const double radius = farthest(object.bounds(), piece.centre);
    double farthest_centre = piece.start.norm() + piece.travel.norm();
    if (piece.kind == detail::PieceKind::function)
      farthest_centre = (*piece.function)(piece.u_begin).translation().norm() + piece.max_speed +
                        piece.centre.norm();
    reach = std::max(reach, farthest_centre + 2 * piece.centre.norm() + 2 * radius +
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
  error_ = math::kUnitRoundoff * ((64 + 8 * angle) * reach + 8 * 2 * speed);
  // Below this tolerance, rounding of distance and time would hide the difference between apart and
  // touching.
  const double size = std::max(a_.bounds().diagonal(), b_.bounds().diagonal()) + clearance_;
  tolerance_ = std::max({tolerance_, 8 * error_, 2 * geometry::kDistanceError * size});
}

TimeSpan TimeSlices::span(std::size_t first) const {
  const TimeSlice& slice = slices_[first];
  TimeSpan span{slice.begin, slice.end, slice.angle, first, first};
  if (!has_directions(slice)) return span;
  // Join the following slices while bodies turn little and velocities hardly change.
  const double most_error = kJoinedError * tolerance_;
  std::optional<JoinedPieces> a, b;
  for (std::size_t i = first + 1; i < slices_.size(); ++i) {
    const TimeSlice& next = slices_[i];
    if (span.angle + next.angle > kSliceAngle || !has_directions(next)) break;
    if (!a) {
      a.emplace(a_, motion_a_, *slice.piece_a, 0.125 * most_error);
      b.emplace(b_, motion_b_, *slice.piece_b, 0.125 * most_error);
    }
    a->add(*next.piece_a);
    b->add(*next.piece_b);
    // At each boundary between slices, the error of positions counts twice.
    const double error = a->error() + b->error() + 2 * static_cast<double>(i - first) * error_;
    const bool alike = a->spread() + b->spread() <= kAlike * (a->speed() + b->speed());
    if (!alike || !(error < most_error)) break;
    span.end = next.end;
    span.angle += next.angle;
    span.last = i;
    span.error = error;
    span.a = a->range;
    span.b = b->range;
  }
  return span;
}

TimeSpan TimeSlices::part(const TimeSpan& span, double begin, double end) const {
  if (span.is_slice() || (begin <= span.begin && end >= span.end)) return span;
  TimeSpan part = span;
  part.begin = begin;
  part.end = end;
  while (slices_[part.first].end <= begin) ++part.first;
  while (slices_[part.last].begin >= end) --part.last;
  part.a = VelocityRange(span.a.point());
  part.b = VelocityRange(span.b.point());
  for (std::size_t i = part.first; i <= part.last; ++i) {
    const TimeSlice& slice = slices_[i];
    const bool is_first = i == part.first;
    if (is_first || slice.piece_a != slices_[i - 1].piece_a) part.a.include(*slice.piece_a);
    if (is_first || slice.piece_b != slices_[i - 1].piece_b) part.b.include(*slice.piece_b);
  }
  return part;
}

const TimeSlice& TimeSlices::slice_at(const TimeSpan& span, double t) const {
  const auto first = slices_.begin() + static_cast<std::ptrdiff_t>(span.first);
  const auto last = slices_.begin() + static_cast<std::ptrdiff_t>(span.last);
  return *std::partition_point(first, last, [&](const TimeSlice& s) { return s.end <= t; });
}

Snapshot TimeSlices::snapshot(const TimeSlice& slice, double t) const {
  return snapshot_of(detail::moving_body(*slice.piece_a, t), detail::moving_body(*slice.piece_b, t),
                     t);
}

Snapshot TimeSlices::snapshot(const TimeSpan& span, double t) const {
  const TimeSlice& slice = slice_at(span, t);
  if (span.is_slice()) return snapshot(slice, t);
  detail::MovingBody a = detail::moving_body(*slice.piece_a, t);
  detail::MovingBody b = detail::moving_body(*slice.piece_b, t);
  a.velocity = span.a.held(span.end - span.begin, a.to_world(span.a.point()));
  b.velocity = span.b.held(span.end - span.begin, b.to_world(span.b.point()));
  Snapshot s = snapshot_of(a, b, t);
  s.error += span.error;
  return s;
}

Snapshot TimeSlices::snapshot_of(const detail::MovingBody& a, const detail::MovingBody& b,
                                 double t) const {
  const Mat3 to_a = a.rotation.transpose();
  Snapshot s;
  s.t = t;
  s.pose.rotation = to_a * b.rotation;
  s.pose.translation = to_a * (b.translation - a.translation);
  s.rotation_a = a.rotation;
  s.translation_a = a.translation;
  s.velocity_a = a.velocity.in_frame(to_a, a.translation);
  s.velocity_b = b.velocity.in_frame(to_a, a.translation);
  s.error = error_ + clearance_ * (1 + 4 * math::kUnitRoundoff);
  s.clearance = clearance_;
  return s;
}

}  // namespace touche::query
