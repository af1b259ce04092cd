// SPDX-License-Identifier: Apache-2.0
// Certified time of impact of a convex shape and a soup object, and of any two shapes, within a
// budget shared with other queries.
#pragma once

#include "base/budget_meter.h"
#include "shape/soup_queries.h"
#include "touche/shape.h"

namespace touche::shape {

/// The same as time_of_impact in touche/shape.h, but spends the meter instead of the
/// options' budget. If the result is undecided although the meter is not exhausted, rounding
/// prevents a decision.
ToiResult shape_impact(const Shape& a, const Motion& motion_a, const Shape& b,
                       const Motion& motion_b, const ToiOptions& options, base::BudgetMeter& meter,
                       Search search = Search::hierarchy);

/// `shape` must be convex; `more`, the rounding radius of the soup, is added to its radius. Results
/// name the shape first: normals point from it to the object, and its face is kNone.
ToiResult shape_soup_impact(const Shape& shape, const Motion& motion, double more,
                            const Object& object, const Motion& object_motion,
                            const ToiOptions& options, base::BudgetMeter& meter,
                            Search search = Search::hierarchy);

}  // namespace touche::shape
