// SPDX-License-Identifier: Apache-2.0
#include "world/form.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "shape/impact.h"
#include "shape/near_shapes.h"
#include "shape/shape_ball.h"
#include "shape/soup_hull.h"
#include "touche/broadphase.h"
#include "world/straight_way.h"

namespace touche::world {

namespace {

constexpr double kFarthest = BroadPhase::kMaxCoordinate;

Aabb everything() { return {Vec3::Constant(-kFarthest), Vec3::Constant(kFarthest)}; }

/// Exchanges the roles of a and b.
IntersectsResult turned(IntersectsResult result) {
  std::swap(result.face_a, result.face_b);
  return result;
}
template <class Result>
Result turned_contact(Result result, std::optional<Contact> Result::*contact) {
  shape::exchange(result.*contact);
  return result;
}

}  // namespace

const Shape* Form::hull() const { return object_ != nullptr ? shape::hull_of(*object_) : nullptr; }

// ---- boxes and displacements --------------------------------------------------------------------

// The box ends at the half space's plane if that is perpendicular to an axis of the world;
// otherwise it is as large as a broad phase allows.
Aabb half_space_box(const Form& half_space, const Pose& pose) {
  const shape::HalfSpace& h = base::data_of(half_space.shape()).half_space;
  const Vec3 n = pose.matrix() * h.normal;
  Aabb box = everything();
  for (int k = 0; k < 3; ++k) {
    if (n[(k + 1) % 3] != 0 || n[(k + 2) % 3] != 0) continue;
    const double along = n[k] * pose.translation()[k];
    // Other components of the normal may be 0 only by rounding, so the error bound includes the
    // translation across the normal, too.
    const double most =
        h.offset + along + math::kMovedBoxError * (std::abs(h.offset) + pose.translation().norm());
    if (n[k] > 0)
      box.hi[k] = std::clamp(most / n[k], -kFarthest, kFarthest);
    else
      box.lo[k] = std::clamp(most / n[k], -kFarthest, kFarthest);
  }
  return box;
}

Aabb half_space_box(const Form& half_space, const Motion& motion) {
  return motion.is_still() ? half_space_box(half_space, motion.pose(0)) : everything();
}

Aabb grown_within(const Aabb& box, double by) {
  const Vec3 most = Vec3::Constant(kFarthest);
  return {(box.lo - Vec3::Constant(by)).cwiseMax(-most),
          (box.hi + Vec3::Constant(by)).cwiseMin(most)};
}

// Boxes of a broad phase reach no farther: clamping two overlapping intervals to the farthest
// coordinate keeps their overlap. Rounding outwards leads a little beyond it, for all boxes alike.
Aabb searchable(const Aabb& box) {
  Aabb within = box;
  for (int k = 0; k < 3; ++k) {
    within.lo[k] = std::clamp(box.lo[k], -kFarthest, kFarthest);
    within.hi[k] = std::clamp(box.hi[k], -kFarthest, kFarthest);
  }
  return within;
}

Ball ball_around(const Form& form) {
  if (!form.is_object()) return shape::ball_around(form.shape());
  return ball_around(form.corners());
}

double displacement(const Form& form, const Pose& from, const Pose& to) {
  if (form.is_half_space()) {
    const bool turns = from.rotation().coeffs() != to.rotation().coeffs();
    return turns ? kInfinity : (to.translation() - from.translation()).norm();
  }
  const Aabb& box = form.bounds();
  const Vec3 centre = box.centre();
  return (to * centre - from * centre).norm() +
         (to.matrix() - from.matrix()).norm() * 0.5 * box.diagonal();
}

double displacement(const Form& form, const Pose& pose, const Motion& motion) {
  const Pose start = motion.pose(0);
  if (form.is_half_space()) {
    const bool turns = !motion.is_still() || start.rotation().coeffs() != pose.rotation().coeffs();
    return turns ? kInfinity : math::kRoundUp * (start.translation() - pose.translation()).norm();
  }
  const Aabb& box = form.bounds();
  const Ball ball{box.centre(), 0.5 * box.diagonal()};
  // Rounding errors of the two poses are part of the bound below, or far smaller than the
  // difference of the poses.
  const double jump = (start * ball.centre - pose * ball.centre).norm() +
                      (start.matrix() - pose.matrix()).norm() * ball.radius;
  return math::kRoundUp * (jump + motion.displacement_bound(ball, 0, 0, 1));
}

}  // namespace touche::world

