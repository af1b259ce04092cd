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

double farthest(const Aabb& box, const Vec3& from) {
  return (box.hi - from).cwiseAbs().cwiseMax((box.lo - from).cwiseAbs()).norm();
}

// By how far places on a body may differ where one piece ends and another begins, for places that
// are at most `radius` from the point.
double jump(const PiecePart& part, const PiecePart& next, const Vec3& point, double radius) {
  if (&part.piece == &next.piece) return 0;
  const detail::Kinematics &k = part.end, &n = next.begin;
  return (n.place(point) - k.place(point)).norm() + (n.rotation - k.rotation).norm() * radius;
}

// About the point of a body whose velocity changes least from one part to the next.
VelocityRange steadiest(const Aabb& box, const PiecePart& part, const PiecePart& next,
                        double most_bulge) {
  const auto both = [&](const Vec3& point) {
    VelocityRange range(point);
    range.include(part);
    range.include(next);
    return range;
  };
  VelocityRange about_centre = both(part.piece.centre);
  const std::optional<Vec3> point = point_on_axis(part);
  // What is far away is no use, and its rounding would count.
  if (!point || !(farthest(box, *point) <
                  kFar * (farthest(box, Vec3::Zero()) + farthest(box, part.piece.centre))))
    return about_centre;
  const VelocityRange about_axis = both(*point);
  const auto spread = [&](const VelocityRange& r) { return r.spread(farthest(box, r.point())); };
  return about_axis.bulge() < most_bulge && spread(about_axis) < spread(about_centre)
             ? about_axis
             : about_centre;
}

// Both bodies in a slice.
struct SliceParts {
  PiecePart a, b;

  explicit SliceParts(const TimeSlice& slice)
      : a(*slice.piece_a, slice.begin, slice.end), b(*slice.piece_b, slice.begin, slice.end) {}
};

// Functions have none.
bool has_directions(const TimeSlice& slice) {
  return slice.piece_a->kind != detail::PieceKind::function &&
         slice.piece_b->kind != detail::PieceKind::function;
}

}  // namespace

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

TimeSpan ToiQuery::span(std::size_t first) const {
  const TimeSlice& slice = slices_[first];
  TimeSpan span{slice.begin, slice.end, slice.angle, first, first};
  if (!has_directions(slice)) return span;
  const double most_error = kJoints * tolerance_;
  std::optional<SliceParts> last;
  for (std::size_t i = first + 1; i < slices_.size(); ++i) {
    const TimeSlice& next = slices_[i];
    if (span.angle + next.angle > kSliceAngle || !has_directions(next)) break;
    if (!last) last.emplace(slice);
    const SliceParts parts(next);
    TimeSpan longer = span;
    longer.end = next.end;
    longer.angle += next.angle;
    longer.last = i;
    if (span.is_slice()) {
      longer.a = steadiest(a_.bounds(), last->a, parts.a, 0.125 * most_error);
      longer.b = steadiest(b_.bounds(), last->b, parts.b, 0.125 * most_error);
    } else {
      longer.a.include(parts.a);
      longer.b.include(parts.b);
    }
    const Vec3 &point_a = longer.a.point(), &point_b = longer.b.point();
    const double radius_a = farthest(a_.bounds(), point_a),
                 radius_b = farthest(b_.bounds(), point_b);
    longer.jumps += jump(last->a, parts.a, point_a, radius_a) +
                    jump(last->b, parts.b, point_b, radius_b) + 2 * error_;
    const bool alike = longer.a.spread(radius_a) + longer.b.spread(radius_b) <=
                       kAlike * (longer.a.speed(radius_a) + longer.b.speed(radius_b));
    if (!alike || !(longer.error() < most_error)) break;
    span = longer;
    last.emplace(parts);
  }
  return span;
}

TimeSpan ToiQuery::part(const TimeSpan& span, double begin, double end) const {
  if (span.is_slice() || (begin <= span.begin && end >= span.end)) return span;
  TimeSpan part = span;
  part.begin = begin;
  part.end = end;
  part.angle *= (end - begin) / (span.end - span.begin);
  while (slices_[part.first].end <= begin) ++part.first;
  while (slices_[part.last].begin >= end) --part.last;
  if (part.is_slice()) return part;
  part.a = VelocityRange(span.a.point());
  part.b = VelocityRange(span.b.point());
  for (std::size_t i = part.first; i <= part.last; ++i) {
    const SliceParts parts(slices_[i]);
    part.a.include(parts.a);
    part.b.include(parts.b);
  }
  return part;
}

const TimeSlice& ToiQuery::slice_at(const TimeSpan& span, double t) const {
  const auto first = slices_.begin() + static_cast<std::ptrdiff_t>(span.first);
  const auto last = slices_.begin() + static_cast<std::ptrdiff_t>(span.last);
  return *std::partition_point(first, last, [&](const TimeSlice& s) { return s.end <= t; });
}

Snapshot ToiQuery::snapshot(const TimeSlice& slice, double t) const {
  return snapshot_of(detail::kinematics(*slice.piece_a, t), detail::kinematics(*slice.piece_b, t),
                     t);
}

Snapshot ToiQuery::snapshot(const TimeSpan& span, double t) const {
  const TimeSlice& slice = slice_at(span, t);
  if (span.is_slice()) return snapshot(slice, t);
  detail::Kinematics ka = detail::kinematics(*slice.piece_a, t);
  detail::Kinematics kb = detail::kinematics(*slice.piece_b, t);
  span.a.hold(span.end - span.begin, ka);
  span.b.hold(span.end - span.begin, kb);
  Snapshot s = snapshot_of(ka, kb, t);
  s.error += span.error();
  return s;
}

Snapshot ToiQuery::snapshot_of(const detail::Kinematics& ka, const detail::Kinematics& kb,
                               double t) const {
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
