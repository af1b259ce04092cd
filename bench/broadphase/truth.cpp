// SPDX-License-Identifier: Apache-2.0
#include "truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace touche::bench {
namespace {

std::uint64_t key(std::uint32_t a, std::uint32_t b) {
  return std::uint64_t{std::min(a, b)} << 32 | std::max(a, b);
}

}  // namespace

std::vector<std::uint64_t> all_pairs(std::span<const Box> boxes) {
  std::vector<std::uint32_t> order(boxes.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return boxes[a].lo[0] < boxes[b].lo[0]; });
  std::vector<Box> sorted;
  sorted.reserve(boxes.size());
  for (const std::uint32_t i : order) sorted.push_back(boxes[i]);
  std::vector<std::uint64_t> pairs;
  for (std::size_t i = 0; i < sorted.size(); ++i)
    for (std::size_t j = i + 1; j < sorted.size() && sorted[j].lo[0] <= sorted[i].hi[0]; ++j)
      if (meet(sorted[i], sorted[j])) pairs.push_back(key(order[i], order[j]));
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::string difference(std::span<const Pair> found, std::span<const std::uint64_t> truth) {
  std::vector<std::uint64_t> keys;
  keys.reserve(found.size());
  for (const Pair& pair : found) keys.push_back(key(pair.a, pair.b));
  std::sort(keys.begin(), keys.end());
  const auto end = std::unique(keys.begin(), keys.end());
  const auto twice = keys.end() - end;
  keys.erase(end, keys.end());
  std::vector<std::uint64_t> both;
  std::set_intersection(keys.begin(), keys.end(), truth.begin(), truth.end(),
                        std::back_inserter(both));
  std::string text;
  if (both.size() < truth.size())
    text = fmt::format("loses {} of {} pairs", truth.size() - both.size(), truth.size());
  else if (both.size() < keys.size())
    text = fmt::format("{} pairs too many", keys.size() - both.size());
  else if (twice > 0)
    text = fmt::format("{} pairs listed twice", twice);
  return text;
}

}  // namespace touche::bench
