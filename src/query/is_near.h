// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "touche/query.h"

namespace touche {

/// An answer about two bodies; `unknown` where a budget or rounding leaves it open.
enum class IsNear : std::uint8_t { no, yes, unknown };

/// Whether two bodies are as near as `margin`, a distance >= 0, at these poses: the question that
/// `distance` answers with `stop_below`, in a depth-first search that looks for no nearest pair.
/// Counts its work in the statistics.
IsNear is_near(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
               double margin, const Budget& budget, Workspace& workspace, QueryStats& stats);

/// If they are not, they are proved to be farther apart than this, in floating point, too.
double proved_beyond(const Object& a, const Object& b, double margin);

}  // namespace touche
