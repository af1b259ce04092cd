// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "touche/soup.h"

namespace touche::shape {

/// Bit in numbers of features of round shapes: points and edges that move on the surface as the
/// shape rolls. Features of soups have smaller numbers.
inline constexpr Index kRoundFeature = Index{1} << 31;
inline bool is_round(const Feature& feature) {
  return feature.index != kNone && (feature.index & kRoundFeature) != 0;
}

}  // namespace touche::shape
