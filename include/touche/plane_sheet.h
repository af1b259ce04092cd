// SPDX-License-Identifier: Apache-2.0
// From a drawing to a body of space: a sheet of some thickness with its outline, for whatever asks
// meshes.
#pragma once

#include "touche/plane.h"

namespace touche::plane {

/// The points above what the closed chains enclose (by the even-odd rule; chains that are drawn
/// again do not count), from z = 0 to z = thickness, as a closed, oriented soup. Its vertices have
/// the outline's very coordinates; repeated points of a chain are left out. The first faces are the
/// walls, one for each edge of the chains, in their order; then come pairs of a top and a bottom,
/// whose holes are reached by cuts.
///
/// Throws InvalidInput, naming the chain or the place: chains that are open or enclose nothing,
/// edges that touch others than their neighbours, a thickness that is not positive and finite.
[[nodiscard]] PolygonSoup sheet_of(const Outline& outline, double thickness);

}  // namespace touche::plane
