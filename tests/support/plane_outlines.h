// SPDX-License-Identifier: Apache-2.0
// Random outlines: polygons, polylines, on lattices, on one line, points; and what is true of them
// by rational arithmetic.
#pragma once

#include <numbers>

#include "exact.h"
#include "plane_sets.h"
#include "query/relative.h"
#include "touche/plane.h"

namespace touche::test {

inline plane::Chain star_polygon(base::Random& random, Index corners, double size) {
  plane::Chain chain{{}, true, "star"};
  for (Index k = 0; k < corners; ++k) {
    const double angle = 2 * std::numbers::pi * k / corners, r = size * random.uniform(0.4, 1);
    chain.points.emplace_back(r * std::cos(angle), r * std::sin(angle));
  }
  return chain;
}

/// One to three chains within 1.5 · size of the origin.
inline plane::Outline random_outline(base::Random& random, double size) {
  std::vector<plane::Chain> chains;
  for (Index c = 1 + random.below(3); c > 0; --c) {
    const Index kind = random.below(4);
    if (kind == 0) {
      chains.push_back(star_polygon(random, 3 + random.below(12), size));
    } else {
      plane::Chain chain{random_points(random, size), random.below(2) == 0, ""};
      if (kind == 1) chain.points.push_back(chain.points.back());  // an edge of no length
      chains.push_back(std::move(chain));
    }
  }
  return plane::Outline(chains);
}

/// Squared distance of two outlines for the coordinates that queries are exact for; 0 iff they
/// touch.
inline Rational exact_distance2(const plane::Outline& a, const plane::Pose& pose_a,
                                const plane::Outline& b, const plane::Pose& pose_b) {
  const query::RelativePose pose(pose_a.in_space(), pose_b.in_space());
  const auto at = [](const Vec2& p) { return RVec(p.x(), p.y(), 0); };
  std::vector<RVec> moved;
  for (const Vec2& p : b.vertices()) {
    const Vec3 there = pose * Vec3(p.x(), p.y(), 0);
    moved.emplace_back(there.x(), there.y(), 0);
  }
  Rational least = -1;
  for (Index ea = 0; ea < a.edge_count(); ++ea)
    for (Index eb = 0; eb < b.edge_count(); ++eb) {
      const Rational d2 = segment_segment2(at(a.vertex(a.edge(ea)[0])), at(a.vertex(a.edge(ea)[1])),
                                           moved[b.edge(eb)[0]], moved[b.edge(eb)[1]]);
      if (least < 0 || d2 < least) least = d2;
      if (least == 0) return least;
    }
  return least;
}

}  // namespace touche::test
