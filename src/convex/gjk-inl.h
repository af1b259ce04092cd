// SPDX-License-Identifier: Apache-2.0
// The distance search of two bodies, for any finder of supporting points. It is compiled together
// with the finder into one function, so that numbers stay in registers; for polytopes once for each
// instruction set, since scalar code of newer sets is shorter, too. Without fused multiply-add (see
// the compilers' options) it gives the same bits on all of them.
#if defined(TOUCHE_CONVEX_GJK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_CONVEX_GJK_INL_H_
#undef TOUCHE_CONVEX_GJK_INL_H_
#else
#define TOUCHE_CONVEX_GJK_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "convex/gjk.h"
#include "convex/nearest-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche::convex {
namespace HWY_NAMESPACE {
namespace convex_gjk {

using convex::Ends;
using convex::Farthest;
using convex::Nearest;
using convex::Pair;
using convex::Separation;
using convex::SeparationOptions;
using convex::Simplex;
using convex::Vertex;
using touche::math::Three;

/// Far more than any known pair needs; if it is reached, the bounds found so far are valid.
inline constexpr int kMostSteps = 128;
inline constexpr int kMostDrawn = 32;

/// While the simplex has no face, its nearest point is a poor indication of the direction: a vertex
/// of a large body may be far off to the side. So the direction with the best bound so far is mixed
/// in with these weights.
inline constexpr double kKeptOfVertex = 3, kKeptOfEdge = 1.5;

/// Approximates a square root within 4 %, without the latency of the exact one. It stays in a
/// vector register, since moving a number to another register and back takes longer than the rest.
HWY_INLINE double rough_root(double x) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<double, 1> d;
  const hn::RebindToUnsigned<decltype(d)> du;
  const auto half = hn::ShiftRight<1>(hn::BitCast(du, hn::Set(d, x)));
  const auto bits = hn::Add(half, hn::Set(du, std::uint64_t{0x1ff7a3bea91d9b1b}));
  return hn::GetLane(hn::BitCast(d, bits));
}

/// Whether w is already that of a vertex. All slots are compared, because a loop over their number
/// would be mispredicted: `same` has a bit for each slot that equals w, `taken` one for each slot
/// that is used. At most three slots are used.
HWY_INLINE bool has(const Simplex& s, const math::Three& w) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<double, 4> d;
  unsigned same = 0, taken = 0;
  for (std::size_t i = 0; i < 4; i += hn::MaxLanes(d)) {
    const auto is = hn::And(hn::And(hn::Eq(hn::LoadU(d, s.x.data() + i), hn::Set(d, w.x)),
                                    hn::Eq(hn::LoadU(d, s.y.data() + i), hn::Set(d, w.y))),
                            hn::Eq(hn::LoadU(d, s.z.data() + i), hn::Set(d, w.z)));
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, is, bits);
    same |= static_cast<unsigned>(bits[0]) << i;
  }
  for (int i = 0; i < 3; ++i)
    taken |= static_cast<unsigned>(i < s.size) << s.at[static_cast<std::size_t>(i)];
  return (same & taken) != 0;
}

/// Finder: find(d, vertex) does what convex::find_vertex does along d, except for what
/// complete(vertex) adds later, which returns both of its points; find returns the vertex's w;
/// middle() is the vector from a's centre to b's, scaled. kAnyLength: whether directions may be as
/// short as 1e-100. Underflow changes products with a corner by less than 2^-1070, which is less
/// than 1e-220 of the direction's length, as sizes are at least 2^-60 here. Directions are not
/// longer than the cube of the largest difference, 2^190.
template <class Finder>
class GjkRun {
 public:
  HWY_INLINE GjkRun(const Pair& pair, const SeparationOptions& options, double scale,
                    const Finder& finder, Simplex& simplex)
      : pair_(pair), options_(options), finder_(finder), simplex_(simplex), scale_(scale) {
    // This bounds errors of differences, directions and lengths, and of the nearest points.
    size_error_ =
        8 * math::kUnitRoundoff * scale_ * (pair.a.reach + pair.b.reach + pair.b_in_a.shift());
    error_ = scale_ * pair.error() + 2 * size_error_;
    balls_ = scale_ * (pair.a.radius + pair.b.radius) * (1 + 4 * math::kUnitRoundoff);
    balls_below_ = scale_ * (pair.a.radius + pair.b.radius) * (1 - 4 * math::kUnitRoundoff);
    stop_above_ = options.goal == convex::Goal::decide ? 0 : scale_ * options.stop_above;
    const double within = std::max(0.0, balls_below_ - 2 * error_);
    within_balls2_ = within * within;
    if (options.goal == convex::Goal::decide)
      inner_ = scale_ * (pair.a.inner + pair.b.inner) * math::kRoundDown - 2 * error_;
  }

