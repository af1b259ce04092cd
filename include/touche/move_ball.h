// SPDX-License-Identifier: Apache-2.0
// Moves a point or a ball through an object or a world: it stops at what it meets, slides along it
// or is reflected, and it is proved never to come too near on its way. Link target
// touche::dynamics.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "touche/names.h"
#include "touche/point_query.h"
#include "touche/world.h"

namespace touche {

/// The first face that a moving ball meets.
struct BallHit {
  Index face = kNone;
  double t = 0;               ///< of its way, in [0, 1]
  Vec3 point = Vec3::Zero();  ///< of the face, nearest to the ball's centre then
  /// Unit length, from there to the centre. Zero where the two are one, as they may be of a point
  /// on a surface and of a centre inside of a shape: then no direction parts them.
  Vec3 normal = Vec3::UnitX();
  double distance = kInfinity;  ///< of the two
};

/// When a ball meets an object whose centre goes along a segment; with radius 0, a point. For every
/// t in [0, hit.t) the centre is proved farther than `radius` from every face, and at hit.t it is
/// at most `radius` + `tolerance` away from one; without a hit it is farther than `radius` all
/// along. Faces that are not met nearer than `radius` + `tolerance` are never told. From a face
/// that is nearer than that at the start the way may lead away, and along it: then it is not met.
/// The tolerance is a length > 0; one below the rounding error of the coordinates is raised to it.
/// Throws InvalidInput for a radius < 0 and for coordinates as point queries do.
///
/// Per triangle, the distance from the centre is a convex function of t. Newton's method from the
/// left therefore never goes too far, which is the proof, and needs a few steps, which is the
/// speed: also where the ball grazes a face or slides along it.
[[nodiscard]] std::optional<BallHit> cast_ball(const Object& object, const Pose& pose,
                                               const Segment& way, double radius, double tolerance);
namespace brute_force {
/// The same by looking at every triangle.
[[nodiscard]] std::optional<BallHit> cast_ball(const Object& object, const Pose& pose,
                                               const Segment& way, double radius, double tolerance);
}  // namespace brute_force

/// The same for a convex shape, which is solid; the face of the hit is kNone. Cases that GJK leaves
/// open count as nearer, and the tolerance is raised to 2^-28 of the coordinates. Throws
/// InvalidInput for a shape that is a soup, too: ask its object.
[[nodiscard]] std::optional<BallHit> cast_ball(const Shape& shape, const Pose& pose,
                                               const Segment& way, double radius, double tolerance);

/// Says what becomes of a motion that meets something.
enum class Response : std::uint8_t { stop, slide, reflect };
template <>
inline constexpr std::array<std::string_view, 3> kNames<Response> = {"stop", "slide", "reflect"};

struct BallMoveOptions {
  /// Lengths, > 0 and >= 0. The ball stops between `clearance` and `clearance` + `tolerance` away
  /// from what it meets, so its next motion begins free.
  double tolerance = 0, clearance = 0;
  Response response = Response::slide;
  double restitution = 1;            ///< in [0, 1], of reflections
  int max_contacts = 100;            ///< >= 1: after so many the motion ends
  std::uint32_t mask = World::kAll;  ///< bodies of a world count whose category is in it
};

enum class MoveStatus : std::uint8_t {
  arrived,             ///< the whole motion was carried out, however it was turned
  stopped,             ///< a response was to stop, or nothing of the motion was left
  initially_touching,  ///< at most `clearance` away from something at the start: nothing moved
  unfinished,          ///< max_contacts, or the end of a budget, came first
};
template <>
inline constexpr std::array<std::string_view, 4> kNames<MoveStatus> = {
    "arrived", "stopped", "initially_touching", "unfinished"};

struct BallContact {
  double t = 0;  ///< in [0, 1], of the motion
  NodeId body;   ///< of a world
  Index face = kNone;
  Vec3 point = Vec3::Zero();    ///< of the face
  Vec3 normal = Vec3::UnitX();  ///< unit length, from there to the ball's centre
};

struct [[nodiscard]] BallMove {
  MoveStatus status = MoveStatus::stopped;
  /// Where the centre went: straight from each point to the next. The first is where it began, one
  /// more for each contact, and the last is where it is.
  std::vector<Vec3> way;
  Vec3 motion = Vec3::Zero();  ///< what became of it, as a velocity per step; 0 where it stopped
  double t = 0;                ///< in [0, 1]: until then it was carried out
  std::vector<BallContact> contacts;
};

/// Moves a ball, or with radius 0 a point, by `motion`. All along its way it is proved farther than
/// `clearance` from the faces. Where it meets some, the rest of the motion slides along all faces
/// that are that near, as slide() has it, or is reflected by them, and so on until the end of the
/// motion. Sliding loses what led into the faces; what is left takes as long as before.
/// Throws InvalidInput for options without meaning and for what is not finite.
BallMove move_ball(const Ball& ball, const Vec3& motion, const Object& object, const Pose& pose,
                   const BallMoveOptions& options);

/// The same for a convex shape, which is solid, in place of the faces; a soup counts as its object.
/// Throws InvalidInput for rounded soups, too.
BallMove move_ball(const Ball& ball, const Vec3& motion, const Shape& shape, const Pose& pose,
                   const BallMoveOptions& options);

/// The same among the bodies of a world, whose mask lets it see them.
BallMove move_ball(const Ball& ball, const Vec3& motion, World& world,
                   const BallMoveOptions& options);

}  // namespace touche
