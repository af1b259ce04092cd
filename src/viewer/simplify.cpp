// SPDX-License-Identifier: Apache-2.0
#include "viewer/simplify.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

namespace touche::viewer {
namespace {

constexpr Index kLeast = 12;
constexpr double kMostCells = 1 << 20;  // along an axis: three numbers fit into one

struct Clustered {
  std::vector<double> coordinates;
  std::vector<Index> corners;
};

// Clusters the vertices in the cells of a grid with `cells` cells along the longest side.
Clustered clustered(const PolygonSoup& soup, double cells) {
  const Aabb& box = soup.bounds();
  const double longest = (box.hi - box.lo).maxCoeff();
  const double scale = longest > 0 ? cells / longest : 0;
  std::unordered_map<std::uint64_t, Index> numbers;
  std::vector<Index> cluster(soup.vertex_count());
  std::vector<Vec3> sums;
  std::vector<double> counts;
  for (Index v = 0; v < soup.vertex_count(); ++v) {
    std::uint64_t key = 0;
    for (int i = 0; i < 3; ++i)
      key = key << 21 | static_cast<std::uint64_t>((soup.vertex(v)[i] - box.lo[i]) * scale);
    cluster[v] = numbers.emplace(key, static_cast<Index>(numbers.size())).first->second;
    if (cluster[v] == sums.size()) {
      sums.emplace_back(Vec3::Zero());
      counts.push_back(0);
    }
    sums[cluster[v]] += soup.vertex(v) - box.lo;
    ++counts[cluster[v]];
  }

  std::vector<std::array<Index, 3>> triangles;
  for (const auto& [a, b, c] : soup.triangles()) {
    std::array<Index, 3> t = {cluster[a], cluster[b], cluster[c]};
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    triangles.push_back(t);
  }
  std::sort(triangles.begin(), triangles.end());
  triangles.erase(std::unique(triangles.begin(), triangles.end()), triangles.end());

  Clustered out;
  for (std::size_t c = 0; c < sums.size(); ++c)
    for (int i = 0; i < 3; ++i) out.coordinates.push_back(box.lo[i] + sums[c][i] / counts[c]);
  for (const auto& t : triangles) out.corners.insert(out.corners.end(), t.begin(), t.end());
  return out;
}

// Where everything falls together: some of the triangles as they are.
Clustered sampled(const PolygonSoup& soup, Index most) {
  Clustered out;
  const Index stride = (soup.triangle_count() + most - 1) / most;
  for (Index t = 0; t < soup.triangle_count(); t += stride)
    for (const Index v : soup.triangle(t)) {
      out.corners.push_back(static_cast<Index>(out.corners.size()));
      for (int i = 0; i < 3; ++i) out.coordinates.push_back(soup.vertex(v)[i]);
    }
  return out;
}

}  // namespace

PolygonSoup simplified(const PolygonSoup& soup, Index most) {
  if (soup.triangle_count() <= most) return soup;
  // The triangles of a surface grow with the square of the cells along a side.
  double cells = std::min(kMostCells, std::sqrt(static_cast<double>(most)));
  Clustered best;
  for (int round = 0; round < 6; ++round) {
    Clustered made = clustered(soup, cells);
    const double share = static_cast<double>(made.corners.size()) / (3.0 * most);
    if (share <= 1 && made.corners.size() > best.corners.size()) best = std::move(made);
    if (share <= 1 && (share > 0.8 || round > 3)) break;
    cells = std::clamp(cells * std::clamp(std::sqrt(0.9 / std::max(share, 1e-3)), 0.25, 4.0), 1.0,
                       kMostCells);
  }
  if (best.corners.empty()) best = sampled(soup, most);
  return {best.coordinates, best.corners};
}

Index fair_share(std::vector<Index> triangles, std::uint64_t total) {
  std::sort(triangles.begin(), triangles.end());
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const std::uint64_t share = total / (triangles.size() - i);
    if (triangles[i] > share) return std::max(kLeast, static_cast<Index>(share));
    total -= triangles[i];
  }
  return triangles.empty() ? kLeast : std::max(kLeast, triangles.back());
}

}  // namespace touche::viewer
