// SPDX-License-Identifier: Apache-2.0
// The point of several half-spaces' intersection that is nearest to a given one.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "touche/types.h"

namespace touche::response {

/// All x with normal · x >= offset; the normal has unit length.
struct HalfSpace3 {
  Vec3 normal = Vec3::UnitX();
  double offset = 0;
};

/// The point nearest to x that lies in all of the half-spaces, up to `slack` (> 0) for each. Empty
/// if they have no point in common. x and the offsets should be of size 1.
std::optional<Vec3> nearest_in(std::span<const HalfSpace3> spaces, const Vec3& x, double slack);

/// The same for x and offsets of any size, with a slack relative to the largest of them.
std::optional<Vec3> nearest_of_any_size(std::vector<HalfSpace3> spaces, const Vec3& x,
                                        double slack);

}  // namespace touche::response
