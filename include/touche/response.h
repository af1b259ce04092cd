// SPDX-License-Identifier: Apache-2.0
// Responses to contacts of moving bodies: they stop, slide or are reflected (Kolb's lecture,
// section on responses). For points, balls and objects that are moved alone, and for groups in the
// steps of a world. Link target touche::dynamics.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "touche/motion.h"
#include "touche/names.h"
#include "touche/point_query.h"
#include "touche/query.h"
#include "touche/step.h"
#include "touche/types.h"
#include "touche/world.h"

namespace touche {

/// The part of a motion or velocity that does not lead into a surface: `motion` itself if it leads
/// away from the surface, else its component parallel to it. The normal points away from the
/// surface. Throws InvalidInput for a normal that is not of unit length and for a motion that is
/// not finite, as all functions of this name and of the name reflect do.
[[nodiscard]] Vec3 slide(const Vec3& motion, const Vec3& normal);

/// The same for several surfaces at once, as in corners and grooves: of all motions that lead into
/// none of them, the one nearest to `motion`; 0 in a corner that blocks all directions. It is exact
/// except for rounding: it leads into each surface by at most 1e-12 of the motion's length. The
/// time is at most cubic in the number of different normals.
[[nodiscard]] Vec3 slide(const Vec3& motion, std::span<const Vec3> normals);

/// The velocity after an impact on an immovable surface: the component that leads into the surface
/// is reversed and multiplied by `restitution` in [0, 1]; a velocity that leads away is not
/// changed. Throws InvalidInput for another restitution.
[[nodiscard]] Vec3 reflect(const Vec3& velocity, const Vec3& normal, double restitution);

/// The same for several surfaces that are met at once (Moreau's law of impact): the component that
/// slide() removes is reversed and multiplied by `restitution`. In an acute corner the result may
/// lead into a surface; then this is the next impact, and so on. After 64 impacts the velocity
/// slides. The result does not depend on the order of the surfaces, and it is never faster than
/// `velocity`.
[[nodiscard]] Vec3 reflect(const Vec3& velocity, std::span<const Vec3> normals, double restitution);

// ---- responses of bodies in a world ------------------------------------------------------------
// For StepOptions::respond. The step proves every motion, so a response that misses a contact leads
// to another contact, never to penetration. A response has a state that is copied with it: use one
// for each stepper.

/// A body that meets another one stops, as with StepPolicy::each.
[[nodiscard]] StepResponse stop_response();

/// A body that meets another one slides along it. The rest of its motion gets an additional
/// translation that grows linearly with time: the shortest one with which no contact comes nearer.
/// The contacts are the new one, and all earlier ones of this step, with bodies that stand still,
/// that are still within `reach`, a length >= 0; clearance + 2 · tolerance of the step is suitable.
/// So bodies follow grooves and stop in corners. Rotation is not changed. If two moving groups
/// meet, each removes half of their approach. The response shares the data of the world.
///
///     const StepOptions options = {.tolerance = 1e-4, .policy = StepPolicy::respond,
///                                  .respond = slide_response(world, 2e-4)};
[[nodiscard]] StepResponse slide_response(const World& world, double reach);

/// A body that meets another one is reflected: the approach velocity at the contact is reversed and
/// multiplied by `restitution` in [0, 1]. This changes the translation of the group, not its
/// rotation. Two moving groups exchange velocity like bodies of equal mass; for masses see
/// touche/dynamics.h. Throws InvalidInput for another restitution.
[[nodiscard]] StepResponse reflect_response(double restitution);

// ---- moving a ball ------------------------------------------------------------------------------
// A point or a ball moves through an object or a world. At contacts it stops, slides or is
// reflected; along its path it is proved to keep a clearance.

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

/// When a ball meets an object while its centre moves along the segment `path`; with radius 0 the
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
                                               const Segment& path, double radius,
                                               double tolerance);

