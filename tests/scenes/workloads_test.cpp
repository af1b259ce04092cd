// SPDX-License-Identifier: Apache-2.0
// The benchmark's workloads in small: every fast query against its reference implementation, and
// hits as stated.
#include "workloads.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "hit_share.h"
#include "test_scale.h"
#include "touche/reference.h"
#include "touche/touche.h"

namespace touche::scenes {

void PrintTo(const NamedWorkload& workload, std::ostream* out) { *out << workload.name; }
void PrintTo(const NamedMovingWorkload& workload, std::ostream* out) { *out << workload.name; }

namespace {

class Workloads : public testing::TestWithParam<NamedWorkload> {};

TEST_P(Workloads, AgreeWithBruteForce) {
  const Workload load = GetParam().make(400, test::scaled(10, 3));
  const Object a(load.a), b(load.b);
  a.validate();
  b.validate();
  for (const Pose& pose : load.poses) {
    const FacePairsResult expected = brute_force::intersecting_faces(a, {}, b, pose);
    EXPECT_EQ(intersects(a, {}, b, pose).intersects, !expected.pairs.empty());
    EXPECT_EQ(intersecting_faces(a, {}, b, pose).pairs, expected.pairs);
    EXPECT_EQ(distance(a, {}, b, pose).distance.upper,
              brute_force::distance(a, {}, b, pose).distance.upper);
  }
}

// The fine meshes, as the benchmark has them.
TEST_P(Workloads, AboutHalfHitWhereThatMakesSense) {
  const Workload load = GetParam().make(20000, 60);
  const Object a(load.a), b(load.b);
  int hits = 0;
  for (const Pose& pose : load.poses) hits += intersects(a, {}, b, pose).intersects;
  if (GetParam().about_half_hit)
    test::expect_about_half(hits, 60);
  else
    EXPECT_EQ(hits, 0);
}

const auto kNames = [](const auto& made) {
  std::string name = made.param.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
};

INSTANTIATE_TEST_SUITE_P(Scenes, Workloads, testing::ValuesIn(workloads()), kNames);

class MovingWorkloads : public testing::TestWithParam<NamedMovingWorkload> {};

TEST_P(MovingWorkloads, NothingHitsBeforeWhatIsProvedAndContactIsNear) {
  constexpr int kSamples = 200;
  const MovingWorkload load = GetParam().make(400, test::scaled(10, 3));
  const Object a(load.a), b(load.b);
  for (const PairMotion& m : load.motions) {
    const Motion motion_a = Motion::interpolated(m.a_start, m.a_end),
                 motion_b = Motion::interpolated(m.b_start, m.b_end);
    const ToiResult found = time_of_impact(a, motion_a, b, motion_b, {.tolerance = load.tolerance});
    ASSERT_TRUE(found.status == ToiStatus::free || found.status == ToiStatus::contact);
    for (int i = 0; i <= kSamples; ++i) {
      const double t = found.time.lower * i / kSamples;
      EXPECT_FALSE(intersects(a, motion_a.pose(t), b, motion_b.pose(t)).intersects) << t;
    }
    if (found.status == ToiStatus::contact) {
      const double t = found.time.upper;
      EXPECT_LE(brute_force::distance(a, motion_a.pose(t), b, motion_b.pose(t)).distance.upper,
                1.01 * load.tolerance);
    }
  }
}

TEST_P(MovingWorkloads, AboutHalfEndInContact) {
  const MovingWorkload load = GetParam().make(2000, 60);
  const Object a(load.a), b(load.b);
  int hits = 0;
  for (const PairMotion& m : load.motions)
    hits += time_of_impact(a, Motion::interpolated(m.a_start, m.a_end), b,
                           Motion::interpolated(m.b_start, m.b_end), {.tolerance = load.tolerance})
                .status == ToiStatus::contact;
  test::expect_about_half(hits, 60);
}

INSTANTIATE_TEST_SUITE_P(Scenes, MovingWorkloads, testing::ValuesIn(moving_workloads()), kNames);

}  // namespace
}  // namespace touche::scenes
