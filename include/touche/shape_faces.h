// SPDX-License-Identifier: Apache-2.0
// All faces of a soup that a convex shape meets. Whether it meets any face, and the nearest one,
// are queries of two shapes, see touche/shape.h; the time of impact is in touche/shape_motion.h.
#pragma once

#include <vector>

#include "touche/shape.h"

namespace touche {

struct [[nodiscard]] ShapeFacesResult {
  std::vector<Index> faces;  ///< faces that are proved to meet the shape; sorted, each once
  /// Faces so near to the surface of a round shape that rounding leaves them undecided; sorted,
  /// each once, none of them in `faces`.
  std::vector<Index> undecided;
  bool complete = false;  ///< false when the budget ended the search
  QueryStats stats;
};

/// All faces of an object that have a point in common with a convex shape. The shape is solid: a
/// face inside it meets it. A soup is its surface: a shape inside a closed soup meets no face.
///
/// Exact for polytopes, for the coordinates that result when their corners are brought into the
/// object's frame in double precision; and for half spaces, up to 2^-44 of the coordinates. With
/// any other shape, faces are undecided that are nearer to its surface than 2^-40 of the sum of the
/// reaches of both and the distance of their origins. Throws InvalidInput for a shape that is a
/// soup. The budget counts opened nodes and tested triangles.
///
///     const ShapeFacesResult met = intersecting_faces(Shape::sphere(1), pose, object, {});
ShapeFacesResult intersecting_faces(const Shape& shape, const Pose& pose, const Object& object,
                                    const Pose& object_pose, const Budget& budget = {});

/// Reference implementations that test every triangle of the soup. For two convex shapes and for
/// two soups they are the functions of touche/shape.h.
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
