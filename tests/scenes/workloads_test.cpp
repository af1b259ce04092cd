// SPDX-License-Identifier: Apache-2.0
// The benchmark's workloads in small: every fast query against its twin, and hits as stated.
#include "workloads.h"

#include <gtest/gtest.h>

#include "hit_share.h"
#include "test_scale.h"
#include "touche/touche.h"

namespace touche::scenes {

void PrintTo(const NamedWorkload& workload, std::ostream* out) { *out << workload.name; }

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

INSTANTIATE_TEST_SUITE_P(Scenes, Workloads, testing::ValuesIn(workloads()), [](const auto& made) {
  std::string name = made.param.name;
  for (char& c : name)
    if (c == ' ') c = '_';
  return name;
});

}  // namespace
}  // namespace touche::scenes
