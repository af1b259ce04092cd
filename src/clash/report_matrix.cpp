// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "clash/describe.h"
#include "clash/part_names.h"
#include "clash/report_parts.h"
#include "report/svg.h"
#include "report/words.h"

namespace touche::clash {
namespace {

using report::escape;
using report::number_text;

constexpr std::size_t kMostGroups = 24;

// The first `steps` path components of a group's name.
std::string_view head(std::string_view group, int steps) {
  std::size_t end = 0;
  while (steps-- > 0 && end != std::string_view::npos)
    end = group.find('/', end == 0 ? 0 : end + 1);
  return group.substr(0, end);
}

// A cell of the matrix, redder the more pairs clash.
std::string cell(std::size_t clashes, std::size_t others, std::size_t most, std::size_t a,
                 std::size_t b) {
  if (clashes + others == 0) return "<td></td>";
  const double share =
      clashes == 0 ? 0 : 0.2 + 0.6 * static_cast<double>(clashes) / static_cast<double>(most);
  return fmt::format(
      "<td class=\"hit\" data-a=\"{}\" data-b=\"{}\" style=\"background:rgba(200,55,45,{:.2f})\" "
      "tabindex=\"0\"><b>{}</b><span>{}</span></td>",
      a, b, share, clashes > 0 ? number_text(clashes) : "",
      others > 0 ? fmt::format("+{}", number_text(others)) : "");
}

std::vector<std::string> long_names(const ClashParts& parts) {
  std::vector<std::string> names;
  for (const ClashPart& part : parts.parts) names.push_back(long_name(part));
  return names;
}

// The length of the steps, with their '/', with which all names begin.
std::size_t common_steps(const std::vector<std::string>& names) {
  if (names.size() < 2) return 0;
  std::size_t same = names.front().size();
  for (const std::string& name : names) {
    const auto ends =
        std::mismatch(name.begin(), name.end(), names.front().begin(), names.front().end());
    same = std::min(same, static_cast<std::size_t>(ends.first - name.begin()));
  }
  while (same > 0 && names.front()[same - 1] != '/') --same;
  return same;
}

}  // namespace

// Chooses the deepest level of the group hierarchy that has no more than kMostGroups groups.
Groups::Groups(const ClashParts& parts) {
  const std::vector<std::string> names = long_names(parts);
  const std::size_t common = common_steps(names);
  std::vector<std::string_view> groups;
  for (const std::string& name : names) {
    const std::string_view rest = std::string_view(name).substr(common);
    const std::size_t slash = rest.rfind('/');
    groups.push_back(slash == std::string_view::npos ? std::string_view() : rest.substr(0, slash));
  }
  std::map<std::string_view, std::size_t> numbers;
  for (int steps = 1; steps < 8; ++steps) {
    std::map<std::string_view, std::size_t> deeper;
    for (const std::string_view group : groups) deeper.emplace(head(group, steps), 0);
    if (steps > 1 && (deeper.size() > kMostGroups || deeper.size() == numbers.size())) break;
    numbers = std::move(deeper);
    of_part_.assign(groups.size(), 0);
    names_.clear();
    // Number the groups in the order of the file.
    for (auto& [name, number] : numbers) number = kNone;
    for (std::size_t p = 0; p < groups.size(); ++p) {
      std::size_t& number = numbers[head(groups[p], steps)];
      if (number == kNone) {
        number = names_.size();
        names_.emplace_back(head(groups[p], steps));
      }
      of_part_[p] = number;
    }
  }
}

std::string matrix_section(const ClashResult& result) {
  const Groups groups(result.parts);
  const std::size_t n = groups.size();
  if (n < 2 || n > 2 * kMostGroups || result.pairs.empty()) return "";
  std::vector<std::size_t> clashes(n * n), others(n * n);
  for (const ClashPair& pair : result.pairs) {
    if (pair.accepted) continue;
    const auto [a, b] = std::minmax({groups.of(pair.part_a), groups.of(pair.part_b)});
    ++(pair.verdict >= ClashPairVerdict::contains ? clashes : others)[a * n + b];
  }
  const std::size_t most =
      std::max<std::size_t>(1, *std::max_element(clashes.begin(), clashes.end()));
  std::string out =
      "<h2>Groups against groups</h2>\n<div class=\"scroll\"><table class=\"matrix\"><thead><tr>"
      "<th></th>";
  for (std::size_t b = 0; b < n; ++b) out += fmt::format("<th class=\"n\">{}</th>", b + 1);
  out += "</tr></thead><tbody>\n";
  for (std::size_t a = 0; a < n; ++a) {
    const std::string& name = groups.name(a);
    out +=
        fmt::format("<tr><th>{} {}</th>", a + 1, name.empty() ? "<i>no group</i>" : escape(name));
    for (std::size_t b = 0; b < n; ++b) {
      const auto [i, j] = std::minmax(a, b);
      out += b < a ? "<td class=\"below\"></td>"
                   : cell(clashes[i * n + j], others[i * n + j], most, i, j);
    }
    out += "</tr>\n";
  }
  return out +
         "</tbody></table></div>\n"
         "<p class=\"note\">Pairs that clash, or with one part inside the other; small numbers: "
         "pairs that touch, are near, open or not decided. Accepted pairs are not counted. A click "
         "shows the pairs of a field in the list below.</p>\n";
}

}  // namespace touche::clash
