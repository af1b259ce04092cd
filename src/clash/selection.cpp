// SPDX-License-Identifier: Apache-2.0
#include "clash/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "clash/ruling.h"
#include "clash/units.h"

namespace touche::clash {
namespace {

bool is_from(const std::string& file, const std::string& given) {
  return file == given || (file.starts_with(given) && file.size() > given.size() &&
                           (given.ends_with('/') || file[given.size()] == '/'));
}

// The length of a test, in the unit of the parts.
double length_of(const ClashTest& test, const std::string& unit, const ClashParts& parts) {
  const bool positive = test.kind == ClashTestKind::clearance;
  if (!(std::isfinite(test.length) && test.length >= 0) || (positive && test.length == 0))
    throw InvalidInput(fmt::format("clashes: the test \"{}\" needs a length {} 0", test.name,
                                   positive ? ">" : ">="));
  if (unit.empty() || unit == parts.unit) return test.length;
  return test.length * (length_unit(unit).metres / length_unit(parts.unit).metres);
}

std::string in_words(const ClashSet& set) {
  std::vector<std::string> all = set.patterns;
  all.insert(all.end(), set.files.begin(), set.files.end());
  return fmt::format("\"{}\"", fmt::join(all, "\", \""));
}

// A check of no pairs would be free.
void expect_pairs(const ClashOptions::Between& between, const std::vector<bool>& against,
                  const std::vector<bool>& of) {
  const auto count = [](const std::vector<bool>& set) {
    return std::count(set.begin(), set.end(), true);
  };
  if (count(against) == 0)
    throw InvalidInput(fmt::format("against: no part is {}", in_words(between.against)));
  if (count(of) == 0)
    throw InvalidInput(between.of.empty()
                           ? "against: all parts are in this set, so that there are no others"
                           : fmt::format("of: no part is {}", in_words(between.of)));
  if (count(against) == 1 && against == of)
    throw InvalidInput("against, of: both sets have one part, the same one, so there is no pair");
}

}  // namespace

std::vector<bool> Selection::members(const ClashParts& parts, const ClashSet& set,
                                     const std::string& where) {
  std::vector<bool> in(parts.parts.size(), set.empty());
  const auto add = [&](const std::string& text, const std::vector<bool>& found) {
    bool any = false;
    for (std::size_t p = 0; p < in.size(); ++p)
      if (found[p]) any = in[p] = true;
    if (!any) remarks_.push_back(fmt::format("{}: \"{}\" matches no part", where, text));
  };
  for (const std::string& pattern : set.patterns) add(pattern, parts_matching(parts, pattern));
  const auto normal = [](const std::string& file) {
    std::error_code failed;
    const std::filesystem::path whole = std::filesystem::absolute(file, failed);
    return (failed ? std::filesystem::path(file) : whole).lexically_normal().generic_string();
  };
  for (const std::string& file : set.files) {
    const std::string given = normal(file);
    std::vector<bool> found;
    found.reserve(in.size());
    for (const ClashPart& part : parts.parts)
      found.push_back(!part.file.empty() && is_from(normal(part.file), given));
    add(file, found);
  }
  return in;
}

// Membership of a kind: of the two sets to test between, then of both sets of each test.
Selection::Chosen Selection::choose(const std::vector<bool>& a, const std::vector<bool>& b,
                                    const ClashOptions& options) const {
  const auto crosses = [&](std::size_t set) {
    return (a[set] && b[set + 1]) || (b[set] && a[set + 1]);
  };
  Chosen chosen;
  chosen.clearance = options.clearance;
  chosen.ignore_thinner = options.ignore_thinner;
  double thinnest = kInfinity;
  for (std::size_t t = 0; t < lengths_.size(); ++t) {
    if (!crosses(2 + 2 * t)) continue;
    chosen.tests.push_back(t);
    if (options.rules.tests[t].kind == ClashTestKind::clearance)
      chosen.clearance = std::max(chosen.clearance, lengths_[t]);
    if (options.rules.tests[t].kind == ClashTestKind::hard)
      thinnest = std::min(thinnest, lengths_[t]);
  }
  if (thinnest < kInfinity) chosen.ignore_thinner = std::max(chosen.ignore_thinner, thinnest);
  chosen.tested = (!between_ || crosses(0)) && (lengths_.empty() || !chosen.tests.empty());
  return chosen;
}

Selection::Selection(const ClashParts& parts, const ClashOptions& options)
    : between_(options.between.has_value()) {
  const std::size_t count = parts.parts.size();
  std::vector<std::vector<bool>> sets;
  const auto between = options.between.value_or(ClashOptions::Between{});
  const std::vector<bool> against = members(parts, between.against, "against");
  std::vector<bool> of = against;
  of.flip();
  if (!between.of.empty()) of = members(parts, between.of, "of");
  sets = {against, of};
  if (between_) expect_pairs(between, sets[0], sets[1]);
  for (std::size_t t = 0; t < options.rules.tests.size(); ++t) {
    const ClashTest& test = options.rules.tests[t];
    if (test.name.empty()) throw InvalidInput("clashes: a test needs a name");
    lengths_.push_back(length_of(test, options.rules.unit, parts));
    sets.push_back(members(parts, test.a, fmt::format("rules: /tests/{}/a", t)));
    sets.push_back(members(parts, test.b, fmt::format("rules: /tests/{}/b", t)));
  }
  std::map<std::vector<bool>, std::size_t> kinds;
  std::vector<std::size_t> sizes;
  std::vector<std::vector<bool>> memberships;
  for (std::size_t p = 0; p < count; ++p) {
    std::vector<bool> own;
    own.reserve(sets.size());
    for (const std::vector<bool>& set : sets) own.push_back(set[p]);
    const auto [found, added] = kinds.emplace(own, kinds.size());
    if (added) {
      memberships.push_back(own);
      sizes.push_back(0);
    }
    ++sizes[found->second];
    kind_.push_back(found->second);
  }
  kinds_ = memberships.size();
  for (std::size_t a = 0; a < kinds_; ++a)
    for (std::size_t b = 0; b < kinds_; ++b) {
      chosen_.push_back(choose(memberships[a], memberships[b], options));
      const bool exists = a != b || sizes[a] > 1;
      if (chosen_.back().tested && exists)
        largest_clearance_ = std::max(largest_clearance_, chosen_.back().clearance);
      if (!chosen_.back().tested && b <= a)
        outside_ += a == b ? sizes[a] * (sizes[a] - 1) / 2 : sizes[a] * sizes[b];
    }
}

bool fails(const ClashTest& test, double length, const ClashPair& pair) {
  switch (test.kind) {
    case ClashTestKind::hard:
      return pair.verdict >= ClashPairVerdict::contains &&
             !(pair.closed && pair.thickness.diameter.upper <= length);
    case ClashTestKind::clearance:
      return pair.verdict >= ClashPairVerdict::contains ||
             (pair.verdict != ClashPairVerdict::free &&
              pair.verdict != ClashPairVerdict::undecided && pair.distance.upper < length);
    case ClashTestKind::duplicates:
      return pair.duplicate;
  }
  return false;
}

}  // namespace touche::clash
