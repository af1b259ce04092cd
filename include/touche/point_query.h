// SPDX-License-Identifier: Apache-2.0
// Questions of one object about points, rays and boxes: its closest point, what a ray hits first
// and at all, which faces are near. Whether a point lies inside is Interior's, in touche/overlap.h.
//
// Everything is const, thread-safe, and takes time that grows with the logarithm of the number of
// faces. Arguments are in world coordinates and brought into the object's by one rounding of each
// point; with the identity as pose nothing is rounded. Coordinates that are not finite, or larger
// than 1e90 in the object's frame, throw InvalidInput; smaller than 1e-90 they become 0.
#pragma once

#include <optional>
#include <vector>

#include "touche/distance.h"
#include "touche/object.h"
#include "touche/pose.h"

namespace touche {

// ---- the closest point -----------------------------------------------------------------------

struct ClosestPoint {
  Index face = kNone;           ///< kNone: nothing within the distance asked for
  Vec3 point = Vec3::Zero();    ///< on that face, world coordinates
  double distance = kInfinity;  ///< of the point asked for
};

/// The point of an object that is closest to x. The distance is right up to 2^-45 times the sum of
/// itself and the longest edge of a face that is as near; of faces at one distance any may be told,
/// but always the same. A face farther away than `max_distance` need not be found.
///
///     const ClosestPoint closest = closest_point(object, pose, {0, 0, 5});
///     if (closest.distance < 0.1) report(closest.face, closest.point);
[[nodiscard]] ClosestPoint closest_point(const Object& object, const Pose& pose, const Vec3& x,
                                         double max_distance = kInfinity);

// ---- rays and segments -----------------------------------------------------------------------

struct RayHit {
  Index face = kNone;
  /// Where the face is first met: at origin + t · direction, or start + t · (end − start).
  double t = 0;
  Vec3 point = Vec3::Zero();  ///< there, world coordinates
  /// +1: the ray comes from the side from which the corners run counterclockwise, −1: from the
  /// other, 0: it lies in the plane of the face.
  int side = 0;
};

/// The first face that a segment meets. Faces and segment are closed, and whether they meet is
/// decided exactly: nothing slips through an edge or a vertex that faces have in common. t is right
/// up to 2^-44 of itself; of faces at the same t the one with the lower number is told.
///
///     if (const auto hit = cast_segment(object, pose, {eye, target}))
///       std::printf("hidden by face %u\n", hit->face);
[[nodiscard]] std::optional<RayHit> cast_segment(const Object& object, const Pose& pose,
                                                 const Segment& segment);

/// The same for a ray: it is cut off beyond the object's bounds, and the segment up to there is
/// asked, whose end is rounded. Throws InvalidInput for a direction of length 0.
///
///     const auto hit = cast_ray(object, pose, {eye, Vec3(0, 0, -1)});
///     const double height = hit ? hit->t : kInfinity;
[[nodiscard]] std::optional<RayHit> cast_ray(const Object& object, const Pose& pose,
                                             const Ray& ray);

/// All faces that are met, each once, in the order of t, then of their numbers. A segment through
/// an edge meets both of its faces.
///
///     for (const RayHit& hit : all_segment_hits(object, pose, {start, end}))
///       if (hit.side > 0) ++enters;
[[nodiscard]] std::vector<RayHit> all_segment_hits(const Object& object, const Pose& pose,
                                                   const Segment& segment);
[[nodiscard]] std::vector<RayHit> all_ray_hits(const Object& object, const Pose& pose,
                                               const Ray& ray);

// ---- faces nearby ----------------------------------------------------------------------------

/// The numbers of all faces that have a point in common with a closed box, sorted, each once. With
/// the identity as pose this is exact; else for the coordinates that result when the object's
/// vertices are brought into the world in double precision.
///
///     for (const Index face : faces_in_box(object, pose, {lo, hi})) select(face);
[[nodiscard]] std::vector<Index> faces_in_box(const Object& object, const Pose& pose,
                                              const Aabb& box);

/// The same for a closed ball. A face whose distance from the centre differs from the radius by
/// less than the error of closest_point may be either.
///
///     const bool crowded = faces_in_ball(object, pose, {centre, 0.5}).size() > 100;
[[nodiscard]] std::vector<Index> faces_in_ball(const Object& object, const Pose& pose,
                                               const Ball& ball);

/// The same questions answered by looking at every triangle.
namespace brute_force {
[[nodiscard]] ClosestPoint closest_point(const Object& object, const Pose& pose, const Vec3& x,
                                         double max_distance = kInfinity);
[[nodiscard]] std::optional<RayHit> cast_segment(const Object& object, const Pose& pose,
                                                 const Segment& segment);
[[nodiscard]] std::vector<RayHit> all_segment_hits(const Object& object, const Pose& pose,
                                                   const Segment& segment);
[[nodiscard]] std::vector<Index> faces_in_box(const Object& object, const Pose& pose,
                                              const Aabb& box);
[[nodiscard]] std::vector<Index> faces_in_ball(const Object& object, const Pose& pose,
                                               const Ball& ball);
}  // namespace brute_force

}  // namespace touche
