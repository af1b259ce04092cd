// SPDX-License-Identifier: Apache-2.0
// Chains of bars on hinges: free ones against equations of their angles, and ones that fold onto
// each other.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <vector>

#include "dynamic_bodies.h"

namespace touche::dynamics_pendulum_test {
namespace {

using namespace test;

constexpr double kPitch = 0.5, kLong = 0.4, kThick = 0.1;

/// Bars that are let go level. They turn about y, each about the end of the one before.
struct Chain {
  World world;
  std::vector<NodeId> bars;
  std::vector<JointId> hinges;
  Dynamics dynamics;

  Chain(int count, double tolerance, double aside, double speed = 0)
      : dynamics(world, {.tolerance = tolerance, .gravity = {0, 0, -kGravity}}) {
    const Object bar = box({kLong, kThick, kThick});
    for (int i = 0; i < count; ++i) {
      const double arm = kPitch * (i + 0.5);
      bars.push_back(world.add(bar, at({arm, aside * i, 0})));
      dynamics.add(bars.back(), 1000.0, {.linear = {0, 0, -speed * arm}, .angular = {0, speed, 0}});
    }
    for (int i = 0; i < count; ++i)
      hinges.push_back(dynamics.join({.type = JointType::hinge,
                                      .a = i > 0 ? bars[i - 1] : NodeId{},
                                      .b = bars[i],
                                      .point = {kPitch * i, aside * i, 0},
                                      .axis = {0, 1, 0}}));
  }
  /// How far points of a hinge are apart at a time of the last step.
  double open(double t) const {
    double most = 0;
    for (std::size_t i = 0; i < bars.size(); ++i) {
      const Vec3 arm(0.5 * kPitch, 0, 0), here = dynamics.last_motion(bars[i]).pose(t) * Vec3(-arm);
      const Vec3 there =
          i > 0 ? dynamics.last_motion(bars[i - 1]).pose(t) * arm : Vec3(Vec3::Zero());
      most = std::max(most, std::hypot(here.x() - there.x(), here.z() - there.z()));
    }
    return most;
  }
};

/// Angles of bars below level, by Lagrange's equations and the method of Runge and Kutta.
class Angles {
  using Real = long double;
  using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
  using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

 public:
  explicit Angles(int count) : angle_(Vector::Zero(count)), speed_(Vector::Zero(count)) {}

  void go(Real time, int steps) {
    const Real h = time / steps;
    for (int i = 0; i < steps; ++i) {
      const Vector v1 = speed_, a1 = acceleration(angle_, v1);
      const Vector v2 = speed_ + h / 2 * a1, a2 = acceleration(angle_ + h / 2 * v1, v2);
      const Vector v3 = speed_ + h / 2 * a2, a3 = acceleration(angle_ + h / 2 * v2, v3);
      const Vector v4 = speed_ + h * a3, a4 = acceleration(angle_ + h * v3, v4);
      angle_ += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
      speed_ += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
  }
  /// The centre of the last bar.
  Vec3 end() const {
    Real x = 0, z = 0;
    for (Eigen::Index i = 0; i < angle_.size(); ++i) {
      x += arm(angle_.size() - 1, i) * std::cos(angle_[i]);
      z -= arm(angle_.size() - 1, i) * std::sin(angle_[i]);
    }
    return {static_cast<double>(x), 0, static_cast<double>(z)};
  }

 private:
  // How far the centre of bar k goes for a turn of bar i.
  static Real arm(Eigen::Index k, Eigen::Index i) {
    return i < k ? Real(kPitch) : i == k ? Real(kPitch) / 2 : Real(0);
  }
  // For bars of mass 1.
  static Vector acceleration(const Vector& angle, const Vector& speed) {
    const Eigen::Index n = angle.size();
    const Real inertia = (Real(kLong) * kLong + Real(kThick) * kThick) / 12;
    Matrix mass = Matrix::Zero(n, n);
    Vector force = Vector::Zero(n);
    for (Eigen::Index i = 0; i < n; ++i) {
      mass(i, i) = inertia;
      for (Eigen::Index k = 0; k < n; ++k) {
        force[i] += Real(kGravity) * arm(k, i) * std::cos(angle[i]);
        for (Eigen::Index j = 0; j < n; ++j) {
          const Real both = arm(k, i) * arm(k, j), turn = angle[i] - angle[j];
          mass(i, j) += both * std::cos(turn);
          force[i] -= both * std::sin(turn) * speed[j] * speed[j];
        }
      }
    }
    return mass.partialPivLu().solve(force);
  }

  Vector angle_, speed_;
};

struct Errors {
  double place = 0, energy = 0;
};

Errors errors_of(int count, int rate) {
  constexpr double kTime = 1;
  // A wide tolerance: so that flights have one part in each step.
  Chain chain(count, 1e-2, 1.2 * kThick);
  const double start = energy(chain.dynamics);
  double mass = 0;
  for (const NodeId bar : chain.bars) mass += chain.dynamics.mass(bar).mass;
  Errors errors;
  for (int i = 0; i < kTime * rate; ++i) {
    EXPECT_TRUE(chain.dynamics.step(1.0 / rate).lost.empty());
    errors.energy = std::max(errors.energy,
                             std::abs(energy(chain.dynamics) - start) / (mass * kGravity * kPitch));
    for (const JointId hinge : chain.hinges)
      EXPECT_LT(chain.dynamics.joint_state(hinge).drift, 1e-12);
  }
  Angles exact(count);
  exact.go(kTime, 4000);
  Vec3 end = chain.world.pose(chain.bars.back()).translation();
  end.y() = 0;
  errors.place = (end - exact.end()).norm();
  return errors;
}

// By the square of the step.
TEST(DynamicsPendulum, ChainsThatMeetNobodyFollowTheirEquations) {
  for (const int count : {2, 3, 5}) {
    const Errors coarse = errors_of(count, 240), fine = errors_of(count, 480);
    EXPECT_LT(coarse.place, 5e-3) << count;
    EXPECT_LT(fine.place, 0.3 * coarse.place) << count;
    EXPECT_LT(coarse.energy, 2e-3) << count;
    EXPECT_LT(fine.energy, 0.3 * coarse.energy) << count;
  }
}

// Bars that fold onto each other turn by up to radians about their neighbours in a step. Joints
// stay closed within it, too, and nobody hangs in the air.
TEST(DynamicsPendulum, ChainsThatFoldStayClosedAndLoseLittleTime) {
  constexpr double kTolerance = 1e-4, kStep = 1.0 / 60;
  double lost = 0, passed = 0;
  std::size_t contacts = 0;
  for (const double speed : {0.03, 0.04, 0.07, 0.1}) {
    Chain chain(10, kTolerance, 0, speed);
    double open = 0;
    for (int i = 0; i < 600; ++i) {
      const DynamicsResult& result = chain.dynamics.step(kStep);
      contacts += result.contacts.size();
      for (const LostTime& part : result.lost) lost += part.time;
      passed += kStep * static_cast<double>(chain.bars.size());
      for (int k = 0; k <= 16; ++k) open = std::max(open, chain.open(k / 16.0));
    }
    EXPECT_LT(open, 10 * kTolerance) << speed;
  }
  EXPECT_GT(contacts, 100U);
  EXPECT_LT(lost, 0.05 * passed);
}

}  // namespace
}  // namespace touche::dynamics_pendulum_test
