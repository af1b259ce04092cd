// SPDX-License-Identifier: Apache-2.0
// Principal axes of eight surfaces at a time, for the builder.
#if defined(TOUCHE_BVH_KERNELS_FRAMES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOUCHE_BVH_KERNELS_FRAMES_INL_H_
#undef TOUCHE_BVH_KERNELS_FRAMES_INL_H_
#else
#define TOUCHE_BVH_KERNELS_FRAMES_INL_H_
#endif

#include "bvh/kernels/leaf-inl.h"

HWY_BEFORE_NAMESPACE();
namespace touche::bvh {
namespace HWY_NAMESPACE {

// Symmetric matrices, one per lane, diagonalised by Jacobi rotations, and their eigenvectors.
struct Diagonalized {
  VDoubles value[3], vector[3][3];  // [vector][component]

  // Entries of a matrix (xx xy xz yy yz zz) below `noise` are ignored. Axes that only noise would
  // rotate stay unchanged: a flat square has sides, but no principal axes.
  HWY_INLINE Diagonalized(const VDoubles (&matrix)[6], VDoubles noise) {
    // Each sweep squares the remainder off the diagonal: after four it is negligible.
    constexpr int kSweeps = 4;
    const Doubles d;
    const VDoubles zero = hn::Zero(d), one = hn::Set(d, 1.0);
    value[0] = matrix[0];
    value[1] = matrix[3];
    value[2] = matrix[5];
    VDoubles rest[3] = {matrix[4], matrix[2], matrix[1]};  // off the diagonal, by the third axis
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) vector[i][k] = i == k ? one : zero;
    for (int sweep = 0; sweep < kSweeps; ++sweep)
      for (int r = 0; r < 3; ++r) {
        // Rotate about axis r, from axis p towards q, to the angle where their product of inertia
        // vanishes.
        const int p = (r + 1) % 3, q = (r + 2) % 3;
        const VDoubles apart = hn::Sub(value[q], value[p]), twice = hn::Add(rest[r], rest[r]);
        const VDoubles root = hn::Sqrt(hn::Add(hn::Mul(apart, apart), hn::Mul(twice, twice)));
        const VDoubles sum = hn::Add(hn::Abs(apart), root);
        const VDoubles size =
            hn::IfThenElseZero(hn::Gt(hn::Abs(twice), noise), hn::Div(twice, sum));
        const VDoubles tangent = hn::IfThenElse(hn::Lt(apart, zero), hn::Neg(size), size);
        const VDoubles cosine = hn::Div(one, hn::Sqrt(hn::Add(hn::Mul(tangent, tangent), one)));
        const VDoubles sine = hn::Mul(tangent, cosine);
        const VDoubles change = hn::Mul(tangent, rest[r]);
        value[p] = hn::Sub(value[p], change);
        value[q] = hn::Add(value[q], change);
        rest[r] = zero;
        const auto turn = [&](VDoubles& x, VDoubles& y) HWY_ATTR {
          const VDoubles turned = hn::Sub(hn::Mul(cosine, x), hn::Mul(sine, y));
          y = hn::Add(hn::Mul(sine, x), hn::Mul(cosine, y));
          x = turned;
        };
        turn(rest[q], rest[p]);
        for (int k = 0; k < 3; ++k) turn(vector[p][k], vector[q][k]);
      }
  }

  // Sorts by value, the least first.
  HWY_INLINE void Sort() {
    InOrder(0, 1);
    InOrder(1, 2);
    InOrder(0, 1);
  }

 private:
  HWY_INLINE void InOrder(int i, int j) {
    const auto swap = hn::Lt(value[j], value[i]);
    const auto exchange = [&](VDoubles& x, VDoubles& y) HWY_ATTR {
      const VDoubles less = hn::IfThenElse(swap, y, x);
      y = hn::IfThenElse(swap, x, y);
      x = less;
    };
    exchange(value[i], value[j]);
    for (int k = 0; k < 3; ++k) exchange(vector[i][k], vector[j][k]);
  }
};

// The same as principal_frame(), by another method.
void PrincipalFrames(const double (&sums)[kMoments][kWidth], Frame (&frames)[kWidth]) {
  const Doubles d;
  const hn::Rebind<float, Doubles> df;
  HWY_ALIGN float axes[3][3][kWidth], origins[3][kWidth];
  const VDoubles zero = hn::Zero(d), one = hn::Set(d, 1.0), most = hn::Set(d, 1e30);
  for (std::size_t l = 0; l < kWidth; l += hn::Lanes(d)) {
    const VDoubles area = hn::LoadU(d, sums[0] + l);
    VDoubles mean[3], covariance[6];
    for (int k = 0; k < 3; ++k) mean[k] = hn::Div(hn::LoadU(d, sums[1 + k] + l), area);
    for (int i = 0, n = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j, ++n)
        covariance[n] =
            hn::Sub(hn::Div(hn::LoadU(d, sums[4 + n] + l), area), hn::Mul(mean[i], mean[j]));
    // Bound of the rounding error in the differences of second moments.
    const VDoubles squares = hn::Add(hn::Add(hn::Mul(mean[0], mean[0]), hn::Mul(mean[1], mean[1])),
                                     hn::Mul(mean[2], mean[2]));
    const VDoubles variance = hn::Add(hn::Add(covariance[0], covariance[3]), covariance[5]);
    Diagonalized solved(covariance, hn::Mul(hn::Set(d, 2e-15), hn::Add(squares, variance)));
    solved.Sort();
    VDoubles(&axis)[3][3] = solved.vector;
    // Velocities are transformed to the frame, so it must be right-handed.
    const auto minor = [&](int i, int j) HWY_ATTR {
      return hn::Sub(hn::Mul(axis[1][i], axis[2][j]), hn::Mul(axis[1][j], axis[2][i]));
    };
    const VDoubles determinant =
        hn::Add(hn::Add(hn::Mul(axis[0][0], minor(1, 2)), hn::Mul(axis[0][1], minor(2, 0))),
                hn::Mul(axis[0][2], minor(0, 1)));
    const auto is_left = hn::Lt(determinant, zero);
    for (int k = 0; k < 3; ++k)
      axis[0][k] = hn::IfThenElse(is_left, hn::Neg(axis[0][k]), axis[0][k]);
    // If there is no area, or numbers are too large or NaN, take any axes.
    const auto good = hn::And(hn::Gt(area, zero), hn::Lt(hn::Abs(determinant), hn::Set(d, 2.0)));
    const VDoubles size = hn::Add(hn::Add(hn::Abs(mean[0]), hn::Abs(mean[1])), hn::Abs(mean[2]));
    const auto near = hn::And(hn::Gt(area, zero), hn::Lt(size, most));
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k)
        hn::StoreU(hn::DemoteTo(df, hn::IfThenElse(good, axis[i][k], i == k ? one : zero)), df,
                   axes[i][k] + l);
      hn::StoreU(hn::DemoteTo(df, hn::IfThenElseZero(near, mean[i])), df, origins[i] + l);
    }
  }
  for (int lane = 0; lane < kWidth; ++lane) {
    Frame& frame = frames[lane];
    frame = {};
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) frame.columns[k][i] = axes[i][k][lane];
      frame.origin[i] = origins[i][lane];
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace touche::bvh
HWY_AFTER_NAMESPACE();

#endif
