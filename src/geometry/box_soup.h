// SPDX-License-Identifier: Apache-2.0
// Makes the soup of a box.
#pragma once

#include <array>
#include <vector>

#include "touche/soup.h"

namespace touche::geometry {

/// Returns the six faces, counter-clockwise from outside, of a box centred at the origin.
inline PolygonSoup box_soup(const Vec3& size) {
  std::vector<double> coordinates;
  for (int i = 0; i < 8; ++i)
    for (int k = 0; k < 3; ++k)
      coordinates.push_back((i >> k & 1) != 0 ? size[k] / 2 : -size[k] / 2);
  constexpr std::array<Index, 24> kCorners = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4,
                                              2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
  constexpr std::array<Index, 6> kSizes = {4, 4, 4, 4, 4, 4};
  return PolygonSoup(coordinates, kCorners, kSizes);
}

}  // namespace touche::geometry
