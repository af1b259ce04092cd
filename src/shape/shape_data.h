// SPDX-License-Identifier: Apache-2.0
// The data of a Shape, which is not part of the interface.
#pragma once

#include <array>
#include <vector>

#include "base/data_access.h"
#include "convex/support.h"
#include "touche/shape.h"

namespace touche::shape {

struct HalfSpace {
  Vec3 normal = Vec3::UnitX();  ///< unit length up to rounding
  double offset = 0;
};

/// One vector of the widest machine: a vector that spans two cache lines takes twice as long to
/// read.
struct alignas(64) CornerBlock {
  std::array<double, convex::kBlock> at;
};

}  // namespace touche::shape

namespace touche {

struct Shape::Data {
  ShapeKind kind = ShapeKind::sphere;
  /// Radius of the whole shape, including that of spheres and capsules.
  double radius = 0;
  Aabb bounds;  // not for soups that are not rounded, which share these data: see their object

  // Set for convex shapes except half spaces. `body` points to these data, so Data must not be
  // copied.
  std::vector<Vec3> corners;
  std::vector<shape::CornerBlock> coordinates;  // x, y, z, padded
  std::vector<convex::Round> round;
  convex::Body body;

  shape::HalfSpace half_space = {Vec3::UnitX(),
                                 0};  // for half spaces; the offset includes the radius

  Data() = default;
  explicit Data(ShapeKind k) : kind(k) {}
  Data(const Data&) = delete;
  Data& operator=(const Data&) = delete;
};

}  // namespace touche

namespace touche::shape {

/// The data from which a convex shape can be restored, for files. All other data follow from these.
struct ShapeParts {
  ShapeKind kind = ShapeKind::sphere;
  double radius = 0;
  std::vector<Vec3> corners;
  std::vector<convex::Round> round;
  Ball inner;            // for shapes with round parts: a ball that is proved to be inside
  HalfSpace half_space;  // for half spaces, whose only other member is the radius
};
ShapeParts parts_of(const Shape& shape);
/// The same shape, bit by bit. Throws InvalidInput for parts that no shape has; that the ball is
/// inside is not checked.
Shape shape_of(const ShapeParts& parts);

inline const convex::Body& body_of(const Shape& shape) { return base::data_of(shape).body; }

/// A soup that is not rounded: queries answer for it as for its object.
inline bool is_plain_soup(const Shape& shape) {
  return !shape.is_convex() && base::data_of(shape).radius == 0;
}

}  // namespace touche::shape
