// SPDX-License-Identifier: Apache-2.0
// Searches that are stopped again and again find what one that is not stopped finds, to the bit.
#include "query/toi_run.h"

#include <gtest/gtest.h>

#include "hit_share.h"
#include "motion_kinds.h"
#include "random.h"
#include "shapes.h"
#include "test_scale.h"

namespace touche::toi_run_test {
namespace {

using scenes::Random;

// Goes on with budgets of less than `most` until it is over; returns how often it stopped.
int stop_again_and_again(query::ToiRun& run, const ToiResult& whole, Index most,
                         base::Random& random) {
  Bracket before;
  for (int stopped = 0;; ++stopped) {
    const Budget budget{.max_work = 1 + random.below(most)};
    base::BudgetMeter meter(budget);
    const ToiResult& part = run.go_on(meter);
    EXPECT_GE(part.time.lower, before.lower);
    EXPECT_LE(part.time.lower, whole.time.upper);
    before = part.time;
    if (part.status != ToiStatus::undecided) return stopped;
    EXPECT_EQ(part.time.upper, kInfinity);
  }
}

void expect_same(const ToiResult& found, const ToiResult& whole) {
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
}

TEST(ToiRun, GoesOnWhereItStopped) {
  base::Random random(811);
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

    query::PairQueue queue;
    std::vector<query::TimeSlice> slices;
    query::ToiRun run(a, motion_a, b, motion_b, options, queue, slices);
    stopped += stop_again_and_again(run, whole, 30, random);
    expect_same(run.result(), whole);
    contacts += whole.status != ToiStatus::free;
    ++total;
  }
  EXPECT_GT(stopped, 2 * total);
  test::expect_about_half(contacts, total);
}

// A ring in a ring, with hardly any play: they slide along each other everywhere, so that a proof
// from the middle leaves many pairs, which are tested again in parts of the time.
TEST(ToiRun, RingsThatSlideInEachOther) {
  base::Random random(812);
  const Object tube(scenes::torus(1, 0.3, 96, 32)), ring(scenes::torus(1, 0.28, 96, 32));
  int contacts = 0, total = 0, stopped = 0, in_parts = 0;
  query::PairQueue queue;  // with what earlier searches left in it
  for (int round = 0; round < test::scaled(60, 12); ++round) {
    const double clearance = random.below(2) == 0 ? 0 : 2e-3;
    const ToiOptions options{.tolerance = 1e-4, .clearance = clearance};
    const Pose begin = Pose::from_axis_angle(Vec3::UnitZ(), random.uniform(-3, 3), Vec3::Zero()),
               end = Pose::from_axis_angle(random.direction(), random.uniform(0, 0.01),
                                           random.uniform(0.5, 1.5) * 0.018 * random.direction()) *
                     Pose::from_axis_angle(Vec3::UnitZ(), random.uniform(-0.2, 0.2), Vec3::Zero()) *
                     begin;
    const Motion still = Motion::at({}), moving = Motion::interpolated(begin, end);
    const ToiResult whole = time_of_impact(tube, still, ring, moving, options);

    std::vector<query::TimeSlice> slices;
    query::ToiRun run(tube, still, ring, moving, options, queue, slices);
    stopped += stop_again_and_again(run, whole, 3000, random);
    expect_same(run.result(), whole);

    // Another search confirms what it says.
    const auto gap = [&](double t) {
      return distance(tube, {}, ring, moving.pose(t), {}).distance;
    };
    for (int i = 0; i <= 8; ++i)
      EXPECT_GT(gap(i / 8.0 * whole.time.lower).upper, clearance) << round << ' ' << i;
    if (whole.status == ToiStatus::contact) {
      EXPECT_LE(gap(whole.time.upper).lower, clearance + whole.tolerance) << round;
    } else {
      EXPECT_EQ(whole.status, ToiStatus::free);
    }
    contacts += whole.status == ToiStatus::contact ? 1 : 0;
    in_parts += whole.stats.time_splits > 1 ? 1 : 0;
    ++total;
  }
  EXPECT_GT(stopped, total);
  EXPECT_GT(in_parts, total / 6);
  test::expect_about_half(contacts, total);
}

}  // namespace
}  // namespace touche::toi_run_test
