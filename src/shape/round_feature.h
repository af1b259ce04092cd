// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "touche/soup.h"

namespace touche {

/// In numbers of features of shapes that are round: points and edges that go around on a surface as
/// it rolls. Features of soups have smaller numbers.
inline constexpr Index kRoundFeature = Index{1} << 31;
inline bool is_round(const Feature& feature) {
  return feature.index != kNone && (feature.index & kRoundFeature) != 0;
}

}  // namespace touche
