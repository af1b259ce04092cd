// SPDX-License-Identifier: Apache-2.0
// The search of gjk-inl.h in the lanes of a vector, one pose in each. The result of a lane depends
// neither on its neighbours nor on their number.
#if defined(TOUCHE_CONVEX_LANE_SEARCH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_CONVEX_LANE_SEARCH_INL_H_
#undef TOUCHE_CONVEX_LANE_SEARCH_INL_H_
#else
#define TOUCHE_CONVEX_LANE_SEARCH_INL_H_
#endif

#include <hwy/highway.h>

#include <array>
#include <bit>
#include <cstdint>

#include "convex/lane_nearest-inl.h"
#include "convex/pose_lanes.h"

HWY_BEFORE_NAMESPACE();
namespace touche::convex {
namespace HWY_NAMESPACE {
namespace pose_lanes {

using convex::AtPose;
using convex::Body;
using convex::Goal;
using convex::kPoseGroup;
using convex::PoseEnding;
using convex::PosesQuestion;

inline constexpr std::size_t kLanes = hn::MaxLanes(D());

/// Rows with the data of a pose to be searched.
enum PoseRow : std::size_t {
  kRotation = 0,  // column by column
  kTranslation = 9,
  kMiddle = 12,  // from a's centre to b's
  kError = 15,   // GjkRun's error_
  kPoseRows = 16
};
/// Data of the waiting poses.
struct WaitingPoses {
  alignas(64) double at[kPoseGroup][kPoseRows];
  std::array<std::uint8_t, kPoseGroup> number;
  std::size_t count = 0, next = 0;
};

/// Numbers that all poses share, named as in gjk-inl.h.
struct SharedNumbers {
  const Body &a, &b;
  const convex::SeparationOptions& options;
  // PoseErrors::all without translation, and its increase per length of the translation
  double error, error_by_move;
  double size, balls, balls_below, stop_above, inner;

  explicit SharedNumbers(const PosesQuestion& q)
      : a(q.a),
        b(q.b),
        options(q.options),
        error(convex::PoseErrors(q, 0).all),
        error_by_move(16 * math::kUnitRoundoff +
                      (q.exact ? 8 * math::kUnitRoundoff : math::kMovedPointError)),
        size(a.reach + b.reach),
        balls((a.radius + b.radius) * (1 + 4 * math::kUnitRoundoff)),
        balls_below((a.radius + b.radius) * (1 - 4 * math::kUnitRoundoff)),
        stop_above(q.options.goal == Goal::decide ? 0 : q.options.stop_above),
        inner((a.inner + b.inner) * math::kRoundDown) {}
};

/// The farthest corner along a direction in each lane, as convex_scan::NearlyFarthest.
struct LaneFarthest {
  VU corner;
  V most;
};
HWY_INLINE LaneFarthest FarthestOf(const Body& body, const V3& way) {
  const D d;
  const DU du;
  constexpr std::uint64_t kNumber = convex::kFewCorners - 1;
  const VU rest = hn::Set(du, ~kNumber), next = hn::Set(du, std::uint64_t{1});
  VU here = hn::Zero(du);
  const auto numbered = [&](std::size_t i) HWY_ATTR {
    const V along = hn::Add(
        hn::Add(hn::Mul(hn::Set(d, body.x[i]), way.x), hn::Mul(hn::Set(d, body.y[i]), way.y)),
        hn::Mul(hn::Set(d, body.z[i]), way.z));
    return hn::BitCast(d, hn::OrAnd(here, hn::BitCast(du, along), rest));
  };
  V most = numbered(0);
  for (std::size_t i = 1; i < body.corners; ++i) {
    here = hn::Add(here, next);
    most = hn::Max(most, numbered(i));
  }
  const VU bits = hn::BitCast(du, most), number = hn::Set(du, kNumber);
  // The upper bound: the bits of the number are all set, or all cleared if it is negative.
  return {hn::And(bits, number), hn::IfThenElse(Above0(most), hn::BitCast(d, hn::Or(bits, number)),
                                                hn::BitCast(d, hn::And(bits, rest)))};
}

HWY_INLINE V3 CornersOf(const Body& body, const VU& corner) {
  const D d;
  const hn::RebindToSigned<D> di;
  const auto i = hn::BitCast(di, corner);
  return {hn::GatherIndex(d, body.x, i), hn::GatherIndex(d, body.y, i),
          hn::GatherIndex(d, body.z, i)};
}

/// Runs as many searches as a vector has lanes. Each number has a row, with one entry per lane.
template <bool kEndsWhereMeeting>
class LaneGroup {
 public:
  HWY_INLINE LaneGroup(const SharedNumbers& shared, WaitingPoses& waiting, AtPose* found)
      : shared_(shared), waiting_(waiting), found_(found) {
    for (auto& row : rows_)
      for (double& x : row) x = 0;
    for (std::size_t i = 0; i < kLanes; ++i) TakeNext(i);
    // Lanes without a pose repeat the first one; their results are not used.
    if (running_ == 0) return;
    for (std::size_t i = 1; i < kLanes; ++i)
      if ((running_ >> i & 1u) == 0)
        for (auto& row : rows_) row[i] = row[0];
  }

