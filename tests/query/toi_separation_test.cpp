// SPDX-License-Identifier: Apache-2.0
// A clearance: the same search, with a distance that counts as a contact.
#include <gtest/gtest.h>

#include "hit_share.h"
#include "motion_kinds.h"
#include "moved_vertices.h"
#include "random.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/query.h"
#include "touche/reference.h"

namespace touche::toi_separation_test {
namespace {

using scenes::Random;

const Motion kStill = Motion::at(Pose());
Motion shifted(const Vec3& from, const Vec3& to) {
  return Motion::interpolated(Pose::from_translation(from), Pose::from_translation(to));
}

PolygonSoup half_size(PolygonSoup soup) {
  soup.move_vertices(test::moved(soup, [](const Vec3& v) { return Vec3(0.5 * v); }));
  return soup;
}

TEST(Separation, ClosedForms) {
  const Object cube(scenes::box({-1, -1, -1}, {1, 1, 1})),
      wall(scenes::box({3, -9, -9}, {4, 9, 9}));
  for (const double clearance : {0.0, 1e-3, 0.1, 1.0, 1.9}) {
    const ToiResult r = time_of_impact(cube, shifted({0, 0, 0}, {4, 0, 0}), wall, kStill,
                                       {.tolerance = 1e-7, .clearance = clearance});
    EXPECT_EQ(r.status, ToiStatus::contact);
    EXPECT_LE(r.time.lower, (2 - clearance) / 4);
    EXPECT_GE(r.time.upper, (2 - clearance) / 4 - 1e-7);
  }
  const auto status = [&](double clearance) {
    return time_of_impact(cube, shifted({0, 0, 0}, {1, 0, 0}), wall, kStill,
                          {.tolerance = 1e-9, .clearance = clearance})
        .status;
  };
  EXPECT_EQ(status(1 - 1e-8), ToiStatus::free);
  EXPECT_EQ(status(1 + 1e-8), ToiStatus::contact);
  EXPECT_EQ(status(2.5), ToiStatus::initially_touching);
  EXPECT_THROW(status(-1), InvalidInput);
  EXPECT_THROW(status(kInfinity), InvalidInput);
}

// Never closer than the clearance before the contact; as close as reported at the contact; the same
// as the reference implementation.
TEST(Separation, RandomMotionsKeepIt) {
  base::Random random(62);
  int hits = 0, total = 0;
  for (int round = 0; round < test::scaled(12, 1); ++round) {
    const std::vector<Motion> as = test::all_kinds(random), bs = test::all_kinds(random);
    for (std::size_t k = 0; k < as.size(); ++k) {
      SCOPED_TRACE(std::to_string(round) + " " + std::to_string(k));
      const Object a(half_size(scenes::bumpy_sphere(32, k)));
      const Object b(half_size(scenes::bumpy_sphere(32, k + 100)));
      const double clearance = random.uniform(0, 0.6);
      const ToiOptions options{.tolerance = 1e-5, .clearance = clearance};
      const ToiResult r = time_of_impact(a, as[k], b, bs[k], options);
      const auto gap = [&](double t) {
        return distance(a, as[k].pose(t), b, bs[k].pose(t)).distance.upper;
      };
      for (int i = 0; i < 50 && r.status != ToiStatus::initially_touching; ++i) {
        const double t = r.time.lower * i / 50;
        EXPECT_GT(gap(t), clearance) << t;
      }
      if (r.status != ToiStatus::free) {
        EXPECT_LE(gap(r.time.upper), clearance + 1.001e-5);
      }
      if (k % 4 == 0) {
        const ToiResult twin = brute_force::time_of_impact(a, as[k], b, bs[k], options);
        EXPECT_EQ(twin.status, r.status);
        EXPECT_NEAR(twin.time.lower, r.time.lower, 1e-3);
      }
      hits += r.status != ToiStatus::free;
      ++total;
    }
  }
  RecordProperty("hits", hits);
  test::expect_about_half(hits, total);
}

}  // namespace
}  // namespace touche::toi_separation_test
