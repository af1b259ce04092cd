// SPDX-License-Identifier: Apache-2.0
// Tests whether the path of a hand's part met anything, independently of the hand's queries: by
// time_of_impact of each pair of bodies along each motion, and by poses sampled on it.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "touche/handling.h"
#include "touche/shape.h"

namespace touche::test {

class CommittedWay {
 public:
  /// `clearance` of the hand; the part is at the start of its path. Only the hand may change the
  /// world.
  CommittedWay(const World& world, NodeId held, double clearance)
      : world_(world), held_(held), clearance_(clearance), last_(world.pose(held)) {
    for (const NodeId body : world.bodies()) {
      bool is_held = false;
      for (std::optional<NodeId> node = body; node; node = world.parent(*node))
        is_held = is_held || *node == held;
      if (is_held)
        parts_.push_back({body, relative(last_, world.pose(body))});
      else
        others_.push_back(body);
    }
  }

  /// Describes what is wrong with the path of a step; empty if it is correct.
  std::string complaint(const HandlingStep& step) {
    for (const Motion& motion : step.motions) {
      if (!same(motion.pose(0), last_)) return "a motion begins where the last did not end";
      last_ = motion.pose(1);
      ++motions_;
      for (const auto& [body, offset] : parts_)
        for (const NodeId other : others_) {
          const std::string what = meets(motion.carrying(offset), body, other);
          if (!what.empty()) return what;
        }
    }
    if (!same(last_, step.pose) || !same(last_, world_.pose(held_)))
      return "the part is not where its path ended";
    return {};
  }
  int motions() const { return motions_; }

 private:
  static constexpr int kSamples = 8;

  struct Part {
    NodeId body;
    Pose offset;
  };

  static bool same(const Pose& a, const Pose& b) {
    const double size = 1 + a.translation().norm() + b.translation().norm();
    return (a.translation() - b.translation()).norm() < 1e-9 * size &&
           (a.matrix() - b.matrix()).norm() < 1e-9;
  }

  std::string meets(const Motion& motion, NodeId body, NodeId other) const {
    const Shape &a = world_.shape(body), &b = world_.shape(other);
    const Pose place = world_.pose(other);
    const ToiResult impact = time_of_impact(a, motion, b, Motion::at(place),
                                            {.tolerance = clearance_ / 4, .clearance = 0});
    if (impact.status != ToiStatus::free)
      return "time of impact: " + std::string(name(impact.status)) + " at " +
             std::to_string(impact.time.lower);
    for (int i = 0; i <= kSamples; ++i)
      if (intersects(a, motion.pose(static_cast<double>(i) / kSamples), b, place))
        return "intersects at " + std::to_string(static_cast<double>(i) / kSamples);
    return {};
  }

  const World& world_;
  NodeId held_;
  double clearance_;
  Pose last_;
  std::vector<Part> parts_;
  std::vector<NodeId> others_;
  int motions_ = 0;
};

}  // namespace touche::test
