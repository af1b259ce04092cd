// SPDX-License-Identifier: Apache-2.0
// Searches that are stopped again and again find what one that is not stopped finds, to the bit.
#include "query/toi_run.h"

#include <gtest/gtest.h>

#include "hit_share.h"
#include "motion_kinds.h"
#include "random.h"
#include "shapes.h"
#include "test_scale.h"

namespace touche {
namespace {

using scenes::Random;

TEST(ToiRun, GoesOnWhereItStopped) {
  Random random(811);
  int contacts = 0, total = 0, stopped = 0;
  for (int round = 0; round < test::scaled(400, 40); ++round) {
    const auto seed = static_cast<std::uint64_t>(round);
    const Object a(scenes::bumpy_sphere(300, seed)), b(scenes::bumpy_sphere(700, seed + 1));
    const Pose start_a = test::random_pose(random), start_b = test::random_pose(random);
    const Vec3 way = random.in_box(4), axis = random.direction();
    const Motion motion_a =
        Motion::screw(start_a, Vec3::Zero(), axis, random.uniform(-3, 3), random.uniform(-1, 1));
    const Motion motion_b = Motion::interpolated(start_b, Pose::from_translation(way) * start_b);
    ToiOptions options{.tolerance = 1e-4};
    options.may_separate = random.below(2) == 0;
    const ToiResult whole = time_of_impact(a, motion_a, b, motion_b, options);

    PairQueue queue;
    std::vector<TimeSlice> slices;
    ToiRun run(a, motion_a, b, motion_b, options, queue, slices);
    Bracket before;
    for (;;) {
      const Budget budget{.max_work = 1 + random.below(30)};
      BudgetMeter meter(budget);
      const ToiResult& part = run.go_on(meter);
      EXPECT_GE(part.time.lower, before.lower);
      EXPECT_LE(part.time.lower, whole.time.upper);
      before = part.time;
      if (part.status != ToiStatus::undecided) break;
      EXPECT_EQ(part.time.upper, kInfinity);
      ++stopped;
    }
    const ToiResult& found = run.result();
    EXPECT_EQ(found.status, whole.status);
    EXPECT_EQ(found.time, whole.time);
    EXPECT_EQ(found.separated_at, whole.separated_at);
    EXPECT_EQ(found.contact.has_value(), whole.contact.has_value());
    if (found.contact) {
      EXPECT_EQ(found.contact->face_a, whole.contact->face_a);
      EXPECT_EQ(found.contact->point_b, whole.contact->point_b);
    }
    EXPECT_EQ(found.stats.node_pairs, whole.stats.node_pairs);
    EXPECT_EQ(found.stats.primitive_tests, whole.stats.primitive_tests);
    EXPECT_EQ(found.stats.time_splits, whole.stats.time_splits);
    contacts += whole.status != ToiStatus::free;
    ++total;
  }
  EXPECT_GT(stopped, 2 * total);
  test::expect_about_half(contacts, total);
}

}  // namespace
}  // namespace touche
