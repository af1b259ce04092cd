// SPDX-License-Identifier: Apache-2.0
// A convex shape and the faces of a soup: which of them it meets. Whether there is one, and which
// is the nearest, is asked as of any two shapes (touche/shape.h), when they touch in
// touche/shape_motion.h.
#pragma once

#include <vector>

#include "touche/shape.h"

namespace touche {

struct [[nodiscard]] ShapeFacesResult {
  std::vector<Index> faces;  ///< those that are proved to meet the shape; sorted, each once
  /// Those nearer to its surface than rounding tells, of round shapes only; sorted, each once, and
  /// none of those in `faces`.
  std::vector<Index> undecided;
  bool complete = false;  ///< false when the budget ended the search
  QueryStats stats;
};

/// All faces of an object that have a point in common with a convex shape. The shape is solid: a
/// face inside of it meets it. A soup is its surface: a shape inside of a closed one meets no face.
///
/// Exact for polytopes, for the coordinates that result when their corners are brought into the
/// object's frame in double precision; and for half spaces, up to 2^-44 of the coordinates. With
/// any other shape, rounding leaves faces undecided that are nearer to its surface than 2^-40 of
/// the reaches of both and the distance of their origins. Throws InvalidInput for a shape that is a
/// soup. The budget counts nodes that are opened and faces' triangles that are looked at.
ShapeFacesResult intersecting_faces(const Shape& shape, const Pose& pose, const Object& object,
                                    const Pose& object_pose, const Budget& budget = {});

/// The same questions answered by looking at every triangle. For two shapes of which none or both
/// are soups, those of touche/shape.h and touche/query.h are called.
namespace brute_force {
ShapeFacesResult intersecting_faces(const Shape& shape, const Pose& pose, const Object& object,
                                    const Pose& object_pose, const Budget& budget = {});
IntersectsResult intersects(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                            const Budget& budget = {});
DistanceResult distance(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                        const DistanceOptions& options = {});
ShapeContactsResult contacts(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                             double margin = 0);
}  // namespace brute_force

}  // namespace touche
