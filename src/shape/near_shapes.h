// SPDX-License-Identifier: Apache-2.0
// Tells where a convex shape and another one, or a soup, are near each other, as near_features does
// for two soups, with the same meaning of its options and of what is listed.
//
// It lists parts of two convex shapes that lean from the normal of the nearest pair by no more
// than `turn` (points, segments, polygons; a disc is 16 points of its rim), cut with each other.
// It does so for a soup's triangles, as far as their corners and edges are not flat and
// lean little. The nearest pair itself is listed where none of these is as near. A round shape
// touches in one point or along one segment and is listed as that: points beside it would brake it
// when it rolls. Features of shapes are numbers that stay the same while it moves, see
// contact_part.h; of half spaces the one face 0.
//
// Distances are right up to rounding, without proof: motions are proved by times of impact.
#pragma once

#include "shape/contact_part.h"
#include "touche/near_faces.h"
#include "touche/shape.h"

namespace touche {

/// Two convex shapes, of which at most one is a half space.
void near_features(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                   const NearOptions& options, NearResult& result);
/// A convex shape and an object. Results name the shape first.
void near_features(const Shape& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                   const NearOptions& options, NearResult& result);
/// Exchanges a and b, and brings contacts into the order of the result.
void exchange(NearResult& result);

}  // namespace touche
