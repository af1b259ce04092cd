// SPDX-License-Identifier: Apache-2.0
// report.html: one page that needs nothing but itself.
#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "report/page.h"
#include "report/svg.h"
#include "study/describe.h"
#include "study/paths.h"
#include "study/picture.h"
#include "study/plot.h"
#include "study/report_parts.h"
#include "touche/version.h"

namespace touche {
namespace {

using namespace study;
using namespace report;

struct Headline {
  const char* word;
  const char* colour;
};

// The answer to: can it be moved along the whole path?
Headline headline(const StudyResult& result) {
  switch (result.verdict) {
    case StudyVerdict::free:
      return {"Yes, proved free", colour::kFree};
    case StudyVerdict::contact:
      return only_touching(result) ? Headline{"It touches on the way", colour::kUndecided}
                                   : Headline{"No, there is contact", colour::kContact};
    case StudyVerdict::inside:
      return {"No, a part lies inside another", colour::kContact};
    case StudyVerdict::undecided:
      return {"Not decided within the budget", colour::kUndecided};
    case StudyVerdict::interrupted:
      return {"Not decided, interrupted", colour::kUndecided};
  }
  return {"", colour::kInk};
}

std::string fact(const std::string& value, const std::string& label) {
  return fmt::format("<div><b>{}</b><span>{}</span></div>\n", value, label);
}

std::string facts(const StudyView& view) {
  const auto examined =
      std::count_if(view.result.steps.begin(), view.result.steps.end(),
                    [](const StudyStep& step) { return step.status != StepStatus::not_examined; });
  const Clearance* smallest = smallest_clearance(view.result);
  std::string out = "<div class=\"facts\">\n";
  out += fact(view.result.verdict == StudyVerdict::free ? "whole path"
              : view.result.time.lower > 0 ? fmt::format("s &lt; {:.5g}", view.result.time.lower)
                                           : "nothing",
              "proved free");
  if (const LeastClearance least = least_clearance(view); least.proved > 0)
    out += fact(escape(length(view.study, least.proved)),
                fmt::format("clearance proved all the way; least found {}, {} – {}, s = {:.4g}",
                            escape(length(view.study, least.found->path.min_clearance.upper)),
                            escape(view.study.parts[least.found->part_a].name),
                            escape(view.study.parts[least.found->part_b].name),
                            least.found->path.min_clearance_at));
  else if (view.study.clearance > 0)
    out += fact(smallest ? escape(length(view.study, smallest->distance))
                         : "&gt; " + escape(length(view.study, view.study.clearance)),
                smallest ? fmt::format("smallest clearance at a recorded pose, {} – {}, s = {:.4g}",
                                       escape(view.study.parts[smallest->part_a].name),
                                       escape(view.study.parts[smallest->part_b].name),
                                       view.study.times[smallest->pose])
                         : "clearance at all recorded poses");
  out +=
      fact(std::to_string(examined), fmt::format("of {} step{} examined", view.result.steps.size(),
                                                 view.result.steps.size() == 1 ? "" : "s"));
  out += fact(std::to_string(view.result.pair_count), view.result.pair_count == 1
                                                          ? "pair of parts in relative motion"
                                                          : "pairs of parts in relative motion");
  out += fact(escape(length(view.study, view.study.tolerance)), "tolerance");
  return out + "</div>\n";
}

// Where on the path the smallest clearance was found, or at which of the recorded poses.
std::optional<double> where_least(const StudyView& view) {
  if (const LeastClearance least = least_clearance(view); least.found)
    return least.found->path.min_clearance_at;
  const Clearance* smallest = smallest_clearance(view.result);
  return smallest ? std::optional(view.study.times[smallest->pose]) : std::nullopt;
}

// The start, where it matters most, and the end.
std::string overview_section(const StudyView& view) {
  double s = 0.5;
  std::string what = "half way";
  if (view.result.first) {
    const PairStep& pair = view.result.pairs[*view.result.first];
    s = path_position(view.study, pair.step, pair.time.upper);
    what = "first contact";
  } else if (const auto least = where_least(view); least && *least > 0 && *least < 1) {
    s = *least;
    what = "smallest clearance";
  }
  const auto pictures = overviews(view, {0, s, 1});
  return fmt::format(
      "<h2>The path</h2>\n<div class=\"grid3\">\n<figure>{}<figcaption>s = 0, start</figcaption>"
      "</figure>\n<figure>{}<figcaption>s = {:.4g}, {}</figcaption></figure>\n"
      "<figure>{}<figcaption>s = 1, end</figcaption></figure>\n</div>\n",
      pictures[0], pictures[1], s, what, pictures[2]);
}

std::string plots_section(const StudyView& view) {
  const bool measured = view.study.clearance > 0;
  std::string out = measured || !view.result.paths.empty() ? "<h2>Clearance along the path</h2>\n"
                                                           : "<h2>Status along the path</h2>\n";
  if (!view.result.paths.empty())
    out +=
        path_plot(view) +
        "<p class=\"note\">Distance of the pairs of parts that come closest (lines), and what all "
        "pairs are proved to keep (area), everywhere and not only where it was measured.</p>\n"
        "<h2>Step by step</h2>\n";
  out += clearance_plot(view);
  out += fmt::format(
      "<p class=\"note\">{}The strip shows each step: green proved free, red contact, amber not "
      "decided, grey not examined.{}</p>\n",
      measured ? "Distance of the pairs of parts that come closest, at the recorded poses. " : "",
      view.result.first ? " Triangles mark where contacts begin." : "");
  out += "<h2>Work per step</h2>\n" + work_plot(view.result);
  return out;
}

}  // namespace

std::string result_html(const StudyView& view, const std::string& remark) {
  const Headline head = headline(view.result);
  const std::string title =
      view.study.title.empty() ? view.study.file.filename().string() : view.study.title;
  std::string out = begin_page(fmt::format("{}: {}", title, head.word), "Removal study", title);
  out += fmt::format(
      "<section class=\"verdict\" style=\"--mark:{}\"><p>Can the parts make this motion?</p>"
      "<div class=\"word\">{}</div><p>{}</p>"
      "</section>\n",
      head.colour, head.word, escape(verdict_sentence(view)));
  out += facts(view);
  out += overview_section(view);
  out += contacts_section(view);
  out += plots_section(view);
  out += paths_section(view);
  out += parts_section(view);
  out += foundation_section(view);
  return out +
         end_page(fmt::format("Touché {} · study {} · fingerprint {:016x}{}{}", kVersion,
                              escape(view.study.file.filename().string()), view.study.fingerprint,
                              remark.empty() ? "" : " · ", escape(remark)));
}

}  // namespace touche
