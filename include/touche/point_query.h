// SPDX-License-Identifier: Apache-2.0
// Queries of one object with points, rays and boxes: its closest point, the first or all faces that
// a ray hits, and nearby faces. Whether a point lies inside is Interior::contains in
// touche/overlap.h.
//
// All functions are const and thread-safe, and their time grows with the logarithm of the number of
// faces. Arguments are in world coordinates. Each point is brought into the object's frame by one
// rounding; with the identity as pose nothing is rounded. Coordinates that are not finite, or
// larger than 1e90 in the object's frame, throw InvalidInput; coordinates smaller than 1e-90 become
// 0.
#pragma once

#include <optional>
#include <vector>

#include "touche/distance.h"
#include "touche/object.h"
#include "touche/pose.h"

namespace touche {

// ---- the closest point -----------------------------------------------------------------------

struct ClosestPoint {
  Index face = kNone;           ///< kNone: no face within `max_distance`
  Vec3 point = Vec3::Zero();    ///< on that face, world coordinates
  double distance = kInfinity;  ///< length, from the query point
};

/// The point of an object that is closest to x. The error of the distance is at most 2^-45 times
/// the sum of the distance and the longest edge of a face that is as near. Of several faces at the
/// same distance one is reported, always the same. Faces farther away than `max_distance` need not
/// be found. Throws InvalidInput for a `max_distance` that is not a length >= 0.
///
///     const ClosestPoint closest = closest_point(object, pose, {0, 0, 5});
///     if (closest.distance < 0.1) report(closest.face, closest.point);
[[nodiscard]] ClosestPoint closest_point(const Object& object, const Pose& pose, const Vec3& x,
                                         double max_distance = kInfinity);

// ---- rays and segments -----------------------------------------------------------------------

struct RayHit {
  Index face = kNone;
  /// First common point with the face: origin + t · direction, or start + t · (end − start).
  double t = 0;
  Vec3 point = Vec3::Zero();  ///< that point, world coordinates
  /// +1: the ray comes from the side from which the face's corners run counter-clockwise; −1: from
  /// the other side; 0: it lies in the plane of the face.
  int side = 0;
};

/// The first face that a segment meets; no value if it meets none. Faces and segment are closed,
/// and whether they meet is decided exactly: no segment passes through a shared edge or vertex
/// without a hit. The relative error of t is at most 2^-44. Of several faces at the same t, the one
/// with the lowest number is reported.
///
///     if (const auto hit = cast_segment(object, pose, {eye, target}))
///       std::printf("hidden by face %u\n", hit->face);
[[nodiscard]] std::optional<RayHit> cast_segment(const Object& object, const Pose& pose,
                                                 const Segment& segment);

/// The same for a ray. The ray is cut off beyond the object's bounds, and the resulting segment,
/// whose end is rounded, is tested. Throws InvalidInput for a direction of length 0.
///
///     const auto hit = cast_ray(object, pose, {eye, Vec3(0, 0, -1)});
///     const double height = hit ? hit->t : kInfinity;
[[nodiscard]] std::optional<RayHit> cast_ray(const Object& object, const Pose& pose,
                                             const Ray& ray);

/// All faces that a segment or ray meets, each once, sorted by t, then by number. A segment through
/// an edge meets both of its faces.
///
///     for (const RayHit& hit : all_segment_hits(object, pose, {start, end}))
///       if (hit.side > 0) ++count;
[[nodiscard]] std::vector<RayHit> all_segment_hits(const Object& object, const Pose& pose,
                                                   const Segment& segment);
[[nodiscard]] std::vector<RayHit> all_ray_hits(const Object& object, const Pose& pose,
                                               const Ray& ray);

// ---- faces nearby ----------------------------------------------------------------------------

/// The numbers of all faces that have a point in common with a closed box, sorted, each once. Exact
/// for the coordinates that result when the object's vertices are brought into the world in double
/// precision; with the identity as pose these are its own.
///
///     for (const Index face : faces_in_box(object, pose, {lo, hi})) select(face);
[[nodiscard]] std::vector<Index> faces_in_box(const Object& object, const Pose& pose,
                                              const Aabb& box);

/// The same for a closed ball. A face may or may not be listed if its distance from the centre
/// differs from the radius by less than the error of closest_point.
///
///     const bool crowded = faces_in_ball(object, pose, {centre, 0.5}).size() > 100;
[[nodiscard]] std::vector<Index> faces_in_ball(const Object& object, const Pose& pose,
                                               const Ball& ball);

}  // namespace touche
