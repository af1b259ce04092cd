// SPDX-License-Identifier: Apache-2.0
// The pairs of parts over the whole path, as a table.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "report/svg.h"
#include "study/describe.h"
#include "study/report_parts.h"

namespace touche::study {
namespace {

using namespace report;

constexpr std::size_t kMostContacts = 8;  // of a pair

const char* words(PathClass path_class) {
  switch (path_class) {
    case PathClass::free:
      return "free, proved";
    case PathClass::near:
      return "no contact, proved; less than the threshold";
    case PathClass::touching:
      return "touching";
    case PathClass::clash:
      return "clash";
    case PathClass::undecided:
      return "not decided";
  }
  return "";
}

const char* path_colour(PathClass path_class) {
  switch (path_class) {
    case PathClass::free:
    case PathClass::near:
      return colour::kFree;
    case PathClass::touching:
    case PathClass::undecided:
      return colour::kUndecided;
    case PathClass::clash:
      return colour::kContact;
  }
  return colour::kInk;
}

std::string inside(const Study& study, const PairPath& pair, Containment containment) {
  const bool a_in_b = containment == Containment::a_in_b;
  return fmt::format("{} inside {}", escape(study.parts[a_in_b ? pair.part_a : pair.part_b].name),
                     escape(study.parts[a_in_b ? pair.part_b : pair.part_a].name));
}

std::string clearance(const Study& study, const PathResult& path) {
  if (!path.contacts.empty() || path.before != Containment::none) return "–";
  if (!std::isfinite(path.min_clearance.upper)) return "not measured";
  return fmt::format("at least {}<br><span class=\"note\">found {} at s = {:.4g}</span>",
                     escape(length(study, path.min_clearance.lower)),
                     escape(length(study, path.min_clearance.upper)), path.min_clearance_at);
}

std::string contacts(const Study& study, const PairPath& pair) {
  const PathResult& path = pair.path;
  std::string out;
  if (path.before != Containment::none) out += inside(study, pair, path.before) + " at the start";
  for (std::size_t i = 0; i < path.contacts.size(); ++i) {
    if (!out.empty()) out += "<br>";
    if (i == kMostContacts) {
      out += fmt::format("and {} more", path.contacts.size() - i);
      break;
    }
    const ContactInterval& c = path.contacts[i];
    out += fmt::format("s {:.6g} to {:.6g}", c.start.upper, c.end.lower);
    if (c.deepest.diameter.lower > path.tolerance)
      out += fmt::format("; overlap {} thick{} at s = {:.4g}",
                         escape(length(study, c.deepest.diameter.lower)),
                         c.deepest.diameter.upper > 1.5 * c.deepest.diameter.lower &&
                                 std::isfinite(c.deepest.diameter.upper)
                             ? fmt::format(" or more (at most {})",
                                           escape(length(study, c.deepest.diameter.upper)))
                             : std::string(),
                         c.deepest_at);
    if (c.after != Containment::none) out += "; then " + inside(study, pair, c.after);
  }
  return out.empty() ? "none" : out;
}

}  // namespace

std::string paths_section(const StudyView& view) {
  if (view.result.paths.empty()) return "";
  std::string out =
      "<h2>Pairs of parts over the whole path</h2>\n<div class=\"scroll\"><table><thead><tr>"
      "<th>parts</th><th>verdict</th><th>clearance</th><th>contacts</th></tr></thead><tbody>\n";
  std::vector<const PairPath*> shown;
  for (const PairPath& pair : view.result.paths)
    if (pair.path.verdict != PathClass::free || view.study.clearance == 0 ||
        pair.path.min_clearance.upper < 2 * view.study.clearance)
      shown.push_back(&pair);
  // The gravest first, then the closest.
  std::stable_sort(shown.begin(), shown.end(), [](const PairPath* x, const PairPath* y) {
    return std::pair(!x->path.contacts.empty(), -x->path.min_clearance.upper) >
           std::pair(!y->path.contacts.empty(), -y->path.min_clearance.upper);
  });
  for (const PairPath* row : shown) {
    const PairPath& pair = *row;
    out += fmt::format(
        "<tr><td>{}<br>{}</td><td><span class=\"status\" style=\"color:{}\">{}</span></td>"
        "<td>{}</td><td>{}</td></tr>\n",
        escape(view.study.parts[pair.part_a].name), escape(view.study.parts[pair.part_b].name),
        path_colour(pair.path.verdict), words(pair.path.verdict), clearance(view.study, pair.path),
        contacts(view.study, pair));
  }
  out += "</tbody></table></div>\n<p class=\"note\">";
  if (const std::size_t more = view.result.paths.size() - shown.size(); more > 0)
    out += fmt::format("{} more {} twice the threshold, proved. ", more,
                       more == 1 ? "pair keeps" : "pairs keep");
  return out +
         "Outside of the contacts the parts are proved "
         "to be apart. The thickness of an overlap is the diameter of the largest ball that fits "
         "into both parts: what would have to go there.</p>\n";
}

}  // namespace touche::study
