// SPDX-License-Identifier: Apache-2.0
// Writes report.html, a single page without external files.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>

#include "report/page.h"
#include "report/plane_words.h"
#include "report/svg.h"
#include "study/describe.h"
#include "study/facts.h"
#include "study/picture.h"
#include "study/plot.h"
#include "study/report_parts.h"
#include "study/step_bounds.h"
#include "study/travel.h"
#include "touche/version.h"

namespace touche {
namespace {

using namespace study;
using namespace report;

struct Headline {
  const char* word;
  const char* colour;
};

// The headline answers whether the parts can be moved along the whole path.
Headline headline(const StudyResult& result) {
  switch (result.verdict) {
    case StudyVerdict::free:
      return {"Yes, proved free", colour::kFree};
    case StudyVerdict::contact:
      if (only_touching(result)) return {"Parts touch on the path", colour::kUndecided};
      if (may_only_touch(result))
        return {"Parts touch on the path, perhaps more", colour::kUndecided};
      return {"No, there is contact", colour::kContact};
    case StudyVerdict::inside:
      return {"No, a part lies inside another", colour::kContact};
    case StudyVerdict::undecided:
      return {"Not decided within the budget", colour::kUndecided};
    case StudyVerdict::interrupted:
      if (result.first) return {"No, there is contact; interrupted", colour::kContact};
      return {"Not decided, interrupted", colour::kUndecided};
  }
  return {"", colour::kInk};
}

std::string fact(const std::string& value, const std::string& label) {
  return fmt::format("<div><b>{}</b><span>{}</span></div>\n", value, label);
}

// States the smallest clearance, or the thickest overlap.
std::string tightest_fact(const StudyView& view) {
  const std::string& unit = view.study.unit;
  const auto pair = [&](std::size_t a, std::size_t b, double s) {
    return fmt::format("{} – {}, {}", escape(view.study.parts[a].name),
                       escape(view.study.parts[b].name), place_text(s));
  };
  const ThickestOverlap thickest = thickest_overlap(view);
  if (thickest.contact != nullptr &&
      thickest.contact->deepest.diameter.lower > view.study.tolerance)
    return fact(
        escape(thickness_text(thickest.contact->deepest.diameter, unit)),
        (thickest.allowed ? "overlap at worst, allowed, " : "overlap at worst, ") +
            pair(thickest.pair->part_a, thickest.pair->part_b, thickest.contact->deepest_at));
  if (view.result.verdict == StudyVerdict::contact) return "";
  if (!view.result.allowed.empty() && view.result.allowed.size() == view.result.pair_count)
    return "";
  const LeastClearance least = least_clearance(view);
  std::string label;
  if (least.found)
    label =
        fmt::format("smallest clearance {}, {}", least.everywhere ? "found" : "at recorded poses",
                    pair(least.found->part_a, least.found->part_b, least.found->s));
  if (least.proved > 0)
    label += fmt::format("{}at least {} proved on the whole path", label.empty() ? "" : "; ",
                         escape(length_text(least.proved, unit, Rounding::down)));
  if (least.found) return fact(escape(length_text(least.found->distance, unit)), label);
  if (!(view.study.clearance > 0)) return "";
  return fact(
      "&gt; " + escape(length_text(view.study.clearance, unit)),
      least.proved > 0 ? "clearance on the whole path, proved" : "clearance at all recorded poses");
}

std::string facts(const StudyView& view) {
  const StudyResult& result = view.result;
  const auto examined =
      std::count_if(result.steps.begin(), result.steps.end(),
                    [](const StudyStep& step) { return step.status != StepStatus::not_examined; });
  std::string out = "<div class=\"facts\">\n";
  out += fact(result.verdict == StudyVerdict::free ? "whole path"
              : result.time.lower > 0 ? percent(result.time.lower, Rounding::down) + " of the path"
                                      : "nothing",
              "proved free");
  out += tightest_fact(view);
  out += fact(std::to_string(examined), fmt::format("of {} step{} examined", result.steps.size(),
                                                    result.steps.size() == 1 ? "" : "s"));
  out += fact(std::to_string(result.pair_count), result.pair_count == 1
                                                     ? "pair of parts in relative motion"
                                                     : "pairs of parts in relative motion");
  out += fact(escape(length_text(view.study.tolerance, view.study.unit)), "tolerance");
  return out + "</div>\n";
}

// The most important position of the path: the first contact, else the smallest clearance.
struct Focus {
  double s = 0.5;
  std::string what = "half way";
  std::optional<std::size_t> part;  // the part that moves there
};

Focus focus_of(const StudyView& view) {
  const LeastClearance least = least_clearance(view);
  if (view.result.first) {
    const PairStep& pair = view.result.pairs[*view.result.first];
    const double s = path_position(view.study, pair.step, pair.time.upper);
    return {s, "first contact", moving_part(view.study, pair.part_a, pair.part_b, s)};
  }
  if (!least.found) return {};
  const std::size_t mover =
      moving_part(view.study, least.found->part_a, least.found->part_b, least.found->s);
  if (least.found->s > 0 && least.found->s < 1)
    return {least.found->s, "smallest clearance", mover};
  return {0.5, "half way", mover};
}

std::string overview_section(const StudyView& view) {
  const Focus focus = focus_of(view);
  const auto pictures = overviews(view, {0, focus.s, 1}, focus.part);
  return fmt::format(
      "<h2>The path</h2>\n<div class=\"grid3\">\n<figure>{}<figcaption>Start</figcaption>"
      "</figure>\n<figure>{}<figcaption>{}: {}</figcaption></figure>\n"
      "<figure>{}<figcaption>End</figcaption></figure>\n</div>\n",
      pictures[0], pictures[1], capitalised(place_text(focus.s)), focus.what, pictures[2]);
}

// Shows the closest points of the path if there is no contact.
std::string gap_section(const StudyView& view) {
  const LeastClearance least = least_clearance(view);
  if (view.result.verdict != StudyVerdict::free || !least.found || !(least.found->distance > 0))
    return "";
  CloseUp what{least.found->part_a, least.found->part_b, least.found->s, {}};
  const DistanceResult closest =
      distance(view.parts[what.part_a], pose_of_part(view.study, what.part_a, what.s),
               view.parts[what.part_b], pose_of_part(view.study, what.part_b, what.s));
  if (!closest.closest || !(closest.closest->distance > 0)) return "";
  what.contact = *closest.closest;
  const std::array<Figure, 2> figures = gap_pictures(view, what);
  std::string out = "<h2>The smallest clearance</h2>\n<div class=\"grid2\">\n";
  const std::string where =
      fmt::format("<b>{}</b> between {} and {}, {}, at {}.",
                  escape(length_text(what.contact.distance, view.study.unit)),
                  escape(view.study.parts[what.part_a].name),
                  escape(view.study.parts[what.part_b].name), place_text(what.s),
                  escape(point_text(what.contact.point_a, view.study.unit, of_drawings(view))));
  for (const bool close : {false, true})
    out += fmt::format("<figure>{}<figcaption>{}{}</figcaption></figure>\n",
                       figures[close ? 1 : 0].svg, close ? std::string("The gap.") : where,
                       figures[close ? 1 : 0].section ? " Section through it." : "");
  return out + "</div>\n";
}

std::string plots_section(const StudyView& view) {
  const bool measured = view.study.clearance > 0 || !view.result.paths.empty();
  std::string out =
      measured ? "<h2>Clearance along the path</h2>\n" : "<h2>Status along the path</h2>\n";
  out += "<div class=\"scroll\">" + clearance_plot(view) + "</div>\n<p class=\"note\">";
  if (!view.result.paths.empty())
    out +=
        "Lines are the distances of the pairs of parts that come closest, dots the distances at "
        "recorded "
        "poses. The area is what all pairs are proved to keep, everywhere and not only where it "
        "was "
        "measured. ";
  else if (least_clearance(view).proved > 0)
    out += "No line is drawn: bounds around the parts prove that all pairs stay farther apart. ";
  else if (measured)
    out += "Distance of the pairs of parts that come closest, at the recorded poses. ";
  out += view.result.paths.empty()
             ? "The strip shows each step: green proved free, red contact, amber not decided, grey "
               "not examined."
             : "The strip: green proved free, red contact or a part inside another, amber not "
               "decided.";
  return out +
         fmt::format("{}</p>\n", view.result.first ? " Triangles mark where contacts begin." : "");
}

std::string remarks_section(const StudyView& view) {
  std::string out;
  for (const std::string& remark : study_remarks(view)) out += "<li>" + escape(remark) + "</li>\n";
  return out.empty() ? "" : "<h2>Remarks</h2>\n<ul>\n" + out + "</ul>\n";
}

// Steps that were proved free by following the path take no work.
bool steps_took_work(const StudyResult& result) {
  return std::any_of(result.steps.begin(), result.steps.end(),
                     [](const StudyStep& step) { return step.stats.work() > 0; });
}

}  // namespace

std::string result_html(const StudyView& view, const PageNotes& notes) {
  const Headline head = headline(view.result);
  const std::string change = explanation(view), details = verdict_details(view);
  const std::string title =
      view.study.title.empty() ? view.study.file.filename().string() : view.study.title;
  std::string out = begin_page(fmt::format("{}: {}", title, head.word), "Removal study", title);
  out += fmt::format(
      "<section class=\"verdict\" style=\"--mark:{}\"><p>Can the parts make this motion?</p>"
      "<div class=\"word\">{}</div><p>{}</p>{}{}</section>\n",
      head.colour, head.word, escape(verdict_sentence(view)),
      change.empty() ? "" : fmt::format("<p>{}</p>", escape(change)),
      details.empty() ? "" : fmt::format("<p class=\"note\">{}</p>", escape(details)));
  out += facts(view);
  out += overview_section(view) + notes.viewer;
  out += gap_section(view);
  out += contacts_section(view);
  out += plots_section(view);
  out += places_section(view);
  if (steps_took_work(view.result))
    out += "<h2>Work per step</h2>\n<div class=\"scroll\">" + work_plot(view.result) + "</div>\n";
  out += parts_section(view);
  out += remarks_section(view);
  out += foundation_section(view);
  std::string foot =
      fmt::format("Touché {} · study {}, checksum {:016x}", kVersion,
                  escape(view.study.file.filename().string()), view.study.fingerprint);
  for (const std::string& note : {notes.date, notes.remark})
    if (!note.empty()) foot += " · " + escape(note);
  return out + end_page(foot);
}

}  // namespace touche
