// SPDX-License-Identifier: Apache-2.0
#include "world/body_boxes.h"

#include <algorithm>
#include <cmath>

#include "math/rounding.h"
#include "shape/shape_ball.h"
#include "shape/shape_data.h"
#include "shape/soup_hull.h"
#include "touche/broadphase.h"
#include "world/straight_way.h"

namespace touche::world {

namespace {

constexpr double kFarthest = BroadPhase::kMaxCoordinate;

Aabb everything() { return {Vec3::Constant(-kFarthest), Vec3::Constant(kFarthest)}; }

}  // namespace

std::span<const Vec3> hull_corners(const Shape& shape) {
  if (!shape.is_convex()) return shape.object().soup().vertices();
  return shape.is_polytope() ? shape.corners() : std::span<const Vec3>();
}

const Shape* hull_of_soup(const Shape& shape) {
  return shape.is_convex() ? nullptr : shape::hull_of(shape.object());
}

// The box ends at the half space's plane if that is perpendicular to an axis of the world;
// otherwise it is as large as a broad phase allows.
Aabb half_space_box(const Shape& half_space, const Pose& pose) {
  const shape::HalfSpace& h = base::data_of(half_space).half_space;
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

Aabb half_space_box(const Shape& half_space, const Motion& motion) {
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

Ball ball_around_body(const Shape& shape) {
  return shape.is_convex() ? shape::ball_around(shape) : ball_around(hull_corners(shape));
}

double displacement(const Shape& shape, const Pose& from, const Pose& to) {
  if (is_half_space(shape)) {
    const bool turns = from.rotation().coeffs() != to.rotation().coeffs();
    return turns ? kInfinity : (to.translation() - from.translation()).norm();
  }
  const Aabb& box = shape.bounds();
  const Vec3 centre = box.centre();
  return (to * centre - from * centre).norm() +
         (to.matrix() - from.matrix()).norm() * 0.5 * box.diagonal();
}

double displacement(const Shape& shape, const Pose& pose, const Motion& motion) {
  const Pose start = motion.pose(0);
  if (is_half_space(shape)) {
    const bool turns = !motion.is_still() || start.rotation().coeffs() != pose.rotation().coeffs();
    return turns ? kInfinity : math::kRoundUp * (start.translation() - pose.translation()).norm();
  }
  const Aabb& box = shape.bounds();
  const Ball ball{box.centre(), 0.5 * box.diagonal()};
  // Rounding errors of the two poses are part of the bound below, or far smaller than the
  // difference of the poses.
  const double jump = (start * ball.centre - pose * ball.centre).norm() +
                      (start.matrix() - pose.matrix()).norm() * ball.radius;
  return math::kRoundUp * (jump + motion.displacement_bound(ball, 0, 0, 1));
}

}  // namespace touche::world
