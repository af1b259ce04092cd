// SPDX-License-Identifier: Apache-2.0
// Let R be the rotation of the moving thread, a = R z its axis, p the component of a orthogonal to
// z, and T the smallest rotation that takes z to a, by the angle τ. Then R = T · (the rotation
// about z by φ).
//
// While a piece turns at the steady rate ω about a fixed axis, ω · a is constant, and φ' = ω · a +
// (1 − cos τ) ψ', where ψ is the direction of p. Since |p'| >= sin τ |ψ'|, the last term is at most
// tan(τ / 2) |p'|, and |p'| <= |ω × a|; so φ deviates from its chord by at most half of the
// integral of this bound. The axis itself, and the origin, deviate from their chords by at most an
// eighth of their accelerations times the squared time.
#include "query/thread_motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "math/rounding.h"
#include "math/shortest_turn.h"

namespace touche::query {
namespace {

// Axes may differ by this share (kMostOff) of the moving body's reach, directions by as much, and
// advances by this share of the larger one. No motion is returned if the advance is below
// kNoAdvance of the reach, as for a shaft in its bore: the search by instants is about as fast for
// it, and its profile would be built in the step in which it enters the bore.
constexpr double kMostOff = 0.1, kNoAdvance = 5e-3;

constexpr double kMostTurned = 2;  // radians

// The moving thread at an instant, in the still thread's coordinates.
struct Placed {
  double t = 0;
  Vec3 origin, axis;
  double turn = 0;

  Placed(double at, const Mat3& rotation, const Vec3& place)
      : t(at), origin(place), axis(rotation.col(2)) {
    const Mat3 untilted =
        math::shortest_turn(Vec3::UnitZ(), axis).toRotationMatrix().transpose() * rotation;
    turn = std::atan2(untilted(1, 0), untilted(0, 0));
  }
};

struct Threads {
  const ObjectThread &moving, &still;
  bool a_moves;
  Vec3 origin;  // in the moving body's coordinates
  bool opposite = false;

