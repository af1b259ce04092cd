// SPDX-License-Identifier: Apache-2.0
// Two bodies in motion, and queries about parts of their path.
#pragma once

#include <memory>
#include <optional>

#include "math/pose_bits.h"
#include "path/bodies.h"
#include "query/relative.h"
#include "touche/budget.h"
#include "touche/path.h"

namespace touche::paths {

class MovingPair {
 public:
  /// All arguments must outlive it.
  MovingPair(const ApartQueries& bodies, const Motion& motion_a, const Motion& motion_b,
             const PathOptions& options);
  /// For two objects.
  MovingPair(const Object& a, const Motion& motion_a, const Object& b, const Motion& motion_b,
             const PathOptions& options);

  struct Found {
    ToiStatus status;
    /// t of the path; `lower` is the side towards t_start, also when searching backwards
    Bracket time;
    std::optional<Contact> contact;
  };

  /// The first time on the path from t_start to t_end at which the bodies are not farther apart
  /// than `clearance`. t_end may be earlier than t_start: the search runs backwards then.
  Found first_contact(double t_start, double t_end, double clearance, QueryStats& stats,
                      std::uint64_t max_work = ~std::uint64_t{0}) const;

  /// Not limited in work, but incomplete if the path is stopped or its deadline passes.
  DistanceResult distance_at(double t, const DistanceOptions& options, QueryStats& stats) const;

  /// The distance that a result proves.
  double proved(const DistanceResult& result) const { return bodies_->proved(result); }

  /// The pose of b in the coordinates of a; the distance depends on nothing else.
  query::RelativePose place_at(double t) const { return {motion_a_.pose(t), motion_b_.pose(t)}; }

  /// Whether both bodies are at the same poses at both times.
  bool same_place(double t, double other) const {
    return PoseBits::same(motion_a_.pose(t), motion_a_.pose(other)) &&
           PoseBits::same(motion_b_.pose(t), motion_b_.pose(other));
  }

  /// Upper bound of how far the bodies move relative to each other between t_ref and any time in
  /// [t0, t1].
  double displacement(double t_ref, double t0, double t1) const {
    return follower_.displacement_bound(bounds_, t_ref, t0, t1);
  }

  double tolerance() const { return tolerance_; }  ///< the tolerance that is used
  bool stopped() const { return options_.budget.expired(); }

 private:
  MovingPair(std::shared_ptr<const ApartQueries> bodies, const Motion& motion_a,
             const Motion& motion_b, const PathOptions& options);

  const std::shared_ptr<const ApartQueries> bodies_;
  const Motion &motion_a_, &motion_b_;
  const Motion follower_;  // of one body, seen from the other
  const Aabb bounds_;      // of that body
  const PathOptions& options_;
  double tolerance_;
};

}  // namespace touche::paths
