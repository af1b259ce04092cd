// SPDX-License-Identifier: Apache-2.0
// Meshes with fewer triangles, for display only.
#pragma once

#include <cstdint>
#include <vector>

#include "touche/soup.h"

namespace touche::viewer {

/// The same surface with at most `most` triangles (at least 12): vertices in one cell of a grid
/// become their mean (Rossignac and Borrel 1993), so that none moves farther than a cell is wide.
/// The soup itself where it has no more.
[[nodiscard]] PolygonSoup simplified(const PolygonSoup& soup, Index most);

/// How many triangles each mesh may keep so that all together have at most `total`: small ones keep
/// all, large ones share what is left equally, but none has fewer than 12.
[[nodiscard]] Index fair_share(std::vector<Index> triangles, std::uint64_t total);

}  // namespace touche::viewer
