// SPDX-License-Identifier: Apache-2.0
// Options of a query for a part of it: with another budget (base/budget_part.h), without copying
// the query's own.
#pragma once

#include <utility>

#include "touche/query.h"

namespace touche::query {

inline ToiOptions with_budget(const ToiOptions& o, Budget budget) {
  return {.tolerance = o.tolerance,
          .clearance = o.clearance,
          .t_start = o.t_start,
          .may_separate = o.may_separate,
          .budget = std::move(budget),
          .workspace = o.workspace};
}

inline DistanceOptions with_budget(const DistanceOptions& o, Budget budget) {
  return {.max_distance = o.max_distance,
          .stop_below = o.stop_below,
          .relative_error = o.relative_error,
          .absolute_error = o.absolute_error,
          .budget = std::move(budget),
          .workspace = o.workspace};
}

}  // namespace touche::query
