// SPDX-License-Identifier: Apache-2.0
// Two objects as the bodies of a path.
#pragma once

#include <optional>

#include "path/bodies.h"
#include "path/lazy_interior.h"

namespace touche::paths {

/// Both objects must outlive it.
class SoupsApart final : public ApartQueries {
 public:
  SoupsApart(const Object& a, const Object& b) : a_(a), b_(b) {}

  ToiResult time_of_impact(const Motion& motion_a, const Motion& motion_b,
                           const ToiOptions& options) const override {
    return touche::time_of_impact(a_, motion_a, b_, motion_b, options);
  }
  DistanceResult distance(const Pose& pose_a, const Pose& pose_b,
                          const DistanceOptions& options) const override {
    return touche::distance(a_, pose_a, b_, pose_b, options);
  }
  double proved(const DistanceResult& result) const override { return result.distance.upper; }
  Follower follower() const override { return {true, b_.bounds()}; }

 private:
  const Object &a_, &b_;
};

/// Both interiors must outlive it.
class SoupOverlaps final : public Overlaps {
 public:
  SoupOverlaps(const Interior& a, const Interior& b) : a_(a), b_(b) {}

  bool closed() const override;
  Thickness thickness(const Pose& pose_a, const Pose& pose_b,
                      const ThicknessOptions& options) const override;
  bool apart_after_shift(const Pose& pose_a, const Pose& pose_b, double most,
                         const Budget& budget) const override;
  bool come_apart(const Pose& pose_a, const Pose& pose_b, double most,
                  const Budget& budget) const override;
  double chord_error(const Pose& pose_a, const Pose& pose_b, const PathOptions& options,
                     const Budget& budget) const override;
  std::unique_ptr<TouchProof> touch_proof(const Motion& motion_a, const Motion& motion_b,
                                          double t_start, double t_end, double tolerance,
                                          const Budget& budget) const override;

 private:
  const Interior &a_, &b_;
};

/// Both interiors must outlive it.
class SoupBodies final : public Bodies {
 public:
  SoupBodies(LazyInterior& a, LazyInterior& b)
      : inside_a_(a), inside_b_(b), apart_(a.object(), b.object()) {}

  const ApartQueries& apart() const override { return apart_; }
  Containment containment(const Motion& motion_a, const Motion& motion_b, double begin, double end,
                          const Budget& budget) override;
  Containment containment_in_open(const Motion& motion_a, const Motion& motion_b, double begin,
                                  double end, double slack, const Budget& budget) override;
  bool may_reach_in(const Motion& motion_a, const Motion& motion_b, double begin, double end,
                    double apart) override;
  const Overlaps& overlaps() override {
    if (!overlaps_) overlaps_.emplace(inside_a_.get(), inside_b_.get());
    return *overlaps_;
  }

 private:
  LazyInterior &inside_a_, &inside_b_;
  const SoupsApart apart_;
  std::optional<SoupOverlaps> overlaps_;
};

}  // namespace touche::paths
