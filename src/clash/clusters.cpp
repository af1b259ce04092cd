// SPDX-License-Identifier: Apache-2.0
// Groups pairs by part and by position.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

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
  for (auto& [part, cluster] : clusters) list.push_back(std::move(cluster));
  return ordered(result, std::move(list));
}

// Positions are sorted into cells as wide as the reach, so that only neighbouring cells are
// compared.
std::vector<ClashCluster> clusters_by_position(const ClashResult& result, double reach) {
  if (!(reach > 0 && std::isfinite(reach)))
    throw InvalidInput("clusters: the reach must be a length > 0");
  const std::vector<std::size_t> pairs = clash::findings(result);
  std::vector<std::size_t> leader(pairs.size());
  std::iota(leader.begin(), leader.end(), std::size_t{0});
  const auto lead = [&](std::size_t i) {
    while (leader[i] != i) i = leader[i] = leader[leader[i]];
    return i;
  };
  using Cell = std::array<double, 3>;
  std::map<Cell, std::vector<std::size_t>> cells;
  const auto cell_of = [&](const Vec3& x) {
    return Cell{std::floor(x.x() / reach), std::floor(x.y() / reach), std::floor(x.z() / reach)};
  };
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Vec3 x = clash::clash_point(result.pairs[pairs[i]]);
    const Cell own = cell_of(x);
    for (int n = 0; n < 27; ++n) {
      const auto near =
          cells.find({own[0] + n % 3 - 1, own[1] + n / 3 % 3 - 1, own[2] + n / 9 - 1});
      if (near == cells.end()) continue;
      for (const std::size_t j : near->second)
        if ((clash::clash_point(result.pairs[pairs[j]]) - x).norm() <= reach)
          leader[lead(i)] = lead(j);
    }
    cells[own].push_back(i);
  }
  std::map<std::size_t, ClashCluster> clusters;
  for (std::size_t i = 0; i < pairs.size(); ++i) clusters[lead(i)].pairs.push_back(pairs[i]);
  std::vector<ClashCluster> list;
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
