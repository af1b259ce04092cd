// SPDX-License-Identifier: Apache-2.0
// The contact of two triangles whose closest points are not known yet.
#pragma once

#include "query/relative.h"

namespace touche::query {

/// Like make_contact, for triangles given in a's frame. For two outlines it measures only edges.
Contact closest_contact(const Object& a, Index triangle_a, const Object& b, Index triangle_b,
                        const Triangle& at_a, const Triangle& at_b, const Pose& pose_a);

}  // namespace touche::query
