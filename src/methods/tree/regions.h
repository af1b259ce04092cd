// SPDX-License-Identifier: Apache-2.0
// A box is cut into regions of which only the centres count: a face belongs to the nearest one
// (thesis Table 3.1, §3.7.5).
#pragma once

#include <array>
#include <vector>

#include "methods/bounds/obb.h"
#include "methods/tree/splitter.h"

namespace touche::tree {

/// Which axes of a box are cut first, second and third.
using AxisOrder = std::array<int, 3>;
AxisOrder longest_first(const Vec3& half);

/// Table 3.1 for degrees 2 to 6. Degree 7 is degree 6 and the box's own centre, as degree 5 is
/// degree 4 and the centre; degree 8 halves all three axes, as degrees 2 and 4 halve one and two.
std::vector<Vec3> region_centres(const bounds::Obb& box, int degree, const AxisOrder& order);

/// Faces by the centre that is nearest to their middle. Where that leaves all of them in one part,
/// other axes are cut first; where no order of the axes helps, the set cannot be divided.
Split divide_by_regions(const Faces& faces, std::span<const Index> set, const bounds::Obb& box,
                        int degree);

/// The box around a set along the principal axes of its surface (Gottschalk).
bounds::Obb principal_box(const Faces& faces, std::span<const Index> set);

}  // namespace touche::tree
