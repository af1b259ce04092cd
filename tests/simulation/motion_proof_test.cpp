// SPDX-License-Identifier: Apache-2.0
// The proof of motions reports free only if it is true, and names the pairs that are not.
#include "simulation/motion_proof.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "shapes.h"
#include "test_scale.h"

namespace touche::simulation::motion_proof_test {
namespace {

Motion line(const Vec3& from, const Vec3& to) {
  return Motion::interpolated(Pose::from_translation(from), Pose::from_translation(to));
}

class Proof : public testing::Test {
 protected:
  const Object ball_{scenes::sphere(1, 200)};
  const Object plate_{scenes::box({-5, -5, -0.01}, {5, 5, 0})};
};

TEST_F(Proof, FastBodiesDoNotPassThinPlates) {
  MotionProof proof({{Shape::soup(plate_), true}, {Shape::soup(ball_), false}}, 1e-3);
  // Beside it, above it to a hair, then through it within one step.
  const auto free = proof.step(std::vector{Motion::at({}), line({9, 0, 50}, {9, 0, -50})}, 1);
  EXPECT_TRUE(free.unproved.empty());
  // Askew, so that axis-aligned boxes do not separate them.
  const Pose askew = Pose::from_axis_angle({1, 2, 0}, 1, {3, 4, 5});
  const Motion along = Motion::interpolated(askew * Pose::from_translation({0, 0, 5}),
                                            askew * Pose::from_translation({0, 0, 1 + 1e-9}));
  MotionProof near({{Shape::soup(plate_), true}, {Shape::soup(ball_), false}}, 1e-3);
  const auto touching = near.step(std::vector{Motion::at(askew), along}, 1);
  EXPECT_TRUE(touching.unproved.empty()) << "the tolerance is made smaller until it is enough";
  EXPECT_EQ(touching.proved, 1u);
  MotionProof through({{Shape::soup(plate_), true}, {Shape::soup(ball_), false}}, 1e-3);
  const auto hit = through.step(std::vector{Motion::at({}), line({0, 0, 50}, {0, 0, -50})}, 1);
  ASSERT_EQ(hit.unproved.size(), 1u);
  EXPECT_EQ(hit.unproved[0].body_a, 0u);
  EXPECT_EQ(hit.unproved[0].body_b, 1u);
  EXPECT_EQ(hit.unproved[0].status, ToiStatus::contact);
  EXPECT_NEAR(hit.unproved[0].time, 0.49, 1e-6);
}

TEST_F(Proof, JumpsAreSeen) {
  MotionProof proof({{Shape::soup(plate_), true}, {Shape::soup(ball_), false}}, 1e-3);
  const std::vector<Motion> first = {Motion::at({}), line({0, 0, 9}, {0, 0, 5})};
  EXPECT_TRUE(proof.step(first, 1).unproved.empty());
  const std::vector<Motion> on = {Motion::at({}), line({0, 0, 5}, {0, 0, 4})};
  EXPECT_TRUE(proof.step(on, 1).unproved.empty());
  const std::vector<Motion> jump = {Motion::at({}), line({0, 0, -4}, {0, 0, -5})};
  const auto seen = proof.step(jump, 1);
  ASSERT_EQ(seen.unproved.size(), 1u);
  EXPECT_EQ(seen.unproved[0].body_a, 1u);
  EXPECT_EQ(seen.unproved[0].body_b, 1u);
}

TEST_F(Proof, WhatRoundingLeavesBetweenWaysIsProvedToo) {
  for (const double gap : {1e-7, 2e-5}) {
    MotionProof proof({{Shape::soup(plate_), true}, {Shape::soup(ball_), false}}, 1e-3);
    const std::vector<Motion> first = {Motion::at({}), line({0, 0, 9}, {0, 0, 1 + 1e-5})};
    EXPECT_TRUE(proof.step(first, 1).unproved.empty());
    // It goes on that far to the side, and away.
    const std::vector<Motion> on = {Motion::at({}), line({gap, 0, 1 + 1e-5}, {gap, 0, 9})};
    const auto outcome = proof.step(on, 1);
    // Farther from the plate than the gap: proved. Else it might have been in between.
    EXPECT_EQ(outcome.unproved.empty(), gap < 1e-5) << gap;
  }
}

TEST_F(Proof, WhoOverlapsFromTheStartIsTold) {
  MotionProof proof({{Shape::soup(plate_), true}, {Shape::soup(ball_), false}}, 1e-3);
  const auto found = proof.step(std::vector{Motion::at({}), Motion::at({})}, 1);
  ASSERT_EQ(found.unproved.size(), 1u)
      << "in the first step bodies that stand still are tested, too";
  EXPECT_EQ(found.unproved[0].status, ToiStatus::initially_touching);
  MotionProof fixed({{Shape::soup(plate_), true}, {Shape::soup(ball_), true}}, 1e-3);
  EXPECT_TRUE(fixed.step(std::vector{Motion::at({}), Motion::at({})}, 1).unproved.empty());
}

TEST_F(Proof, AgreesWithSamples) {
  base::Random random(7);
  int free = 0, hit = 0;
  const int count = test::scaled(200, 40);
  for (int i = 0; i < count; ++i) {
    const Vec3 from = random.in_box(4), to = random.in_box(4), other = random.in_box(4);
    const Motion a = line(from, to), b = Motion::at(Pose::from_translation(other));
    if ((from - other).norm() < 2.1) continue;
    MotionProof proof({{Shape::soup(ball_), false}, {Shape::soup(ball_), false}}, 1e-3);
    const bool proved = proof.step(std::vector{a, b}, 1).unproved.empty();
    bool meets = false;
    for (int k = 0; k <= 50; ++k)
      meets = meets || intersects(ball_, a.pose(k / 50.), ball_, b.pose(0)).intersects;
    EXPECT_FALSE(proved && meets);
    (proved ? free : hit) += 1;
  }
  EXPECT_GT(free, count / 10);
  EXPECT_GT(hit, count / 20);
}

}  // namespace
}  // namespace touche::simulation::motion_proof_test
