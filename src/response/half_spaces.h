// SPDX-License-Identifier: Apache-2.0
// The nearest point that several surfaces leave free.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "touche/types.h"

namespace touche {

/// All x with normal · x >= offset; the normal has unit length.
struct HalfSpace3 {
  Vec3 normal = Vec3::UnitX();
  double offset = 0;
};

/// The point nearest to x that lies in all of the half-spaces, each of which it misses by `slack`
/// (> 0) at most. Nothing where they have no point in common. x and the offsets should be of
/// size 1.
std::optional<Vec3> nearest_in(std::span<const HalfSpace3> spaces, const Vec3& x, double slack);

/// The same for x and offsets of any size, with a slack that is a share of the largest.
std::optional<Vec3> nearest_of_any_size(std::vector<HalfSpace3> spaces, const Vec3& x,
                                        double slack);

}  // namespace touche
