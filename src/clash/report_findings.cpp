// SPDX-License-Identifier: Apache-2.0
// The sections of report.html on named tests, clusters of findings, and what to do about them.
#include <fmt/core.h>

#include <algorithm>

#include "clash/describe.h"
#include "clash/report_parts.h"
#include "report/svg.h"
#include "report/words.h"

namespace touche::clash {
namespace {

using namespace report;

constexpr std::size_t kMostClusters = 30, kMostFindings = 200;

std::string scrolling(std::string_view head, const std::string& rows) {
  return fmt::format(
      "<div class=\"scroll\"><table><thead><tr>{}</tr></thead><tbody>\n{}</tbody></table></div>\n",
      head, rows);
}

std::string both_names(const ClashResult& result, std::size_t pair) {
  const ClashPair& p = result.pairs[pair];
  return fmt::format("{}<br>{}", escape(result.parts.parts[p.part_a].name),
                     escape(result.parts.parts[p.part_b].name));
}

std::string worst_of(const ClashResult& result, std::size_t pair) {
  const std::string measure = measure_text(result.parts, result.pairs[pair]);
  return fmt::format("{}{}", both_names(result, pair),
                     measure.empty() ? "" : "<br>" + escape(measure));
}

std::string clusters_text(const ClashResult& result) {
  const std::vector<ClashCluster> by_part = clusters_by_part(result),
                                  by_position =
                                      clusters_by_position(result, cluster_reach(result.parts));
  if (by_part.empty()) return "";
  const auto text = [&](const Vec3& x) {
    ClashPair at;
    at.contact.emplace();
    at.contact->point_a = at.contact->point_b = x;
    return escape(Places(result.parts).text(at));
  };
  std::string parts, positions;
  for (std::size_t i = 0; i < std::min(kMostClusters, by_part.size()); ++i)
    parts += fmt::format("<tr><td>{}</td><td class=\"n\">{}</td><td>{}</td></tr>\n",
                         escape(result.parts.parts[by_part[i].part].name),
                         number_text(by_part[i].pairs.size()),
                         worst_of(result, by_part[i].pairs.front()));
  for (std::size_t i = 0; i < std::min(kMostClusters, by_position.size()); ++i)
    positions += fmt::format(
        "<tr><td>{}, within {}</td><td class=\"n\">{}</td><td>{}</td></tr>\n",
        text(by_position[i].centre), escape(lengths_of(result.parts).text(by_position[i].radius)),
        number_text(by_position[i].pairs.size()), worst_of(result, by_position[i].pairs.front()));
  const char* head = "<th class=\"n\">pairs</th><th>the worst</th>";
  return "<h2>Where they are</h2>\n<h3>By part</h3>\n" +
         scrolling(fmt::format("<th>part</th>{}", head), parts) + "<h3>By position</h3>\n" +
         scrolling(fmt::format("<th>about</th>{}", head), positions);
}

std::string work(const ClashResult& result) {
  std::string rows;
  std::size_t count = 0;
  for (const std::size_t i : findings(result, true)) {
    const ClashPair& pair = result.pairs[i];
    if ((!pair.move && !pair.note && !pair.duplicate) || ++count > kMostFindings) continue;
    std::string what = pair.move ? escape(move_text(result.parts, *pair.move)) : "";
    if (pair.duplicate)
      what += std::string(what.empty() ? "" : "; ") + "they are identical copies in one position";
    const ClashNote note = pair.note.value_or(ClashNote{});
    rows +=
        fmt::format("<tr><td>{}</td><td>{}</td><td class=\"status\">{}{}</td><td>{}</td></tr>\n",
                    both_names(result, i), what,
                    pair.note ? name(note.accepted ? ClashStatus::approved : note.status) : "",
                    note.assignee.empty() ? "" : "<br>" + escape(note.assignee), escape(note.text));
  }
  if (rows.empty()) return "";
  return "<h2>What to do</h2>\n" +
         scrolling("<th>parts</th><th>what to move</th><th>status</th><th>note</th>", rows) +
         (count > kMostFindings ? fmt::format("<p class=\"note\">{} more are in pairs.csv.</p>\n",
                                              number_text(count - kMostFindings))
                                : "");
}

}  // namespace

std::string tests_section(const ClashResult& result) {
  if (result.tests.empty()) return "";
  std::string rows;
  for (const ClashTestResult& test : result.tests) {
    const auto open = std::count_if(test.failed.begin(), test.failed.end(), [&](std::size_t i) {
      return !result.pairs[i].accepted.has_value();
    });
    rows += fmt::format(
        "<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
        "class=\"n\">{}</td></tr>\n",
        escape(test.name), name(test.kind), number_text(test.examined),
        number_text(static_cast<std::size_t>(open)),
        number_text(test.failed.size() - static_cast<std::size_t>(open)));
  }
  return "<h2>Tests</h2>\n" +
         scrolling(
             "<th>test</th><th>type</th><th class=\"n\">pairs examined</th><th "
             "class=\"n\">fail</th><th class=\"n\">accepted</th>",
             rows);
}

std::string findings_section(const ClashResult& result) {
  return clusters_text(result) + work(result);
}

}  // namespace touche::clash
