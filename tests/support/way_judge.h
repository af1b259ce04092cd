// SPDX-License-Identifier: Apache-2.0
// Judges the motions of a world's bodies in a step: pairs that were separate stay so all along.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "touche/world.h"

namespace touche::test {

class WayJudge {
 public:
  /// Before the step.
  explicit WayJudge(World& world) : world_(world), bodies_(world.bodies()) {
    for (const NodeId body : bodies_) before_.push_back(world.pose(body));
    for (const TouchingPair& pair : world.touching_pairs().pairs)
      touching_.insert({pair.a, pair.b});
  }

  /// Two bodies that may pass through each other.
  void exempt(NodeId a, NodeId b) {
    touching_.insert({a, b});
    touching_.insert({b, a});
  }

  /// Call after the step; `way(body)` is the motion of the body. Tests many instants, and queries
  /// the time of impact of the whole motion, with a tolerance of its own.
  template <class Way>
  void expect_disjoint(const Way& way, double tolerance) const {
    constexpr int kMoments = 24;
    std::vector<Motion> ways;
    for (const NodeId body : bodies_) ways.push_back(way(body));
    for (std::size_t i = 0; i < bodies_.size(); ++i)
      for (std::size_t j = i + 1; j < bodies_.size(); ++j) {
        if (touching_.contains({bodies_[i], bodies_[j]})) continue;
        if (ways[i].is_still() && ways[j].is_still()) continue;
        const Object &a = world_.object(bodies_[i]), &b = world_.object(bodies_[j]);
        const ToiResult toi = time_of_impact(a, ways[i], b, ways[j], {.tolerance = tolerance});
        if (toi.status == ToiStatus::free) continue;
        ASSERT_NE(toi.status, ToiStatus::undecided);
        for (int k = 0; k <= kMoments; ++k) {
          const double t = static_cast<double>(k) / kMoments;
          ASSERT_FALSE(intersects(a, ways[i].pose(t), b, ways[j].pose(t)).intersects)
              << "bodies " << i << " and " << j << " at " << t;
        }
        const double t = toi.time.upper <= 1 ? toi.time.upper : toi.time.lower;
        ASSERT_FALSE(intersects(a, ways[i].pose(t), b, ways[j].pose(t)).intersects)
            << "bodies " << i << " and " << j << " at " << t;
      }
  }

 private:
  World& world_;
  std::vector<NodeId> bodies_;
  std::vector<Pose> before_;
  std::set<std::pair<NodeId, NodeId>> touching_;
};

}  // namespace touche::test
