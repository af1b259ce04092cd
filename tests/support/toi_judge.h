// SPDX-License-Identifier: Apache-2.0
// Checks what every answer of time_of_impact has to satisfy, whatever the oracle can find out.
#pragma once

#include <gtest/gtest.h>

#include <iomanip>
#include <string>

#include "oracle.h"
#include "touche/query.h"

namespace touche::test {

struct Scenario {
  PolygonSoup a, b;
  Ride ride_a, ride_b;
  double tolerance = 0;
};

inline ToiResult answer(const Scenario& s) {
  return time_of_impact(Object(s.a), s.ride_a.motion, Object(s.b), s.ride_b.motion,
                        {.tolerance = s.tolerance, .budget = {.max_work = 1000000}});
}

inline Real face_distance(const PolygonSoup& soup, Index face, const Place& place,
                          const Vec3& point) {
  Real best = std::numeric_limits<Real>::infinity();
  for (Index t = 0; t < soup.triangle_count(); ++t)
    if (soup.face_of_triangle(t) == face)
      best = std::min(best, point_triangle_distance(point.cast<Real>(), corners(soup, t, place)));
  return best;
}

/// The contact reported is where it says: within the tolerance, on the faces it names.
inline void judge_contact(const Scenario& s, const ToiResult& r) {
  ASSERT_TRUE(r.contact);
  ASSERT_GE(r.time.upper, r.time.lower);
  ASSERT_LE(r.time.upper, 1);
  const double rounding = 0x1p-50 * reach(s.a, s.ride_a, s.b, s.ride_b);
  const Real d = soup_distance(s.a, s.ride_a, s.b, s.ride_b, r.time.upper);
  EXPECT_LE(static_cast<double>(d), r.tolerance * (1 + 1e-9) + rounding) << "false contact";
  const Contact& c = *r.contact;
  EXPECT_NEAR(c.normal.norm(), 1, 1e-12);
  EXPECT_LE(c.distance, r.tolerance);
  const Vec3 across = c.point_b - c.point_a;
  EXPECT_NEAR(across.norm(), c.distance, 4 * rounding);
  if (c.distance > 0) {
    EXPECT_NEAR(across.dot(c.normal), c.distance, 4 * rounding);
  }
  ASSERT_LT(c.face_a, s.a.face_count());
  ASSERT_LT(c.face_b, s.b.face_count());
  const Real off_a = face_distance(s.a, c.face_a, s.ride_a.at(r.time.upper), c.point_a);
  const Real off_b = face_distance(s.b, c.face_b, s.ride_b.at(r.time.upper), c.point_b);
  // TimeSlices claims to know positions to 64 half-ulps, for turns of a radian or so.
  EXPECT_LE(static_cast<double>(off_a), 8 * rounding);
  EXPECT_LE(static_cast<double>(off_b), 8 * rounding);
}

/// No missed contact, no false one, a bracket that holds.
inline void judge(const Scenario& s, const ToiResult& r, const Truth& truth) {
  EXPECT_GE(r.tolerance, s.tolerance);
  ASSERT_NE(r.status, ToiStatus::undecided);
  if (truth.touch) {
    EXPECT_NE(r.status, ToiStatus::free)
        << std::setprecision(17) << "missed a contact at " << *truth.touch;
    EXPECT_LE(r.time.lower, *truth.touch)
        << std::setprecision(17) << "called free what touches, until " << r.time.lower << " touch "
        << *truth.touch << " tolerance " << r.tolerance;
  }
  if (truth.clear()) {
    EXPECT_EQ(r.status, ToiStatus::free) << "never that near";
  }
  if (r.status == ToiStatus::free) {
    EXPECT_EQ(r.time.lower, 1);
    EXPECT_FALSE(r.contact);
    return;
  }
  EXPECT_GE(r.time.upper, truth.near_from) << "not yet that near";
  EXPECT_EQ(r.status == ToiStatus::initially_touching, r.time.upper == 0);
  judge_contact(s, r);
}

}  // namespace touche::test