namespace touche {

// ---- pairs --------------------------------------------------------------------------------------

IntersectsResult intersects(const world::Form& a, const Pose& pose_a, const world::Form& b,
                            const Pose& pose_b, const Budget& budget) {
  if (world::are_objects(a, b)) return intersects(a.object(), pose_a, b.object(), pose_b, budget);
  if (a.is_object())
    return world::turned(shape::shape_meets_soup(b.shape(), pose_b, 0, a.object(), pose_a, budget));
  if (b.is_object())
    return shape::shape_meets_soup(a.shape(), pose_a, 0, b.object(), pose_b, budget);
  return intersects(a.shape(), pose_a, b.shape(), pose_b, budget);
}

DistanceResult distance(const world::Form& a, const Pose& pose_a, const world::Form& b,
                        const Pose& pose_b, const DistanceOptions& options) {
  if (world::are_objects(a, b)) return distance(a.object(), pose_a, b.object(), pose_b, options);
  if (a.is_object())
    return world::turned_contact(
        shape::shape_soup_distance(b.shape(), pose_b, 0, a.object(), pose_a, options),
        &DistanceResult::closest);
  if (b.is_object())
    return shape::shape_soup_distance(a.shape(), pose_a, 0, b.object(), pose_b, options);
  return distance(a.shape(), pose_a, b.shape(), pose_b, options);
}

}  // namespace touche

namespace touche::world {

query::IsNear is_near(const Form& a, const Pose& pose_a, const Form& b, const Pose& pose_b,
                      double margin, const Budget& budget, Workspace& workspace,
                      QueryStats& stats) {
  if (are_objects(a, b))
    return query::is_near(a.object(), pose_a, b.object(), pose_b, margin, budget, workspace, stats);
  const DistanceResult start = distance(
      a, pose_a, b, pose_b,
      {.max_distance = margin, .stop_below = margin, .budget = budget, .workspace = &workspace});
  stats += start.stats;
  if (start.distance.upper <= margin) return query::IsNear::yes;
  return start.distance.lower >= margin ? query::IsNear::no : query::IsNear::unknown;
}

}  // namespace touche::world

namespace touche {

void near_features(const world::Form& a, const Pose& pose_a, const world::Form& b,
                   const Pose& pose_b, const NearOptions& options, NearResult& result) {
  if (world::are_objects(a, b)) {
    if (!shape::near_features_by_hulls(a.object(), pose_a, b.object(), pose_b, options, result))
      near_features(a.object(), pose_a, b.object(), pose_b, options, result);
  } else if (a.is_object()) {
    near_features(b.shape(), pose_b, a.object(), pose_a, options, result);
    shape::exchange(result);
  } else if (b.is_object()) {
    near_features(a.shape(), pose_a, b.object(), pose_b, options, result);
  } else {
    near_features(a.shape(), pose_a, b.shape(), pose_b, options, result);
  }
}

ToiResult time_of_impact(const world::Form& a, const Motion& motion_a, const world::Form& b,
                         const Motion& motion_b, const ToiOptions& options) {
  if (world::are_objects(a, b))
    return time_of_impact(a.object(), motion_a, b.object(), motion_b, options);
  base::BudgetMeter meter(options.budget);
  return time_of_impact(a, motion_a, b, motion_b, options, meter);
}

ToiResult time_of_impact(const world::Form& a, const Motion& motion_a, const world::Form& b,
                         const Motion& motion_b, const ToiOptions& options,
                         base::BudgetMeter& meter) {
  if (a.is_object())
    return world::turned_contact(
        shape::shape_soup_impact(b.shape(), motion_b, 0, a.object(), motion_a, options, meter),
        &ToiResult::contact);
  if (b.is_object())
    return shape::shape_soup_impact(a.shape(), motion_a, 0, b.object(), motion_b, options, meter);
  return shape::shape_impact(a.shape(), motion_a, b.shape(), motion_b, options, meter);
}

}  // namespace touche
