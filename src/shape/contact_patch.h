// SPDX-License-Identifier: Apache-2.0
// Where two parts that face each other across a plane lie over each other, as pairs of features.
#pragma once

#include <vector>

#include "shape/contact_part.h"
#include "touche/query.h"

namespace touche {

/// Adds the places where two parts lie over each other, seen along a unit direction from a to b:
/// corners of one over the other, and crossings of edges. `a` is counter-clockwise around the
/// direction, `b` around its opposite. Places farther apart than `margin` are left out. Each comes
/// with its own normal, of the polygon, of both edges, else the direction. Points that lie beside
/// the other part by less than `slack` lie over it, and of places that are nearer to each other
/// only one counts: so what is there does not depend on rounding.
void find_patch(const ContactPart& a, const ContactPart& b, const Vec3& direction, double margin,
                double slack, std::vector<Contact>& contacts);

}  // namespace touche
