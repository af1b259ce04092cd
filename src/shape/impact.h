// SPDX-License-Identifier: Apache-2.0
// Certified time of impact of a convex shape and an object that is no shape, and of any two shapes
// within a budget that others share.
#pragma once

#include "base/budget_meter.h"
#include "shape/soup_queries.h"
#include "touche/shape_motion.h"

namespace touche {

/// Does as time_of_impact in touche/shape_motion.h, but that the meter is spent, not the options'
/// budget. The result is undecided although the meter is not exhausted where rounding leaves no
/// other answer.
ToiResult shape_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                       const Motion& motion_b, const ToiOptions& options, BudgetMeter& meter,
                       Search search = Search::hierarchy);

/// `shape` must be convex; `more` is added to its radius: by how much the soup is rounded. Results
/// name the shape first: normals point from it to the object, and its face is kNone.
ToiResult shape_soup_impact(const Shape& shape, const Motion& motion, double more,
                            const Object& object, const Motion& object_motion,
                            const ToiOptions& options, BudgetMeter& meter,
                            Search search = Search::hierarchy);

}  // namespace touche
