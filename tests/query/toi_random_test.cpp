// SPDX-License-Identifier: Apache-2.0
// Certified time of impact against the independent oracle: thousands of random motions of every
// kind, of soups as nasty as they come. Not one missed contact.
#include <gtest/gtest.h>

#include "hit_share.h"
#include "random_rides.h"
#include "test_scale.h"

namespace touche::test::toi_random_test {
namespace {

class RandomMotions : public testing::TestWithParam<Family> {};

TEST_P(RandomMotions, AgreeWithTheOracle) {
  const Family& family = GetParam();
  const int cases = scaled(800, 60);
  int touched = 0, unsure = 0;
  for (int i = 0; i < cases; ++i) {
    SCOPED_TRACE(std::string(family.name) + " " + case_of_seed(i));
    const Scenario s = make(family, first_seed() + static_cast<std::uint64_t>(i));
    const ToiResult r = answer(s);
    const Truth truth = find_touch(s.a, s.ride_a, s.b, s.ride_b, r.tolerance);
    judge(s, r, truth);
    touched += truth.touch.has_value();
    unsure += !truth.touch && !truth.sure;
    if (HasFailure()) return;
  }
  RecordProperty("touched", touched);
  RecordProperty("unsure", unsure);
  expect_about_half(touched, cases);
  EXPECT_LE(unsure, 0.1 * cases);
}

INSTANTIATE_TEST_SUITE_P(
    Toi, RandomMotions,
    testing::Values(
        Family{"slerp", triangles, triangles, Kind::slerp, Kind::slerp, 2.6, 1.6},
        Family{"nlerp", triangles, triangles, Kind::nlerp, Kind::nlerp, 2.6, 1.6},
        Family{"screw", triangles, triangles, Kind::slerp, Kind::screw, 1.9, 0.3},
        Family{"screws", triangles, triangles, Kind::screw, Kind::screw, 2.1, 0.3},
        Family{"glide", triangles, triangles, Kind::glide, Kind::glide, 2.6, 1.6},
        Family{"glide_needles", needles, sticks, Kind::glide, Kind::glide, 2.6, 1.2},
        Family{"tiny_turn", triangles, triangles, Kind::slerp, Kind::tiny_turn, 2.6, 1.6},
        Family{"function", triangles, triangles, Kind::rocking, Kind::rocking, 2.6, 1.8},
        Family{"through", triangles, triangles, Kind::through, Kind::through, 2.6, 1.8},
        Family{"chain", triangles, triangles, Kind::chain, Kind::chain},
        Family{"recorded", triangles, triangles, Kind::recorded, Kind::recorded, 2.6, 1.6},
        Family{"recorded_needles", needles, sticks, Kind::slerp, Kind::recorded, 2.6, 1.2},
        Family{"needles", needles, needles, Kind::slerp, Kind::screw, 2, 0.3},
        Family{"needles_tiny", needles, needles, Kind::tiny_turn, Kind::nlerp, 2, 0.5},
        Family{"points", triangles, degenerate, Kind::slerp, Kind::slerp, 2.6, 0.8},
        Family{"segments", sticks, sticks, Kind::screw, Kind::chain, 2.6, 1.5},
        Family{"boxes", box, box, Kind::axis_parallel, Kind::axis_parallel, 2.6, 2.2},
        Family{"flat", flat, flat, Kind::planar, Kind::planar, 4, 3.5},
        Family{"lattice", lattice, lattice, Kind::on_lattice, Kind::on_lattice, 2.6, 1.6},
        Family{"inside", box, crumbs, Kind::slerp, Kind::nlerp, 0.27, 0.12, 0.05}),
    [](const auto& made) { return std::string(made.param.name); });

}  // namespace
}  // namespace touche::test::toi_random_test
