// SPDX-License-Identifier: Apache-2.0
// Bodies of a world are objects (polygon soups) or convex shapes. These functions answer queries of
// any two of them; for two objects they call the functions of objects.
#pragma once

#include <span>

#include "base/budget_meter.h"
#include "math/moved_box.h"
#include "query/is_near.h"
#include "touche/near_faces.h"
#include "touche/point_query.h"
#include "touche/query.h"
#include "touche/shape.h"

namespace touche::world {

/// Refers to an object or a shape, which must outlive it. Both convert to it, so that queries of
/// bodies read like queries of objects.
class Form {
 public:
  Form(const Object& object) : object_(&object) {}  // NOLINT(google-explicit-constructor)
  Form(const Shape& shape) : shape_(&shape) {}      // NOLINT(google-explicit-constructor)

  bool is_object() const { return object_ != nullptr; }
  bool is_half_space() const {
    return object_ == nullptr && shape_->kind() == ShapeKind::half_space;
  }
  const Object& object() const { return *object_; }
  const Shape& shape() const { return *shape_; }
  /// In its own frame; infinite for a half space.
  const Aabb& bounds() const { return object_ != nullptr ? object_->bounds() : shape_->bounds(); }
  /// The corners of an object or a polytope: the body is part of their hull. Empty for other
  /// shapes.
  std::span<const Vec3> corners() const {
    if (object_ != nullptr) return object_->soup().vertices();
    return shape_->is_polytope() ? shape_->corners() : std::span<const Vec3>();
  }
  /// The hull of an object's corners; null if it has too many, and for shapes.
  const Shape* hull() const;

 private:
  const Object* object_ = nullptr;
  const Shape* shape_ = nullptr;
};

inline bool are_objects(const Form& a, const Form& b) { return a.is_object() && b.is_object(); }

/// The boxes of a half space, limited to what broad phases may hold.
Aabb half_space_box(const Form& half_space, const Pose& pose);
Aabb half_space_box(const Form& half_space, const Motion& motion);

/// A box that contains a placed body, also after rounding.
inline Aabb world_box(const Form& form, const Pose& pose) {
  return form.is_half_space() ? half_space_box(form, pose)
                              : math::moved_box(form.bounds(), pose, 0);
}
/// The boxes of a moving body, as `Motion::swept_box` and `Motion::moving_box`.
inline Aabb swept_box(const Form& form, const Motion& motion) {
  return form.is_half_space() ? half_space_box(form, motion) : motion.swept_box(form.bounds());
}
inline MovingBox moving_box(const Form& form, const Motion& motion) {
  if (!form.is_half_space()) return motion.moving_box(form.bounds());
  const Aabb box = half_space_box(form, motion);
  return {box, box};
}
/// Grown on all sides, but not beyond what broad phases may hold.
Aabb grown_within(const Aabb& box, double by);
/// Returns the box to use in a search of a broad phase for a box of any size: it meets all boxes
/// there that the original meets, and maybe some that reach the farthest coordinate. NaN stays NaN.
Aabb searchable(const Aabb& box);

/// A ball around a body that is no half space, in its own frame.
Ball ball_around(const Form& form);

/// Upper bound of how far points of a body move between two poses; infinite for a half space that
/// turns.
double displacement(const Form& form, const Pose& from, const Pose& to);

/// Upper bound of how far points of a body get from their positions at `pose` during the whole
/// motion; infinite for a half space that turns. Rounded upwards.
double displacement(const Form& form, const Pose& pose, const Motion& motion);

}  // namespace touche::world

namespace touche {

// ---- pairs --------------------------------------------------------------------------------------

IntersectsResult intersects(const world::Form& a, const Pose& pose_a, const world::Form& b,
                            const Pose& pose_b, const Budget& budget = {});
DistanceResult distance(const world::Form& a, const Pose& pose_a, const world::Form& b,
                        const Pose& pose_b, const DistanceOptions& options);

}  // namespace touche

namespace touche::world {

/// As `is_near` of objects.
query::IsNear is_near(const Form& a, const Pose& pose_a, const Form& b, const Pose& pose_b,
                      double margin, const Budget& budget, Workspace& workspace, QueryStats& stats);

}  // namespace touche::world

namespace touche {

/// As `near_features` of objects.
void near_features(const world::Form& a, const Pose& pose_a, const world::Form& b,
                   const Pose& pose_b, const NearOptions& options, NearResult& result);
ToiResult time_of_impact(const world::Form& a, const Motion& motion_a, const world::Form& b,
                         const Motion& motion_b, const ToiOptions& options);
/// Not for two objects. Spends `meter`; the options' budget is not used.
ToiResult time_of_impact(const world::Form& a, const Motion& motion_a, const world::Form& b,
                         const Motion& motion_b, const ToiOptions& options,
                         base::BudgetMeter& meter);

}  // namespace touche
