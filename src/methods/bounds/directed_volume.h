// SPDX-License-Identifier: Apache-2.0
// k-DOPs whose directions are known at run time only, as AnyVolume. For directions known at compile
// time see kdop.h and direction_dop.h.
#pragma once

#include "methods/bounds/any_volume.h"
#include "methods/bounds/slab_polytope.h"

namespace touche::bounds {

/// The directions, each multiplied by the power of two that brings its largest coordinate into [1,
/// 2), which causes no rounding. Directions that are parallel or nearly parallel to an earlier one
/// are dropped. Throws InvalidInput unless there are 3 to 120, all of them finite and none zero.
std::vector<Vec3> even_directions(std::span<const Vec3> directions);

/// The kind that find_kind returns for `kDirectedName`.
const VolumeKind& kind_without_directions();

/// The body of a volume of that name; null for others.
const SlabPolytope* directed_body(const AnyVolume& v);

}  // namespace touche::bounds