  const detail::Piece& moving_piece(const TimeSlice& slice) const {
    return a_moves ? *slice.piece_a : *slice.piece_b;
  }
  const detail::Piece& still_piece(const TimeSlice& slice) const {
    return a_moves ? *slice.piece_b : *slice.piece_a;
  }
  bool may_be(const TimeSlice& slice) const {
    return detail::is_still(still_piece(slice)) &&
           moving_piece(slice).kind == detail::PieceKind::slerp;
  }
  Mat3 rotation(const detail::MovingBody& moves, const detail::MovingBody& rests) const {
    Mat3 r = still.map().rotation * rests.rotation.transpose() * moves.rotation *
             moving.map().rotation.transpose();
    if (opposite) r.rightCols<2>() *= -1;
    return r;
  }
  Placed at(const TimeSlice& slice, double t) const {
    const detail::MovingBody moves = detail::moving_body(moving_piece(slice), t),
                             rests = detail::moving_body(still_piece(slice), t);
    return {t, rotation(moves, rests),
            still.map()(rests.rotation.transpose() * (moves.to_world(origin) - rests.translation))};
  }
};

// The cosine of an angle of at most a right angle.
double cosine_of(double sine) { return std::sqrt(std::max(0.0, 1 - sine * sine)); }

double size_across(const Vec3& v) { return std::hypot(v.x(), v.y()); }

// Bounds of how far the turn, the axis and the origin deviate from linear interpolation between two
// times of a piece.
struct Strays {
  double by;  // the angle by which the piece turns, in radians
  double turn, axis, origin;
};

Strays strays(const Threads& threads, const TimeSlice& slice, const Placed& begin,
              const Placed& end) {
  const detail::Piece& piece = threads.moving_piece(slice);
  const double by = detail::turned_angle(piece, begin.t, end.t);
  const detail::MovingBody moves = detail::moving_body(piece, begin.t),
                           rests = detail::moving_body(threads.still_piece(slice), begin.t);
  const Vec3 axis = threads.still.map().rotation * (rests.rotation.transpose() * piece.axis);
  const double off_axis = axis.cross(begin.axis).norm();
  const double lever =
      piece.axis.cross(moves.to_world(threads.origin) - moves.to_world(piece.centre)).norm();
  const double bulge = 0.125 * by * by;
  const double tilt = std::max(size_across(begin.axis), size_across(end.axis)) + bulge * off_axis;
  return {by, 0.5 * tilt / (1 + cosine_of(tilt)) * by * off_axis, bulge * off_axis, bulge * lever};
}

// The range of 1 − cos of the tilt while the axis moves straight from `begin` to `end`, up to a
// deviation `stray`.
HelixRange versines(const Placed& begin, const Placed& end, double stray) {
  const double from = size_across(begin.axis), to = size_across(end.axis),
               way = size_across(end.axis - begin.axis);
  const auto versine = [](double sine) { return sine * sine / (1 + cosine_of(sine)); };
  return {versine(std::max(0.5 * (from + to - way) - stray, 0.0)),
          versine(std::max(from, to) + stray)};
}

Vec3 origin_of(const ObjectThread& thread) {
  return -(thread.map().rotation.transpose() * thread.map().translation);
}

double reach_from(const Object& object, const Vec3& from) {
  return (object.bounds().hi - from)
             .cwiseAbs()
             .cwiseMax((object.bounds().lo - from).cwiseAbs())
             .norm() *
         math::kRoundUp;
}

bool advance_alike(const ObjectThread& a, const ObjectThread& b, double reach) {
  const double most = std::max(std::abs(a.advance()), std::abs(b.advance()));
  return most > kNoAdvance * reach && std::abs(a.advance() - b.advance()) <= kMostOff * most;
}

double wrapped(double angle) { return std::remainder(angle, 2 * std::numbers::pi); }

}  // namespace

std::optional<ThreadMotion> thread_motion(const Object& a, const Object& b,
                                          const TimeSlices& slices, const TimeSpan& span,
                                          double begin, double end) {
  const ObjectThread* thread_a = thread_of(a);
  const ObjectThread* thread_b = thread_a != nullptr ? thread_of(b) : nullptr;
  if (thread_b == nullptr) return {};
  return thread_motion(a, *thread_a, b, *thread_b, slices, span, begin, end);
}

std::optional<ThreadMotion> thread_motion(const Object& a, const ObjectThread& thread_a,
                                          const Object& b, const ObjectThread& thread_b,
                                          const TimeSlices& slices, const TimeSpan& span,
                                          double begin, double end) {
  if (!(end > begin)) return {};
  const bool a_moves = detail::is_still(*slices[span.first].piece_b);
  const Object &object = a_moves ? a : b, &other = a_moves ? b : a;
  Threads threads{a_moves ? thread_a : thread_b, a_moves ? thread_b : thread_a, a_moves, {}};
  threads.origin = origin_of(threads.moving);
  ThreadMotion motion;
  motion.a_moves = a_moves;
  motion.reach = reach_from(object, threads.origin);
  if (!advance_alike(thread_a, thread_b, motion.reach)) return {};
  const double most_off = kMostOff * motion.reach;

  std::size_t first = span.first, last = span.last;
  while (first < last && slices[first].end <= begin) ++first;
  while (last > first && slices[last].begin >= end) --last;
  for (std::size_t i = first; i <= last; ++i)
    if (!threads.may_be(slices[i])) return {};
  threads.opposite = threads.at(slices[first], begin).axis.z() < 0;
  motion.opposite = threads.opposite;
  const Placed from = threads.at(slices[first], begin), to = threads.at(slices[last], end);
  const auto is_near = [&](const Placed& placed) {
    return placed.axis.z() > 0 && size_across(placed.axis) < kMostOff &&
           size_across(placed.origin) < most_off;
  };
  if (!is_near(from) || !is_near(to)) return {};
  const double turned = wrapped(to.turn - from.turn);

  // Bound the deviation of positions from linear interpolation between both ends: at the ends of
  // pieces, and between.
  double off = 0, turn_error = 0, turned_in_all = 0;
  for (std::size_t i = first; i <= last; ++i) {
    const Placed in = threads.at(slices[i], std::max(begin, slices[i].begin)),
                 out = threads.at(slices[i], std::min(end, slices[i].end));
    if (!is_near(in) || !is_near(out)) return {};
    const Strays stray = strays(threads, slices[i], in, out);
    // Poses determine rotations only up to whole turns.
    turned_in_all += stray.by;
    if (!(turned_in_all < kMostTurned)) return {};
    double strayed = 0;
    for (const Placed& at : {in, out}) {
      const double s = (at.t - begin) / (end - begin);
      const double of_turn = std::abs(wrapped(at.turn - from.turn) - s * turned);
      const double of_axis = size_across(at.axis - from.axis - s * (to.axis - from.axis));
      const double of_origin = (at.origin - from.origin - s * (to.origin - from.origin)).norm();
      strayed = std::max(strayed, of_origin + motion.reach * (of_axis + of_turn));
      turn_error = std::max(turn_error, of_turn + stray.turn);
    }
    motion.versine.include(versines(in, out, stray.axis));
    off = std::max(off, strayed + stray.origin + motion.reach * (stray.axis + stray.turn));
  }

  motion.turn = from.turn + 0.5 * turned;
  motion.cosine = std::cos(motion.turn);
  motion.sine = std::sin(motion.turn);
  motion.half_turn = 0.5 * std::abs(turned) + turn_error;
  const double advance = threads.still.advance();
  for (const bool at_end : {false, true}) {
    const Placed& placed = at_end ? to : from;
    const double turn = at_end ? from.turn + turned : from.turn;
    motion.instant[at_end ? 1 : 0] = {{placed.origin.x(), placed.origin.y()},
                                      {placed.axis.x(), placed.axis.y()},
                                      placed.origin.z(),
                                      placed.origin.z() - advance * turn};
  }

  // No intermediate number is larger than the sum of these, as in helix_motion.cpp.
  const auto reach_of = [](const Object& any) {
    return any.bounds().lo.cwiseAbs().cwiseMax(any.bounds().hi.cwiseAbs()).norm();
  };
  const double angles = std::abs(from.turn) + std::abs(turned) + 4 * std::numbers::pi;
  const double largest =
      reach_of(a) + reach_of(b) + 2 * threads.origin.norm() +
      threads.still.map().translation.norm() + 2 * motion.reach + from.origin.norm() +
      to.origin.norm() +
      detail::moving_body(threads.moving_piece(slices[first]), begin).translation.norm() +
      detail::moving_body(threads.still_piece(slices[first]), begin).translation.norm() +
      (std::abs(advance) + std::abs(threads.moving.advance())) * angles;
  motion.error =
      (slices.snapshot(slices[first], begin).error + off + math::kFormulaError * largest) *
      math::kRoundUp;
  if (!std::isfinite(motion.error)) return {};
  motion.moving_advance = threads.moving.advance();
  motion.still_advance = advance;
  motion.moving = &threads.moving.tree(object);
  motion.still = &threads.still.tree(other);
  return motion;
}

void prepare_threads(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b) {
  const ObjectThread* thread_a = thread_of(a);
  const ObjectThread* thread_b = thread_a != nullptr ? thread_of(b) : nullptr;
  if (thread_b == nullptr) return;
  const double reach =
      std::min(reach_from(a, origin_of(*thread_a)), reach_from(b, origin_of(*thread_b)));
  const Vec3 axis_a = pose_a.rotate(thread_a->map().rotation.row(2).transpose()),
             axis_b = pose_b.rotate(thread_b->map().rotation.row(2).transpose());
  const Vec3 between = pose_b * origin_of(*thread_b) - pose_a * origin_of(*thread_a);
  if (axis_a.cross(axis_b).norm() > kMostOff || axis_a.cross(between).norm() > kMostOff * reach ||
      !advance_alike(*thread_a, *thread_b, reach))
    return;
  (void)thread_a->tree(a);
  (void)thread_b->tree(b);
}

}  // namespace touche::query