  HWY_INLINE bool Runs() const { return running_ != 0; }

  /// First part of a step of GjkRun::run: the supporting points.
  HWY_INLINE void Find() {
    const D d;
    const V3 way = Three(kWay), t = Three(kTranslation);
    const V3 r0 = Three(kRotation), r1 = Three(kRotation + 3), r2 = Three(kRotation + 6);
    const V one = hn::Div(Num(1), hn::Sqrt(Dot(way, way)));
    const V3 back = {hn::Neg(Dot(r0, way)), hn::Neg(Dot(r1, way)), hn::Neg(Dot(r2, way))};
    const LaneFarthest in_a = FarthestOf(shared_.a, way), in_b = FarthestOf(shared_.b, back);
    const V3 at_b = CornersOf(shared_.b, in_b.corner);
    Put({((at_b.x * r0 + at_b.y * r1) + at_b.z * r2) + t - CornersOf(shared_.a, in_a.corner),
         hn::BitCast(d, hn::Or(hn::ShiftLeft<6>(in_a.corner), in_b.corner))},
        kLast);
    // The extent of b's placed corners along the direction equals that of b's corners along the
    // rotated direction plus the translation along it, except for what corners_error counts, and 3
    // u |t| of that product and 2 u (R + |t|) of the sums, which fit into the remainder of its 8 u.
    const V most = hn::Add(hn::Sub(in_b.most, Dot(way, t)), in_a.most);
    const V below = hn::Sub(hn::Neg(hn::Mul(most, one)), Row(kError)), lower = Row(kLower);
    Put(Choose(hn::Gt(below, lower), one * way, Three(kAcross)), kAcross);
    Put(hn::Max(lower, below), kLower);
    Put(hn::Add(Row(kSupports), Num(1)), kSupports);
  }

  /// The rest of the step. Lanes that have ended report their result and take the next pose.
  HWY_INLINE void Advance() {
    const D d;
    const V error = Row(kError), last2 = Row(kLast2), none = hn::Zero(d);
    const LaneSimplex simplex = GetSimplex();
    const LaneVertex last = GetVertex(kLast);
    const M far_apart = hn::Gt(hn::Sub(Row(kLower), Num(shared_.balls)), Num(shared_.stop_above));
    M meeting = hn::MaskFromVec(none);
    if (kEndsWhereMeeting && shared_.inner > 0) meeting = hn::AndNot(far_apart, IsInCone(last.w));
    const M enough = hn::And(Above0(simplex.size), IsEnough(hn::Add(hn::Sqrt(last2), error)));

    const M known = IsKnown(simplex, last), straight = Above0(Row(kStraight));
    const LaneNearest near = NearestWith(simplex, last);
    const M stalled = hn::Or(known, hn::Not(hn::Or(near.inside, hn::Lt(near.distance2, last2))));
    const M ended = hn::Or(far_apart, hn::Or(meeting, enough));
    const M around = hn::AndNot(hn::Or(ended, known), near.inside);
    const M open = hn::AndNot(ended, hn::And(stalled, straight));
    const M stays = hn::Or(hn::Or(ended, around), stalled);

    Put(Choose(stays, simplex, near.simplex));
    const V new2 = hn::IfThenElse(stays, last2, near.distance2);
    const V3 towards = Choose(stays, Three(kTowards), near.towards);
    const V length2 = Dot(towards, towards);
    // Use a direction beside the nearest point until there is a face; if the search stalls, use
    // that of the nearest point.
    const M goes_straight =
        hn::Or(hn::Or(straight, stalled), hn::AndNot(stays, hn::Gt(near.simplex.size, Num(2.5))));
    const V3 way =
        towards +
        hn::IfThenZeroElse(goes_straight, hn::Mul(Num(kKept), RoughRoot(length2))) * Three(kAcross);
    Put(new2, kLast2), Put(towards, kTowards), Put(way, kWay);
    Put(hn::IfThenElse(goes_straight, Num(1), none), kStraight);

    // No progress beyond rounding, or the next direction has no length.
    const M lost = hn::Or(hn::AndNot(stays, hn::Le(new2, hn::Mul(error, error))),
                          hn::Not(hn::Gt(hn::Min(length2, Dot(way, way)), Num(1e-200))));
    M near_enough = enough;
    if (kEndsWhereMeeting && shared_.options.goal == Goal::decide && shared_.balls > 0) {
      const V within = hn::Sub(Num(shared_.balls_below), hn::Add(error, error));
      near_enough =
          hn::Or(near_enough,
                 hn::AndNot(stays, hn::And(Above0(within), hn::Lt(new2, hn::Mul(within, within)))));
    }
    const M too_long = hn::Gt(Row(kSupports), Num(kMostLaneSteps));
    const unsigned ends = Bits(hn::Or(hn::Or(hn::Or(ended, near_enough), hn::Or(around, open)),
                                      hn::Or(lost, too_long))) &
                          running_;
    if (ends == 0) return;
    Put(hn::IfThenElse(
            far_apart, Code(PoseEnding::far_apart),
            hn::IfThenElse(meeting, Code(PoseEnding::meeting),
                           hn::IfThenElse(near_enough, Code(PoseEnding::nearest),
                                          hn::IfThenElseZero(around, Code(PoseEnding::around))))),
        kEnding);
    for (std::size_t k = 0; k < 4; ++k) Put(near.volume[k], kVolume + k);
    for (unsigned left = ends; left != 0; left &= left - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(left));
      Tell(lane);
      TakeNext(lane);
    }
  }

