// SPDX-License-Identifier: Apache-2.0
// The section of report.html on a comparison with an earlier check.
#include <fmt/core.h>

#include <map>

#include "clash/describe.h"
#include "clash/report_parts.h"
#include "report/svg.h"
#include "report/words.h"

namespace touche::clash {
namespace {

using namespace report;

constexpr std::size_t kMostChanges = 200;

std::string table(std::string_view head, const std::string& rows, std::size_t count) {
  if (count == 0) return "";
  return fmt::format(
      "<div "
      "class=\"scroll\"><table><thead><tr>{}</tr></thead><tbody>\n{}</tbody></table></div>\n{}",
      head, rows,
      count > kMostChanges ? fmt::format("<p class=\"note\">{} more are in result.json.</p>\n",
                                         number_text(count - kMostChanges))
                           : "");
}

std::string_view change_text(ClashPartChange::Kind kind) {
  constexpr std::string_view kTexts[] = {"moved", "has another mesh", "is gone", "is new"};
  return kTexts[static_cast<std::size_t>(kind)];
}

std::string changed_parts(const ClashResult& result) {
  std::string rows;
  std::size_t count = 0;
  for (const ClashPartChange& change : result.comparison->parts) {
    if (++count > kMostChanges) continue;
    rows += fmt::format(
        "<tr><td class=\"status\">{}</td><td>{}</td><td>{}</td></tr>\n", change_text(change.kind),
        escape(change.part),
        change.moved > 0
            ? escape((change.kind == ClashPartChange::Kind::mesh ? "its box differs by " : "by ") +
                     lengths_of(result.parts).text(change.moved))
            : "");
  }
  return table("<th>change</th><th>part</th><th>how far</th>", rows, count);
}

std::string value_before(const ClashResult& result, const ClashDifference& d) {
  ClashPair pair = result.pairs[*d.pair];
  pair.verdict = d.before;
  pair.thickness.diameter = d.thickness_before;
  pair.distance = d.distance_before;
  const std::string text =
      d.before >= ClashPairVerdict::contains || d.before == ClashPairVerdict::near
          ? measure_text(result.parts, pair)
          : "";
  return fmt::format("{}{}", class_text(d.before), text.empty() ? "" : ", " + escape(text));
}

std::string listed_pairs(const ClashResult& result, ClashChange change) {
  std::map<std::size_t, const ClashDifference*> differences;
  for (const ClashDifference& d : result.comparison->pairs)
    if (d.pair && d.change == change) differences[*d.pair] = &d;
  std::string rows;
  std::size_t count = 0;
  for (const std::size_t i : worst_first(result)) {
    const auto found = differences.find(i);
    if (found == differences.end() || ++count > kMostChanges) continue;
    const ClashDifference& d = *found->second;
    const ClashPair& pair = result.pairs[i];
    const std::string measure = escape(measure_text(result.parts, pair));
    rows += fmt::format(
        "<tr><td class=\"status\"><span class=\"chip\" style=\"background:{}\"></span>{}</td><td>{}"
        "<br>{}</td><td>{}</td><td>{}</td></tr>\n",
        class_colour(pair.verdict), class_text(pair.verdict), escape(d.part_a), escape(d.part_b),
        measure, d.before == ClashPairVerdict::undecided ? "" : value_before(result, d));
  }
  return table("<th>now</th><th>parts</th><th>how much</th><th>before</th>", rows, count);
}

std::string solved_pairs(const ClashResult& result) {
  std::string rows;
  std::size_t count = 0;
  for (const ClashDifference& d : result.comparison->pairs) {
    if (d.pair || ++count > kMostChanges) continue;
    rows += fmt::format("<tr><td class=\"status\">{}</td><td>{}</td><td>{}<br>{}</td></tr>\n",
                        d.change == ClashChange::not_asked ? "no longer tested" : name(d.change),
                        class_text(d.before), escape(d.part_a), escape(d.part_b));
  }
  return table("<th>now</th><th>before</th><th>parts</th>", rows, count);
}

}  // namespace

std::string changes_section(const ClashResult& result) {
  if (!result.comparison) return "";
  const std::string parts[] = {changed_parts(result),
                               listed_pairs(result, ClashChange::fresh),
                               listed_pairs(result, ClashChange::changed),
                               listed_pairs(result, ClashChange::solved),
                               listed_pairs(result, ClashChange::unsure),
                               solved_pairs(result)};
  constexpr const char* kTitles[] = {"Parts that changed",
                                     "New pairs",
                                     "Changed pairs",
                                     "No longer a clash",
                                     "Measured too coarsely to compare",
                                     "No longer there"};
  std::string out = "<h2>What is new</h2>\n";
  bool any = false;
  for (std::size_t i = 0; i < std::size(parts); ++i) {
    if (parts[i].empty()) continue;
    any = true;
    out += fmt::format("<h3>{}</h3>\n{}", kTitles[i], parts[i]);
  }
  return any ? out : out + "<p>No part and no pair has changed.</p>\n";
}

}  // namespace touche::clash
