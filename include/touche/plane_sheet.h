// SPDX-License-Identifier: Apache-2.0
// Converts a drawing to a solid: a sheet of some thickness with the drawing's outline, for
// functions that need meshes.
#pragma once

#include "touche/plane.h"

namespace touche::plane {

/// A closed, oriented soup of the sheet from z = 0 to z = thickness above the region that the
/// closed chains enclose by the even-odd rule; chains that are drawn again do not count. The
/// vertices have exactly the outline's coordinates; repeated points of a chain are left out. The
/// first faces are the walls, one for each edge, in the order of the edges. Then come pairs of a
/// top and a bottom face; cuts connect their borders with their holes.
///
/// Throws InvalidInput, naming the chain or the position: for chains that are open or enclose
/// nothing, for edges that touch other edges than their neighbours, and for a thickness that is not
/// positive and finite.
///
///     const PolygonSoup plate = sheet_of(load_outline("plate.svg"), 2);
[[nodiscard]] PolygonSoup sheet_of(const Outline& outline, double thickness);

}  // namespace touche::plane
