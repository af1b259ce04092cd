// SPDX-License-Identifier: Apache-2.0
// Moves a point or a ball through an object or a world. At contacts it stops, slides or is
// reflected; along its path it is proved to keep a clearance. Link target touche::dynamics.
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
  double t = 0;               ///< time of the contact, in [0, 1] of the segment
  Vec3 point = Vec3::Zero();  ///< point of the face that is nearest to the ball's centre then
  /// Unit length, from that point to the centre. Zero if they coincide, as for a point on a surface
  /// or a centre inside a shape: then the direction is undefined.
  Vec3 normal = Vec3::UnitX();
  double distance = kInfinity;  ///< length, from `point` to the centre
};

/// When a ball meets an object while its centre moves along the segment `way`; with radius 0 the
/// ball is a point. For every t in [0, hit.t) the centre is proved to be farther than `radius` from
/// every face. At hit.t it is at most `radius` + `tolerance` away from one; without a hit it is
/// farther than `radius` all along. Faces that never come nearer than `radius` + `tolerance` are
/// never reported. A face that is nearer than that at the start is no hit if the segment leads away
/// from it or along it.
///
/// The tolerance is a length > 0; one below the rounding error of the coordinates is raised to it.
/// Throws InvalidInput for a radius < 0 and for coordinates as point queries do.
///
/// For a triangle, the distance from the centre is a convex function of t. Newton's method from the
/// left therefore never passes the first contact, which is the proof, and needs only a few steps,
/// also where the ball grazes a face or slides along it.
[[nodiscard]] std::optional<BallHit> cast_ball(const Object& object, const Pose& pose,
                                               const Segment& way, double radius, double tolerance);
namespace brute_force {
/// Reference implementation that tests every triangle.
[[nodiscard]] std::optional<BallHit> cast_ball(const Object& object, const Pose& pose,
                                               const Segment& way, double radius, double tolerance);
}  // namespace brute_force

/// The same for a convex shape, which is solid; the face of the hit is kNone. Cases that GJK cannot
/// decide count as nearer, and the tolerance is raised to at least 2^-28 of the coordinates. Throws
/// InvalidInput also for a soup: use its object.
[[nodiscard]] std::optional<BallHit> cast_ball(const Shape& shape, const Pose& pose,
                                               const Segment& way, double radius, double tolerance);

/// What a moving body does at a contact.
enum class Response : std::uint8_t { stop, slide, reflect };
template <>
inline constexpr std::array<std::string_view, 3> kNames<Response> = {"stop", "slide", "reflect"};

struct BallMoveOptions {
  /// Lengths, > 0 and >= 0. The ball stops at a distance between `clearance` and `clearance` +
  /// `tolerance`, so that its next motion starts free.
  double tolerance = 0, clearance = 0;
  Response response = Response::slide;
  double restitution = 1;  ///< in [0, 1], for reflections
  int max_contacts = 100;  ///< >= 1: the motion ends after this number of contacts
  /// Bodies of a world are ignored unless their category is in it.
  std::uint32_t mask = World::kAll;
};

enum class MoveStatus : std::uint8_t {
  arrived,             ///< the whole motion was carried out, possibly deflected
  stopped,             ///< the response was to stop, or nothing of the motion was left
  initially_touching,  ///< at most `clearance` away from a body at the start: nothing moved
  unfinished,          ///< max_contacts was reached, or a budget ended
};
template <>
inline constexpr std::array<std::string_view, 4> kNames<MoveStatus> = {
    "arrived", "stopped", "initially_touching", "unfinished"};

struct BallContact {
  double t = 0;  ///< time in [0, 1] of the motion
  NodeId body;   ///< the body that was met, in a world
  Index face = kNone;
  Vec3 point = Vec3::Zero();    ///< on the face
  Vec3 normal = Vec3::UnitX();  ///< unit length, from that point to the ball's centre
};

struct [[nodiscard]] BallMove {
  MoveStatus status = MoveStatus::stopped;
  /// The path of the centre, straight from each point to the next: its start, its position at each
  /// contact, and its end.
  std::vector<Vec3> way;
  Vec3 motion = Vec3::Zero();  ///< final velocity, in length per whole motion; 0 if it stopped
  double t = 0;                ///< in [0, 1]: the time until which the motion was carried out
  std::vector<BallContact> contacts;
};

/// Moves a ball, or with radius 0 a point, by `motion`. Along its whole path it is proved to be
/// farther than `clearance` from all faces. At a contact, the rest of the motion slides along all
/// faces in contact, see slide(), or is reflected by them, and so on until the end of the motion.
/// Sliding removes the component that leads into the faces; the rest of the motion takes as long as
/// before. Throws InvalidInput for invalid options and for numbers that are not finite.
///
///     const BallMove moved = move_ball({eye, 0.2}, displacement, object, {}, {.tolerance = 1e-3});
BallMove move_ball(const Ball& ball, const Vec3& motion, const Object& object, const Pose& pose,
                   const BallMoveOptions& options);

/// The same for a convex shape, which is solid; a soup counts as its object. Throws InvalidInput
/// also for rounded soups.
BallMove move_ball(const Ball& ball, const Vec3& motion, const Shape& shape, const Pose& pose,
                   const BallMoveOptions& options);

/// The same among the bodies of a world whose category is in BallMoveOptions::mask.
BallMove move_ball(const Ball& ball, const Vec3& motion, World& world,
                   const BallMoveOptions& options);

}  // namespace touche
