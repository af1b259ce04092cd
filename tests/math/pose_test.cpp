// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <Eigen/SVD>

#include <cmath>

#include "motion_kinds.h"
#include "random.h"
#include "touche/pose.h"

namespace touche {
namespace {

using test::kPi;

double difference(const Pose& a, const Pose& b) {
  return std::max((a.matrix() - b.matrix()).cwiseAbs().maxCoeff(),
                  (a.translation() - b.translation()).cwiseAbs().maxCoeff());
}

TEST(Pose, ConversionsComeBack) {
  scenes::Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const Pose p =
        Pose::from_axis_angle(random.direction(), random.uniform(-10, 10), random.in_box(5));
    const auto [axis, angle] = p.axis_angle();
    EXPECT_NEAR(axis.norm(), 1, 1e-14);
    EXPECT_GE(angle, 0);
    EXPECT_LE(angle, kPi);
    EXPECT_LT(difference(p, Pose::from_axis_angle(axis, angle, p.translation())), 1e-14);
    EXPECT_LT(difference(p, Pose::from_matrix(p.matrix(), p.translation())), 1e-14);
    const Vec3 xyz = p.fixed_xyz();
    // Near y = ±90° the angles themselves are badly conditioned: a few more roundings.
    EXPECT_LT(difference(p, Pose::from_fixed_xyz(xyz.x(), xyz.y(), xyz.z(), p.translation())),
              1e-13);
    EXPECT_LT(difference(p * p.inverse(), Pose()), 1e-13);
  }
}

// The polar factor, by singular values in twice the digits: both ways of computing it are near it,
// on both sides of the limit between them.
TEST(Pose, OfAMatrixIsTheNearestRotation) {
  using Long = Eigen::Matrix<long double, 3, 3>;
  scenes::Random random(7);
  for (int i = 0; i < 2000; ++i) {
    const Pose p = Pose::from_axis_angle(random.direction(), random.uniform(-4, 4), Vec3::Zero());
    const double size = std::pow(10, random.uniform(-16, -3.5));
    Mat3 matrix = p.matrix();
    for (int k = 0; k < 9; ++k) matrix.data()[k] += size * random.uniform(-1, 1);
    const Eigen::JacobiSVD<Long> svd(matrix.cast<long double>(),
                                     Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Long nearest = svd.matrixU() * svd.matrixV().transpose();
    const Mat3 found = Pose::from_matrix(matrix, Vec3::Zero()).matrix();
    ASSERT_LT((found - nearest.cast<double>()).cwiseAbs().maxCoeff(), 2e-15) << i << " " << size;
  }
}

TEST(Pose, SingularPlacesAreSafe) {
  // Half turns about any axis, angles next to none, and y = ±90°, where x and z are not determined.
  scenes::Random random(2);
  for (int i = 0; i < 500; ++i) {
    const Vec3 axis = random.direction();
    for (const double angle : {kPi, kPi - 1e-9, kPi + 1e-9, 1e-9, 1e-300, 0.0, -kPi}) {
      const Pose p = Pose::from_axis_angle(axis, angle, Vec3::Zero());
      const auto [u, phi] = p.axis_angle();
      ASSERT_TRUE(u.allFinite());
      EXPECT_LT(difference(p, Pose::from_axis_angle(u, phi, Vec3::Zero())), 1e-14);
      EXPECT_LT(difference(p, Pose::from_matrix(p.matrix(), Vec3::Zero())), 1e-14);
    }
    for (const double y : {kPi / 2, -kPi / 2, kPi / 2 - 1e-9, -kPi / 2 + 1e-8, kPi / 2 - 1e-5}) {
      const Pose p =
          Pose::from_fixed_xyz(random.uniform(-3, 3), y, random.uniform(-3, 3), Vec3::Zero());
      const Vec3 xyz = p.fixed_xyz();
      ASSERT_TRUE(xyz.allFinite());
      // Where x is set to 0 within 1e-7 of the pole, that much is lost.
      EXPECT_LT(difference(p, Pose::from_fixed_xyz(xyz.x(), xyz.y(), xyz.z(), Vec3::Zero())), 2e-7);
    }
  }
}

TEST(Pose, FixedAnglesTurnAboutXThenYThenZ) {
  const Pose p = Pose::from_fixed_xyz(kPi / 2, 0, kPi / 2, Vec3(1, 2, 3));
  // y → z about x, then z stays about z; x → y about z.
  EXPECT_TRUE((p * Vec3::UnitY()).isApprox(Vec3(1, 2, 4), 1e-15));
  EXPECT_TRUE((p * Vec3::UnitX()).isApprox(Vec3(1, 3, 3), 1e-15));
}

TEST(Pose, WhatIsNotRigidIsRefused) {
  const double nan = std::nan("");
  EXPECT_THROW((void)Pose::from_quaternion(1.1, 0, 0, 0, Vec3::Zero()), InvalidInput);
  EXPECT_THROW((void)Pose::from_quaternion(0, 0, 0, 0, Vec3::Zero()), InvalidInput);
  EXPECT_THROW((void)Pose::from_quaternion(nan, 0, 0, 1, Vec3::Zero()), InvalidInput);
  EXPECT_THROW((void)Pose::from_translation(Vec3(0, nan, 0)), InvalidInput);
  EXPECT_THROW((void)Pose::from_matrix(2 * Mat3::Identity(), Vec3::Zero()), InvalidInput);
  EXPECT_THROW((void)Pose::from_matrix(-Mat3::Identity(), Vec3::Zero()), InvalidInput);
  EXPECT_THROW((void)Pose::from_axis_angle(Vec3::Zero(), 1, Vec3::Zero()), InvalidInput);
  EXPECT_NO_THROW((void)Pose::from_quaternion(1 + 1e-6, 0, 0, 0, Vec3::Zero()));
}

TEST(Pose, MatricesThatOverflowAreRefused) {
  Mat3 huge;
  huge << 1e200, 1e200, 0, 1e200, -1e200, 0, 0, 0, -1;  // R Rᵀ has infinities and NaN
  EXPECT_THROW((void)Pose::from_matrix(huge, Vec3::Zero()), InvalidInput);
}

// No pose has numbers that are not finite, however it is made: so no query gets one.
TEST(Pose, NumbersThatAreNotFiniteAreRefused) {
  const double nan = std::nan("");
  for (const double bad : {nan, kInfinity, -kInfinity}) {
    for (int k = 0; k < 7; ++k) {
      double x[7] = {1, 0, 0, 0, 1, 2, 3};
      x[k] = bad;
      SCOPED_TRACE(testing::Message() << "number " << k << " is " << bad);
      const Vec3 to(x[4], x[5], x[6]);
      EXPECT_THROW((void)Pose::from_quaternion(x[0], x[1], x[2], x[3], to), InvalidInput);
      EXPECT_THROW((void)Pose::from_quaternion_unchecked(x[0], x[1], x[2], x[3], to), InvalidInput);
      if (k < 4) {
        EXPECT_THROW((void)Pose::from_axis_angle({x[1], x[2], x[3] + 1}, x[0], to), InvalidInput);
        EXPECT_THROW((void)Pose::from_matrix(x[k] * Mat3::Identity(), to), InvalidInput);
      } else {
        EXPECT_THROW((void)Pose::from_axis_angle(Vec3::UnitX(), 1, to), InvalidInput);
        EXPECT_THROW((void)Pose::from_matrix(Mat3::Identity(), to), InvalidInput);
        EXPECT_THROW((void)Pose::from_fixed_xyz(x[4], x[5], x[6], Vec3::Zero()), InvalidInput);
        EXPECT_THROW((void)Pose::from_fixed_xyz(0, 0, 0, to), InvalidInput);
        EXPECT_THROW((void)Pose::from_translation(to), InvalidInput);
      }
    }
  }
}

TEST(Pose, QuaternionsWithoutLengthAreRefused) {
  for (const double size : {0.0, 1e-200, 1e-160, 1e160})
    EXPECT_THROW((void)Pose::from_quaternion_unchecked(size, 0, size, 0, Vec3::Zero()),
                 InvalidInput);
  for (const double size : {1e-150, 1e-3, 1e150}) {
    const Pose pose = Pose::from_quaternion_unchecked(size, 0, -size, 0, Vec3::Zero());
    EXPECT_NEAR(pose.rotation().norm(), 1, 1e-15);
  }
}

TEST(Pose, ProductsThatOverflowAreRefused) {
  const Pose far = Pose::from_translation({1e300, 1e300, 1e300}),
             back = Pose::from_translation({-1e300, 0, 0}),
             turn = Pose::from_axis_angle({1, 2, 3}, 1, {1e300, -1e300, 1e300});
  EXPECT_THROW((void)Pose::from_translation({0, 2e300, 0}), InvalidInput);
  EXPECT_THROW((void)(far * far), InvalidInput);
  EXPECT_THROW((void)(turn * far), InvalidInput);
  EXPECT_THROW((void)relative(far, back), InvalidInput);
  EXPECT_EQ(relative(far, far).translation(), Vec3::Zero());
  EXPECT_THROW((void)turn.inverse(), InvalidInput);
}

TEST(Pose, RelativeKeepsSmallDifferencesOfLargeTranslations) {
  const Vec3 far(1e6, -2e6, 3e6);
  const Pose a = Pose::from_axis_angle(Vec3(1, 2, 3), 0.7, far);
  const Pose b = Pose::from_axis_angle(Vec3(1, 2, 3), 0.7, far + Vec3(0.5, 0.25, 0.125));
  EXPECT_NEAR(relative(a, b).translation().norm(), Vec3(0.5, 0.25, 0.125).norm(), 1e-15);
}

}  // namespace
}  // namespace touche
