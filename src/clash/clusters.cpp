// SPDX-License-Identifier: Apache-2.0
// Groups pairs by part and by position.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/disjoint_sets.h"
#include "clash/describe.h"
#include "clash/earlier_parts.h"
#include "touche/clash.h"

namespace touche {
namespace {

// Clusters with their pairs worst first, and the one with the worst pair first.
std::vector<ClashCluster> ordered(const ClashResult& result, std::vector<ClashCluster> clusters) {
  const std::vector<std::size_t> order = worst_first(result);
  std::vector<std::size_t> rank(order.size());
  for (std::size_t r = 0; r < order.size(); ++r) rank[order[r]] = r;
  for (ClashCluster& cluster : clusters) {
    std::sort(cluster.pairs.begin(), cluster.pairs.end(),
              [&](std::size_t i, std::size_t j) { return rank[i] < rank[j]; });
    Vec3 sum = Vec3::Zero();
    for (const std::size_t i : cluster.pairs) sum += clash::clash_point(result.pairs[i]);
    cluster.centre = sum / static_cast<double>(cluster.pairs.size());
    for (const std::size_t i : cluster.pairs)
      cluster.radius =
          std::max(cluster.radius, (clash::clash_point(result.pairs[i]) - cluster.centre).norm());
  }
  std::sort(clusters.begin(), clusters.end(), [&](const auto& a, const auto& b) {
    return rank[a.pairs.front()] < rank[b.pairs.front()];
  });
  return clusters;
}

}  // namespace

std::vector<ClashCluster> clusters_by_part(const ClashResult& result) {
  const std::vector<std::size_t> pairs = clash::findings(result);
  std::map<std::size_t, std::size_t> counts;
  for (const std::size_t i : pairs)
    for (const std::size_t part : {result.pairs[i].part_a, result.pairs[i].part_b}) ++counts[part];
  std::map<std::size_t, ClashCluster> clusters;
  for (const std::size_t i : pairs) {
    const ClashPair& pair = result.pairs[i];
    const std::size_t part = counts[pair.part_b] > counts[pair.part_a] ? pair.part_b : pair.part_a;
    clusters[part].part = part;
    clusters[part].pairs.push_back(i);
  }
  std::vector<ClashCluster> list;
  list.reserve(clusters.size());
  for (auto& [part, cluster] : clusters) list.push_back(std::move(cluster));
  return ordered(result, std::move(list));
}

// Only positions in cells near each other are compared.
std::vector<ClashCluster> clusters_by_position(const ClashResult& result, double reach) {
  if (!(reach > 0 && std::isfinite(reach)))
    throw InvalidInput("clusters: the reach must be a length > 0");
  const std::vector<std::size_t> pairs = clash::findings(result);
  base::DisjointSets sets(pairs.size());
  // Positions in one cell are linked: its diagonal is shorter than the reach.
  using Cell = std::array<double, 3>;
  constexpr double kCell = 0.57;
  constexpr int kAround = 2;
  std::map<Cell, std::vector<Index>> cells;
  for (Index i = 0; i < pairs.size(); ++i) {
    const Vec3 x = clash::clash_point(result.pairs[pairs[i]]);
    const Vec3 cell = (x / (kCell * reach)).array().floor();
    std::vector<Index>& own = cells[{cell.x(), cell.y(), cell.z()}];
    if (!own.empty()) sets.join(i, own.front());
    own.push_back(i);
    for (int dx = -kAround; dx <= kAround; ++dx)
      for (int dy = -kAround; dy <= kAround; ++dy)
        for (int dz = -kAround; dz <= kAround; ++dz) {
          const auto near = cells.find({cell.x() + dx, cell.y() + dy, cell.z() + dz});
          if (near == cells.end() || sets.find(near->second.front()) == sets.find(i)) continue;
          const auto is_near = [&](Index j) {
            return (clash::clash_point(result.pairs[pairs[j]]) - x).norm() <= reach;
          };
          const std::vector<Index>& others = near->second;
          if (std::any_of(others.begin(), others.end(), is_near)) sets.join(i, others.front());
        }
  }
  std::map<Index, ClashCluster> clusters;
  for (Index i = 0; i < pairs.size(); ++i) clusters[sets.find(i)].pairs.push_back(pairs[i]);
  std::vector<ClashCluster> list;
  list.reserve(clusters.size());
  for (auto& [first, cluster] : clusters) list.push_back(std::move(cluster));
  return ordered(result, std::move(list));
}

double cluster_reach(const ClashParts& parts) {
  constexpr double kShareOfSize = 0.05;
  Aabb all;
  for (std::size_t p = 0; p < parts.parts.size(); ++p) all.include(clash::world_box(parts, p));
  return all.diagonal() > 0 ? kShareOfSize * all.diagonal() : 1;
}

}  // namespace touche
