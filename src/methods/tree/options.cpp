// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>

#include "methods/tree/any_tree.h"
#include "methods/tree/rating.h"
#include "methods/tree/splitter.h"
#include "methods/tree/structure.h"

namespace touche {
namespace {

template <typename Enum>
constexpr std::array<std::string_view, 0> kNames{};
template <>
constexpr std::array<std::string_view, 10> kNames<SplitMethod> = {
    "gottschalk",       "zachmann", "hochbaum-shmoys", "moving-centres", "insertion",
    "branch-and-bound", "middle",   "median",          "least-overlap",  "surface-area"};
template <>
constexpr std::array<std::string_view, 4> kNames<Quality> = {"volume", "diameter", "surface-area",
                                                             "hausdorff"};
template <>
constexpr std::array<std::string_view, 2> kNames<Combine> = {"mean", "maximum"};
template <>
constexpr std::array<std::string_view, 4> kNames<InsertionStart> = {"random", "sphere-points",
                                                                    "icosahedron", "regions"};
template <>
constexpr std::array<std::string_view, 2> kNames<InsertionOrder> = {"random", "best-first"};
template <>
constexpr std::array<std::string_view, 2> kNames<Branching> = {"random", "raise-least-bound"};
template <>
constexpr std::array<std::string_view, 3> kNames<Exploration> = {"lower-bound", "weighted",
                                                                 "potential"};
template <>
constexpr std::array<std::string_view, 4> kNames<Expansion> = {"worse-quality", "larger-volume",
                                                               "simultaneous", "hybrid"};
template <>
constexpr std::array<std::string_view, 4> kNames<QueueOrder> = {"first-in", "last-in", "best-first",
                                                                "worst-first"};

constexpr std::array<std::string_view, 4> kKinds = {"sphere", "aabb", "obb", ""};

}  // namespace

template <typename Enum>
std::span<const std::string_view> names() {
  return kNames<Enum>;
}
template std::span<const std::string_view> names<SplitMethod>();
template std::span<const std::string_view> names<Quality>();
template std::span<const std::string_view> names<Combine>();
template std::span<const std::string_view> names<InsertionStart>();
template std::span<const std::string_view> names<InsertionOrder>();
template std::span<const std::string_view> names<Branching>();
template std::span<const std::string_view> names<Exploration>();
template std::span<const std::string_view> names<Expansion>();
template std::span<const std::string_view> names<QueueOrder>();

double CostMatrix::of(std::string_view a, std::string_view b) const {
  const auto [first, second] = std::minmax(a, b);
  const auto found = cost.find(std::string(first) + " " + std::string(second));
  return found == cost.end() ? 1 : found->second;
}

namespace tree {

Rating Rating::of(const TreeOptions& options) {
  Rating rating = {.quality = options.quality, .combine = options.combine};
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
  for (const auto& [pair, cost] : o.costs.cost)
    check(cost > 0 && std::isfinite(cost), "costs must be positive");
}

}  // namespace tree
}  // namespace touche
