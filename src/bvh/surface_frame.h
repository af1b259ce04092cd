// SPDX-License-Identifier: Apache-2.0
// Frames aligned to a piece of surface: the principal axes of its area.
#pragma once

#include "bvh/bvh.h"

namespace touche {

/// Area, first and second moments of a surface, which add up.
struct SurfaceMoments {
  double area = 0;
  Vec3 first = Vec3::Zero();
  double second[6] = {};  // xx xy xz yy yz zz

  void add(const SurfaceMoments& other);
};

/// Principal axes; origin at the centre of area. Any orthonormal axes where there are no
/// distinguished ones (no area, or the same in all directions).
Frame principal_frame(const SurfaceMoments& moments);

}  // namespace touche
