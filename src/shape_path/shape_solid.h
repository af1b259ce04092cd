// SPDX-License-Identifier: Apache-2.0
// A convex shape as the solid of an Interior.
#pragma once

#include "path/solid.h"
#include "touche/shape.h"

namespace touche::shape_path {

class ShapeSolid final : public Interior::Solid {
 public:
  /// The shape must be convex.
  explicit ShapeSolid(Shape shape) : shape_(std::move(shape)) {}

  Side side(const Vec3& x) const override;
  bool contains(const Vec3& x) const override;
  Aabb bounds() const override { return shape_.bounds(); }
  std::optional<bool> is_inside(const Pose& pose, const Interior& other, const Pose& pose_other,
                                const Budget& budget) const override;
  std::vector<Vec3> points_in_overlap(const Pose& pose, const Object& object,
                                      const Pose& pose_object) const override;

 private:
  std::optional<bool> is_in_solid(const Pose& pose, const Interior::Solid& other,
                                  const Pose& pose_other, const Budget& budget) const;
  std::optional<bool> is_in_object(const Pose& pose, const Interior& other, const Pose& pose_other,
                                   const Budget& budget) const;

  const Shape shape_;
};

/// Points of a bounded convex shape. If they are all inside of something, `decide_all` says that
/// this counts as the whole shape being inside of a soup: they are the corners of a polytope.
struct Witnesses {
  std::vector<Vec3> points;
  bool decide_all = false;
};
Witnesses witnesses_of(const Shape& shape);

/// Whether a bounded convex shape that does not meet an object lies inside of it; see
/// Interior::Solid::is_inside.
std::optional<bool> lies_in_object(const Shape& shape, const Pose& pose, const Interior& object,
                                   const Pose& pose_object);

}  // namespace touche::shape_path
