// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "touche/clash.h"

namespace touche::clash {

/// Values whose relative difference is smaller count as equal in comparisons.
inline constexpr double kSameShare = 1e-3;

/// The difference by which values within these brackets may differ and count as the same.
inline double same_within(const Bracket& a, const Bracket& b, double tolerance) {
  const double most =
      std::max(a.upper < kInfinity ? a.upper : 0, b.upper < kInfinity ? b.upper : 0);
  return tolerance + kSameShare * most;
}

inline ClashChange change_of_value(const Bracket& then, const Bracket& now, double tolerance) {
  const double slack = same_within(then, now, tolerance);
  const double gap = std::max(then.lower - now.upper, now.lower - then.upper);
  if (gap > slack) return ClashChange::changed;
  const double most = std::max(then.upper, now.upper) - std::min(then.lower, now.lower);
  return most <= slack ? ClashChange::unchanged : ClashChange::unsure;
}

}  // namespace touche::clash
