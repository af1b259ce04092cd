// SPDX-License-Identifier: Apache-2.0
// The direct solution of joints, compared with a dense one that includes all rows.
#include "dynamics/joint_system.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "test_scale.h"

namespace touche::joint_system_test {
namespace {

using test::scaled;

/// Bodies at random, the last of which stands still.
struct Bodies {
  std::vector<dynamics::SolverBody> bodies;
  std::vector<Vec3> centres;

  Bodies(base::Random& random, int count) {
    for (int i = 0; i <= count; ++i) {
      dynamics::SolverBody body{random.in_box(1), random.in_box(1), 0, Mat3::Zero()};
      if (i < count) {
        body.inverse_mass = std::pow(10, random.uniform(-1, 1));
        const Vec3 arms(random.uniform(1, 4), random.uniform(1, 4), random.uniform(1, 4));
        const Mat3 turn = Eigen::AngleAxisd(random.uniform(0, 3), random.direction()).matrix();
        body.inverse_inertia =
            body.inverse_mass * turn * arms.asDiagonal().toDenseMatrix() * turn.transpose();
      } else {
        body.linear = body.angular = Vec3::Zero();
      }
      bodies.push_back(body);
      centres.push_back(random.in_box(2));
    }
  }

  dynamics::JointBlock joint(JointType type, Index a, Index b, const Vec3& point,
                             const Vec3& axis) const {
    Mat3 axes;
    axes.col(2) = axis;
    axes.col(0) = axis.unitOrthogonal();
    axes.col(1) = axis.cross(Vec3(axes.col(0)));
    return {a, b, dynamics::joint_rows(type, {centres[a], point, axes}, {centres[b], point, axes})};
  }
};

/// Of the velocities that open no joint, the ones that are nearest in the metric of energy.
Eigen::VectorXd nearest(const Bodies& all, const std::vector<dynamics::JointBlock>& blocks) {
  const auto count = static_cast<Eigen::Index>(6 * all.bodies.size());
  Eigen::Index rows = 0;
  for (const dynamics::JointBlock& block : blocks) rows += block.made.count;
  Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(rows, count),
                  root = Eigen::MatrixXd::Zero(count, count);
  Eigen::VectorXd velocities(count);
  for (std::size_t i = 0; i < all.bodies.size(); ++i) {
    const dynamics::SolverBody& body = all.bodies[i];
    const auto at = static_cast<Eigen::Index>(6 * i);
    velocities.segment<3>(at) = body.linear;
    velocities.segment<3>(at + 3) = body.angular;
    root.block<3, 3>(at, at) = std::sqrt(body.inverse_mass) * Mat3::Identity();
    if (body.inverse_mass > 0)
      root.block<3, 3>(at + 3, at + 3) = body.inverse_inertia.llt().matrixL();
  }
  Eigen::Index row = 0;
  for (const dynamics::JointBlock& block : blocks)
    for (int i = 0; i < block.made.count; ++i, ++row) {
      const dynamics::JointRow& of = block.made.rows[static_cast<std::size_t>(i)];
      const Eigen::Index a = 6 * block.a, b = 6 * block.b;
      jacobian.block<1, 3>(row, a) -= of.direction.transpose();
      jacobian.block<1, 3>(row, a + 3) -= of.lever_a.transpose();
      jacobian.block<1, 3>(row, b) += of.direction.transpose();
      jacobian.block<1, 3>(row, b + 3) += of.lever_b.transpose();
    }
  // With velocities root × x + v the nearest is the least x.
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solution;
  solution.setThreshold(1e-9);
  solution.compute(jacobian * root);
  return velocities + root * solution.solve(Eigen::VectorXd(-jacobian * velocities));
}

double largest_speed(const dynamics::JointSystem& system,
                     const std::vector<dynamics::SolverBody>& bodies) {
  std::vector<double> speeds;
  system.speeds(bodies, speeds);
  double most = 0;
  for (const double speed : speeds) most = std::max(most, std::abs(speed));
  return most;
}

JointType some_type(base::Random& random) {
  constexpr JointType kTypes[] = {JointType::fixed, JointType::ball, JointType::hinge,
                                  JointType::slider};
  return kTypes[random.below(4)];
}

TEST(JointSystem, TreesAndLoopsGetTheNearestVelocities) {
  base::Random random(16);
  int loops = 0;
  const int cases = scaled(1000, 100);
  for (int i = 0; i < cases; ++i) {
    const int count = 2 + static_cast<int>(random.below(6));
    const Bodies all(random, count);
    std::vector<dynamics::JointBlock> blocks;
    const auto add = [&](Index a, Index b) {
      blocks.push_back(all.joint(some_type(random), a, b, random.in_box(2), random.direction()));
    };
    for (Index b = 1; b < static_cast<Index>(count); ++b) add(random.below(b), b);
    if (random.below(2) == 0) add(static_cast<Index>(count), 0);
    const bool is_loop = random.below(2) == 0;
    if (is_loop) add(0, 1 + random.below(static_cast<Index>(count) - 1));
    loops += is_loop;
    dynamics::JointSystem system;
    system.build(all.bodies, blocks, 0);
    std::vector<dynamics::SolverBody> bodies = all.bodies;
    std::vector<double> impulses;
    system.project(bodies, impulses);
    const Eigen::VectorXd expected = nearest(all, blocks);
    double most = 0;
    for (std::size_t k = 0; k < bodies.size(); ++k) {
      const auto at = static_cast<Eigen::Index>(6 * k);
      most = std::max({most, (bodies[k].linear - expected.segment<3>(at)).norm(),
                       (bodies[k].angular - expected.segment<3>(at + 3)).norm()});
    }
    EXPECT_LT(most, 1e-6) << i;
    EXPECT_LT(largest_speed(system, bodies), 1e-8) << i;
  }
  EXPECT_GT(loops, 0.3 * cases);
  EXPECT_LT(loops, 0.7 * cases);
}

// A ball joint says one thing more where a hinge holds the same bodies: that nothing turns about
// its axis. Mostly that is in all of its rows, and in some case hardly in the first of them.
TEST(JointSystem, ABallBesideAHingeIsHeldHoweverItLies) {
  base::Random random(17);
  for (int i = 0; i < scaled(2000, 200); ++i) {
    const Bodies all(random, 2);
    const double tilt = std::pow(10, random.uniform(-6, 0));
    // Axis × arm goes along the second and third axis of the world except for the tilt.
    const double along = random.uniform(0, 6.28);
    const Vec3 way = Vec3(tilt, std::cos(along), std::sin(along)).normalized();
    const Vec3 axis = way.unitOrthogonal(), arm = random.uniform(0.5, 2) * way.cross(axis);
    const Vec3 point = random.in_box(2);
    const std::vector<dynamics::JointBlock> blocks = {
        all.joint(JointType::hinge, 0, 1, point, axis),
        all.joint(JointType::ball, 0, 1, point + arm, random.direction())};
    dynamics::JointSystem system;
    system.build(all.bodies, blocks, 0);
    std::vector<dynamics::SolverBody> bodies = all.bodies;
    std::vector<double> impulses;
    system.project(bodies, impulses);
    EXPECT_LT(largest_speed(system, bodies), 1e-12) << i << " " << tilt;
    EXPECT_LT((bodies[0].angular - bodies[1].angular).norm(), 1e-11) << i << " " << tilt;
  }
}

// Four hinges whose axes are parallel say three things twice. Where they are askew by a little, as
// in a loop that is open, these are said a little differently, and no impulse may be spent on that.
TEST(JointSystem, ALoopThatIsOpenAsksForNoImmenseImpulses) {
  base::Random random(18);
  for (int i = 0; i < scaled(500, 100); ++i) {
    const Bodies all(random, 4);
    const double open = std::pow(10, random.uniform(-9, -4));
    std::vector<dynamics::JointBlock> blocks;
    for (Index k = 0; k < 4; ++k) {
      const Vec3 axis = (Vec3::UnitZ() + 0.3 * open * random.in_box(1)).normalized();
      const Vec3 point(random.uniform(0.5, 1) * (k == 0 || k == 3 ? 1 : -1),
                       random.uniform(0.5, 1) * (k < 2 ? 1 : -1), 0.3 * open * random.uniform());
      blocks.push_back(all.joint(JointType::hinge, k, (k + 1) % 4, point, axis));
    }
    dynamics::JointSystem system;
    system.build(all.bodies, blocks, open);
    std::vector<dynamics::SolverBody> bodies = all.bodies;
    std::vector<double> rows(system.size(), open);
    system.change(bodies, rows);
    for (const double impulse : rows) EXPECT_LT(std::abs(impulse), 1e3 * open) << i << " " << open;
  }
}

}  // namespace
}  // namespace touche::joint_system_test
