// SPDX-License-Identifier: Apache-2.0
#include "path/shells.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "geometry/half_edges.h"

namespace touche::paths {
namespace {

// The vector areas of a closed surface sum to zero; if it has only slits, the sum is below the
// share `kUnbalanced` of the area. A volume below the share `kNoVolume` of area times size is
// rounding.
constexpr double kUnbalanced = 1e-3, kNoVolume = 1e-9;

/// Calls `visit(a, b, set)` for each edge and each set of triangles at it that traverses it more
/// often in one direction than in the other. `set_of(triangle)` identifies the set.
template <typename SetOf, typename Visit>
void for_each_border(Triangles triangles, const std::vector<Index>& merged, const SetOf& set_of,
                     const Visit& visit) {
  const auto vertex = [&](Index c) { return merged[triangles[c / 3][c % 3]]; };
  const auto next = [](Index c) { return c % 3 == 2 ? c - 2 : c + 1; };
  std::vector<std::pair<Index, int>> sides;
  geometry::for_each_edge(
      static_cast<Index>(merged.size()), static_cast<Index>(3 * triangles.size()), vertex, next,
      [&](std::span<const geometry::EdgeUse> uses) {
        if (uses.size() == 2 && uses[0].backward != uses[1].backward &&
            set_of(uses[0].corner / 3) == set_of(uses[1].corner / 3))
          return;
        sides.clear();
        for (const geometry::EdgeUse& use : uses)
          sides.push_back({set_of(use.corner / 3), use.backward ? -1 : 1});
        std::sort(sides.begin(), sides.end());
        const Index from = vertex(uses[0].corner), to = vertex(next(uses[0].corner));
        for (std::size_t i = 0; i < sides.size();) {
          const Index set = sides[i].first;
          int sum = 0;
          for (; i < sides.size() && sides[i].first == set; ++i) sum += sides[i].second;
          if (sum != 0) visit(from, to, set);
        }
      });
}

}  // namespace

std::vector<Shell> shells_of(const PolygonSoup& soup, Triangles triangles,
                             const std::vector<Index>& merged, base::DisjointSets& pieces,
                             const std::function<bool(Index)>& is_clear) {
  const auto count = static_cast<Index>(triangles.size());
  std::vector<Index> set_of(count);
  for (Index t = 0; t < count; ++t) set_of[t] = pieces.find(t);

  // Nothing can cancel if all volumes have the same sign. The volumes of open sets are taken about
  // a common origin, so that they add up.
  const Vec3 middle = soup.bounds().centre();
  std::vector<double> volumes(count, 0.0);
  bool all_clear = true;
  for (Index t = 0; t < count; ++t) {
    const Triangle at = triangle_at(soup, triangles[t]);
    volumes[set_of[t]] += (at[1] - at[0]).cross(at[2] - at[0]).dot(at[0] - middle);
    all_clear = all_clear && is_clear(t);
  }
  const auto [least, most] = std::minmax_element(volumes.begin(), volumes.end());
  if (all_clear && (*least >= 0 || *most <= 0)) return {};

  // Join open sets at the vertices of their borders.
  std::vector<bool> is_open(count, false);
  std::vector<Index> at_vertex(merged.size(), kNone);
  for_each_border(
      triangles, merged, [&](Index t) { return set_of[t]; },
      [&](Index a, Index b, Index set) {
        is_open[set] = true;
        for (const Index v : {a, b}) {
          if (at_vertex[v] == kNone) at_vertex[v] = set;
          pieces.join(set, at_vertex[v]);
        }
      });
  const bool any_open = std::find(is_open.begin(), is_open.end(), true) != is_open.end();
  if (any_open)
    for (Index t = 0; t < count; ++t) set_of[t] = pieces.find(set_of[t]);

  // Measure the sets.
  std::vector<Shell> shells;
  std::vector<Vec3> areas, origins;  // the volume of an open set depends on the origin
  std::vector<double> sizes;
  std::vector<Index> shell_of(count, kNone);
  for (Index t = 0; t < count; ++t) {
    const Triangle at = triangle_at(soup, triangles[t]);
    Index& shell = shell_of[set_of[t]];
    if (shell == kNone) {
      shell = static_cast<Index>(shells.size());
      shells.emplace_back();
      areas.push_back(Vec3::Zero());
      origins.push_back(at[0]);
      sizes.push_back(0);
    }
    const Vec3 area = (at[1] - at[0]).cross(at[2] - at[0]);
    Shell& s = shells[shell];
    s.triangles.push_back(t);
    for (const Vec3& corner : at) s.box.include(corner);
    s.volume += area.dot(at[0] - origins[shell]);
    s.is_clear = s.is_clear && is_clear(t);
    areas[shell] += area;
    sizes[shell] += area.norm();
  }
  if (any_open)
    for_each_border(
        triangles, merged, [&](Index t) { return set_of[t]; },
        [&](Index, Index, Index set) { shells[shell_of[set]].is_closed = false; });

  std::size_t kept = 0;
  for (std::size_t i = 0; i < shells.size(); ++i) {
    Shell& s = shells[i];
    if (!s.is_closed && areas[i].norm() > kUnbalanced * sizes[i]) continue;
    if (!(std::abs(s.volume) > kNoVolume * sizes[i] * s.box.diagonal())) continue;
    if (kept != i) shells[kept] = std::move(s);
    ++kept;
  }
  shells.resize(kept);
  return shells;
}

}  // namespace touche::paths
