// SPDX-License-Identifier: Apache-2.0
// How far faces may be from the smooth surfaces that they stand for, where two objects meet.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "touche/query.h"

namespace touche {

/// chord_errors of a mesh; of what stands on an outline that of the outline for all faces.
std::vector<double> chord_errors_of(const Object& object);

/// The largest of the faces that meet: a wall is flat, whatever its part's roof is like. Errors are
/// given for each face, or none at all where all are 0. Nothing when the budget ends first.
std::optional<double> chord_error_where_they_meet(const Object& a, const Pose& pose_a,
                                                  std::span<const double> errors_a, const Object& b,
                                                  const Pose& pose_b,
                                                  std::span<const double> errors_b,
                                                  const Budget& budget);

}  // namespace touche
