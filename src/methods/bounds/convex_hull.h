// SPDX-License-Identifier: Apache-2.0
// The convex hull of points, for measuring it: its area, its moments.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "touche/types.h"

namespace touche {

/// Faces of the hull, counter-clockwise from outside, by quickhull (Barber, Dobkin, Huhdanpaa
/// 1996). Closed, and convex up to kHullJoggle times the size of the set: by as much each point is
/// moved first, so that no four lie in a plane; a planar set so gets a hull of two sides. Empty for
/// fewer than four points and when all are the same. The same points give the same hull.
std::vector<std::array<Index, 3>> convex_hull(std::span<const Vec3> points);
inline constexpr double kHullJoggle = 1e-9;

}  // namespace touche
