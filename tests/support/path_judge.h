// SPDX-License-Identifier: Apache-2.0
// For tests of whole paths: simple bodies and motions, and what any answer has to satisfy.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "shapes.h"
#include "touche/path.h"

namespace touche::test {

inline Object box(const Vec3& lo, const Vec3& hi) { return Object(scenes::box(lo, hi)); }
inline Motion still() { return Motion::at(Pose()); }
inline Motion shifted(const Vec3& from, const Vec3& to) {
  return Motion::interpolated(Pose::from_translation(from), Pose::from_translation(to));
}

/// Checks at sampled times the conditions that any answer has to satisfy.
inline void judge(const Object& a, const Motion& motion_a, const Object& b, const Motion& motion_b,
                  const PathResult& r, int samples) {
  double last = 0;
  for (const ContactInterval& c : r.contacts) {
    EXPECT_LE(last, c.start.lower);
    EXPECT_LE(c.start.lower, c.start.upper);
    EXPECT_LE(c.start.upper, c.end.lower);
    EXPECT_LE(c.end.lower, c.end.upper);
    EXPECT_LE(c.end.upper, 1);
    last = c.end.upper;
    const auto gap = [&](double t) {
      return distance(a, motion_a.pose(t), b, motion_b.pose(t)).distance.upper;
    };
    EXPECT_LE(gap(c.start.upper), 2 * r.tolerance);
    EXPECT_LE(gap(c.end.lower), 2 * r.tolerance);
    EXPECT_GE(c.deepest_at, c.start.upper);
    EXPECT_GE(c.max_thickness, c.deepest.diameter.upper);
    EXPECT_LE(c.deepest_at, c.end.lower);
  }
  if (!r.samples.empty()) {
    EXPECT_EQ(r.samples.front().t, 0);
    EXPECT_TRUE(std::is_sorted(r.samples.begin(), r.samples.end(),
                               [](const auto& x, const auto& y) { return x.t < y.t; }));
  }
  for (int i = 0; i <= samples; ++i) {
    const double t = static_cast<double>(i) / samples;
    if (t > r.decided_until) break;
    const double d = distance(a, motion_a.pose(t), b, motion_b.pose(t)).distance.upper;
    const bool in_contact = std::any_of(
        r.contacts.begin(), r.contacts.end(),
        [&](const ContactInterval& c) { return t >= c.start.lower && t <= c.end.upper; });
    if (!in_contact) {
      EXPECT_GT(d, 0) << t;
    }
    if (r.samples.empty()) continue;
    const auto after = std::upper_bound(r.samples.begin(), r.samples.end(), t,
                                        [](double x, const ClearanceSample& s) { return x < s.t; });
    EXPECT_GE(d, std::prev(after)->clearance.lower * (1 - 1e-9)) << t;
    EXPECT_GE(d, r.min_clearance.lower * (1 - 1e-9)) << t;
  }
  if (r.verdict == PathVerdict::free || r.verdict == PathVerdict::near) {
    EXPECT_TRUE(r.contacts.empty());
    EXPECT_LE(r.min_clearance.lower, r.min_clearance.upper * (1 + 1e-9));
  }
}

}  // namespace touche::test
