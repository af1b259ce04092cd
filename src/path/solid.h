// SPDX-License-Identifier: Apache-2.0
// The inside of a convex shape as src/path sees it, which knows no shapes. src/shape_path
// implements it.
#pragma once

#include <vector>

#include "base/data_access.h"
#include "path/parts_inside.h"
#include "touche/overlap.h"

namespace touche {

/// Arguments without a pose are in the shape's frame.
struct Interior::Solid {
  virtual ~Solid() = default;

  struct Side {
    /// Proved bounds of the distance of a point from the surface, negative inside.
    Bracket distance;
    /// Unit length up to rounding. No point y of the shape has a larger normal · y than `farthest`,
    /// and the point is nearly as far away from that plane as from the surface.
    Vec3 normal = Vec3::UnitX();
    double farthest = 0;
  };
  /// Of a point inside, the bounds may differ by `error`, a length, if that takes less time. Any
  /// coordinates are allowed; far above 1e90 the bounds are wide.
  virtual Side side(const Vec3& x, double error) const = 0;
  Side side(const Vec3& x) const { return side(x, 0); }
  /// Points that are nearer to the surface than rounding resolves may count as either. Coordinates
  /// must be at most 1e90 in size.
  virtual bool contains(const Vec3& x) const = 0;
  /// Infinite in the directions in which the shape is.
  virtual Aabb bounds() const = 0;

  /// Whether all of the shape lies inside `other`, apart from its surface. Undecided also if it is
  /// not known how to decide it.
  virtual paths::Holds is_inside(const Pose& pose, const Interior& other, const Pose& pose_other,
                                 const Budget& budget) const = 0;
  /// Points in the object's frame that are about as deep in the shape as any of its faces. Fewer if
  /// the budget ends.
  virtual std::vector<Vec3> points_in_overlap(const Pose& pose, const Object& object,
                                              const Pose& pose_object,
                                              const Budget& budget) const = 0;
};

}  // namespace touche

namespace touche::paths {

/// Null for the inside of an object.
inline const Interior::Solid* solid_of(const Interior& body) { return DataAccess::solid(body); }

/// Throws InvalidInput for an object that stands on an outline: it has no height, a shape has.
void refuse_outline(const char* who, const Interior& body);

/// Upper bound of the rounding errors when points of a bounded body are moved by a pose into the
/// frame of another one.
double moving_error(const Aabb& box, const Vec3& translation);

/// containment() with at least one convex shape.
Containment containment_of_solids(const Interior& a, const Pose& pose_a, const Interior& b,
                                  const Pose& pose_b, const Budget& budget);

/// overlap_thickness() of two convex shapes.
Thickness thickness_of_solids(const Interior& a, const Pose& pose_a, const Interior& b,
                              const Pose& pose_b, const ThicknessOptions& options);

}  // namespace touche::paths
