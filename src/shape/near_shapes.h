// SPDX-License-Identifier: Apache-2.0
// Finds where a convex shape is near another convex shape or a soup, like near_features for two
// soups, with the same options and the same kind of list.
//
// For two convex shapes it lists the intersections of their parts (points, segments, polygons; a
// disc is represented by 16 points of its rim) that are inclined to the normal of the nearest pair
// by at most `turn`. It does the same for a soup's triangles, using only corners and edges that are
// not flat and are inclined little. The nearest pair itself is listed if none of these is as near.
// A round shape touches in one point or along one segment and is listed like that: additional
// points beside it would slow it down when it rolls. Features of shapes are numbers that stay the
// same while the shape moves, see contact_part.h; a half space has the one face 0.
//
// Distances are correct up to rounding, but not certified: times of impact certify motions.
#pragma once

#include "shape/contact_part.h"
#include "touche/near_faces.h"
#include "touche/shape.h"

namespace touche {

/// Two convex shapes, at most one of them a half space.
void near_features(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                   const NearOptions& options, NearResult& result);
/// A convex shape and an object. Results name the shape first.
void near_features(const Shape& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                   const NearOptions& options, NearResult& result);

}  // namespace touche

namespace touche::shape {

/// Exchanges a and b, and sorts the contacts into the order of the result.
void exchange(NearResult& result);

}  // namespace touche::shape
