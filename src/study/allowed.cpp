// SPDX-License-Identifier: Apache-2.0
#include "study/allowed.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "report/words.h"

namespace touche::study {

bool is_allowed(const Study& study, std::size_t part_a, std::size_t part_b) {
  return std::any_of(
      study.allowed_contacts.begin(), study.allowed_contacts.end(),
      [&](const AllowedContact& c) { return c.part_a == part_a && c.part_b == part_b; });
}

namespace {

using namespace report;

std::string share(double s) {
  return s <= 0 ? "the start" : fmt::format("{} of the path", percent(s));
}

// Describes an allowed contact as far as it is known, e.g. "touch from 25 % to 68.8 % of the path,
// overlap 0.048 mm or more".
std::string extent(const StudyResult& result, const AllowedTouch& touch,
                   const AllowedContact& pair) {
  const auto path = std::find_if(result.paths.begin(), result.paths.end(), [&](const PairPath& p) {
    return p.part_a == pair.part_a && p.part_b == pair.part_b;
  });
  if (path == result.paths.end() || path->path.contacts.empty())
    return touch.s <= 0 ? "touch from the start on"
                        : fmt::format("touch first {}", place_text(touch.s));
  const std::vector<ContactInterval>& contacts = path->path.contacts;
  const double begin = contacts.front().start.upper, end = contacts.back().end.lower;
  Bracket thickness;
  for (const ContactInterval& c : contacts)
    if (c.deepest.diameter.lower > thickness.lower) thickness = c.deepest.diameter;
  std::string text =
      contacts.size() == 1 ? "touch" : fmt::format("touch {} times", contacts.size());
  text += end > begin
              ? fmt::format(" from {} to {}", share(begin), end >= 1 ? "the end" : share(end))
              : fmt::format(" {}", place_text(begin));
  if (thickness.lower > path->path.tolerance)
    text += fmt::format(", overlap {}", thickness_text(thickness, result.study.unit));
  return text;
}

}  // namespace

std::string allowed_sentences(const StudyResult& result) {
  const auto both = [&](std::size_t a, std::size_t b) {
    return fmt::format("{} and {}", result.study.parts[a].name, result.study.parts[b].name);
  };
  std::string text;
  for (const AllowedTouch& touch : result.allowed) {
    const AllowedContact& pair = result.study.allowed_contacts[touch.allowed];
    text += fmt::format("{}{} {} ({})", text.empty() ? " Allowed: " : "; ",
                        both(pair.part_a, pair.part_b), extent(result, touch, pair), pair.reason);
  }
  if (!text.empty()) text += ".";
  for (const PartsSeparate& pair : result.separated)
    text += fmt::format(" {} touch at the start and are apart from {} on.",
                        both(pair.part_a, pair.part_b), share(pair.s));
  return text;
}

}  // namespace touche::study
