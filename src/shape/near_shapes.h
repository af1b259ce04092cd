// SPDX-License-Identifier: Apache-2.0
// The searches behind near_features of shapes (touche/shape.h): of two convex shapes, and of a
// convex shape and a soup. Features of convex shapes are numbered as contact_part.h says.
#pragma once

#include "shape/contact_part.h"
#include "touche/shape.h"

namespace touche::shape {

/// Two convex shapes, at most one of them a half space.
void near_convex(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b,
                 const NearOptions& options, NearResult& result);
/// A convex shape and an object. Results name the shape first.
void near_soup(const Shape& shape, const Pose& pose, const Object& object, const Pose& object_pose,
               const NearOptions& options, NearResult& result);

/// Exchanges a and b, and sorts the contacts into the order of the result.
void exchange(NearResult& result);

}  // namespace touche::shape
