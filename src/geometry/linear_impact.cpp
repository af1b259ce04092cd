// SPDX-License-Identifier: Apache-2.0
// The differences of the points of both primitives form a triangle or a parallelogram, whose
// corners move on straight lines; the primitives touch when it contains the origin. Along a fixed
// direction n every corner's height n·c(t) is linear in t, so the time for which all heights stay
// above the separation follows from a division. The direction to the nearest point at t proposes n;
// any n gives a valid proof. If the primitives nearly touch, the nearest point has so few accurate
// digits that its direction is no longer orthogonal to the feature it lies on: then it is
// orthogonalised, and normals are proposed as well. If the surfaces rotate while they touch,
// directions that rotate with them are used.
//
// Rounding, with u the unit roundoff, as shares of `size`, the largest |c(0)|₁ + |Δv|₁ + |Δf|₁. A
// corner at 0 is a difference of given numbers, its velocity a difference of differences: a corner
// over [0, 1] is off by 2 u. A height adds 3 u for its products and sums, |n| <= 1 + 4 u, and 5 u
// for the subtracted separation and the share of t. For rotating directions it is instead a height
// at one position, 2 u, and the mean of two, 1 u, divided by |n|, 4 u. Either way it is off by less
// than 12 u; `height_` lies 32 u above the separation, and the tolerance is at least eight times
// that, so that each step advances. So is a measured distance, which has to be 32 u below the
// tolerance. Numbers too large for this give an infinite size: nothing is proved then.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "base/budget_meter.h"
#include "base/progress_report.h"
#include "base/threads.h"
#include "geometry/point_triangle.h"
#include "math/rounding.h"
#include "touche/linear.h"

namespace touche {
namespace {

constexpr double kSlack = 32 * math::kUnitRoundoff;
constexpr double kLeastTolerance = 8 * kSlack;

// Usually three or four steps are needed, tens if surfaces rotate past each other.
constexpr std::uint32_t kMostSteps = 10000;

double magnitude(const Vec3& v) { return v.lpNorm<1>(); }

/// Corners of the difference over [0, 1]: of one primitive relative to the other.
template <int Count>
struct Corners {
  Vec3 at[Count];        // at t = 0
  Vec3 velocity[Count];  // per unit of t
  double size = 0;       // the magnitude that rounding is relative to

  void set(int i, const MovingVertex& p, const MovingVertex& q) {
    const Vec3 along_p = p.end - p.start, along_q = q.end - q.start;
    at[i] = p.start - q.start;
    velocity[i] = along_p - along_q;
    size = std::max(size, magnitude(at[i]) + magnitude(along_p) + magnitude(along_q));
  }
  Vec3 place(int i, double t) const { return at[i] + t * velocity[i]; }

