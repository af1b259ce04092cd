// SPDX-License-Identifier: Apache-2.0
#include "touche/motion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "motion_kinds.h"
#include "test_scale.h"

namespace touche {
namespace {

using test::all_kinds;
using test::kPi;
using test::random_pose;

Aabb random_box(scenes::Random& random, double size = 1) {
  Aabb box;
  box.include(random.in_box(size));
  box.include(random.in_box(size));
  return box;
}

Vec3 corner(const Aabb& box, int i) {
  return {(i & 1) ? box.hi.x() : box.lo.x(), (i & 2) ? box.hi.y() : box.lo.y(),
          (i & 4) ? box.hi.z() : box.lo.z()};
}

bool holds(const Aabb& box, const Vec3& x) {
  return (box.lo.array() <= x.array()).all() && (x.array() <= box.hi.array()).all();
}

// Samples all corners at many times, including the times where pieces meet, and returns the box of
// all samples. Returns nothing if a sample lies outside.
std::optional<Aabb> sampled_box(const Motion& motion, const Aabb& box, int samples) {
  const Aabb swept = motion.swept_box(box);
  const MovingBox moving = motion.moving_box(box);
  Aabb seen;
  for (int i = 0; i <= samples; ++i) {
    const double t = static_cast<double>(i) / samples;
    const Pose pose = motion.pose(t);
    const Aabb now = moving.at(t);
    for (int c = 0; c < 8; ++c) {
      const Vec3 x = pose * corner(box, c);
      if (!holds(swept, x) || !holds(now, x)) return {};
      seen.include(x);
    }
  }
  return seen;
}

TEST(MovingBox, HoldsEveryCornerAtEveryTime) {
  scenes::Random random(31);
  for (int round = 0; round < test::scaled(40, 5); ++round)
    for (const Motion& motion : all_kinds(random))
      ASSERT_TRUE(sampled_box(motion, random_box(random), 300));
}

TEST(MovingBox, HoldsHugeTinyAndFarAwayBoxes) {
  scenes::Random random(32);
  for (const double size : {1e-30, 1e-5, 1e8, 1e60})
    for (int round = 0; round < test::scaled(30, 5); ++round) {
      const Pose a = random_pose(random, size), b = random_pose(random, size);
      const Vec3 axis = random.direction(), point = random.in_box(1e3 * size);
      const double angle = random.uniform(-3000, 3000);
      const Aabb box = random_box(random, size), speck = random_box(random, 1e-9 * size);
      for (const Motion& motion :
           {Motion::at(a), Motion::interpolated(a, b),
            Motion::interpolated(a, b, Interpolation::nlerp),
            Motion::screw(a, point, axis, angle, size), Motion::screw(a, point, axis, 0.1, size),
            Motion::relative(Motion::interpolated(a, b), Motion::at(b))}) {
        ASSERT_TRUE(sampled_box(motion, box, 100));
        ASSERT_TRUE(sampled_box(motion, speck, 100));
      }
    }
}

// Recorded paths may have steps as short as the resolution of numbers.
TEST(MovingBox, HoldsInStepsOfAnyLength) {
  scenes::Random random(33);
  for (int round = 0; round < test::scaled(100, 10); ++round) {
    const double middle = random.uniform(0.1, 0.9);
    std::vector<double> times{0, middle, middle};
    const int ulps = 1 + round % 5;
    for (int i = 0; i < ulps; ++i) times[2] = std::nextafter(times[2], 1.0);
    times.push_back(1);
    const Pose a = random_pose(random), b = random_pose(random), c = random_pose(random),
               d = random_pose(random);
    const Motion motion = Motion::through(std::vector{a, b, c, d}, times);
    const Aabb box = random_box(random), swept = motion.swept_box(box);
    const MovingBox moving = motion.moving_box(box);
    double t = middle;
    for (int i = 0; i <= ulps; ++i, t = std::nextafter(t, 1.0)) {
      const Pose pose = motion.pose(t);
      for (int k = 0; k < 8; ++k) {
        ASSERT_TRUE(holds(swept, pose * corner(box, k)));
        ASSERT_TRUE(holds(moving.at(t), pose * corner(box, k)));
      }
    }
  }
}

// The largest distance of the sides of the box from the sides of the sampled box.
double slack(const Aabb& box, const Aabb& seen) {
  return std::max((seen.lo - box.lo).maxCoeff(), (box.hi - seen.hi).maxCoeff());
}

TEST(MovingBox, IsExactOnStraightLines) {
  scenes::Random random(34);
  for (int round = 0; round < 100; ++round) {
    const Pose a = random_pose(random);
    const Motion motion = Motion::interpolated(a, Pose::from_translation(random.in_box(100)) * a);
    const Aabb box = random_box(random);
    const MovingBox moving = motion.moving_box(box);
    EXPECT_LT(slack(motion.swept_box(box), sampled_box(motion, box, 1).value()), 1e-10);
    for (const double t : {0.0, 0.3, 1.0}) {
      Aabb now;
      for (int i = 0; i < 8; ++i) now.include(motion.pose(t) * corner(box, i));
      EXPECT_LT(slack(moving.at(t), now), 1e-10);
    }
  }
}

TEST(MovingBox, SweptBoxIsNearlyExactForTurns) {
  scenes::Random random(35);
  for (int round = 0; round < 100; ++round) {
    const Pose a = random_pose(random), b = random_pose(random);
    const Vec3 axis = random.direction();
    const double angle = random.uniform(-6, 6), travel = random.uniform(-3, 3);
    const Aabb box = random_box(random);
    const double far = std::max(box.lo.norm(), box.hi.norm()) + box.diagonal();
    for (const Motion& motion :
         {Motion::interpolated(a, b), Motion::interpolated(a, b, Interpolation::nlerp),
          Motion::screw(Pose(), Vec3::Zero(), axis, angle, travel)})
      EXPECT_LT(slack(motion.swept_box(box), sampled_box(motion, box, 300).value()), 0.035 * far);
  }
}

// A screw of many turns fills a pipe; the moving box goes along it.
TEST(MovingBox, OfASpinningBodyIsWhatItsTurnsFill) {
  const Aabb box{{-1, -1, -1}, {1, 1, 1}};
  const Motion screw = Motion::screw(Pose(), Vec3::Zero(), Vec3::UnitZ(), 1000, 50);
  const double radius = std::sqrt(2.0);
  ASSERT_TRUE(sampled_box(screw, box, 5000));
  EXPECT_LT(slack(screw.swept_box(box), {{-radius, -radius, -1}, {radius, radius, 51}}), 1e-8);
  const MovingBox moving = screw.moving_box(box);
  EXPECT_LT(slack(moving.start, {{-radius, -radius, -1}, {radius, radius, 1}}), 1e-8);
  EXPECT_LT(slack(moving.end, {{-radius, -radius, 49}, {radius, radius, 51}}), 1e-8);
}

TEST(MovingBox, OfABentPathIsNoWiderThanTheBend) {
  // Right by 2, then up by 2, at constant speed: the middle of the path is 1 off the chord.
  const Motion bent = Motion::through(
      std::vector{Pose(), Pose::from_translation({2, 0, 0}), Pose::from_translation({2, 2, 0})});
  const Aabb box{{-1, -1, -1}, {1, 1, 1}};
  const MovingBox moving = bent.moving_box(box);
  EXPECT_LT(slack(bent.swept_box(box), {{-1, -1, -1}, {3, 3, 1}}), 1e-8);
  EXPECT_LT(slack(moving.start, {{-1, -2, -1}, {2, 1, 1}}), 1e-8);
  EXPECT_LT(slack(moving.end, {{1, 0, -1}, {4, 3, 1}}), 1e-8);
}

TEST(MovingBox, OfAFunctionIsAsGoodAsItsSpeeds) {
  const Motion motion = Motion::function(
      [](double t) {
        return Pose::from_translation({4 * t, 0, 0});
      },
      4, 0, Vec3::Zero());
  const Aabb box{{-1, -1, -1}, {1, 1, 1}};
  EXPECT_LT(slack(motion.swept_box(box), {{-1, -1, -1}, {5, 1, 1}}), 4.0 / 16 + 1e-8);
  EXPECT_LT(slack(motion.moving_box(box).start, box), 4.0 / 16 + 1e-8);
}

TEST(MovingBox, EmptyStaysEmptyAndWhatIsNotFiniteIsRefused) {
  const Motion motion = Motion::interpolated(Pose(), Pose::from_translation({1, 0, 0}));
  EXPECT_TRUE(motion.swept_box({}).empty());
  EXPECT_TRUE(motion.moving_box({}).start.empty());
  EXPECT_TRUE(motion.moving_box({}).end.empty());
  EXPECT_FALSE(overlap_time(motion.moving_box({}), motion.moving_box({})));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW((void)motion.swept_box({Vec3(0, 0, 0), Vec3(1, nan, 1)}), InvalidInput);
  EXPECT_THROW((void)motion.moving_box({Vec3(0, -kInfinity, 0), Vec3(1, 1, 1)}), InvalidInput);
  for (const double clearance : {-1.0, nan, kInfinity})
    EXPECT_THROW((void)overlap_time({}, {}, clearance), InvalidInput);
}

TEST(OverlapTime, OfBoxesThatPass) {
  const Aabb box{{0, 0, 0}, {1, 1, 1}}, there{{10, 0, 0}, {11, 1, 1}};
  // They meet when the sides at x = 1 + 10 t and x = 10 − 10 t do, and part the other way round.
  const auto time = overlap_time({box, there}, {there, box});
  ASSERT_TRUE(time);
  EXPECT_NEAR(time->start, 0.45, 1e-10);
  EXPECT_NEAR(time->end, 0.55, 1e-10);
  const auto wider = overlap_time({box, there}, {there, box}, 2);
  ASSERT_TRUE(wider);
  EXPECT_NEAR(wider->start, 0.35, 1e-10);
  EXPECT_NEAR(wider->end, 0.65, 1e-10);
  // Side by side at the same speed: swept boxes overlap, these never do.
  const Aabb behind{{-2, 0, 0}, {-1, 1, 1}}, follows{{8, 0, 0}, {9, 1, 1}};
  EXPECT_FALSE(overlap_time({box, there}, {behind, follows}));
  EXPECT_EQ(overlap_time({box, there}, {behind, follows}, 1), TimeInterval());
  EXPECT_EQ(overlap_time({box, box}, {box, box}), TimeInterval());
}

// Times at which sampling finds boxes to overlap lie in the interval; beyond it they are apart.
TEST(OverlapTime, HoldsAllTimesThatSamplingFinds) {
  scenes::Random random(36);
  int met = 0, missed = 0;
  const int rounds = test::scaled(4000, 500);
  for (int round = 0; round < rounds; ++round) {
    const double size = std::pow(10, random.uniform(-20, 20));
    const auto moving = [&] {
      MovingBox box;
      for (Aabb* const side : {&box.start, &box.end}) {
        const Vec3 centre = random.in_box(2.5 * size), half = random.in_box(size).cwiseAbs();
        *side = {centre - half, centre + half};
      }
      return box;
    };
    const MovingBox a = moving(), b = moving();
    const double clearance = round % 2 ? random.uniform(0, size) : 0;
    const auto time = overlap_time(a, b, clearance);
    (time ? met : missed) += 1;
    for (int i = 0; i <= 100; ++i) {
      const double t = 0.01 * i;
      const Aabb x = a.at(t), y = b.at(t);
      const double gap = std::max((x.lo - y.hi).maxCoeff(), (y.lo - x.hi).maxCoeff());
      if (time && time->start <= t && t <= time->end)
        ASSERT_LE(gap, clearance + 1e-9 * size) << round;
      else
        ASSERT_GT(gap, clearance) << round;
    }
  }
  EXPECT_GT(met, 0.3 * rounds);
  EXPECT_GT(missed, 0.3 * rounds);
}

}  // namespace
}  // namespace touche
