// SPDX-License-Identifier: Apache-2.0
// Two dimensions: the first edge of an outline, or all edges, that a ray or a segment meets. The
// closest point of an outline and the position of a point relative to a region are in
// touche/plane.h.
//
// Arguments are in world coordinates. Each point is brought into the object's frame by one
// rounding; with the identity as pose nothing is rounded. Coordinates that are not finite, or
// larger than 1e90 in the object's frame, throw InvalidInput; coordinates smaller than 1e-90 become
// 0. The time grows with the logarithm of the number of edges.
#pragma once

#include <optional>
#include <vector>

#include "touche/plane.h"

namespace touche::plane {

struct Segment {
  Vec2 start = Vec2::Zero(), end = Vec2::Zero();
};

/// A half-line from its origin.
struct Ray {
  Vec2 origin = Vec2::Zero(), direction = Vec2::UnitX();
};

struct RayHit {
  Index edge = kNone;
  /// First common point with the edge: origin + t · direction, or start + t · (end − start).
  double t = 0;
  Vec2 point = Vec2::Zero();  ///< that point, world coordinates
  /// +1: the ray comes from the right of the edge, which is the outside if chains run
  /// counter-clockwise; −1: from the left; 0: it runs along the edge, or the edge has no length.
  int side = 0;
};

/// The first edge that a segment meets; no value if it meets none. Edges and segment are closed,
/// and whether they meet is decided exactly: no segment passes through a vertex without a hit. The
/// relative error of t is at most 2^-44. Of several edges at the same t, the one with the lowest
/// number is reported.
///
///     if (const auto hit = cast_segment(object, {}, {eye, target})) report(hit->edge);
[[nodiscard]] std::optional<RayHit> cast_segment(const Object& object, const Pose& pose,
                                                 const Segment& segment);

/// The same for a ray. The ray is cut off beyond the outline, and the resulting segment, whose end
/// is rounded, is tested. Throws InvalidInput for a direction of length 0.
[[nodiscard]] std::optional<RayHit> cast_ray(const Object& object, const Pose& pose,
                                             const Ray& ray);

/// All edges that a segment or ray meets, each once, sorted by t, then by number. A segment through
/// a vertex meets both of its edges.
[[nodiscard]] std::vector<RayHit> all_segment_hits(const Object& object, const Pose& pose,
                                                   const Segment& segment);
[[nodiscard]] std::vector<RayHit> all_ray_hits(const Object& object, const Pose& pose,
                                               const Ray& ray);

/// Reference implementations that test every edge, in the plane.
namespace brute_force {
[[nodiscard]] std::optional<RayHit> cast_segment(const Object& object, const Pose& pose,
                                                 const Segment& segment);
[[nodiscard]] std::vector<RayHit> all_segment_hits(const Object& object, const Pose& pose,
                                                   const Segment& segment);
}  // namespace brute_force

}  // namespace touche::plane