  HWY_INLINE void run(Separation& found) {
    math::Three v(options_.guess);
    const bool no_guess = v.x == 0 && v.y == 0 && v.z == 0;
    if (no_guess || inner_ > 0) {
      middle_ = finder_.middle();
      if (no_guess) v = middle_;
    }
    if (!(math::dot(v, v) > error_ * error_)) v = {1, 0, 0};
    Look look = look_along(v);
    double last2 = kInfinity;
    // From now on, the direction is that of the nearest point. For round bodies this holds from the
    // start: their vertices approach each other, and a direction beside the nearest point would end
    // the search before the bounds meet.
    bool straight = !pair_.a.round.empty() || !pair_.b.round.empty();
    Nearest near;
    simplex_.size = 0;
    // At a smaller distance the search ends: nothing more can be proved, or the balls overlap.
    const double enough2 =
        std::max(error_ * error_, options_.goal == convex::Goal::decide ? within_balls2_ : 0);
    for (int step = 0; step < kMostSteps; ++step) {
      const math::Three d = look.way;
      Vertex& vertex = simplex_.next();
      const Farthest farthest = finder_.find(-d, vertex);
      const math::Three w = farthest.w;
      ++supports_;
      if (drawn_ > 0) [[unlikely]]
        finder_.complete(vertex);
      // The root is computed only now, so that it does not delay a multiplication of the scans.
      const double one = 1 / std::sqrt(look.length2);
      if (proves_enough(d, one, farthest)) break;
      if (simplex_.size == 0) {  // the first vertex has nothing to be compared with
        simplex_.add_next(w);
        simplex_.share[0] = 1;
        v = w, last2 = math::dot(w, w);
        if (!(last2 > enough2)) [[unlikely]] {
          if (!(last2 <= enough2)) simplex_.size = 0;  // not a number: nothing is known
          break;
        }
        look = straight ? look_along(w) : look_beside(w, last2, kKeptOfVertex);
        continue;
      }
      upper_ = std::sqrt(last2) + error_ + drift_;
      const bool known = has(simplex_, w);
      if (enough() || (known && straight)) break;
      if (known) [[unlikely]] {
        look = look_along(v), straight = true;
        continue;
      }
      simplex_.add_next(w);
      if (options_.goal == convex::Goal::decide || simplex_.size < 4 ||
          !convex_nearest::is_nearest_on_the_way(simplex_, v, w, near))
        convex_nearest::find_nearest(simplex_, w, near);
      if (near.size < 4 && !(near.distance2 < last2)) [[unlikely]] {
        --simplex_.size;
        if (!straight) {
          look = look_along(v), straight = true;
          continue;
        }
        // A triangle of nearly collinear points, which round bodies produce, has no meaningful
        // normal. The last nearest point and the new vertex can still be used.
        finder_.complete(vertex);
        const Vertex last = vertex;
        if (!draw_together()) break;
        simplex_.add(last);
        convex_nearest::find_nearest(simplex_, w, near);
      }
      near.keep_in(simplex_);
      if (near.size == 4) {
        complete();
        inside_ = depth_inside(simplex_) - error_ - drift_;
        break;
      }
      if (!(near.distance2 < last2)) [[unlikely]]
        break;  // no progress beyond rounding
      v = near.point;
      last2 = near.distance2;
      if (last2 <= enough2) [[unlikely]]
        break;
      straight = straight || simplex_.size == 3;
      // `towards` is available without a division and its latency.
      look = look_along(Finder::kAnyLength ? near.towards : v);
      if (!(look.length2 > 1e-200)) [[unlikely]]
        look = look_along(v);
      if (!straight)
        look =
            look_beside(look.way, look.length2, simplex_.size == 1 ? kKeptOfVertex : kKeptOfEdge);
    }
    finish(found);
  }

