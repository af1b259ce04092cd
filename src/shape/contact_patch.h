// SPDX-License-Identifier: Apache-2.0
// Finds where two parts that face each other across a plane overlap in projection, as pairs of
// features.
#pragma once

#include <vector>

#include "shape/contact_part.h"
#include "touche/query.h"

namespace touche::shape {

/// Adds the contact points where two parts overlap when projected along a unit direction from a to
/// b: corners of one over the other, and crossings of edges. `a` runs counter-clockwise around the
/// direction, `b` around its opposite. Points with a gap of more than `margin` are left out. Each
/// has its own normal: that of the polygon, or that of both edges, or else the direction. A point
/// beside the other part by less than `slack` lies over it, and of points nearer to each other than
/// twice that only one is added. So the result does not depend on rounding.
void find_patch(const ContactPart& a, const ContactPart& b, const Vec3& direction, double margin,
                double slack, std::vector<Contact>& contacts);

}  // namespace touche::shape
