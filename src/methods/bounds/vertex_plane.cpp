// SPDX-License-Identifier: Apache-2.0
#include "methods/bounds/vertex_plane.h"

#include <algorithm>
#include <cmath>

#include "math/rounding.h"
#include "methods/bounds/obb_forms.h"

namespace touche::bounds {
namespace {

/// Whether all corners of b lie beyond one face of a.
bool beyond_a_face(const Obb& a, const Obb& b, const PoseMatrix& pose) {
  BoxCorners corners = to_corners(b);
  // Stored corners are 8 u of their coordinates off; moved, by as much as the pose is; their
  // coordinates in a's axes, by 40 u of their distance, as for a point in a box.
  double slack = 0;
  for (Vec3& p : corners) {
    const double size = p.lpNorm<1>();
    p = a.axes.transpose() * (pose * p - a.centre);
    slack = std::max(slack, pose.error(size) + 16 * math::kUnitRoundoff * size +
                                64 * math::kUnitRoundoff * (p.lpNorm<1>() + a.centre.lpNorm<1>()));
  }
  for (int axis = 0; axis < 3; ++axis) {
    double lo = kInfinity, hi = -kInfinity;
    for (const Vec3& p : corners) {
      lo = std::min(lo, p[axis]);
      hi = std::max(hi, p[axis]);
    }
    if (lo - slack > a.half[axis] || hi + slack < -a.half[axis]) return true;
  }
  return false;
}

}  // namespace

bool vertices_beyond_a_plane(const Obb& a, const Obb& b, const PoseMatrix& pose) {
  return beyond_a_face(a, b, pose) || beyond_a_face(b, a, pose.inverse());
}

}  // namespace touche::bounds
