// SPDX-License-Identifier: Apache-2.0
// An interval of time is finished when some vertex of each part is proved to stay outside: during
// the interval the vertex stays in a ball around its position at the middle time, and a bound of
// the winding number proves the whole ball to be outside, or that of the hull of an open body does.
// Otherwise the interval is halved.
#include "path/enclosure.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "math/rounding.h"
#include "path/interior.h"

namespace touche::paths {
namespace {

constexpr int kBoundsLevels = 6;   // levels of halving when only bounds are tested
constexpr int kMaxSplits = 400;    // intervals tested for one part
constexpr int kMaxChecks = 4'000;  // intervals tested for all parts
constexpr std::size_t kWitnesses = 16;

struct Interval {
  double begin, end;
  double middle() const { return 0.5 * (begin + end); }
};

class EnclosureSearch {
 public:
  EnclosureSearch(const Interior& outer, std::span<const Vec3> points, const Aabb& bounds,
                  const Motion& motion, double slack, const Budget& budget)
      : outer_(base::data_of(outer)),
        points_(points),
        bounds_(bounds),
        motion_(motion),
        is_still_(motion.is_still()),
        slack_(slack),
        budget_(budget) {
    const Aabb &a = outer.object().bounds(), &b = bounds;
    error_ = math::kFormulaError * (a.lo.norm() + a.hi.norm() + b.lo.norm() + b.hi.norm());
  }

  Enclosure part(const std::vector<Index>& vertices, const Interval& whole) {
    std::vector<Interval> waiting = {whole};
    for (int splits = 0; !waiting.empty(); ++splits) {
      if (splits >= kMaxSplits || ++checks_ > kMaxChecks || budget_.expired())
        return Enclosure::undecided;
      const Interval t = waiting.back();
      waiting.pop_back();
      if (all_stay_outside(t)) continue;
      const Pose pose = motion_.pose(t.middle());
      const Index witness = most_outside(vertices, pose);
      if (witness == kNone)
        return any_decides(vertices, pose) ? Enclosure::found : Enclosure::undecided;
      const Vec3& v = points_[witness];
      if (are_outside(pose * v, radius({v, 0}, t))) continue;
      if (is_still_ || !(t.begin < t.middle() && t.middle() < t.end)) return Enclosure::undecided;
      waiting.push_back({t.middle(), t.end});
      waiting.push_back({t.begin, t.middle()});
    }
    return Enclosure::never;
  }

 private:
  double radius(const Ball& ball, const Interval& t) const {
    const double moved = motion_.displacement_bound(ball, t.middle(), t.begin, t.end);
    return (ball.radius + moved) * math::kRoundUp + error_ +
           math::kFormulaError * motion_.pose(t.middle()).translation().norm();
  }

  bool all_stay_outside(const Interval& t) const {
    const Ball ball = {bounds_.centre(), 0.5 * bounds_.diagonal()};
    return are_outside(motion_.pose(t.middle()) * ball.centre, radius(ball, t));
  }

  /// Returns true only if no point within `radius` of x lies inside, or in the hull of an open
  /// body.
  bool are_outside(const Vec3& x, double radius) const {
    return outer_.is_open() ? outer_.hull().distance(x) > radius + slack_
                            : outer_.holds_none(x, radius);
  }

  /// Finds a vertex that lies outside, from a few tries the one with the smallest winding number;
  /// kNone if all lie inside. Returns any vertex if the budget has expired.
  Index most_outside(const std::vector<Index>& vertices, const Pose& pose) const {
    return outer_.is_open() ? farthest(vertices, pose) : least_wound(vertices, pose);
  }

  /// The vertex that is farthest from the hull of an open body; kNone if none is proved to lie
  /// beyond it.
  Index farthest(const std::vector<Index>& vertices, const Pose& pose) const {
    Index best = kNone;
    double most = error_ + slack_;
    for (const Index v : vertices)
      if (const double away = outer_.hull().distance(pose * points_[v]); away > most)
        most = away, best = v;
    return best;
  }

