// SPDX-License-Identifier: Apache-2.0
#include "bvh/surface_frame.h"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace touche::bvh {

void SurfaceMoments::add(const SurfaceMoments& other) {
  area += other.area;
  first += other.first;
  for (int k = 0; k < 6; ++k) second[k] += other.second[k];
}

Frame principal_frame(const SurfaceMoments& moments) {
  Mat3 axes = Mat3::Identity();
  Vec3 origin = Vec3::Zero();
  if (moments.area > 0) {
    const Vec3 mean = moments.first / moments.area;
    const double* s = moments.second;
    Mat3 covariance;
    covariance << s[0], s[1], s[2], s[1], s[3], s[4], s[2], s[4], s[5];
    covariance = covariance / moments.area - mean * mean.transpose();
    Eigen::SelfAdjointEigenSolver<Mat3> solver;
    solver.computeDirect(covariance);
    const Mat3 vectors = solver.eigenvectors().transpose();
    // The closed form may fail near multiple eigenvalues, where no axes are better than others.
    const bool orthonormal =
        vectors.allFinite() &&
        (vectors * vectors.transpose() - Mat3::Identity()).cwiseAbs().maxCoeff() < 1e-9;
    if (orthonormal) axes = vectors;
    if (axes.determinant() < 0) axes.row(0) = -axes.row(0);  // must be right-handed
    if (mean.allFinite()) origin = mean;
  }
  Frame frame = {};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) frame.columns[j][i] = static_cast<float>(axes(i, j));
    frame.origin[i] = static_cast<float>(origin[i]);
  }
  return frame;
}

}  // namespace touche::bvh
