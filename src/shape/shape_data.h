// SPDX-License-Identifier: Apache-2.0
// What a Shape is made of, which users do not see.
#pragma once

#include <optional>
#include <vector>

#include "base/data_access.h"
#include "convex/support.h"
#include "touche/shape.h"

namespace touche {

struct HalfSpace {
  Vec3 normal;  ///< unit length up to rounding
  double offset;
};

struct Shape::Data {
  ShapeKind kind = ShapeKind::sphere;
  /// Of the whole shape: `radius` includes that of spheres and capsules.
  double radius = 0;
  Aabb bounds;

  // Of a convex shape but half spaces. `body` looks at these; copies of Data must not be made.
  std::vector<Vec3> corners;
  std::vector<double> coordinates;  // x, y, z, padded
  std::vector<convex::Round> round;
  convex::Body body;

  HalfSpace half_space = {Vec3::UnitX(), 0};  // of half spaces; its offset includes the radius
  std::optional<Object> object;               // of soups; `radius` is to be added

  Data() = default;
  Data(const Data&) = delete;
  Data& operator=(const Data&) = delete;
};

inline const convex::Body& body_of(const Shape& shape) { return data_of(shape).body; }

}  // namespace touche
