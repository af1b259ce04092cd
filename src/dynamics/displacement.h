// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "touche/object.h"
#include "touche/pose.h"

namespace touche {

/// How far points of an object get between two poses, at most.
inline double displacement(const Object& object, const Pose& from, const Pose& to) {
  const Aabb& box = object.bounds();
  const Vec3 centre = box.centre();
  return (to * centre - from * centre).norm() +
         (to.matrix() - from.matrix()).norm() * 0.5 * box.diagonal();
}

}  // namespace touche
