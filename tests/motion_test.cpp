// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "math/motion_data.h"
#include "random.h"
#include "touche/motion.h"

namespace touche {
namespace {

constexpr double kPi = std::numbers::pi;

Pose random_pose(scenes::Random& random, double spread = 2) {
  return Pose::from_axis_angle(random.direction(), random.uniform(-kPi, kPi),
                               random.in_box(spread));
}

// One motion of every kind.
std::vector<Motion> all_kinds(scenes::Random& random) {
  const Pose p = random_pose(random), q = random_pose(random), r = random_pose(random);
  const Vec3 axis = random.direction(), point = random.in_box(1);
  const Pose poses[] = {p, q, r, p};
  const double times[] = {0, 0.1, 0.7, 1};
  std::vector<Motion> motions{
      Motion::at(p),
      Motion::interpolated(p, q),
      Motion::interpolated(p, q, Interpolation::nlerp),
      Motion::screw(p, point, axis, random.uniform(-20, 20), random.uniform(-3, 3)),
      Motion::through(poses, times),
      Motion::through(poses, {}, Interpolation::nlerp),
      Motion::function(
          [p, axis](double t) {
            return Pose::from_axis_angle(axis, std::sin(5 * t), Vec3(t * t, 0, 0)) * p;
          },
          2 + 5 * 4, 5, Vec3::Zero())};
  motions.push_back(Motion::chain(std::vector{motions[1], Motion::screw(q, point, axis, 7, 1)}));
  motions.push_back(motions[3].part(0.2, 0.9));
  motions.push_back(motions[4].part(0.05, 0.8));
  motions.push_back(motions[2].part(0.3, 0.4));
  motions.push_back(Motion::relative(motions[1], motions[3]));
  motions.push_back(Motion::relative(motions[0], motions[4]));
  motions.push_back(Motion::relative(motions[4], motions[2]));
  return motions;
}

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
                   << "round " << round << ", turning by " << m.data().pieces[0].angle << ", kind "
                   << static_cast<int>(m.data().pieces[0].kind) << " of "
                   << m.data().pieces.size());
      const Ball ball{random.in_box(2), random.uniform(0, 0.5)};
      Aabb box;
      box.include(random.in_box(1));
      box.include(random.in_box(1));
      double t0 = random.uniform(), t1 = random.uniform();
      if (t0 > t1) std::swap(t0, t1);
      const double t_ref = random.uniform();
      const double ball_bound = m.displacement_bound(ball, t_ref, t0, t1);
      const double box_bound = m.displacement_bound(box, t_ref, t0, t1);
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

TEST(Motion, DisplacementBoundIsTightForATurn) {
  const Motion quarter = Motion::screw(Pose(), Vec3::Zero(), Vec3::UnitZ(), kPi / 2, 0);
  EXPECT_NEAR(quarter.displacement_bound(Ball{Vec3(1, 0, 0), 0}, 0, 0, 1), std::sqrt(2.0), 1e-11);
  const Motion turns = Motion::screw(Pose(), Vec3::Zero(), Vec3::UnitZ(), 20 * kPi, 0);
  EXPECT_NEAR(turns.displacement_bound(Ball{Vec3(1, 0, 0), 0}, 0, 0, 1), 2.0, 1e-11);
}

// What the search for the time of impact relies on: place, velocity and curvature of each piece.
TEST(Motion, KinematicsPredictsWithinItsCurvature) {
  scenes::Random random(7);
  for (int round = 0; round < 30; ++round)
    for (const Motion& m : all_kinds(random))
      for (const detail::Piece& piece : m.data().pieces) {
        const double t = random.uniform(piece.t_begin, piece.t_end);
        const double dt = random.uniform(0, piece.t_end - t);
        const detail::Kinematics k = detail::kinematics(piece, t);
        const Vec3 x = random.in_box(2);
        const Vec3 now = k.rotation * x + k.translation, r = now - k.centre;
        EXPECT_LT((now - m.pose(t) * x).norm(), 1e-12);
        const Vec3 predicted = now + dt * (k.velocity + k.angular.cross(r));
        const double allowed = dt * (k.free_speed + k.free_angular * r.norm()) +
                               0.5 * dt * dt * k.curvature * k.axis.cross(r).norm();
        EXPECT_LE((m.pose(t + dt) * x - predicted).norm(), allowed + 1e-11);
      }
}

TEST(Motion, BadInputIsRefused) {
  const Pose p;
  const Pose one[] = {p}, three[] = {p, p, p};
  const double backwards[] = {0, 0.5, 0.5}, short_of_one[] = {0, 0.5, 0.9}, two[] = {0, 1};
  EXPECT_THROW(Motion::through(one), InvalidInput);
  EXPECT_THROW(Motion::through(three, backwards), InvalidInput);
  EXPECT_THROW(Motion::through(three, short_of_one), InvalidInput);
  EXPECT_THROW(Motion::through(three, two), InvalidInput);
  EXPECT_THROW(Motion::screw(p, Vec3::Zero(), Vec3::Zero(), 1, 1), InvalidInput);
  EXPECT_THROW(Motion::function(nullptr, 1, 1), InvalidInput);
  EXPECT_THROW(Motion::function([](double) { return Pose(); }, -1, 1), InvalidInput);
  EXPECT_THROW(Motion::at(p).part(0.5, 0.5), InvalidInput);
  EXPECT_THROW(Motion::chain({}), InvalidInput);
}

}  // namespace
}  // namespace touche