  Index least_wound(const std::vector<Index>& vertices, const Pose& pose) const {
    Index best = kNone;
    double least = 0.5;
    const std::size_t stride = 1 + (vertices.size() - 1) / kWitnesses;
    for (std::size_t i = 0; i < vertices.size(); i += stride) {
      const Vec3 x = pose * points_[vertices[i]];
      if (!outer_.in_bounds(x)) return vertices[i];
      if (!decides(x)) continue;
      const double seen = std::abs(outer_.winding(x, 0, 4e-3).value);
      if (seen < least && !outer_.holds(x)) least = seen, best = vertices[i];
    }
    if (best != kNone) return best;
    const auto outside = std::find_if(vertices.begin(), vertices.end(), [&](Index v) {
      const Vec3 x = pose * points_[v];
      return budget_.expired() || (!outer_.holds(x) && decides(x));
    });
    return outside == vertices.end() ? kNone : *outside;
  }

  /// Whether a point is farther from the faces than openings that count as closed are wide.
  bool decides(const Vec3& x) const {
    return !outer_.is_capped() ||
           outer_.faces.nearest(x, 0).distance * math::kRoundDown > outer_.open_width() + error_;
  }

  bool any_decides(const std::vector<Index>& vertices, const Pose& pose) const {
    return std::ranges::any_of(vertices, [&](Index v) { return decides(pose * points_[v]); });
  }

  const Interior::Data& outer_;
  const std::span<const Vec3> points_;
  const Aabb& bounds_;
  const Motion& motion_;
  const bool is_still_;
  const double slack_;  // what reaches beyond the hull of an open body by no more may be inside
  const Budget& budget_;
  double error_;
  int checks_ = 0;
};

}  // namespace

bool bounds_may_meet(const Aabb& other, const Aabb& box, const Motion& inner_from_outer,
                     double t_start, double t_end) {
  const Ball ball = {box.centre(), 0.5 * box.diagonal()};
  std::vector<std::pair<Interval, int>> waiting = {{{t_start, t_end}, 0}};
  while (!waiting.empty()) {
    const auto [t, level] = waiting.back();
    waiting.pop_back();
    const Vec3 x = inner_from_outer.pose(t.middle()) * ball.centre;
    const double moved = inner_from_outer.displacement_bound(ball, t.middle(), t.begin, t.end);
    const double reach = math::kRoundFarUp * (ball.radius + moved) +
                         math::kFormulaError * (x.norm() + other.lo.norm() + other.hi.norm());
    if (aabb_tree::squared_distance(x, other) > reach * reach) continue;
    if (level == kBoundsLevels) return true;
    waiting.push_back({{t.middle(), t.end}, level + 1});
    waiting.push_back({{t.begin, t.middle()}, level + 1});
  }
  return false;
}

Enclosure find_enclosure(const Interior& outer, const Interior& inner,
                         const Motion& inner_from_outer, double t_start, double t_end,
                         const Budget& budget, double slack) {
  EnclosureSearch search(outer, inner.object().soup().vertices(), inner.object().bounds(),
                         inner_from_outer, slack, budget);
  Enclosure result = Enclosure::never;
  for (const auto& part : base::data_of(inner).parts) {
    const Enclosure of_part = search.part(part, {t_start, t_end});
    if (of_part == Enclosure::found) return of_part;
    if (of_part == Enclosure::undecided) result = of_part;
  }
  return result;
}

Enclosure find_enclosure(const Interior& outer, std::span<const Vec3> points, const Aabb& bounds,
                         const Motion& inner_from_outer, double t_start, double t_end,
                         const Budget& budget, double slack) {
  std::vector<Index> all(points.size());
  std::iota(all.begin(), all.end(), Index{0});
  return EnclosureSearch(outer, points, bounds, inner_from_outer, slack, budget)
      .part(all, {t_start, t_end});
}

Holds holds(const Interior& outer, Enclosure enclosure, const Budget& budget) {
  if (enclosure == Enclosure::never) return Holds::no;
  if (enclosure == Enclosure::found && !base::data_of(outer).is_open()) return Holds::yes;
  return budget.expired() ? Holds::undecided : Holds::open;
}

}  // namespace touche::paths
