// SPDX-License-Identifier: Apache-2.0
// Moves an object or a shape through another one or through a world. At contacts it stops, slides
// or is reflected; along its path it is proved to keep a clearance. Link target touche::dynamics.
#pragma once

#include <cstdint>
#include <vector>

#include "touche/motion.h"
#include "touche/move_ball.h"
#include "touche/query.h"
#include "touche/world.h"

namespace touche {

struct ObjectMoveOptions {
  /// Lengths, > 0 and >= 0. The object stops at a distance between `clearance` and `clearance` +
  /// `tolerance`, so that its next motion starts free.
  double tolerance = 0, clearance = 0;
  Response response = Response::slide;
  double restitution = 1;  ///< in [0, 1], for reflections
  int max_contacts = 100;  ///< >= 1: the motion ends after this number of contacts
  /// Bodies of a world are ignored unless their category is in it.
  std::uint32_t mask = World::kAll;
  NodeId ignored = {};  ///< a body of a world to ignore, such as the moved one itself
  /// Limits the whole motion; work is counted as for queries. When it ends, the object stays at the
  /// end of its proved path.
  Budget budget = {};
};

/// A contact that stopped or deflected the object.
struct ObjectContact {
  double t = 0;     ///< time in [0, 1] of the wanted motion
  NodeId body;      ///< the body that was met, in a world
  Contact contact;  ///< in the world, at the closest points; a is the moved object
};

struct [[nodiscard]] ObjectMove {
  MoveStatus status = MoveStatus::stopped;
  Pose pose;  ///< final pose of the object
  /// The path taken: each motion starts where the one before ended, with a contact in between.
  /// Motions of no extent are left out.
  std::vector<Motion> way;
  /// The final velocity of the translation, in length per whole motion: the wanted displacement of
  /// the origin, plus what responses added. 0 if it stopped.
  Vec3 motion = Vec3::Zero();
  double t = 0;  ///< in [0, 1]: the time until which the motion was carried out
  std::vector<ObjectContact> contacts;
  QueryStats stats;
};

/// Carries out a motion of an object near another one, which stands still at a pose. Along its
/// whole path it is proved (time_of_impact) to be farther than `clearance` from the other one's
/// faces.
///
/// At a contact, the rest of the motion gets an additional translation that grows linearly with
/// time: the shortest one with which no contact of near_features comes nearer. For a translation
/// this gives what slide() gives; reflections multiply it by 1 + restitution. Rotation is not
/// changed. This goes on until the end of the motion, so objects follow grooves and stop in
/// corners. If less than three quarters of the tolerance are left between the two, the additional
/// translation opens the gap to that much, so that rounding does not stop motions along faces. Only
/// this can make the object faster.
///
/// When the budget ends, the status is `unfinished`. Throws InvalidInput for invalid options and
/// for numbers that are not finite.
///
///     const ObjectMove moved = move_object(a, motion_a, b, pose_b, {.tolerance = 1e-3});
ObjectMove move_object(const Object& moved, const Motion& wanted, const Object& object,
                       const Pose& pose, const ObjectMoveOptions& options);
/// The same among the bodies of a world that `mask` and `ignored` do not exclude.
ObjectMove move_object(const Object& moved, const Motion& wanted, World& world,
                       const ObjectMoveOptions& options);

/// The same for a translation by `motion` from the pose `start`.
ObjectMove move_object(const Object& moved, const Pose& start, const Vec3& motion,
                       const Object& object, const Pose& pose, const ObjectMoveOptions& options);
ObjectMove move_object(const Object& moved, const Pose& start, const Vec3& motion, World& world,
                       const ObjectMoveOptions& options);

/// The same for shapes, which are solid, near another shape or in a world; a soup counts as its
/// object. Features of contacts are numbers that stay the same while a shape moves; faces are
/// kNone. Throws InvalidInput for rounded soups, for two half spaces, and for a half space that
/// moves in a world.
ObjectMove move_object(const Shape& moved, const Motion& wanted, const Shape& shape,
                       const Pose& pose, const ObjectMoveOptions& options);
ObjectMove move_object(const Shape& moved, const Motion& wanted, World& world,
                       const ObjectMoveOptions& options);
ObjectMove move_object(const Shape& moved, const Pose& start, const Vec3& motion,
                       const Shape& shape, const Pose& pose, const ObjectMoveOptions& options);
ObjectMove move_object(const Shape& moved, const Pose& start, const Vec3& motion, World& world,
                       const ObjectMoveOptions& options);

}  // namespace touche