 private:
  /// After the rows of the pose follow the size, vertices and weights of the simplex.
  enum : std::size_t {
    kWay = kPoseRows,     // search direction
    kTowards = kWay + 3,  // the nearest point, times a factor
    kAcross = kTowards + 3,
    kLower = kAcross + 3,
    kLast2,
    kStraight,
    kSupports,
    kEnding,
    kSize,
    kVertices,
    kShares = kVertices + 12,
    kLast = kShares + 3,
    kVolume = kLast + 4,
    kRows = kVolume + 4
  };
  /// Corresponds to kKeptOfVertex and kKeptOfEdge of gjk-inl.h.
  static constexpr double kKept = 2.3;
  /// More than any known pair needs.
  static constexpr double kMostLaneSteps = 40;

  HWY_INLINE V Row(std::size_t row) const { return hn::Load(D(), rows_[row]); }
  HWY_INLINE V3 Three(std::size_t row) const { return {Row(row), Row(row + 1), Row(row + 2)}; }
  HWY_INLINE void Put(const V& v, std::size_t row) { hn::Store(v, D(), rows_[row]); }
  HWY_INLINE void Put(const V3& v, std::size_t row) {
    Put(v.x, row), Put(v.y, row + 1), Put(v.z, row + 2);
  }
  HWY_INLINE LaneVertex GetVertex(std::size_t row) const { return {Three(row), Row(row + 3)}; }
  HWY_INLINE void Put(const LaneVertex& v, std::size_t row) { Put(v.w, row), Put(v.name, row + 3); }
  HWY_INLINE LaneSimplex GetSimplex() const {
    return {Row(kSize),   GetVertex(kVertices), GetVertex(kVertices + 4), GetVertex(kVertices + 8),
            Row(kShares), Row(kShares + 1),     Row(kShares + 2)};
  }
  HWY_INLINE void Put(const LaneSimplex& s) {
    Put(s.size, kSize);
    Put(s.p, kVertices), Put(s.q, kVertices + 4), Put(s.r, kVertices + 8);
    Put(s.share_p, kShares), Put(s.share_q, kShares + 1), Put(s.share_r, kShares + 2);
  }

  HWY_INLINE static V Code(PoseEnding e) { return Num(static_cast<double>(e)); }
  HWY_INLINE static unsigned Bits(const M& mask) {
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(D(), mask, bits);
    return bits[0];
  }
  /// Does the same as rough_root.
  HWY_INLINE static V RoughRoot(const V& x) {
    const DU du;
    return hn::BitCast(D(), hn::Add(hn::ShiftRight<1>(hn::BitCast(du, x)),
                                    hn::Set(du, std::uint64_t{0x1ff7a3bea91d9b1b})));
  }

  HWY_INLINE static M IsKnown(const LaneSimplex& s, const LaneVertex& last) {
    const DU du;
    const auto same = [&](const LaneVertex& v, double size) HWY_ATTR {
      return hn::And(
          hn::RebindMask(D(), hn::Eq(hn::BitCast(du, v.name), hn::BitCast(du, last.name))),
          hn::Gt(s.size, Num(size)));
    };
    return hn::Or(hn::Or(same(s.p, 0.5), same(s.q, 1.5)), same(s.r, 2.5));
  }