  /// The time until which all corners stay at least `height` high along n, from t on. Less than t
  /// if a corner is lower at t.
  double above(const Vec3& n, double t, double height) const {
    double until = kInfinity;
    for (int i = 0; i < Count; ++i) {
      const double falls = -n.dot(velocity[i]), high = n.dot(at[i]) - height;
      if (falls > 0)
        until = std::min(until, high / falls);
      else if (!(high - t * falls >= 0))
        return -1;
    }
    return until;
  }
};

/// The point of the triangle, or parallelogram, nearest to the origin.
Vec3 nearest(const Corners<3>& corners, double t) {
  return -geometry::nearest_offset(Vec3::Zero(),
                                   {corners.place(0, t), corners.place(1, t), corners.place(2, t)});
}

// The corners are a0 − b0, a1 − b0, a0 − b1, a1 − b1.
Vec3 nearest(const Corners<4>& corners, double t) {
  const Vec3 origin = corners.place(0, t);
  const Vec3 u = corners.place(1, t) - origin, v = corners.place(2, t) - origin;
  const Vec3 opposite = corners.place(3, t);
  // Test both triangles of the parallelogram.
  const Vec3 first = -geometry::nearest_offset(Vec3::Zero(), {origin, origin + u, origin + v});
  const Vec3 second = -geometry::nearest_offset(Vec3::Zero(), {opposite, origin + u, origin + v});
  return first.squaredNorm() <= second.squaredNorm() ? first : second;
}

/// The edges that a nearest point may lie on.
std::array<Vec3, 3> edges(const Corners<3>& corners, double t) {
  const Vec3 p0 = corners.place(0, t), p1 = corners.place(1, t), p2 = corners.place(2, t);
  return {p1 - p0, p2 - p1, p0 - p2};
}
std::array<Vec3, 2> edges(const Corners<4>& corners, double t) {
  const Vec3 origin = corners.place(0, t);
  return {corners.place(1, t) - origin, corners.place(2, t) - origin};
}

Vec3 at_right_angles(const Vec3& v, const Vec3& to) {
  const double squared = to.squaredNorm();
  Vec3 out = v;
  if (!(squared > 0)) return out;
  // Twice, because the first subtraction leaves rounding errors of the removed component.
  for (int pass = 0; pass < 2; ++pass) out -= (out.dot(to) / squared) * to;
  return out;
}

/// A direction and the height of the lowest corner along it.
struct Direction {
  Vec3 n;
  double lowest;
};

/// A direction along which all corners are above `height`, and by as much as they can be.
template <int Count>
Direction direction(const Corners<Count>& corners, double t, const Vec3& to, double distance,
                    double height) {
  const auto rated = [&](const Vec3& n) {
    Direction d{n, kInfinity};
    for (int i = 0; i < Count; ++i) d.lowest = std::min(d.lowest, n.dot(corners.place(i, t)));
    return d;
  };
  Direction best = rated(to / distance);
  if (best.lowest - height >= 0.75 * (distance - height)) return best;
  const auto propose = [&](const Vec3& v) {
    const double length = v.norm();
    if (!(length > 0)) return;
    if (const Direction d = rated(v / length); d.lowest > best.lowest) best = d;
  };
  const auto along = edges(corners, t);
  const Vec3 nearest = best.n;
  for (const Vec3& edge : along) propose(at_right_angles(nearest, edge));
  const Vec3 normal = along[0].cross(along[1]);
  propose(normal.dot(to) < 0 ? Vec3(-normal) : normal);
  return best;
}

template <int Count>
Direction direction(const Corners<Count>& corners, double t, double height) {
  const Vec3 to = nearest(corners, t);
  const double distance = to.norm();
  return distance > 0 ? direction(corners, t, to, distance, height) : Direction{Vec3::UnitX(), 0};
}

/// Whether all corners stay above the height from t0 to t1 along a direction that is interpolated
/// linearly from n0 to n1. Heights are then parabolas, bounded below by their three Bernstein
/// coefficients; a direction between two unit vectors is no longer than these.
template <int Count>
bool above_while_turning(const Corners<Count>& corners, double t0, const Vec3& n0, double t1,
                         const Vec3& n1, double height) {
  for (int i = 0; i < Count; ++i) {
    const Vec3 c0 = corners.place(i, t0), c1 = corners.place(i, t1);
    const double least = std::min({n0.dot(c0), 0.5 * (n0.dot(c1) + n1.dot(c0)), n1.dot(c1)});
    if (!(least >= height)) return false;
  }
  return true;
}

template <int Count>
class Advance {
 public:
  Advance(const Corners<Count>& corners, const LinearOptions& options)
      : corners_(corners),
        options_(options),
        height_(options.clearance + kSlack * corners.size),
        near_(options.clearance + std::max(options.tolerance, kLeastTolerance * corners.size) -
              kSlack * corners.size) {}

  LinearImpact run() {
    LinearImpact impact;
    base::BudgetMeter meter(options_.budget, options_.max_steps);
    double t = 0;
    for (;;) {
      const Vec3 to = nearest(corners_, t);
      const double distance = to.norm();
      if (!meter.spend())
        return {.contact = true, .t = t, .distance = distance, .steps = impact.steps};
      ++impact.steps;
      if (!(distance > near_)) {
        impact = {.contact = true,
                  .t = t,
                  .distance = distance,
                  .steps = impact.steps,
                  .complete = distance <= near_ && std::isfinite(near_)};
        return impact;
      }
      // The steps do not depend on `t_end`.
      const double next =
          proved_until(t, direction(corners_, t, to, distance, height_), distance, impact.steps);
      if (next > options_.t_end) break;
      if (impact.steps >= kMostSteps || !(next > t)) {
        impact = {.contact = true,
                  .t = t,
                  .distance = distance,
                  .steps = impact.steps,
                  .complete = false};
        return impact;
      }
      last_ = t;
      last_distance_ = distance;
      t = next;
    }
    impact.t = options_.t_end;
    impact.complete = true;
    return impact;
  }

 private:
  double proved_until(double t, const Direction& d, double distance, std::uint32_t steps) {
    // Allow for the rounding of the division.
    const double next = corners_.above(d.n, t, height_) * (1 - 4 * math::kUnitRoundoff);
    return steps <= kStraightSteps || next > 1 ? next : while_turning(t, d, distance, next);
  }

