// SPDX-License-Identifier: Apache-2.0
#include "path/moving_pair.h"

#include <algorithm>
#include <utility>

#include "base/budget_meter.h"
#include "math/rounding.h"
#include "path/soup_bodies.h"

namespace touche::paths {
namespace {

// Cutting a motion at t rounds t by a few ulps of 1.
constexpr double kTimeError = 8 * math::kUnitRoundoff;

}  // namespace

MovingPair::MovingPair(const ApartQueries& bodies, const Motion& motion_a, const Motion& motion_b,
                       const PathOptions& options)
    : MovingPair(std::shared_ptr<const ApartQueries>(std::shared_ptr<void>(), &bodies), motion_a,
                 motion_b, options) {}

MovingPair::MovingPair(const Object& a, const Motion& motion_a, const Object& b,
                       const Motion& motion_b, const PathOptions& options)
    : MovingPair(std::make_shared<SoupsApart>(a, b), motion_a, motion_b, options) {}

MovingPair::MovingPair(std::shared_ptr<const ApartQueries> bodies, const Motion& motion_a,
                       const Motion& motion_b, const PathOptions& options)
    : bodies_(std::move(bodies)),
      motion_a_(motion_a),
      motion_b_(motion_b),
      follower_(bodies_->follower().is_b ? Motion::relative(motion_a, motion_b)
                                         : Motion::relative(motion_b, motion_a)),
      bounds_(bodies_->follower().bounds),
      options_(options),
      tolerance_(options.tolerance) {
  // Query the tolerance for the whole motion once: it may be larger than the one given, because of
  // rounding.
  const ToiResult r = bodies_->time_of_impact(
      motion_a, motion_b, {.tolerance = options.tolerance, .budget = {.max_work = 0}});
  tolerance_ = std::max(tolerance_, r.tolerance);
}

MovingPair::Found MovingPair::first_contact(double t_start, double t_end, double clearance,
                                            QueryStats& stats, std::uint64_t max_work) const {
  const double begin = std::min(t_start, t_end), end = std::max(t_start, t_end);
  Motion part_a = motion_a_.part(begin, end), part_b = motion_b_.part(begin, end);
  const bool back = t_end < t_start;
  if (back) part_a = part_a.reversed(), part_b = part_b.reversed();
  const Budget budget =
      base::with_work(options_.budget, std::min(options_.budget.max_work, max_work));
  const ToiResult r = bodies_->time_of_impact(
      part_a, part_b, {.tolerance = tolerance_, .clearance = clearance, .budget = budget});
  stats += r.stats;
  const auto at = [&](double t) { return std::clamp(t_start + t * (t_end - t_start), begin, end); };
  Found found{r.status, {t_end, t_end}, r.contact};
  if (r.status == ToiStatus::free) return found;
  found.time.upper = r.contact ? at(r.time.upper) : t_end;
  found.time.lower = at(r.time.lower) + (back ? kTimeError : -kTimeError);
  found.time.lower = std::clamp(found.time.lower, begin, end);
  return found;
}

DistanceResult MovingPair::distance_at(double t, const DistanceOptions& options,
                                       QueryStats& stats) const {
  DistanceOptions stopping = options;
  stopping.budget = base::with_any_work(options_.budget);
  DistanceResult r = bodies_->distance(motion_a_.pose(t), motion_b_.pose(t), stopping);
  stats += r.stats;
  return r;
}

}  // namespace touche::paths
