// SPDX-License-Identifier: Apache-2.0
// Holds the data of a Shape, which users do not see.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "base/data_access.h"
#include "convex/support.h"
#include "touche/shape.h"

namespace touche {

struct HalfSpace {
  Vec3 normal = Vec3::UnitX();  ///< unit length up to rounding
  double offset = 0;
};

/// A vector of the widest machine: one that lies in two lines of the cache takes twice as long to
/// read.
struct alignas(64) CornerBlock {
  std::array<double, convex::kBlock> at;
};

struct Shape::Data {
  ShapeKind kind = ShapeKind::sphere;
  /// The whole shape has these: `radius` includes that of spheres and capsules.
  double radius = 0;
  Aabb bounds;

  // Convex shapes but half spaces have these. `body` looks at them; Data must not be copied.
  std::vector<Vec3> corners;
  std::vector<CornerBlock> coordinates;  // x, y, z, padded
  std::vector<convex::Round> round;
  convex::Body body;

  HalfSpace half_space = {Vec3::UnitX(), 0};  // of half spaces; its offset includes the radius
  std::optional<Object> object;               // of soups; `radius` is to be added

  Data() = default;
  Data(const Data&) = delete;
  Data& operator=(const Data&) = delete;
};

/// Holds what a convex shape is made of, for files. All else follows from it.
struct ShapeParts {
  ShapeKind kind = ShapeKind::sphere;
  double radius = 0;
  std::vector<Vec3> corners;
  std::vector<convex::Round> round;
  Ball inner;            // of what has round parts: proved to be inside
  HalfSpace half_space;  // of half spaces, which have nothing else but their radius
};
ShapeParts parts_of(const Shape& shape);
/// The same shape, to the last bit. Throws InvalidInput for what no shape is made of; that the ball
/// is inside is believed.
Shape shape_of(const ShapeParts& parts);

inline const convex::Body& body_of(const Shape& shape) { return data_of(shape).body; }

}  // namespace touche
