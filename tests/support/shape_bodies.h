// SPDX-License-Identifier: Apache-2.0
// Bodies that are convex shapes on a plane, and a judge of their motions.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "dynamic_bodies.h"
#include "shape_cases.h"
#include "touche/shape.h"

namespace touche::test {

inline Shape ground() { return Shape::half_space(Vec3::UnitZ(), 0); }

inline NodeId add_plane(World& world, const Pose& pose = {}) {
  return world.add(ground(), pose, {.fixed = true});
}

/// Tests the motions of the last step, for each pair except the ones with `skip(a, b)`: by the time
/// of impact with a tolerance of its own, and by sampling.
template <class Skip>
void expect_no_contact(const World& world, const Dynamics& dynamics, const Skip& skip,
                       double tolerance) {
  const std::vector<NodeId> bodies = world.bodies();
  const auto way = [&](NodeId body) {
    return dynamics.is_dynamic(body) ? dynamics.last_motion(body) : Motion::at(world.pose(body));
  };
  for (std::size_t i = 0; i < bodies.size(); ++i)
    for (std::size_t k = i + 1; k < bodies.size(); ++k) {
      if (!dynamics.is_dynamic(bodies[i]) && !dynamics.is_dynamic(bodies[k])) continue;
      if (skip(bodies[i], bodies[k])) continue;
      const Shape &a = world.shape(bodies[i]), &b = world.shape(bodies[k]);
      const Motion way_a = way(bodies[i]), way_b = way(bodies[k]);
      for (const double t : {0.0, 0.35, 0.7, 1.0})
        EXPECT_FALSE(intersects(a, way_a.pose(t), b, way_b.pose(t)).intersects) << i << " " << k;
      const ToiResult proof = time_of_impact(a, way_a, b, way_b, {.tolerance = tolerance});
      if (proof.status == ToiStatus::free || proof.status == ToiStatus::undecided) continue;
      // Bodies that were pressed together may be nearer than that, but separate.
      for (int m = 0; m <= 24; ++m) {
        const double t = m == 24 ? std::min(proof.time.upper, 1.0) : m / 23.0;
        EXPECT_GT(distance(a, way_a.pose(t), b, way_b.pose(t)).distance.lower, 0)
            << i << " " << k << " at " << t << " of " << proof.time.upper;
      }
    }
}
inline void expect_no_contact(const World& world, const Dynamics& dynamics) {
  expect_no_contact(
      world, dynamics, [](NodeId, NodeId) { return false; }, 1e-11);
}

}  // namespace touche::test
