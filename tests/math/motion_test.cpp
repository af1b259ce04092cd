// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/box_corner.h"
#include "math/motion_data.h"
#include "motion_kinds.h"
#include "test_scale.h"

namespace touche {
namespace {

using test::all_kinds;
using test::kPi;
using test::random_pose;

TEST(Motion, StartsAndEndsWhereItShould) {
  scenes::Random random(3);
  for (int i = 0; i < 300; ++i) {
    const Pose p = random_pose(random), q = random_pose(random);
    for (const Interpolation how : {Interpolation::slerp, Interpolation::nlerp}) {
      const Motion m = Motion::interpolated(p, q, how);
      EXPECT_LT((m.pose(0).matrix() - p.matrix()).norm(), 1e-14);
      EXPECT_LT((m.pose(1).matrix() - q.matrix()).norm(), 1e-13);
      EXPECT_LT((m.pose(1).translation() - q.translation()).norm(), 1e-14);
      EXPECT_LE(relative(m.pose(0), m.pose(1)).axis_angle().angle, kPi + 1e-12);
    }
  }
}

TEST(Motion, TimesThatAreNoNumbersAreRefused) {
  const Motion motion = Motion::interpolated(Pose(), Pose::from_translation({1, 0, 0}));
  EXPECT_THROW((void)motion.pose(std::numeric_limits<double>::quiet_NaN()), InvalidInput);
  EXPECT_EQ(motion.pose(-kInfinity).translation().x(), 0);
  EXPECT_EQ(motion.pose(kInfinity).translation().x(), 1);
}

TEST(Motion, LengthsThatOverflowAreRefused) {
  const Vec3 far(1e300, 0, 0);
  const Motion up = Motion::interpolated(Pose(), Pose::from_axis_angle({1, 0, 0}, 1, far)),
               down = Motion::interpolated(Pose(), Pose::from_axis_angle({0, 1, 0}, 1, -far));
  EXPECT_EQ(up.pose(1).translation(), far);
  EXPECT_THROW((void)Motion::relative(up, down), InvalidInput);
  const Motion screw = Motion::screw({}, Vec3::Zero(), {1, 0, 0}, 1, 2e300);
  EXPECT_EQ(screw.pose(0.5).translation(), far);
  EXPECT_THROW((void)screw.pose(1), InvalidInput);
  EXPECT_THROW((void)Motion::screw({}, Vec3::Zero(), {1, 1, 1}, 1, 1e308), InvalidInput);
  EXPECT_THROW((void)Motion::screw({}, {1e308, 0, 0}, {0, 0, 1}, 1, 0), InvalidInput);
  EXPECT_THROW((void)Motion::screw({}, {1.7e308, 1.7e308, -1e308}, {1, 1, -1}, 1, 0), InvalidInput);
}

TEST(Motion, AFunctionsPosesAreFiniteOrItThrows) {
  const double nan = std::nan("");
  for (const double bad : {nan, kInfinity}) {
    const Motion motion = Motion::function(
        [bad](double t) {
          return Pose::from_quaternion_unchecked(1, 0, 0, t > 0.5 ? bad : 0, Vec3::Zero());
        },
        1, 1);
    EXPECT_EQ(motion.pose(0.5).translation(), Vec3::Zero());
    EXPECT_THROW((void)motion.pose(0.75), InvalidInput);
    EXPECT_THROW((void)motion.reversed().pose(0.25), InvalidInput);
    EXPECT_THROW((void)motion.part(0.25, 1).pose(1), InvalidInput);
    EXPECT_THROW((void)motion.carrying(Pose::from_translation({1, 0, 0})).pose(1), InvalidInput);
    EXPECT_THROW((void)Motion::relative(motion, motion).pose(1), InvalidInput);
    EXPECT_THROW((void)motion.swept_box({Vec3::Zero(), Vec3::Ones()}), InvalidInput);
  }
  EXPECT_THROW((void)Motion::function([](double) { return Pose(); }, nan, 1), InvalidInput);
  EXPECT_THROW((void)Motion::function([](double) { return Pose(); }, 1, kInfinity), InvalidInput);
  EXPECT_THROW((void)Motion::function([](double) { return Pose(); }, 1, 1, {nan, 0, 0}),
               InvalidInput);
}

TEST(Motion, BoundsOfWhatIsNoNumberAreRefused) {
  const double nan = std::nan("");
  const Motion motion = Motion::screw({}, Vec3::Zero(), Vec3::UnitZ(), 1, 2);
  const Ball bad_balls[] = {{{nan, 0, 0}, 1}, {Vec3::Zero(), nan}};
  for (const Ball& ball : bad_balls) {
    EXPECT_THROW((void)motion.displacement_bound(ball, 0, 0, 1), InvalidInput);
    EXPECT_THROW((void)motion.bulge_bound(ball), InvalidInput);
  }
  const Ball ball{Vec3::Zero(), 1};
  EXPECT_THROW((void)motion.displacement_bound(ball, nan, 0, 1), InvalidInput);
  EXPECT_THROW((void)motion.displacement_bound(ball, 0, nan, 1), InvalidInput);
  EXPECT_THROW((void)motion.displacement_bound(ball, 0, 0, nan), InvalidInput);
  EXPECT_THROW((void)motion.displacement_bound(Aabb{{nan, 0, 0}, Vec3::Ones()}, 0, 0, 1),
               InvalidInput);
  const Aabb everything{Vec3::Constant(-kInfinity), Vec3::Constant(kInfinity)};
  EXPECT_EQ(motion.displacement_bound(everything, 0, 0, 1), kInfinity);
  EXPECT_EQ(motion.displacement_bound(ball, 0, -kInfinity, kInfinity),
            motion.displacement_bound(ball, 0, 0, 1));
}

TEST(Motion, SlerpTurnsEvenlyAndNlerpOnTheSamePath) {
  const Pose p, q = Pose::from_axis_angle(Vec3(1, 2, 3), 2.0, Vec3(1, 0, 0));
  const Motion slerp = Motion::interpolated(p, q),
               nlerp = Motion::interpolated(p, q, Interpolation::nlerp);
  for (double t = 0; t <= 1; t += 0.0625) {
    EXPECT_NEAR(slerp.pose(t).axis_angle().angle, 2.0 * t, 1e-14);
    const Eigen::Quaterniond expected =
        Eigen::Quaterniond(((1 - t) * p.rotation().coeffs() + t * q.rotation().coeffs()).eval())
            .normalized();
    EXPECT_LT((nlerp.pose(t).rotation().coeffs() - expected.coeffs()).norm(), 1e-14);
  }
}

// Shifting a pose rounds its quaternion anew, which is no turn; the smallest real ones are kept.
TEST(Motion, WhatIsOnlyShiftedDoesNotTurn) {
  scenes::Random random(12);
  int rounded = 0;
  for (int i = 0; i < 2000; ++i) {
    const Pose p = random_pose(random);
    const Pose q = Pose::from_translation(random.in_box(3)) * p;
    rounded += p.rotation().coeffs() != q.rotation().coeffs();
    const Motion motion = Motion::interpolated(p, q);
    EXPECT_EQ(motion.pose(1).rotation().coeffs(), motion.pose(0).rotation().coeffs());
    EXPECT_LT((motion.pose(1).translation() - q.translation()).norm(), 1e-14);
    const Pose turned = Pose::from_axis_angle(random.direction(), 1e-13, Vec3::Zero()) * p;
    const Pose::AxisAngle turn = relative(Motion::interpolated(p, turned).pose(1), p).axis_angle();
    EXPECT_NEAR(turn.angle, 1e-13, 5e-15);
  }
  EXPECT_GT(rounded, 100);
}

TEST(Motion, ScrewIsAHelix) {
  const Motion m = Motion::screw(Pose::from_translation(Vec3(2, 0, 0)), Vec3(1, 0, 5),
                                 Vec3::UnitZ(), 6 * kPi, 9);
  for (double t = 0; t <= 1; t += 0.05) {
    const Vec3 expected(1 + std::cos(6 * kPi * t), std::sin(6 * kPi * t), 9 * t);
    EXPECT_LT((m.pose(t) * Vec3::Zero() - expected).norm(), 1e-13);
  }
}

TEST(Motion, PartIsTheSameMotion) {
  scenes::Random random(4);
  for (int round = 0; round < 20; ++round)
    for (const Motion& m : all_kinds(random)) {
      const double t0 = random.uniform(0, 0.5), t1 = random.uniform(0.5, 1);
      const Motion part = m.part(t0, t1);
      for (int i = 0; i <= 20; ++i) {
        const double t = i / 20.0;
        const Pose x = part.pose(t), y = m.pose(t0 + t * (t1 - t0));
        EXPECT_LT((x.matrix() - y.matrix()).norm() + (x.translation() - y.translation()).norm(),
                  1e-11);
      }
    }
}

TEST(Motion, RelativeIsWhatAnObserverSees) {
  scenes::Random random(5);
  for (int round = 0; round < 5; ++round) {
    const std::vector<Motion> motions = all_kinds(random);
    for (const Motion& a : motions)
      for (const Motion& b : motions) {
        const Motion seen = Motion::relative(a, b);
        for (const double t : {0.0, 0.05, 0.31, 0.7, 0.99, 1.0}) {
          const Pose x = seen.pose(t), y = relative(a.pose(t), b.pose(t));
          EXPECT_LT((x.matrix() - y.matrix()).norm() + (x.translation() - y.translation()).norm(),
                    1e-10);
        }
      }
  }
}

// The heart of every certificate: no sampled point ever travels farther than the bound, and the
// bound is not idle (for the motions we know, within a factor of the largest sampled displacement).
TEST(Motion, DisplacementBoundHolds) {
  scenes::Random random(6);
  for (int round = 0; round < 30; ++round)
    for (const Motion& m : all_kinds(random)) {
      SCOPED_TRACE(testing::Message()
                   << "round " << round << ", turning by " << math::pieces_of(m)[0].angle
                   << ", kind " << static_cast<int>(math::pieces_of(m)[0].kind) << " of "
                   << math::pieces_of(m).size());
      const Ball ball{random.in_box(2), random.uniform(0, 0.5)};
      Aabb box;
      box.include(random.in_box(1));
      box.include(random.in_box(1));
      double t0 = random.uniform(), t1 = random.uniform();
      if (t0 > t1) std::swap(t0, t1);
      const double t_ref = random.uniform();
      const double ball_bound = m.displacement_bound(ball, t_ref, t0, t1);
      const double box_bound = m.displacement_bound(box, t_ref, t0, t1);
      // That of a box is the largest of its corners', to the last bit.
      double of_corners = 0;
      for (int i = 0; i < 8; ++i)
        of_corners = std::max(
            of_corners, m.displacement_bound(Ball{math::corner_of(box, i), 0}, t_ref, t0, t1));
      ASSERT_EQ(box_bound, of_corners);
      const Pose at_ref = m.pose(t_ref);
      for (int i = 0; i < 100; ++i) {
        const Vec3 in_ball = ball.centre + ball.radius * random.direction();
        const Vec3 unit(random.uniform(), random.uniform(), random.uniform());
        const Vec3 in_box = box.lo + unit.cwiseProduct(box.hi - box.lo);
        const Pose p = m.pose(t0 + (t1 - t0) * random.uniform());
        ASSERT_LE((p * in_ball - at_ref * in_ball).norm(), ball_bound);
        ASSERT_LE((p * in_box - at_ref * in_box).norm(), box_bound);
      }
    }
}

// Each piece turns by less than counts as a turn, and so not at all, but the poses at which it ends
// and the next one begins differ by that. All in the same direction that adds up.
TEST(Motion, DisplacementBoundHoldsForManyTinyTurns) {
  constexpr double kTiny = 1.8e-15;
  std::vector<Pose> poses;
  for (int i = 0; i <= 100'000; ++i)
    poses.push_back(Pose::from_axis_angle(Vec3::UnitZ(), kTiny * i, Vec3::Zero()));
  const Motion motion = Motion::through(poses);
  ASSERT_EQ(math::pieces_of(motion)[5].angle, 0);
  const Ball point{Vec3(1, 0, 0), 0};
  Aabb box;
  box.include(point.centre);
  for (const auto& [t_ref, t0, t1] : {std::array{0.0, 0.0, 1.0}, std::array{1.0, 0.0, 1.0},
                                      std::array{0.5, 0.2, 0.9}, std::array{0.1, 0.7, 0.8}}) {
    const double moved =
        std::max((motion.pose(t0) * point.centre - motion.pose(t_ref) * point.centre).norm(),
                 (motion.pose(t1) * point.centre - motion.pose(t_ref) * point.centre).norm());
    ASSERT_GT(moved, 7e-11);
    EXPECT_GE(motion.displacement_bound(point, t_ref, t0, t1), moved);
    EXPECT_GE(motion.displacement_bound(box, t_ref, t0, t1), moved);
    EXPECT_LT(motion.displacement_bound(point, t_ref, t0, t1), 2e-9);
  }
}

// A sum of many displacements is rounded upwards: here each addition of the second half would round
// down by nearly half an ulp.
TEST(Motion, DisplacementBoundsOfManyPiecesAreRoundedUp) {
  constexpr int kPieces = 1 << 17;
  const double way = 1 + 0.49 * 0x1p-36;
  std::vector<Pose> poses;
  for (int i = 0; i <= kPieces; ++i)
    poses.push_back(Pose::from_translation({i % 2 == 0 ? 0 : way, 0, 0}));
  const double bound = Motion::through(poses).displacement_bound(Ball{Vec3::Zero(), 0}, 0, 0, 1);
  EXPECT_GE(static_cast<long double>(bound), kPieces * static_cast<long double>(way));
  EXPECT_LT(bound, kPieces * way * (1 + 1e-10));
}

TEST(Motion, BulgeBoundHolds) {
  scenes::Random random(8);
  for (int round = 0; round < 30; ++round)
    for (const Motion& m : all_kinds(random)) {
      const Ball ball{random.in_box(2), random.uniform(0, 0.5)};
      const double bound = m.bulge_bound(ball);
      for (int i = 0; i < 100; ++i) {
        const Vec3 x = ball.centre + ball.radius * random.direction();
        const Vec3 from = m.pose(0) * x, along = m.pose(1) * x - from;
        const Vec3 there = m.pose(random.uniform()) * x - from;
        const double squared = along.squaredNorm();
        const double on = squared > 0 ? std::clamp(there.dot(along) / squared, 0.0, 1.0) : 0;
        ASSERT_LE((there - on * along).norm(), bound);
      }
    }
}

TEST(Motion, BulgeBoundIsTightForSmallTurnsAndLines) {
  // An arc of a radius of 1 and an angle h leaves its chord by 1 - cos(h / 2).
  for (const double h : {0.01, 0.1, 1.0}) {
    const Motion turn = Motion::screw(Pose(), Vec3::Zero(), Vec3::UnitZ(), h, 5);
    const double bulge = 2 * std::pow(std::sin(h / 4), 2);
    EXPECT_NEAR(turn.bulge_bound(Ball{Vec3(1, 0, 0), 0}), bulge, 0.03 * bulge);
  }
  const Motion line = Motion::interpolated(Pose(), Pose::from_translation({100, 0, 0}));
  EXPECT_LT(line.bulge_bound(Ball{Vec3(1, 2, 3), 4}), 1e-11);
}

TEST(Motion, DisplacementBoundIsTightForATurn) {
  const Motion quarter = Motion::screw(Pose(), Vec3::Zero(), Vec3::UnitZ(), kPi / 2, 0);
  EXPECT_NEAR(quarter.displacement_bound(Ball{Vec3(1, 0, 0), 0}, 0, 0, 1), std::sqrt(2.0), 1e-11);
  const Motion turns = Motion::screw(Pose(), Vec3::Zero(), Vec3::UnitZ(), 20 * kPi, 0);
  EXPECT_NEAR(turns.displacement_bound(Ball{Vec3(1, 0, 0), 0}, 0, 0, 1), 2.0, 1e-11);
}

// The search for the time of impact relies on position, velocity and acceleration of each piece.
TEST(Motion, VelocityBoundsHold) {
  scenes::Random random(7);
  for (int round = 0; round < 30; ++round)
    for (const Motion& m : all_kinds(random))
      for (const detail::Piece& piece : math::pieces_of(m)) {
        const double t = random.uniform(piece.t_begin, piece.t_end);
        const double dt = random.uniform(0, piece.t_end - t);
        const detail::MovingBody body = detail::moving_body(piece, t);
        const math::VelocityBound& v = body.velocity;
        const Vec3 x = random.in_box(2);
        const Vec3 now = body.to_world(x);
        EXPECT_LT((now - m.pose(t) * x).norm(), 1e-12);
        const Vec3 predicted = now + dt * v.velocity(now);
        const double allowed = dt * v.undirected(now) + 0.5 * dt * dt * v.acceleration(now);
        EXPECT_LE((m.pose(t + dt) * x - predicted).norm(), allowed + 1e-11);
      }
}

TEST(Motion, BadInputIsRefused) {
  const Pose p;
  const Pose one[] = {p}, three[] = {p, p, p};
  const double backwards[] = {0, 0.5, 0.5}, short_of_one[] = {0, 0.5, 0.9}, two[] = {0, 1};
  EXPECT_THROW((void)Motion::through(one), InvalidInput);
  EXPECT_THROW((void)Motion::through(three, backwards), InvalidInput);
  EXPECT_THROW((void)Motion::through(three, short_of_one), InvalidInput);
  EXPECT_THROW((void)Motion::through(three, two), InvalidInput);
  EXPECT_THROW((void)Motion::screw(p, Vec3::Zero(), Vec3::Zero(), 1, 1), InvalidInput);
  EXPECT_THROW((void)Motion::function(nullptr, 1, 1), InvalidInput);
  EXPECT_THROW((void)Motion::function([](double) { return Pose(); }, -1, 1), InvalidInput);
  EXPECT_THROW((void)Motion::at(p).part(0.5, 0.5), InvalidInput);
  EXPECT_THROW((void)Motion::chain({}), InvalidInput);
}

TEST(Motion, ReversedRunsBack) {
  scenes::Random random(63);
  for (int round = 0; round < test::scaled(20, 5); ++round)
    for (const Motion& motion : test::all_kinds(random)) {
      const Motion back = motion.reversed();
      for (int i = 0; i < 20; ++i) {
        const double t = random.uniform();
        const Pose p = motion.pose(t), q = back.pose(1 - t);
        EXPECT_LE((p.matrix() - q.matrix()).norm(), 1e-11);
        EXPECT_LE((p.translation() - q.translation()).norm(), 1e-11);
        const Vec3 x = random.in_box(1);
        EXPECT_LE(
            (q * x - back.pose(0.5) * x).norm(),
            back.displacement_bound(Ball{x, 0}, 0.5, std::min(0.5, 1 - t), std::max(0.5, 1 - t)) +
                1e-12);
      }
    }
}

TEST(Motion, CarriesBodiesAtFixedPlaces) {
  scenes::Random random(64);
  for (int round = 0; round < test::scaled(20, 5); ++round)
    for (const Motion& motion : test::all_kinds(random)) {
      const Pose offset = test::random_pose(random);
      const Motion carried = motion.carrying(offset);
      const Ball ball{random.in_box(1), random.uniform()};
      for (int i = 0; i < 20; ++i) {
        const double t = random.uniform();
        const Pose p = motion.pose(t) * offset, q = carried.pose(t);
        EXPECT_LE((p.matrix() - q.matrix()).norm(), 1e-11);
        EXPECT_LE((p.translation() - q.translation()).norm(), 1e-11);
        const Vec3 x = ball.centre + ball.radius * random.direction();
        EXPECT_LE((q * x - carried.pose(0) * x).norm(),
                  carried.displacement_bound(ball, 0, 0, t) + 1e-12);
      }
    }
}

}  // namespace
}  // namespace touche
