// SPDX-License-Identifier: Apache-2.0
#include "response/gap_curvature.h"

#include <Eigen/Cholesky>

#include "math/cross_matrix.h"
#include "math/symmetric_eigen.h"

namespace touche::response {
namespace {

using Mat2 = Eigen::Matrix2d;

constexpr double kWeakest = 0.5;

// How the normal changes when a turns: by this matrix times the rotation vector.
Mat3 normal_change(const Contact& contact, const Vec3& along_a, const Vec3& along_b) {
  const FeatureKind a = contact.feature_a.kind, b = contact.feature_b.kind;
  const Vec3& normal = contact.normal;
  if (a == FeatureKind::edge && b == FeatureKind::edge) {
    // The normal is along_a × along_b, scaled to unit length.
    const double size = along_a.cross(along_b).dot(normal);
    if (size == 0) return Mat3::Zero();
    return (Mat3::Identity() - normal * normal.transpose()) / size * math::cross_matrix(along_b) *
           math::cross_matrix(along_a);
  }
  if (b == FeatureKind::vertex && a != FeatureKind::vertex) return -math::cross_matrix(normal);
  return Mat3::Zero();
}

}  // namespace

// With the twist (v, w), the lever l of the point and the change K w of the normal, the point of a
// moves by v + w × l + ½ w × (w × l), and the second-order change of the gap is
//   −K w · (v + w × l) − ½ n · (w × (w × l)).
Mat6 gap_curvature(const Contact& contact, const Vec3& centre, const Vec3& along_a,
                   const Vec3& along_b) {
  const Vec3 &n = contact.normal, l = contact.point_a - centre;
  const Mat3 k = normal_change(contact, along_a, along_b);
  const Mat3 turned = k.transpose() * math::cross_matrix(l), ln = l * n.transpose();
  Mat6 curvature = Mat6::Zero();
  curvature.topRightCorner<3, 3>() = -k;
  curvature.bottomLeftCorner<3, 3>() = -k.transpose();
  curvature.bottomRightCorner<3, 3>() =
      turned + turned.transpose() - 0.5 * (ln + ln.transpose()) + n.dot(l) * Mat3::Identity();
  return curvature;
}

// The gap is the largest separation over all directions m: −h_a(m) − h_b(−m), with the support
// functions h of the bodies at their poses. With the twist (v, w), the lever l of the point, the
// current direction n, the second derivatives H of h across n, and the gap d, the envelope theorem
// gives
//   gap'' = −n · (w × (w × l)) − (w × n)ᵀ Ha (w × n) + uᵀ (Ha + Hb + d)⁻¹ u,
//   u = v + w × l − Ha (w × n), across n:
// how the points move past each other. Along edges and faces H is infinite: it is replaced by a
// number so much larger than all lengths that the result is right to their quotient.
Mat6 gap_curvature(const Contact& contact, const Vec3& centre, const shape::CurvatureRadii& radii_a,
                   const shape::CurvatureRadii& radii_b) {
  constexpr double kFlat = 1e6, kSharp = 0.02;
  const Vec3 &n = contact.normal, l = contact.point_a - centre;
  const double size = l.norm() + radii_a.round.norm() + contact.distance;
  if (!(size > 0)) return Mat6::Zero();
  const Vec3 aside = n.unitOrthogonal();
  Eigen::Matrix<double, 3, 2> across;
  across << aside, n.cross(aside);
  const auto seen = [&](const shape::CurvatureRadii& radii) {
    return Mat2(across.transpose() * (radii.round + kFlat * size * radii.flat) * across);
  };
  const Mat2 a = seen(radii_a), both = a + seen(radii_b) + contact.distance * Mat2::Identity();
  // Each principal direction by itself, because flat ones are so much larger.
  const math::SymmetricEigen<2> eigen = math::symmetric_eigen<2>(both);
  const double sharp = kSharp * size;
  const auto stiffness = [&](double radius) { return radius / (radius * radius + sharp * sharp); };
  Eigen::Matrix<double, 2, 6> slide, turn = Eigen::Matrix<double, 2, 6>::Zero();
  turn.rightCols<3>() = -across.transpose() * math::cross_matrix(n);
  slide << across.transpose(), -across.transpose() * math::cross_matrix(l);
  slide -= a * turn;
  const Mat3 ln = l * n.transpose();
  Mat6 curvature = -turn.transpose() * a * turn;
  for (int k = 0; k < 2; ++k) {
    const Vec6 along = slide.transpose() * eigen.vectors.col(k);
    curvature += stiffness(eigen.values[k]) * along * along.transpose();
  }
  curvature.bottomRightCorner<3, 3>() += n.dot(l) * Mat3::Identity() - 0.5 * (ln + ln.transpose());
  return 0.5 * (curvature + curvature.transpose());
}

BentSpring bend(const Mat6& metric, const Vec6& start, const Mat6& curvature) {
  // In coordinates in which the metric is the identity.
  const Mat6 factor = metric.llt().matrixL();
  const auto lower = factor.triangularView<Eigen::Lower>();
  const Mat6 half = lower.solve(metric - curvature);
  const math::SymmetricEigen<6> eigen =
      math::symmetric_eigen<6>(lower.solve(Mat6(half.transpose())));
  const Mat6 root = factor * eigen.vectors;
  const Mat6 bent = root * eigen.values.cwiseMax(kWeakest).asDiagonal() * root.transpose();
  return {bent, bent.llt().solve(metric * start)};
}

}  // namespace touche::response
