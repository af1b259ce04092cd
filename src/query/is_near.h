// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "touche/query.h"

namespace touche {

/// Whether two bodies are as near as `margin`, a distance >= 0, at these poses: the question that
/// `distance` answers with `stop_below`, in a depth-first search that looks for no nearest pair.
/// False as well where the budget ended first. Counts its work in the statistics.
bool is_near(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
             double margin, const Budget& budget, Workspace& workspace, QueryStats& stats);

}  // namespace touche
