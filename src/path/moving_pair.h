// SPDX-License-Identifier: Apache-2.0
// Two objects in motion, and queries about parts of their path.
#pragma once

#include <optional>

#include "query/relative.h"
#include "touche/budget.h"
#include "touche/path.h"

namespace touche::paths {

class MovingPair {
 public:
  /// All arguments must outlive it.
  MovingPair(const Object& a, const Motion& motion_a, const Object& b, const Motion& motion_b,
             const PathOptions& options);

  struct Found {
    ToiStatus status;
    /// t of the path; `lower` is the side towards t_start, also when searching backwards
    Bracket time;
    std::optional<Contact> contact;
  };

  /// The first time on the path from t_start to t_end at which the objects are not farther apart
  /// than `clearance`. t_end may be earlier than t_start: the search runs backwards then.
  Found first_contact(double t_start, double t_end, double clearance, QueryStats& stats,
                      std::uint64_t max_work = ~std::uint64_t{0}) const;

  /// Not limited in work, but incomplete if the path is stopped or its deadline passes.
  DistanceResult distance_at(double t, const DistanceOptions& options, QueryStats& stats) const;

  /// The pose of b in the coordinates of a; the distance depends on nothing else.
  query::RelativePose place_at(double t) const { return {motion_a_.pose(t), motion_b_.pose(t)}; }

  /// Upper bound of how far the objects move relative to each other between t_ref and any time in
  /// [t0, t1].
  double displacement(double t_ref, double t0, double t1) const {
    return b_from_a_.displacement_bound(b_.bounds(), t_ref, t0, t1);
  }

  double tolerance() const { return tolerance_; }  ///< the tolerance that is used
  bool stopped() const { return options_.budget.expired(); }

 private:
  const Object &a_, &b_;
  const Motion &motion_a_, &motion_b_;
  const Motion b_from_a_;
  const PathOptions& options_;
  double tolerance_;
};

}  // namespace touche::paths
