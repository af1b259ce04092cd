// SPDX-License-Identifier: Apache-2.0
// Two dimensions: what a ray or a segment meets of an outline, first and at all. The closest point
// of an outline is in touche/plane.h, and so is where a point lies in a region.
//
// Arguments are in world coordinates and brought into the object's by one rounding of each point;
// with the identity as pose nothing is rounded. Coordinates that are not finite, or larger than
// 1e90 in the object's frame, throw InvalidInput; smaller than 1e-90 they become 0. The time taken
// grows with the logarithm of the number of edges.
#pragma once

#include <optional>
#include <vector>

#include "touche/plane.h"

namespace touche::plane {

struct Segment {
  Vec2 start = Vec2::Zero(), end = Vec2::Zero();
};

/// From its origin without end.
struct Ray {
  Vec2 origin = Vec2::Zero(), direction = Vec2::UnitX();
};

struct RayHit {
  Index edge = kNone;
  /// Where the edge is first met: at origin + t · direction, or start + t · (end − start).
  double t = 0;
  Vec2 point = Vec2::Zero();  ///< there, world coordinates
  /// +1: the ray comes from the right of the edge, which is the outside where chains run
  /// counter-clockwise; −1: from its left; 0: it runs along the edge, or that has no length.
  int side = 0;
};

/// The first edge that a segment meets. Edges and segment are closed, and whether they meet is
/// decided exactly: nothing slips through a vertex. t is right up to 2^-44 of itself; of edges at
/// the same t the one with the lower number is told.
[[nodiscard]] std::optional<RayHit> cast_segment(const Object& object, const Pose& pose,
                                                 const Segment& segment);

/// The same for a ray: it is cut off beyond the outline, and the segment up to there is asked,
/// whose end is rounded. Throws InvalidInput for a direction of length 0.
[[nodiscard]] std::optional<RayHit> cast_ray(const Object& object, const Pose& pose,
                                             const Ray& ray);

/// All edges that are met, each once, in the order of t, then of their numbers. A segment through a
/// vertex meets both of its edges.
[[nodiscard]] std::vector<RayHit> all_segment_hits(const Object& object, const Pose& pose,
                                                   const Segment& segment);
[[nodiscard]] std::vector<RayHit> all_ray_hits(const Object& object, const Pose& pose,
                                               const Ray& ray);

/// The same answered by looking at every edge, in the plane.
namespace brute_force {
[[nodiscard]] std::optional<RayHit> cast_segment(const Object& object, const Pose& pose,
                                                 const Segment& segment);
[[nodiscard]] std::vector<RayHit> all_segment_hits(const Object& object, const Pose& pose,
                                                   const Segment& segment);
}  // namespace brute_force

}  // namespace touche::plane
