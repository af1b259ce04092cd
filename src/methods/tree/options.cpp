// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>

#include "methods/tree/any_tree.h"
#include "methods/tree/rating.h"
#include "methods/tree/splitter.h"
#include "methods/tree/structure.h"

namespace touche {
namespace {

constexpr std::array<std::string_view, 4> kKinds = {"sphere", "aabb", "obb", ""};

bounds::VolumeKind volume_asked_for(const TreeOptions& options) {
  if (options.volume == bounds::kDirectedName)
    return bounds::kind_of_directions(options.directions);
  return *bounds::find_kind(options.volume);
}

}  // namespace

double CostMatrix::of(std::string_view a, std::string_view b) const {
  const auto [first, second] = std::minmax(a, b);
  const auto found = cost.find(std::string(first) + " " + std::string(second));
  return found == cost.end() ? 1 : found->second;
}

namespace tree {

Rating Rating::of(const TreeOptions& options) {
  Rating rating = {
      .quality = options.quality, .combine = options.combine, .volume = volume_asked_for(options)};
  if (options.volume != bounds::Mixed::kName) {
    rating.cost.fill(options.costs.of(options.volume, options.volume));
    return rating;
  }
  for (const Kind kind : {Kind::sphere, Kind::aabb, Kind::obb}) {
    double sum = 0, most = 0;
    for (const Kind other : {Kind::sphere, Kind::aabb, Kind::obb}) {
      const double cost = options.costs.of(kKinds[kind], kKinds[other]);
      sum += cost;
      most = std::max(most, cost);
    }
    rating.cost[kind] = options.combine == Combine::mean ? sum / 3 : most;
  }
  return rating;
}

void check_options(const TreeOptions& o) {
  const auto check = [](bool good, const char* what) {
    if (!good) throw InvalidInput(std::string("tree: ") + what);
  };
  require_valid(o);
  check(o.max_depth <= kMostDepth, "the greatest depth must not be above 1000");
  check(o.costs.triangles > 0 && std::isfinite(o.costs.triangles), "costs must be positive");
  check(o.directions.empty() || o.volume == bounds::kDirectedName,
        "directions are for the volume dop");
  for (const auto& [pair, cost] : o.costs.cost)
    check(cost > 0 && std::isfinite(cost), "costs must be positive");
}

}  // namespace tree
}  // namespace touche
