// SPDX-License-Identifier: Apache-2.0
// Frames aligned to a part of a surface: the principal axes of its area.
#pragma once

#include "bvh/bvh.h"

namespace touche::bvh {

/// Area, first and second moments of a surface; they are additive.
struct SurfaceMoments {
  double area = 0;
  Vec3 first = Vec3::Zero();
  double second[6] = {};  // xx xy xz yy yz zz

  void add(const SurfaceMoments& other);
};

/// Principal axes, with the origin at the centre of area. Any orthonormal axes if none are
/// distinguished (no area, or the same moments in all directions).
Frame principal_frame(const SurfaceMoments& moments);

}  // namespace touche::bvh
