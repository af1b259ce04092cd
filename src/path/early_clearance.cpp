// SPDX-License-Identifier: Apache-2.0
#include "path/early_clearance.h"

#include <algorithm>

#include "math/rounding.h"

namespace touche::paths {

double EarlyClearance::apart_until() const {
  for (std::size_t i = 0; i + 1 < samples.size(); ++i)
    if (!(samples[i].clearance.lower > tolerance)) return samples[i].t;
  return samples.empty() ? 0 : 1;
}

// Cutting a motion at a time rounds that time by a formula's error.
bool EarlyClearance::apart(double begin, double end) const {
  if (samples.empty()) return false;
  const auto after =
      std::upper_bound(samples.begin(), samples.end(), begin - math::kFormulaError,
                       [](double t, const ClearanceSample& sample) { return t < sample.t; });
  for (auto s = after == samples.begin() ? after : after - 1; s + 1 < samples.end(); ++s) {
    if (s->t > end + math::kFormulaError) break;
    if (!(s->clearance.lower > 2 * tolerance)) return false;
  }
  return true;
}

}  // namespace touche::paths
