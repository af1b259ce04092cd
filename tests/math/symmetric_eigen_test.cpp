// SPDX-License-Identifier: Apache-2.0
#include "math/symmetric_eigen.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace touche::symmetric_eigen_test {
namespace {

// Eigen's solver is the judge of the values; what vectors are is tested as it is defined.
template <int N>
void expect_solved(const Eigen::Matrix<double, N, N>& a) {
  constexpr double kExact = 40 * std::numeric_limits<double>::epsilon();
  const math::SymmetricEigen<N> of = math::symmetric_eigen<N>(a);
  const double size = a.norm();
  EXPECT_LE((a * of.vectors - of.vectors * of.values.asDiagonal()).norm(), kExact * size) << a;
  EXPECT_TRUE((of.vectors.transpose() * of.vectors).eval().isIdentity(kExact)) << a;
  Eigen::Matrix<double, N, 1> values = of.values;
  std::sort(values.data(), values.data() + N);
  const Eigen::Matrix<double, N, 1> expected =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, N, N>>(a).eigenvalues();
  EXPECT_LE((values - expected).norm(), kExact * size) << a;
}

template <int N>
void random_matrices() {
  std::mt19937 random(N);
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int> exponent(-8, 8);
  for (int i = 0; i < 300; ++i) {
    Eigen::Matrix<double, N, N> a;
    for (int r = 0; r < N; ++r)
      for (int c = 0; c <= r; ++c) a(r, c) = a(c, r) = normal(random);
    if (i % 3 == 1)  // rows and columns of very different sizes
      for (int r = 0; r < N; ++r) {
        const double scale = std::pow(10, exponent(random));
        a.row(r) *= scale;
        a.col(r) *= scale;
      }
    if (i % 3 == 2) a = (a.col(0) * a.col(0).transpose()).eval();  // one value, and zeros
    expect_solved<N>(a);
  }
}

TEST(SymmetricEigen, HoldsForRandomMatrices) {
  random_matrices<2>();
  random_matrices<3>();
  random_matrices<6>();
}

TEST(SymmetricEigen, HoldsForDegenerateOnes) {
  using Mat6 = Eigen::Matrix<double, 6, 6>;
  expect_solved<6>(Mat6::Zero());
  expect_solved<6>(Mat6::Identity());
  expect_solved<6>(Mat6::Ones());
  Mat6 tiny = Mat6::Identity();
  tiny(4, 1) = tiny(1, 4) = 1e-300;
  expect_solved<6>(tiny);
}

}  // namespace
}  // namespace touche::symmetric_eigen_test
