// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "touche/soup.h"

namespace touche::test {

/// One face in the plane z = 0.
inline PolygonSoup polygon(const std::vector<std::array<double, 2>>& points) {
  std::vector<double> coordinates;
  std::vector<Index> corners;
  for (const auto& [x, y] : points) {
    coordinates.insert(coordinates.end(), {x, y, 0});
    corners.push_back(static_cast<Index>(corners.size()));
  }
  const std::vector<Index> sizes = {static_cast<Index>(points.size())};
  return PolygonSoup(coordinates, corners, sizes);
}

}  // namespace touche::test
