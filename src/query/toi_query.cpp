// SPDX-License-Identifier: Apache-2.0
#include "query/toi_query.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace touche {
namespace {

constexpr double kUnit = 0x1p-53;

// Search restarts from the roots after this much rotation: a pair of nodes that was opened never
// returns to a coarse level, so long motions are cut. Measured: 0.3 to 0.5 rad equally good for
// bodies that meet; those that slide along each other want less, which the search finds out.
constexpr double kSliceAngle = 0.4;

// Slices are joined while velocities differ by less than this share of the largest.
constexpr double kAlike = 0.02;

// Bodies are said to turn about points no farther away than so many times their size, with their
// distance from their origin.
constexpr double kFar = 4;

// What is not known of places because slices are joined is at most this share of the tolerance.
constexpr double kJoints = 0.25;

double farthest(const Aabb& box, const Vec3& from) {
  return (box.hi - from).cwiseAbs().cwiseMax((box.lo - from).cwiseAbs()).norm();
}

// About the point of a body whose velocity changes least from one piece to the next.
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
  // What is far away is no use, and its rounding would count.
  const double far = kFar * (farthest(box, Vec3::Zero()) + farthest(box, piece.centre));
  if (!point || !(farthest(box, *point) < far)) return about_centre;
  const VelocityRange about_axis = about(*point);
  return about_axis.bulge() < most_bulge && spread(about_axis) < spread(about_centre)
             ? about_axis
             : about_centre;
}

// One body's pieces in a span.
struct JoinedPieces {
  const detail::Piece* last;
  VelocityRange range;
  double radius;     // of the body about the range's point
  double jumps = 0;  // by how much places may differ where pieces meet

  JoinedPieces(const Object& object, const Motion& motion, const detail::Piece& piece,
               double most_bulge)
      : last(&piece) {
    const std::vector<detail::Piece>& pieces = motion.data().pieces;
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

// Functions have none.
bool has_directions(const TimeSlice& slice) {
  return slice.piece_a->kind != detail::PieceKind::function &&
         slice.piece_b->kind != detail::PieceKind::function;
}

}  // namespace

ToiQuery::ToiQuery(const Object& a, const Motion& motion_a, const Object& b, const Motion& motion_b,
                   const ToiOptions& options, std::vector<TimeSlice>& slices)
    : a_(a),
      b_(b),
      motion_a_(motion_a),
      motion_b_(motion_b),
      slices_(slices),
      tolerance_(options.tolerance),
      clearance_(options.clearance),
      may_separate_(options.may_separate) {
  if (!(tolerance_ > 0) || !std::isfinite(tolerance_))
    throw InvalidInput("time of impact: the tolerance must be a length > 0");
  if (!(clearance_ >= 0) || !std::isfinite(clearance_))
    throw InvalidInput("time of impact: the clearance must be a length >= 0");
  if (!(options.t_start >= 0 && options.t_start < 1))
    throw InvalidInput("time of impact: `t_start` must lie in [0, 1)");
  slices_.clear();
  make_slices(options.t_start);
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
// own rounding is proportional to it. Times are rounded as well: the end of a proof by half a unit
// of the last place, and where pieces begin and end, and how far a piece has got, by at most seven
// more. In that time both bodies move on.
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
  error_ = kUnit * ((64 + 8 * angle) * reach + 8 * 2 * speed);
  // Below this, neither the distance nor the time could tell apart from touching.
  const double size = std::max(a_.bounds().diagonal(), b_.bounds().diagonal()) + clearance_;
  tolerance_ = std::max({tolerance_, 8 * error_, 2 * kDistanceError * size});
}

TimeSpan ToiQuery::span(std::size_t first) const {
  const TimeSlice& slice = slices_[first];
  TimeSpan span{slice.begin, slice.end, slice.angle, first, first};
  if (!has_directions(slice)) return span;
  const double most_error = kJoints * tolerance_;
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
    // Where slices meet, places are known with an error twice.
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

TimeSpan ToiQuery::part(const TimeSpan& span, double begin, double end) const {
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

const TimeSlice& ToiQuery::slice_at(const TimeSpan& span, double t) const {
  const auto first = slices_.begin() + static_cast<std::ptrdiff_t>(span.first);
  const auto last = slices_.begin() + static_cast<std::ptrdiff_t>(span.last);
  return *std::partition_point(first, last, [&](const TimeSlice& s) { return s.end <= t; });
}

Snapshot ToiQuery::snapshot(const TimeSlice& slice, double t) const {
  return snapshot_of(detail::moving_body(*slice.piece_a, t), detail::moving_body(*slice.piece_b, t),
                     t);
}

Snapshot ToiQuery::snapshot(const TimeSpan& span, double t) const {
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

Snapshot ToiQuery::snapshot_of(const detail::MovingBody& a, const detail::MovingBody& b,
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
  s.error = error_ + clearance_ * (1 + 4 * kUnit);
  s.clearance = clearance_;
  return s;
}

void ToiQuery::report(const TimeSlice& slice, const ImpactHit& hit, ToiResult& result) const {
  const Snapshot s = snapshot(slice, hit.t);
  const Triangle at_a = triangle_of(a_.soup(), hit.triangle_a);
  const Triangle at_b = triangle_of(b_.soup(), hit.triangle_b, s.pose);
  const Pose pose_a =
      Pose::from_quaternion_unchecked(Eigen::Quaterniond(s.rotation_a), s.translation_a);
  result.status = hit.t > 0 ? ToiStatus::contact : ToiStatus::initially_touching;
  result.time = {hit.t, hit.t};
  if (hit.t == slices_.front().begin) result.separated_at = 0;  // not all of it does
  result.contact = make_contact(a_, hit.triangle_a, b_, hit.triangle_b, at_a, at_b,
                                closest_points(at_a, at_b), pose_a);
}

}  // namespace touche
