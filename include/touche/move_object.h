// SPDX-License-Identifier: Apache-2.0
// Moves an object of any shape through another or through a world: it stops at what it meets,
// slides along it or is reflected, and it is proved never to come too near on its way. Link target
// touche::dynamics.
#pragma once

#include <cstdint>
#include <vector>

#include "touche/motion.h"
#include "touche/move_ball.h"
#include "touche/query.h"
#include "touche/world.h"

namespace touche {

struct ObjectMoveOptions {
  /// Lengths, > 0 and >= 0. The object stops between `clearance` and `clearance` + `tolerance` away
  /// from what it meets, so its next motion begins free.
  double tolerance = 0, clearance = 0;
  Response response = Response::slide;
  double restitution = 1;            ///< in [0, 1], of reflections
  int max_contacts = 100;            ///< >= 1: after so many the motion ends
  std::uint32_t mask = World::kAll;  ///< bodies of a world count whose category is in it
  NodeId ignored = {};  ///< a body of a world that does not count, such as the moved one itself
  /// Limits the whole motion; work counts as for queries. When it ends, the object stays where its
  /// way is proved.
  Budget budget = {};
};

/// Tells what stopped the object, or turned its motion.
struct ObjectContact {
  double t = 0;     ///< in [0, 1], of the motion
  NodeId body;      ///< of a world
  Contact contact;  ///< world; a is the moved object: where it stopped, the places that are nearest
};

struct [[nodiscard]] ObjectMove {
  MoveStatus status = MoveStatus::stopped;
  Pose pose;  ///< of the object, where it is
  /// Where it went: each motion begins where the one before ended, and between two of them there is
  /// a contact. Those that would go nowhere are left out.
  std::vector<Motion> way;
  /// Tells what became of the translation, as a velocity per step: that of the wanted motion's
  /// origin from its start to its end, and what responses added. 0 where it stopped.
  Vec3 motion = Vec3::Zero();
  double t = 0;  ///< in [0, 1]: until then it was carried out
  std::vector<ObjectContact> contacts;
  QueryStats stats;
};

/// Carries out a motion of an object, among the faces of another that stands still at a pose. All
/// along its way it is proved (time_of_impact) farther than `clearance` from them. Where it meets
/// some, the rest of its motion goes on with a shift that grows evenly: the least one with which no
/// place of near_features comes nearer, which for a translation is what slide() leaves of it; or,
/// reflected, that shift times 1 + restitution. It turns as it would have done. So on until the end
/// of the motion: objects follow grooves and stop in corners. Where less than three quarters of the
/// tolerance are left between the two, the shift opens them to that much, so that motions along
/// faces are not stopped by rounding; it is no more than that which can make the object faster.
///
/// Where a budget ends, the status is `unfinished`. Throws InvalidInput for options without meaning
/// and for what is not finite.
ObjectMove move_object(const Object& moved, const Motion& wanted, const Object& object,
                       const Pose& pose, const ObjectMoveOptions& options);
/// The same among the bodies of a world, whose mask lets it see them.
ObjectMove move_object(const Object& moved, const Motion& wanted, World& world,
                       const ObjectMoveOptions& options);

/// The same for a translation.
ObjectMove move_object(const Object& moved, const Pose& start, const Vec3& motion,
                       const Object& object, const Pose& pose, const ObjectMoveOptions& options);
ObjectMove move_object(const Object& moved, const Pose& start, const Vec3& motion, World& world,
                       const ObjectMoveOptions& options);

/// The same for shapes, moved among another one or the bodies of a world, as solids; one that is a
/// soup counts as its object. Features of contacts are numbers that stay the same while a shape
/// moves; faces are kNone. Throws InvalidInput for rounded soups, for a half space among another,
/// and for one that is to move in a world.
ObjectMove move_object(const Shape& moved, const Motion& wanted, const Shape& shape,
                       const Pose& pose, const ObjectMoveOptions& options);
ObjectMove move_object(const Shape& moved, const Motion& wanted, World& world,
                       const ObjectMoveOptions& options);
ObjectMove move_object(const Shape& moved, const Pose& start, const Vec3& motion,
                       const Shape& shape, const Pose& pose, const ObjectMoveOptions& options);
ObjectMove move_object(const Shape& moved, const Pose& start, const Vec3& motion, World& world,
                       const ObjectMoveOptions& options);

}  // namespace touche