 private:
  /// The next search direction.
  struct Look {
    math::Three way;
    double length2;
  };
  HWY_INLINE static Look look_along(const math::Three& way) { return {way, math::dot(way, way)}; }
  /// The direction between `way` and the best direction so far, with this weight.
  HWY_INLINE Look look_beside(const math::Three& way, double length2, double kept) const {
    return look_along(way + kept * rough_root(length2) * across_[spare_ ^ 1]);
  }

  /// Uses the plane perpendicular to d, whose length is one over `one`, through the farthest vertex
  /// found. Returns whether the search can end.
  HWY_INLINE bool proves_enough(const math::Three& d, double one, const Farthest& farthest) {
    // No branch depends on which bound is better, since it would be mispredicted, long after it was
    // taken.
    const double below = -farthest.most * one - error_;
    across_[spare_] = one * d;
    spare_ ^= static_cast<unsigned>(below > lower_);
    lower_ = below > lower_ ? below : lower_;
    return lower_ - balls_ > stop_above_ || (inner_ > 0 && is_in_cone(farthest.w));
  }

  /// Whether the bounds agree as well as the options demand, or as well as rounding allows.
  HWY_INLINE bool enough() const {
    const double lower = std::max(lower_ - balls_, 0.0), upper = upper_ - balls_below_;
    const double gap =
        std::max({options_.relative_error * lower, scale_ * options_.absolute_error, 4 * error_});
    if (lower_ >= upper_ - gap) return true;
    return options_.goal == convex::Goal::distance && upper - lower <= gap;
  }

  /// Returns how much the bounds may differ and still agree up to rounding.
  double rounding() const {
    const bool round = !pair_.a.round.empty() || !pair_.b.round.empty();
    return (round ? convex::kSeparationError : convex::kPolytopeSeparationError) / 8 /
           math::kUnitRoundoff * size_error_;
  }

  /// Whether the origin is in the hull of w and the ball that is contained in all differences.
  /// Around each point between the ball's centre and w there is a smaller ball in that hull. This
  /// decides in one or two steps; a tetrahedron takes at least four.
  HWY_INLINE bool is_in_cone(const math::Three& w) {
    // The t at which |middle + t e|² - (1 - t)² inner² is least; the rounding of t does not matter.
    // Whether the minimum is below 0 is decided without a quotient and its latency.
    const math::Three e = w - middle_;
    const double r2 = inner_ * inner_, more = math::dot(e, e) - r2,
                 less = math::dot(middle_, e) + r2;
    if (!(std::min(less * less - more * (math::dot(middle_, middle_) - r2), -less) > 0))
      return false;
    const double t = std::clamp(-less / more, 0.0, 1.0);
    const math::Three p = middle_ + t * e;
    const double within = (1 - t) * inner_ - 2 * error_, p2 = math::dot(p, p);
    if (!(within > 0) || !(p2 < within * within)) return false;
    inside_ = within - std::sqrt(p2);
    return inside_ > 0;
  }

  /// Completes all vertices of the simplex. After draw_together() all are complete, and not all are
  /// corners.
  HWY_INLINE void complete() {
    if (drawn_ > 0) return;
    for (int i = 0; i < simplex_.size; ++i) finder_.complete(simplex_.vertex(i));
  }