  // If surfaces rotate past each other, a fixed direction proves ever shorter times. The decrease
  // of the distance in the last step gives an estimate of the next step.
  double while_turning(double t, const Direction& d, double distance, double next) {
    const double fell = last_distance_ - distance;
    const double left = fell > 0 ? distance * (t - last_) / fell : 1 - t;
    // Limit the growth relative to the last stride.
    double length = std::min(0.98 * left, 8 * stride_);
    for (int attempt = 0; attempt < 6; ++attempt, length *= 0.3) {
      const double end = std::min(t + length, 1.0);
      if (!(end > next)) break;
      const Direction then = direction(corners_, end, height_);
      if (then.lowest >= height_ && above_while_turning(corners_, t, d.n, end, then.n, height_)) {
        stride_ = length;
        return end < 1 ? end : kInfinity;
      }
    }
    stride_ = std::max(length, next - t);
    return next;
  }

  static constexpr std::uint32_t kStraightSteps = 2;

  const Corners<Count>& corners_;
  const LinearOptions& options_;
  double height_, near_;
  double last_ = 0, last_distance_ = 0, stride_ = 1;
};

void check(const std::array<MovingVertex, 4>& query, const LinearOptions& options) {
  for (std::size_t i = 0; i < query.size(); ++i)
    if (!query[i].start.allFinite() || !query[i].end.allFinite())
      throw InvalidInput("linear motion: vertex " + std::to_string(i) + " is not finite");
  if (!(options.tolerance >= 0) || !std::isfinite(options.tolerance))
    throw InvalidInput("linear motion: the tolerance must be finite and not negative");
  if (!(options.clearance >= 0) || !std::isfinite(options.clearance))
    throw InvalidInput("linear motion: the clearance must be finite and not negative");
  if (!(options.t_end >= 0 && options.t_end <= 1))
    throw InvalidInput("linear motion: `t_end` must lie in [0, 1]");
  base::require_any_work(options.budget, "linear motion", "max_steps");
}

Corners<3> vertex_face(const std::array<MovingVertex, 4>& q) {
  Corners<3> corners;
  for (int i = 0; i < 3; ++i) corners.set(i, q[i + 1], q[0]);
  return corners;
}

Corners<4> edge_edge(const std::array<MovingVertex, 4>& q) {
  Corners<4> corners;
  for (int i = 0; i < 4; ++i) corners.set(i, q[i % 2], q[2 + i / 2]);
  return corners;
}

template <typename Impact>
void many(std::span<const std::array<MovingVertex, 4>> queries, std::span<LinearImpact> results,
          const Budget& budget, int threads, const Impact& impact) {
  if (queries.size() != results.size())
    throw InvalidInput("linear motion: " + std::to_string(queries.size()) + " queries, room for " +
                       std::to_string(results.size()) + " results");
  constexpr std::size_t kAtATime = 256;
  base::ProgressReport progress(budget.progress, queries.size());
  tbb::task_arena arena(base::arena_size(threads));
  arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, queries.size(), kAtATime),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                        for (std::size_t i = range.begin(); i < range.end(); ++i)
                          results[i] = impact(queries[i]);
                        progress.add_done(range.size());
                      });
  });
  progress.finish();
}

}  // namespace

LinearImpact vertex_face_impact(const std::array<MovingVertex, 4>& query,
                                const LinearOptions& options) {
  check(query, options);
  const Corners<3> corners = vertex_face(query);
  return Advance<3>(corners, options).run();
}

LinearImpact edge_edge_impact(const std::array<MovingVertex, 4>& query,
                              const LinearOptions& options) {
  check(query, options);
  const Corners<4> corners = edge_edge(query);
  return Advance<4>(corners, options).run();
}

void vertex_face_impacts(std::span<const std::array<MovingVertex, 4>> queries,
                         std::span<LinearImpact> results, const LinearOptions& options,
                         int threads) {
  many(queries, results, options.budget, threads,
       [&](const auto& q) { return vertex_face_impact(q, options); });
}

void edge_edge_impacts(std::span<const std::array<MovingVertex, 4>> queries,
                       std::span<LinearImpact> results, const LinearOptions& options, int threads) {
  many(queries, results, options.budget, threads,
       [&](const auto& q) { return edge_edge_impact(q, options); });
}

}  // namespace touche
