// SPDX-License-Identifier: Apache-2.0
// Meshes that have each face a second time, the other way round, as exports for rendering do.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "math/rounding.h"
#include "touche/path.h"

namespace touche {
namespace {

using Corners = std::array<std::array<double, 3>, 3>;

// A triangle by its corners in order, and whether an odd number of swaps led there.
struct Side {
  Corners corners;
  bool turned;
};

Side side_of(const PolygonSoup& soup, Index triangle) {
  Side side{{}, false};
  for (std::size_t k = 0; k < 3; ++k) {
    const Vec3& x = soup.vertex(soup.triangle(triangle)[k]);
    side.corners[k] = {x.x(), x.y(), x.z()};
  }
  for (const std::size_t k : {0, 1, 0}) {
    if (!(side.corners[k + 1] < side.corners[k])) continue;
    std::swap(side.corners[k], side.corners[k + 1]);
    side.turned = !side.turned;
  }
  return side;
}

// Whether what faces enclose adds up to nothing, up to rounding. It does for few other meshes.
bool encloses_nothing(const PolygonSoup& soup) {
  const Vec3 centre = soup.bounds().centre();
  double volume = 0, size = 0;
  for (const auto& t : soup.triangles()) {
    const Vec3 a = soup.vertex(t[0]) - centre, b = soup.vertex(t[1]) - centre,
               c = soup.vertex(t[2]) - centre;
    const double share = a.dot(b.cross(c));
    volume += share;
    size += std::abs(share);
  }
  return std::abs(volume) <= kFormulaError * static_cast<double>(soup.triangle_count()) * size;
}

}  // namespace

bool is_two_sided(const PolygonSoup& soup) {
  if (soup.triangle_count() == 0 || soup.triangle_count() % 2 != 0 || !encloses_nothing(soup))
    return false;
  std::vector<Side> sides;
  for (Index t = 0; t < soup.triangle_count(); ++t) sides.push_back(side_of(soup, t));
  std::sort(sides.begin(), sides.end(),
            [](const Side& s, const Side& t) { return s.corners < t.corners; });
  for (std::size_t i = 0; i < sides.size();) {
    const Corners& corners = sides[i].corners;
    int turned = 0;
    for (; i < sides.size() && sides[i].corners == corners; ++i) turned += sides[i].turned ? 1 : -1;
    if (turned != 0) return false;
  }
  return true;
}

}  // namespace touche
