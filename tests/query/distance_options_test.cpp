// SPDX-License-Identifier: Apache-2.0
// Compares distance() under its options with the exact answer, by brute force or in closed form.
// The same test body runs the fast query and its reference implementation.
#include <gtest/gtest.h>

#include <cmath>

#include "hit_share.h"
#include "random.h"
#include "shapes.h"
#include "test_scale.h"
#include "touche/reference.h"
#include "touche/touche.h"

namespace touche::distance_options_test {
namespace {

using scenes::Random;

PolygonSoup unit_box() { return scenes::box(Vec3(0, 0, 0), Vec3(1, 1, 1)); }

Pose random_pose(base::Random& random, double spread) {
  return Pose::from_axis_angle(random.direction(), random.uniform(-3, 3), random.in_box(spread));
}

/// Whether `result` keeps what the header promises of it when the objects are `truth` apart.
testing::AssertionResult keeps_promise(const DistanceResult& result, double truth,
                                       const DistanceOptions& options) {
  const double rounding = 1e-12 * (8 + truth);  // 8: more than both objects' sizes together
  if (result.distance.lower > truth)
    return testing::AssertionFailure() << "lower bound " << result.distance.lower << " > " << truth;
  if (result.closest.has_value() != std::isfinite(result.distance.upper))
    return testing::AssertionFailure() << "closest points and the distance disagree";
  if (!result.closest) {
    if (truth <= options.max_distance)
      return testing::AssertionFailure() << truth << " is within the limit, but was not found";
    if (result.distance.lower < options.max_distance - rounding)
      return testing::AssertionFailure() << "only " << result.distance.lower << " is proved";
    return testing::AssertionSuccess();
  }
  if (result.distance.upper < truth || result.distance.upper > options.max_distance)
    return testing::AssertionFailure() << result.distance.upper << " instead of " << truth;
  if (result.distance.upper <= options.stop_below) return testing::AssertionSuccess();
  const double allowed = std::max(options.relative_error * truth, options.absolute_error);
  if (result.distance.upper > truth + allowed + rounding)
    return testing::AssertionFailure() << result.distance.upper << " is too far above " << truth;
  const double proved = std::min(result.distance.upper / (1 + options.relative_error),
                                 result.distance.upper - options.absolute_error);
  if (result.distance.lower < proved - rounding)
    return testing::AssertionFailure() << "only " << result.distance.lower << " is proved";
  return testing::AssertionSuccess();
}

DistanceOptions random_options(base::Random& random, double truth) {
  DistanceOptions options;
  const auto sometimes = [&](double& option, double lo, double hi) {
    if (random.below(2) == 0) option = random.uniform(lo, hi);
  };
  sometimes(options.max_distance, 0.5 * truth, 1.5 * truth);
  sometimes(options.relative_error, 0, 0.3);
  sometimes(options.absolute_error, 0, 0.3 * truth);
  if (random.below(4) == 0) options.stop_below = random.uniform(0, 1.5 * truth);
  return options;
}

TEST(DistanceOptions, PromisesHoldForRandomQueries) {
  const Object spheres[] = {Object(scenes::bumpy_sphere(300, 1)),
                            Object(scenes::bumpy_sphere(30, 2))};
  const Object soups[] = {Object(scenes::random_soup(3, {.faces = 60})),
                          Object(scenes::random_soup(4, {.faces = 60}))};
  base::Random random(14);
  int beyond_limit = 0, limited = 0;
  for (int round = 0; round < test::scaled(40, 6); ++round) {
    const auto& [a, b] = round % 2 == 0 ? spheres : soups;
    const Pose pose_a = random_pose(random, 5), pose_b = random_pose(random, 5);
    const double truth = brute_force::distance(a, pose_a, b, pose_b).distance.upper;
    for (int i = 0; i < 12; ++i) {
      const DistanceOptions options = random_options(random, truth);
      const DistanceResult result = distance(a, pose_a, b, pose_b, options);
      EXPECT_TRUE(keeps_promise(result, truth, options));
      EXPECT_TRUE(
          keeps_promise(brute_force::distance(a, pose_a, b, pose_b, options), truth, options));
      limited += truth > 0 && std::isfinite(options.max_distance);
      beyond_limit += truth > options.max_distance;
    }
  }
  test::expect_about_half(beyond_limit, limited);
}

TEST(DistanceOptions, LimitTogetherWithErrors) {
  const Object a(unit_box()), b(unit_box());
  const Pose pose = Pose::from_translation({56.5055, 0, 0});  // 55.5055 apart
  for (const DistanceOptions& options :
       {DistanceOptions{.max_distance = 57.74, .relative_error = 0.0551},
        DistanceOptions{.max_distance = 57.74, .absolute_error = 3},
        DistanceOptions{.max_distance = 57.74, .relative_error = 0.0551, .absolute_error = 3},
        DistanceOptions{.max_distance = 55, .relative_error = 0.0551, .absolute_error = 3}})
    for (const auto& result :
         {distance(a, {}, b, pose, options), brute_force::distance(a, {}, b, pose, options)}) {
      EXPECT_TRUE(keeps_promise(result, 55.5055, options));
      EXPECT_EQ(result.closest.has_value(), options.max_distance > 55.6);
    }
}

// Either error alone makes the search shorter, and so does the larger of two.
TEST(DistanceOptions, TheLargerAllowanceHolds) {
  const Object a(scenes::bumpy_sphere(5000, 1)), b(scenes::bumpy_sphere(5000, 2));
  const Pose pose = Pose::from_translation({2.2, 0, 0});
  const auto work = [&](const DistanceOptions& options) {
    const QueryStats stats = distance(a, {}, b, pose, options).stats;
    return stats.volume_tests + stats.primitive_tests;
  };
  const std::uint64_t exact = work({});
  EXPECT_LT(work({.relative_error = 0.5}), exact);
  EXPECT_LT(work({.absolute_error = 0.2}), exact);
  EXPECT_EQ(work({.relative_error = 0.5, .absolute_error = 1e-9}), work({.relative_error = 0.5}));
  EXPECT_EQ(work({.relative_error = 1e-9, .absolute_error = 0.2}), work({.absolute_error = 0.2}));
}

// closest_points() is accurate to 1e-12 of the triangles' sizes: what is less apart proves nothing.
TEST(DistanceOptions, LowerBoundAllowsForRounding) {
  const Object a(unit_box()), b(unit_box());
  for (const double gap : {1e-15, 1e-14, 1e-13}) {
    const Pose pose = Pose::from_translation({1 + gap, 0.3, 0.2});
    for (const auto& result : {distance(a, {}, b, pose), brute_force::distance(a, {}, b, pose)}) {
      EXPECT_GT(result.distance.upper, 0);
      EXPECT_EQ(result.distance.lower, 0);
    }
  }
}

TEST(DistanceOptions, NegativeNumbersAreRefused) {
  const Object a(unit_box());
  using Distance = DistanceResult (*)(const Object&, const Pose&, const Object&, const Pose&,
                                      const DistanceOptions&);
  for (const Distance ask : {Distance{touche::distance}, Distance{brute_force::distance}})
    for (const double wrong : {-1.0, std::nan("")}) {
      EXPECT_THROW((void)ask(a, {}, a, {}, {.max_distance = wrong}), InvalidInput);
      EXPECT_THROW((void)ask(a, {}, a, {}, {.stop_below = wrong}), InvalidInput);
      EXPECT_THROW((void)ask(a, {}, a, {}, {.relative_error = wrong}), InvalidInput);
      EXPECT_THROW((void)ask(a, {}, a, {}, {.absolute_error = wrong}), InvalidInput);
    }
}

}  // namespace
}  // namespace touche::distance_options_test
