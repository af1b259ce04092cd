// SPDX-License-Identifier: Apache-2.0
#include "response/gap_curvature.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "math/cross_matrix.h"

namespace touche {
namespace {

constexpr double kWeakest = 0.5;

// How the normal turns when a does: its change is this times the rotation vector.
Mat3 normal_change(const Contact& contact, const Vec3& along_a, const Vec3& along_b) {
  const FeatureKind a = contact.feature_a.kind, b = contact.feature_b.kind;
  const Vec3& normal = contact.normal;
  if (a == FeatureKind::edge && b == FeatureKind::edge) {
    // It is along_a × along_b, of unit length.
    const double size = along_a.cross(along_b).dot(normal);
    if (size == 0) return Mat3::Zero();
    return (Mat3::Identity() - normal * normal.transpose()) / size * cross_matrix(along_b) *
           cross_matrix(along_a);
  }
  if (b == FeatureKind::vertex && a != FeatureKind::vertex) return -cross_matrix(normal);
  return Mat3::Zero();
}

}  // namespace

// With the twist (v, w), l the lever of the point and K w the change of the normal, the point of a
// goes v + w × l + ½ w × (w × l), and what the gap changes by in second order is
//   −K w · (v + w × l) − ½ n · (w × (w × l)).
Mat6 gap_curvature(const Contact& contact, const Vec3& centre, const Vec3& along_a,
                   const Vec3& along_b) {
  const Vec3 &n = contact.normal, l = contact.point_a - centre;
  const Mat3 k = normal_change(contact, along_a, along_b);
  const Mat3 turned = k.transpose() * cross_matrix(l), ln = l * n.transpose();
  Mat6 curvature = Mat6::Zero();
  curvature.topRightCorner<3, 3>() = -k;
  curvature.bottomLeftCorner<3, 3>() = -k.transpose();
  curvature.bottomRightCorner<3, 3>() =
      turned + turned.transpose() - 0.5 * (ln + ln.transpose()) + n.dot(l) * Mat3::Identity();
  return curvature;
}

BentSpring bend(const Mat6& metric, const Vec6& start, const Mat6& curvature) {
  // In coordinates in which the metric is the identity.
  const Mat6 factor = metric.llt().matrixL();
  const auto lower = factor.triangularView<Eigen::Lower>();
  const Mat6 half = lower.solve(metric - curvature);
  const Eigen::SelfAdjointEigenSolver<Mat6> eigen(lower.solve(Mat6(half.transpose())));
  const Mat6 root = factor * eigen.eigenvectors();
  const Mat6 bent = root * eigen.eigenvalues().cwiseMax(kWeakest).asDiagonal() * root.transpose();
  return {bent, bent.llt().solve(metric * start)};
}

}  // namespace touche
