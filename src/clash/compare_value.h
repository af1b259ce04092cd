// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "touche/types.h"

namespace touche::clash {

/// Values whose relative difference is smaller count as equal in comparisons.
inline constexpr double kSameShare = 1e-3;

/// The difference by which values within these brackets may differ and count as the same.
inline double same_within(const Bracket& a, const Bracket& b, double tolerance) {
  const double most =
      std::max(a.upper < kInfinity ? a.upper : 0, b.upper < kInfinity ? b.upper : 0);
  return tolerance + kSameShare * most;
}

}  // namespace touche::clash
