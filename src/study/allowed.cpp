// SPDX-License-Identifier: Apache-2.0
#include "study/allowed.h"

#include <fmt/core.h>

#include <algorithm>

namespace touche::study {

bool is_allowed(const Study& study, std::size_t part_a, std::size_t part_b) {
  return std::any_of(
      study.allowed_contacts.begin(), study.allowed_contacts.end(),
      [&](const AllowedContact& c) { return c.part_a == part_a && c.part_b == part_b; });
}

std::string allowed_sentences(const StudyView& view) {
  const auto both = [&](std::size_t a, std::size_t b) {
    return fmt::format("{} and {}", view.study.parts[a].name, view.study.parts[b].name);
  };
  std::string text;
  for (const AllowedTouch& touch : view.result.allowed) {
    const AllowedContact& pair = view.study.allowed_contacts[touch.allowed];
    text += fmt::format("{}{} touch from s = {:.4g} on ({})", text.empty() ? " Allowed: " : "; ",
                        both(pair.part_a, pair.part_b), touch.s, pair.reason);
  }
  if (!text.empty()) text += ".";
  for (const PartsSeparate& pair : view.result.separated)
    text += fmt::format(" {} touch at the start and are apart from s = {:.4g} on.",
                        both(pair.part_a, pair.part_b), pair.s);
  return text;
}

}  // namespace touche::study
