// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "touche/query.h"

namespace touche::query {

/// An answer about two bodies; `unknown` if a budget or rounding leaves it open.
enum class IsNear : std::uint8_t { no, yes, unknown };

/// Whether the distance of two bodies at these poses is at most `margin`, a distance >= 0.
/// `distance` answers the same with `stop_below`; this is a depth-first search that does not look
/// for the nearest pair. Counts its work in the statistics.
IsNear is_near(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
               double margin, const Budget& budget, Workspace& workspace, QueryStats& stats);

/// If they are not near, they are proved to be farther apart than this, rounding included.
double proved_beyond(const Object& a, const Object& b, double margin);

}  // namespace touche::query
