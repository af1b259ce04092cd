// SPDX-License-Identifier: Apache-2.0
#include "methods/bounds/pose_matrix.h"

namespace touche::bounds {

PoseMatrix::PoseMatrix(const Pose& pose)
    : rotation(pose.matrix()), translation(pose.translation()) {}

PoseMatrix PoseMatrix::inverse() const {
  PoseMatrix p;
  p.rotation = rotation.transpose();
  p.translation = -(p.rotation * translation);
  p.slack = slack;
  return p;
}

void require_points(std::span<const Vec3> points) {
  if (points.empty()) throw InvalidInput("a bounding volume needs at least one point");
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!points[i].allFinite())
      throw InvalidInput("point " + std::to_string(i) + " of a bounding volume is not finite");
}

}  // namespace touche::bounds