/// The same for a shape; for a soup it is that of its object. A convex shape is solid; the face of
/// the hit is kNone. Cases that GJK cannot decide count as nearer, and the tolerance is raised to
/// at least 2^-28 of the coordinates. Throws InvalidInput also for a rounded soup: use its object,
/// and a larger radius.
[[nodiscard]] std::optional<BallHit> cast_ball(const Shape& shape, const Pose& pose,
                                               const Segment& path, double radius,
                                               double tolerance);

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
  std::vector<Vec3> path;
  Vec3 motion = Vec3::Zero();  ///< final velocity, in length per whole motion; 0 if it stopped
  double t = 0;                ///< in [0, 1]: the time until which the motion was carried out
  std::vector<BallContact> contacts;
};

/// Moves a ball, or with radius 0 a point, by `motion`. Along its whole path it is proved to be
/// farther than `clearance` from all faces. At a contact, the rest of the motion slides along all
/// faces in contact, see slide(), or is reflected by them, and so on until the end of the motion.
/// Sliding removes the component that leads into the faces; the rest of the motion takes as long as
/// before. Convex shapes are solid, soups are surfaces. Throws InvalidInput for invalid options,
/// for numbers that are not finite, and for rounded soups.
///
///     const BallMove moved = move_ball({eye, 0.2}, displacement, object, {}, {.tolerance = 1e-3});
BallMove move_ball(const Ball& ball, const Vec3& motion, const Shape& shape, const Pose& pose,
                   const BallMoveOptions& options);

/// The same among the bodies of a world whose category is in BallMoveOptions::mask.
BallMove move_ball(const Ball& ball, const Vec3& motion, World& world,
                   const BallMoveOptions& options);

// ---- moving an object ---------------------------------------------------------------------------

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
  std::vector<Motion> path;
  /// The final velocity of the translation, in length per whole motion: the wanted displacement of
  /// the origin, plus what responses added. 0 if it stopped.
  Vec3 motion = Vec3::Zero();
  double t = 0;  ///< in [0, 1]: the time until which the motion was carried out
  std::vector<ObjectContact> contacts;
  QueryStats stats;
};

/// Carries out a motion of an object or a convex shape near another one, which stands still at a
/// pose. Along its whole path it is proved (time_of_impact) to be farther than `clearance` from the
/// other one. Convex shapes are solid, soups are surfaces.
///
/// At a contact, the rest of the motion gets an additional translation that grows linearly with
/// time: the shortest one with which no contact of near_features comes nearer. For a translation
/// this gives what slide() gives; reflections multiply it by 1 + restitution. Rotation is not
/// changed. This goes on until the end of the motion, so objects follow grooves and stop in
/// corners. If less than three quarters of the tolerance are left between the two, the additional
/// translation opens the gap to that much, so that rounding does not stop motions along faces. Only
/// this can make the object faster.
///
/// Features of contacts with a convex shape are numbers that stay the same while it moves; its face
/// is kNone. When the budget ends, the status is `unfinished`. Throws InvalidInput for invalid
/// options, for numbers that are not finite, for rounded soups, for two half spaces, and for a half
/// space that moves in a world.
///
///     const ObjectMove moved = move_object(a, motion_a, b, pose_b, {.tolerance = 1e-3});
ObjectMove move_object(const Shape& moved, const Motion& wanted, const Shape& shape,
                       const Pose& pose, const ObjectMoveOptions& options);
/// The same among the bodies of a world that `mask` and `ignored` do not exclude.
ObjectMove move_object(const Shape& moved, const Motion& wanted, World& world,
                       const ObjectMoveOptions& options);

/// The same for a translation by `motion` from the pose `start`.
ObjectMove move_object(const Shape& moved, const Pose& start, const Vec3& motion,
                       const Shape& shape, const Pose& pose, const ObjectMoveOptions& options);
ObjectMove move_object(const Shape& moved, const Pose& start, const Vec3& motion, World& world,
                       const ObjectMoveOptions& options);

}  // namespace touche
