// SPDX-License-Identifier: Apache-2.0
// What makes a check fail.
#include <algorithm>
#include <string>

#include "touche/clash.h"

namespace touche {
namespace {

bool fails_on(const ClashResult& result, std::string_view what) {
  const auto is_open = [&](std::size_t i) { return !result.pairs[i].accepted.has_value(); };
  if (what == "tests")
    return std::ranges::any_of(result.tests, [&](const ClashTestResult& test) {
      return std::ranges::any_of(test.failed, is_open);
    });
  if (what == "duplicates")
    return std::ranges::any_of(result.pairs, [](const ClashPair& pair) {
      return pair.duplicate && !pair.accepted.has_value();
    });
  if (what == "new")
    return result.comparison &&
           std::ranges::any_of(result.comparison->pairs, [&](const ClashDifference& d) {
             return d.now >= ClashPairVerdict::contains && d.before < d.now && is_open(*d.pair);
           });
  const auto all = names<ClashPairVerdict>();
  const auto found = std::ranges::find(all, what);
  if (found == all.end())
    throw InvalidInput("clash: what fails is \"" + std::string(what) +
                       "\", expected the name of a class, tests, duplicates or new");
  return result.open(static_cast<ClashPairVerdict>(found - all.begin())) > 0;
}

}  // namespace

bool fails_on(const ClashResult& result, std::span<const std::string_view> what) {
  bool fails = false;
  for (const std::string_view word : what) fails |= fails_on(result, word);
  return fails;
}

}  // namespace touche
