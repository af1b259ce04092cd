// SPDX-License-Identifier: Apache-2.0
// The search of depth.cpp for polytopes, with a polytope of few faces that decides everything in
// double precision. The finder of supporting points is compiled into it, once for each instruction
// set. If it cannot decide, as with nearly coplanar faces or touching bodies, depth.cpp starts
// anew.
#if defined(TOUCHE_CONVEX_SMALL_DEPTH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_CONVEX_SMALL_DEPTH_INL_H_
#undef TOUCHE_CONVEX_SMALL_DEPTH_INL_H_
#else
#define TOUCHE_CONVEX_SMALL_DEPTH_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "convex/deepest_place.h"
#include "convex/depth.h"
#include "convex/small_polytope-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche::convex {
namespace HWY_NAMESPACE {
namespace small_polytope {

using touche::math::both;
using touche::math::either;
using touche::math::Three;

/// `Finder` finds supporting points of the pair, and provides its corners.
template <class Finder>
class SmallDepth {
 public:
  HWY_INLINE SmallDepth(const convex::Pair& pair, const convex::PenetrationOptions& options,
                        const Finder& finder, SmallTables& tables)
      : pair_(pair),
        options_(options),
        finder_(finder),
        t_(tables),
        polytope_(tables),
        error_(convex::depth_error(pair)),
        balls_(pair.a.radius + pair.b.radius) {}

  /// Bounds as in depth.cpp. False if it does not decide.
  HWY_INLINE bool run(convex::Penetration& found) {
    if (!find_first() || !polytope_.start()) return false;
    const double balls_below = balls_ * (1 - 4 * math::kUnitRoundoff);
    double lower = -kInfinity, upper = kInfinity;  // without balls
    found.supports = kFirst;
    while (true) {
      if (polytope_.is_full()) return false;
      const std::size_t f = polytope_.nearest();
      lower = std::max(lower, polytope_.nearest_offset() - error_);
      math::Three m = polytope_.normal(f);
      double m2 = math::dot(m, m);
      if (!(m2 > 0)) return false;
      if constexpr (!Finder::kAnyLength) m = 1 / std::sqrt(m2) * m, m2 = math::dot(m, m);
      const convex::Farthest farthest = find(m);
      ++found.supports;
      const double height = farthest.most / std::sqrt(m2) + error_;
      // No branch depends on which bound is better, since it would be mispredicted.
      looked_[spare_].x = m.x, looked_[spare_].y = m.y, looked_[spare_].z = m.z;
      looked_[spare_].point = polytope_.points();
      spare_ ^= static_cast<unsigned>(height < upper);
      upper = std::min(upper, std::max(height, 0.0));
      found.converged = convex::bounds_agree(lower + balls_, upper + balls_, error_, options_);
      if (found.converged || lower + balls_below > options_.stop_above) break;
      if (!polytope_.grow(farthest.w)) return false;
    }
    found.lower = std::max(0.0, lower + balls_below);
    found.upper = upper + balls_ * (1 + 4 * math::kUnitRoundoff);
    touch(looked_[spare_ ^ 1], upper, upper - std::max(lower, 0.0), found);
    return true;
  }

 private:
  /// The source of the upper bound: a face's normal, and the point farthest along it. Numbers are
  /// written and read one by one, see three.h.
  struct Looked {
    double x, y, z;
    std::size_t point;
  };

  HWY_INLINE convex::Farthest find(const math::Three& m) {
    convex::Vertex v;
    const convex::Farthest farthest = finder_.find(m, v);
    t_.corner_a[polytope_.points()] = v.corner_a, t_.corner_b[polytope_.points()] = v.corner_b;
    return farthest;
  }

  /// Finds the farthest points along the direction in which the penetration is shallow, around it
  /// and opposite: the nearest face is usually there.
  HWY_INLINE bool find_first() {
    const math::Three middle = finder_.middle();
    const double length2 = math::dot(middle, middle);
    if (!(length2 > 1e-200 && length2 < 1e200)) return false;
    const math::Three side = -1 / std::sqrt(length2) * middle;
    // The axis that is most nearly perpendicular is chosen without branches.
    const double by_x = std::abs(side.x), by_y = std::abs(side.y), by_z = std::abs(side.z);
    const bool is_x = math::both(by_x <= by_y, by_x <= by_z),
               is_y = math::both(!is_x, by_y <= by_z);
    const auto is_z = static_cast<int>(!math::either(is_x, is_y));
    const math::Three axis(static_cast<int>(is_x), static_cast<int>(is_y), is_z);
    const math::Three u = 0.5 * math::cross(side, axis), v = 0.8660254 * math::cross(side, u);
    finder_.find_around(side, u, v, t_);
    for (std::size_t i = 0; i < kFirst; ++i)
      t_.set_first(i, finder_.corner_b(t_.corner_b[i]) - finder_.corner_a(t_.corner_a[i]));
    return true;
  }

  /// Sets the deepest points: the point of the polytope's surface at the foot of the origin, as a
  /// point of either body; or else the supporting points from which the upper bound was computed.
  HWY_INLINE void touch(const Looked& best, double upper, double allowed,
                        convex::Penetration& found) const {
    const math::Three n(best.x, best.y, best.z), way = 1 / std::sqrt(math::dot(n, n)) * n;
    const auto corner_a = [&](std::size_t at)
                              HWY_ATTR { return finder_.corner_a(t_.corner_a[at]); };
    const auto corner_b = [&](std::size_t at)
                              HWY_ATTR { return finder_.corner_b(t_.corner_b[at]); };
    math::Three a = corner_a(best.point), b = corner_b(best.point);
    const math::Three off = (b - a) - upper * way;
    convex::DeepestPlace place;
    place.square = math::dot(off, off);
    take(polytope_.nearest(), way, upper, place);
    if (!place.is_within(allowed))
      polytope_.each_within(upper, [&](std::size_t f) HWY_ATTR { take(f, way, upper, place); });
    if (place.is_on_face()) {
      const auto& [i, j, k] = place.corner;
      const auto& [at_i, at_j, at_k] = place.share;
      a = (at_i * corner_a(i) + at_j * corner_a(j)) + at_k * corner_a(k);
      b = (at_i * corner_b(i) + at_j * corner_b(j)) + at_k * corner_b(k);
    }
    found.direction = (-way).vec();
    found.point_a = (a - pair_.a.radius * way).vec();
    found.point_b = (b + pair_.b.radius * way).vec();
  }
  HWY_INLINE void take(std::size_t f, const math::Three& way, double upper,
                       convex::DeepestPlace& place) const {
    const std::uint32_t corners = t_.corners[f];
    const std::uint32_t i = corners & 0xff, j = corners >> 8 & 0xff, k = corners >> 16;
    place.take({i, j, k}, t_.points[i].at(), t_.points[j].at(), t_.points[k].at(), way, upper);
  }

  const convex::Pair& pair_;
  const convex::PenetrationOptions& options_;
  const Finder& finder_;
  SmallTables& t_;
  SmallPolytope polytope_;
  const double error_, balls_;
  std::array<Looked, 2> looked_;  // the best one, and one to be written next
  unsigned spare_ = 0;
};

}  // namespace small_polytope
}  // namespace HWY_NAMESPACE
}  // namespace touche::convex
HWY_AFTER_NAMESPACE();

#endif
