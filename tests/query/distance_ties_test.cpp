// SPDX-License-Identifier: Apache-2.0
// Distances of parallel surfaces: thousands of pairs of triangles are equally near, up to rounding.
#include <gtest/gtest.h>

#include <algorithm>

#include "random.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/reference.h"
#include "touche/touche.h"
#include "workload_meshes.h"
#include "workloads.h"

namespace touche::distance_ties_test {
namespace {

Pose turned(base::Random& random) {
  return Pose::from_axis_angle(random.direction(), random.uniform(-3, 3), random.in_box(5));
}

// In closed form: the plates stay parallel however they are turned together.
TEST(DistanceTies, ParallelPlates) {
  const Object plate(scenes::plate(20000));
  base::Random random(1);
  for (const double gap : {1e-6, 1e-3, 0.1, 2.0})
    for (int round = 0; round < 5; ++round) {
      const Pose both = turned(random);
      const Pose shift =
          Pose::from_translation({random.uniform(-1, 1), random.uniform(-1, 1), gap});
      const DistanceResult result = distance(plate, both, plate, both * shift);
      EXPECT_NEAR(result.distance.upper, gap, 1e-12);
      EXPECT_NEAR(result.distance.lower, gap, 1e-11);
      EXPECT_LE(result.distance.lower, gap + 1e-14);
      EXPECT_LT(result.stats.primitive_tests, 2000u);
    }
}

// As soon as one pair is measured, the boxes around the plates prove that none is nearer.
TEST(DistanceTies, FewOfManyTiesAreMeasured) {
  const auto& workloads = scenes::workloads();
  const auto plates = std::find_if(workloads.begin(), workloads.end(),
                                   [](const auto& w) { return w.name == "parallel plates"; });
  ASSERT_NE(plates, workloads.end());
  const scenes::Workload load = plates->make(20000, 10);
  const Object a(load.a), b(load.b);
  for (const Pose& pose : load.poses) {
    const DistanceResult result = distance(a, {}, b, pose);
    EXPECT_LE(result.stats.primitive_tests, 32u);
    EXPECT_LE(result.stats.node_pairs, 200u);
  }
}

// The boxes around the objects prove the nearest pair, so that few nodes are opened; the last digit
// is still that of the nearest of all pairs.
TEST(DistanceTies, BoxesAsFineMeshes) {
  base::Random random(3);
  int apart = 0;
  for (const Index parts : {1, 2, 4}) {
    const Object a(scenes::box({-1, -1, -1}, {1, 1, 1}, parts));
    const Object b(scenes::box({-0.7, -1, -0.5}, {0.5, 0.5, 0.5}, parts));
    for (int round = 0; round < test::scaled(30, 6); ++round) {
      const Vec3 place = random.uniform(2, 3) * random.direction();
      const Pose pose =
          round % 3 == 0 ? Pose::from_translation(place)
                         : Pose::from_axis_angle(random.direction(), random.uniform(-3, 3), place);
      const DistanceResult fast = distance(a, {}, b, pose);
      const DistanceResult slow = brute_force::distance(a, {}, b, pose);
      EXPECT_EQ(fast.distance.upper, slow.distance.upper) << parts << " " << round;
      if (slow.distance.upper == 0) continue;
      ++apart;
      EXPECT_LT(fast.stats.node_pairs, 100u) << parts << " " << round;
    }
  }
  EXPECT_GT(apart, 6);
}

// A box in a box-shaped room, near one wall: no slab lies between them, yet many pairs are as
// near.
TEST(DistanceTies, WithoutASlabBetween) {
  const Object room(scenes::box({-1, -1, -1}, {1, 1, 1}, 12));
  const Object thing(scenes::box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}, 12));
  base::Random random(2);
  for (int round = 0; round < test::scaled(10, 1); ++round) {
    const Pose both = turned(random);
    const Pose shift = Pose::from_translation({0.1, -0.05, random.uniform(0.15, 0.4)});
    const DistanceResult result = distance(room, both, thing, both * shift);
    EXPECT_NEAR(result.distance.upper, 0.5 - shift.translation().z(), 1e-13);
    EXPECT_NEAR(result.distance.upper,
                brute_force::distance(room, both, thing, both * shift).distance.upper, 1e-13);
    EXPECT_NEAR(result.distance.lower, result.distance.upper, 1e-11);
  }
}

// Thousands of pairs are measured without result, and none is found that could propose a slab.
TEST(DistanceTies, PlatesJustBeyondTheLimitAreNotFound) {
  const scenes::Workload plates = scenes::workloads()[2].make(2000, 1);
  const Object a(plates.a), b(plates.b);
  const Pose above = Pose::from_translation({0, 0, 0.5});
  const DistanceResult result = distance(a, {}, b, above, {.max_distance = 0.5 - 1e-12});
  EXPECT_EQ(result.distance.upper, kInfinity);
  EXPECT_TRUE(result.complete);
  EXPECT_NEAR(result.distance.lower, 0.5, 1e-9);
}

}  // namespace
}  // namespace touche::distance_ties_test