  /// The nearest points of the simplex in both bodies. They are points of the cores, since the
  /// weights are not negative and add up to 1, except for less than 10 u of their sizes: from a
  /// product, sums of up to four numbers, the sum of the weights, and the division by it.
  HWY_INLINE Ends nearest() {
    Ends n = {{0, 0, 0}, {0, 0, 0}};
    double all = 0;
    for (int i = 0; i < simplex_.size; ++i) {
      Vertex& vertex = simplex_.vertex(i);
      const Ends ends = drawn_ > 0 ? Ends{math::Three(vertex.a), math::Three(vertex.b)}
                                   : finder_.complete(vertex);
      const double share = simplex_.share[static_cast<std::size_t>(i)];
      n.a = n.a + share * ends.a, n.b = n.b + share * ends.b;
      all += share;
    }
    const double one = 1 / all;
    return {one * n.a, one * n.b};
  }

  /// Makes the nearest points the only vertex. Returns false if there is only one vertex, or if
  /// rounding would accumulate too much.
  bool draw_together() {
    if (simplex_.size < 2 || drawn_ == kMostDrawn) return false;
    const Ends near = nearest();
    Vertex n;
    n.a = near.a.vec(), n.b = near.b.vec(), n.w = (near.b - near.a).vec();
    n.corner_a = simplex_.vertex(0).corner_a, n.corner_b = simplex_.vertex(0).corner_b;
    simplex_.size = 0;
    simplex_.add(n);
    simplex_.share[0] = 1;
    ++drawn_;
    drift_ += size_error_;
    return true;
  }

  HWY_INLINE void finish(Separation& found) {
    found.supports = supports_;
    const double back = 1 / scale_;
    found.direction = across_[spare_ ^ 1].vec();
    const bool decided =
        options_.goal == convex::Goal::decide && (lower_ - balls_ > 0 || inside_ > 0);
    if (simplex_.size == 0 || decided) {  // size 0: the search ended after the first plane
      found.lower = (lower_ - balls_) * back;
      if (inside_ > 0) found.upper = (-inside_ - balls_below_) * back;
      return;
    }
    const Ends near = nearest();
    math::Three a = near.a, b = near.b;
    const math::Three w = b - a;
    const double apart = std::sqrt(math::dot(w, w));
    upper_ = simplex_.size == 4 && inside_ > 0 ? -inside_ : apart + error_ + drift_;
    found.lower = (lower_ - balls_) * back;
    found.upper = (upper_ - balls_below_) * back;
    found.converged = enough() || found.upper <= 0 || upper_ - lower_ <= rounding();
    found.core_a = (back * a).vec(), found.core_b = (back * b).vec();
    const double radius_a = scale_ * pair_.a.radius, radius_b = scale_ * pair_.b.radius,
                 radii = radius_a + radius_b;
    if (radii > 0 && apart >= radii) {
      // Use this direction and not that of the best plane: otherwise the points would be displaced
      // sideways.
      const math::Three n = 1 / apart * w;
      a = a + radius_a * n, b = b - radius_b * n;
    } else if (radii > 0) {  // a common point
      const double t = radius_a / radii;
      a = b = (1 - t) * a + t * b;
    }
    found.point_a = (back * a).vec(), found.point_b = (back * b).vec();
  }

  const Pair& pair_;
  const SeparationOptions& options_;
  const Finder& finder_;
  Simplex& simplex_;
  double scale_;
  double error_ = 0, balls_ = 0, balls_below_ = 0, within_balls2_ = 0, stop_above_ = 0;
  double lower_ = -kInfinity, upper_ = kInfinity;  // of the cores, scaled
  // Of these two, one is the normal of the plane that proves the lower bound, the other one is
  // written next.
  std::array<math::Three, 2> across_ = {math::Three(1, 0, 0), math::Three(1, 0, 0)};
  unsigned spare_ = 0;
  double inside_ = 0;
  math::Three middle_ = {0, 0, 0};  // from a's centre to b's
  double inner_ = 0;  // a ball of this radius around it is in b − a; used with `decide`
  double size_error_ = 0, drift_ = 0;
  int drawn_ = 0;
  int supports_ = 0;
};

}  // namespace convex_gjk
}  // namespace HWY_NAMESPACE
}  // namespace touche::convex
HWY_AFTER_NAMESPACE();

#endif
