// SPDX-License-Identifier: Apache-2.0
// A convex shape as the solid of an Interior.
#pragma once

#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "path/solid.h"
#include "touche/shape.h"

namespace touche::shape_path {

class ShapeSolid final : public Interior::Solid {
 public:
  /// The shape must be convex.
  explicit ShapeSolid(Shape shape) : shape_(std::move(shape)) {}

  Side side(const Vec3& x, double error) const override;
  bool contains(const Vec3& x) const override;
  Aabb bounds() const override { return shape_.bounds(); }
  paths::Holds is_inside(const Pose& pose, const Interior& other, const Pose& pose_other,
                         const Budget& budget) const override;
  std::vector<Vec3> points_in_overlap(const Pose& pose, const Object& object,
                                      const Pose& pose_object, const Budget& budget) const override;

 private:
  paths::Holds is_in_solid(const Pose& pose, const Interior::Solid& other, const Pose& pose_other,
                           const Budget& budget) const;
  paths::Holds is_in_object(const Pose& pose, const Interior& other, const Pose& pose_other,
                            const Budget& budget) const;
  /// Whether a point of the shape, which is bounded, is found that is proved to lie outside of an
  /// object.
  bool reaches_out_of(const Pose& pose, const Interior& object, const Pose& pose_object,
                      const Budget& budget) const;
  /// The corners of a mesh around the shape, which is bounded, made at the first use. None if there
  /// is no such mesh.
  const std::vector<Vec3>& corners_around() const;

  const Shape shape_;
  mutable std::once_flag meshed_;
  mutable std::vector<Vec3> around_;
};

/// Points of a bounded convex shape. `decide_all`: they are the corners of a polytope, and if all
/// of them are inside of a soup that is closed except for slits, the polytope counts as inside.
struct Witnesses {
  std::vector<Vec3> points;
  bool decide_all = false;
};
Witnesses witnesses_of(const Shape& shape);

/// Whether a bounded convex shape that does not meet an object lies inside of it; see
/// Interior::Solid::is_inside.
paths::Holds lies_in_object(const Shape& shape, const Pose& pose, const Interior& object,
                            const Pose& pose_object, const Budget& budget);

/// Contacts of a convex shape and a soup, a few hundred at most, found within the budget and a
/// limited time: for directions and points to try, for which not all are needed.
ShapeContactsResult some_contacts(const Shape& convex, const Pose& pose, const Shape& soup,
                                  const Pose& pose_soup, const Budget& budget);

}  // namespace touche::shape_path
