// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <limits>

namespace touche::math {

template <int N>
struct SymmetricEigen {
  Eigen::Matrix<double, N, 1> values;   // in no order
  Eigen::Matrix<double, N, N> vectors;  // columns, of unit length
};

/// Eigenvalues and eigenvectors of a small symmetric matrix by Jacobi rotations (Golub and Van
/// Loan, Matrix Computations, 8.5), accurate to the rounding of its largest entry. Used instead of
/// Eigen's solver because that takes half a minute to compile, unrolled for six by six, and these
/// loops a second.
template <int N>
SymmetricEigen<N> symmetric_eigen(Eigen::Matrix<double, N, N> a) {
  constexpr int kMaxSweeps = 40;  // four to eight are enough
  SymmetricEigen<N> of;
  of.vectors.setIdentity();
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    double off = 0, size = 0;
    for (int i = 0; i < N; ++i) {
      size += a(i, i) * a(i, i);
      for (int j = 0; j < i; ++j) off += a(i, j) * a(i, j);
    }
    constexpr double kExact = std::numeric_limits<double>::epsilon();
    if (!(off > kExact * kExact * size)) break;
    for (int p = 0; p < N; ++p)
      for (int q = p + 1; q < N; ++q) {
        if (a(q, p) == 0) continue;
        const double half = 0.5 * (a(q, q) - a(p, p)) / a(q, p);
        const double t = std::copysign(1 / (std::abs(half) + std::hypot(1.0, half)), half);
        const double c = 1 / std::hypot(1.0, t), s = t * c;
        for (int k = 0; k < N; ++k) {  // columns, then rows
          const double x = a(k, p), y = a(k, q), u = of.vectors(k, p), v = of.vectors(k, q);
          a(k, p) = c * x - s * y;
          a(k, q) = s * x + c * y;
          of.vectors(k, p) = c * u - s * v;
          of.vectors(k, q) = s * u + c * v;
        }
        for (int k = 0; k < N; ++k) {
          const double x = a(p, k), y = a(q, k);
          a(p, k) = c * x - s * y;
          a(q, k) = s * x + c * y;
        }
        a(p, q) = a(q, p) = 0;
      }
  }
  of.values = a.diagonal();
  return of;
}

}  // namespace touche::math
