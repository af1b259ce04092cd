// SPDX-License-Identifier: Apache-2.0
// Tests of many pairs at one pose: as safe as the tests of single pairs, and hardly less sharp.
#include <gtest/gtest.h>

#include <iostream>

#include "bounds_sets.h"
#include "hit_share.h"
#include "methods/bounds/pair_test.h"
#include "test_scale.h"

namespace touche::bounds {
namespace {

using test::Sets;

template <typename V>
class ManyPairs : public testing::Test {};
TYPED_TEST_SUITE(ManyPairs, test::AllVolumeTypes);

TYPED_TEST(ManyPairs, AreJudgedLikeSingleOnes) {
  Sets sets(1);
  const int poses = test::scaled(400, 100);
  // So far apart that about half meet: spheres, which mixed volumes often are here, reach farther
  // than boxes of any orientation and polytopes.
  const double far = std::same_as<TypeParam, Sphere> || std::same_as<TypeParam, Mixed> ? 2.3
                     : std::same_as<TypeParam, Obb> || std::same_as<TypeParam, Kdop<14>> ||
                             std::same_as<TypeParam, Kdop<18>> || std::same_as<TypeParam, Kdop<26>>
                         ? 1.45
                         : 1.7;
  int hits = 0, found = 0, total = 0;
  for (int i = 0; i < poses; ++i) {
    const PoseMatrix pose = sets.pose(sets.real(0.3, far) * sets.direction());
    const PairTest<TypeParam> test(pose);
    for (int k = 0; k < 5; ++k, ++total) {
      const TypeParam a = TypeParam::fit(sets.cloud(6)), b = TypeParam::fit(sets.cloud(6));
      const bool meet = overlap(a, b, pose), met = test(a, b);
      EXPECT_TRUE(met || !meet);
      hits += meet;
      found += met;
    }
  }
  test::expect_about_half(hits, total);
  EXPECT_LE(found - hits, 0.06 * total);
  std::cout << TypeParam::kName << ": " << found - hits << " of " << total - hits
            << " pairs apart are called overlapping\n";
}

// Where points coincide at the pose, slack or not.
TYPED_TEST(ManyPairs, FindSharedPoints) {
  Sets sets(2);
  for (int i = 0, n = test::scaled(600); i < n && !testing::Test::HasFailure(); ++i) {
    const std::vector<Vec3> at_b = sets.any();
    const PoseMatrix pose = sets.pose(sets.integer(0, 1) * 10 * sets.point());
    std::vector<Vec3> at_a = sets.cloud(5);
    at_a.push_back(pose * sets.inside(at_b));
    const TypeParam a = TypeParam::fit(at_a), b = TypeParam::fit(at_b);
    EXPECT_TRUE(PairTest<TypeParam>(pose)(a, b)) << i;
    PoseMatrix near = pose;  // what is meant lies up to `slack` away
    near.slack = 0.1;
    near.translation += 0.09 * sets.direction();
    EXPECT_TRUE(PairTest<TypeParam>(near)(a, b)) << i;
    EXPECT_TRUE(overlap(a, b, near)) << i;
    EXPECT_EQ(lower_bound(a, b, near), 0) << i;
  }
}

}  // namespace
}  // namespace touche::bounds
