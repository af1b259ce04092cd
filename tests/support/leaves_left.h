// SPDX-License-Identifier: Apache-2.0
// Judges a proof's statement about all pairs of triangles except the pairs of leaves that it leaves
// open.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "base/random.h"
#include "bvh/object_data.h"
#include "moving_boxes.h"
#include "query/pair_traversal.h"
#include "query/relative.h"
#include "touche/motion.h"

namespace touche::test {

struct CountedPairs {
  int left = 0, all = 0;
};

/// Tests `when` and two other instants.
inline void expect_others_apart(const Object& a, const Motion& motion_a, const Object& b,
                                const Motion& motion_b, std::span<const query::NodePair> left,
                                double clearance, double when, base::Random& random,
                                CountedPairs& counted) {
  std::vector<std::pair<Index, Index>> may_meet;
  for (const query::NodePair& leaves : left)
    for (const Index x : triangles_below(bvh::bvh_of(a), leaves.a))
      for (const Index y : triangles_below(bvh::bvh_of(b), leaves.b)) may_meet.emplace_back(x, y);
  std::sort(may_meet.begin(), may_meet.end());
  for (Index x = 0; x < a.soup().triangle_count(); ++x)
    for (Index y = 0; y < b.soup().triangle_count(); ++y) {
      ++counted.all;
      if (std::binary_search(may_meet.begin(), may_meet.end(), std::pair(x, y))) {
        ++counted.left;
        continue;
      }
      for (const double t : {when, random.uniform(0, 1), random.uniform(0, 1)})
        EXPECT_GT(
            least_distance(a, {x}, b, {y}, query::RelativePose(motion_a.pose(t), motion_b.pose(t))),
            clearance)
            << x << ' ' << y << ' ' << t;
    }
}

}  // namespace touche::test