  /// Does the same as GjkRun::is_in_cone.
  HWY_INLINE M IsInCone(const V3& w) const {
    const V error = Row(kError);
    const V3 middle = Three(kMiddle);
    const V twice = hn::Add(error, error), inner = hn::Sub(Num(shared_.inner), twice);
    const V3 e = w - middle;
    const V r2 = hn::Mul(inner, inner), more = hn::Sub(Dot(e, e), r2);
    const V t = hn::Min(hn::Max(hn::Div(hn::Neg(hn::Add(Dot(middle, e), r2)), more), hn::Zero(D())),
                        Num(1));
    const V3 p = middle + t * e;
    const V within = hn::Sub(hn::Mul(hn::Sub(Num(1), t), inner), twice);
    return hn::And(hn::And(Above0(inner), Above0(hn::Min(more, within))),
                   hn::Lt(Dot(p, p), hn::Mul(hn::Mul(within, within), Num(math::kRoundDown))));
  }

  /// Does the same as GjkRun::enough.
  HWY_INLINE M IsEnough(const V& upper_core) const {
    const V lower_core = Row(kLower);
    const V lower = hn::Max(hn::Sub(lower_core, Num(shared_.balls)), hn::Zero(D())),
            upper = hn::Sub(upper_core, Num(shared_.balls_below));
    const V gap = hn::Max(hn::Max(hn::Mul(Num(shared_.options.relative_error), lower),
                                  Num(shared_.options.absolute_error)),
                          hn::Mul(Num(4), Row(kError)));
    const M cores = hn::Ge(lower_core, hn::Sub(upper_core, gap));
    if (shared_.options.goal != Goal::distance) return cores;
    return hn::Or(cores, hn::Le(hn::Sub(upper, lower), gap));
  }

  HWY_INLINE void Tell(std::size_t lane) const {
    const auto at = [&](std::size_t row) { return rows_[row][lane]; };
    AtPose& f = found_[pose_[lane]];
    f.ending = static_cast<PoseEnding>(static_cast<int>(at(kEnding)));
    f.size = static_cast<std::uint8_t>(at(kSize)), f.supports = static_cast<int>(at(kSupports));
    const bool around = f.ending == PoseEnding::around;
    if (around) f.size = 4;
    for (std::size_t k = 0; k < 3; ++k) {
      f.vertex[k] =
          static_cast<std::uint16_t>(std::bit_cast<std::uint64_t>(at(kVertices + 4 * k + 3)));
      f.share[k] = at((around ? kVolume : kShares) + k);
    }
    f.vertex[3] = static_cast<std::uint16_t>(std::bit_cast<std::uint64_t>(at(kLast + 3)));
    f.share[3] = around ? at(kVolume + 3) : 0;
    f.lower = at(kLower), f.direction = {at(kAcross), at(kAcross + 1), at(kAcross + 2)};
  }

  HWY_INLINE void TakeNext(std::size_t lane) {
    running_ &= ~(1u << lane);
    if (waiting_.next == waiting_.count) return;
    const std::size_t pose = waiting_.next++;
    const double* const p = waiting_.at[pose];
    pose_[lane] = waiting_.number[pose];
    for (std::size_t k = 0; k < kPoseRows; ++k) rows_[k][lane] = p[k];
    const double x = p[kMiddle], y = p[kMiddle + 1], z = p[kMiddle + 2];
    const bool has_length = (x * x + y * y) + z * z > p[kError] * p[kError];
    rows_[kWay][lane] = has_length ? x : 1;
    rows_[kWay + 1][lane] = has_length ? y : 0, rows_[kWay + 2][lane] = has_length ? z : 0;
    for (std::size_t k = 0; k < 3; ++k) rows_[kTowards + k][lane] = rows_[kWay + k][lane];
    rows_[kLower][lane] = -kInfinity, rows_[kLast2][lane] = kInfinity;
    rows_[kStraight][lane] = rows_[kSupports][lane] = rows_[kSize][lane] = 0;
    running_ |= 1u << lane;
  }

  const SharedNumbers& shared_;
  WaitingPoses& waiting_;
  AtPose* const found_;
  unsigned running_ = 0;
  std::array<std::uint8_t, kLanes> pose_ = {};
  alignas(64) double rows_[kRows][kLanes];
};

}  // namespace pose_lanes
}  // namespace HWY_NAMESPACE
}  // namespace touche::convex
HWY_AFTER_NAMESPACE();

#endif
