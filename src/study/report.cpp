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
      if (!result.may_reach_in.empty()) {
        const bool all = result.allowed.empty() && result.separated.empty();
        if (of_drawings(result))
          return {all ? "Yes, no outlines meet, proved" : "Yes, no other outlines meet, proved",
                  colour::kFree};
        return {all ? "Yes, no surfaces meet, proved" : "Yes, no other surfaces meet, proved",
                colour::kFree};
      }
      return {"Yes, proved free", colour::kFree};
    case StudyVerdict::contact:
      if (only_touching(result)) return {"Parts touch on the path", colour::kUndecided};
      if (may_only_touch(result))
        return {"Parts touch on the path, perhaps more", colour::kUndecided};
      return {"No, there is contact", colour::kContact};
    case StudyVerdict::inside:
      return {"No, a part lies inside another", colour::kContact};
    case StudyVerdict::open:
      return {of_drawings(result) ? "No outlines meet, proved; a part is open"
                                  : "No surfaces meet, proved; a part is open",
              colour::kUndecided};
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
std::string tightest_fact(const StudyResult& result) {
  const std::string& unit = result.study.unit;
  const auto pair = [&](std::size_t a, std::size_t b, double s) {
    return fmt::format("{} – {}, {}", escape(result.study.parts[a].name),
                       escape(result.study.parts[b].name), place_text(s));
  };
  const ThickestOverlap thickest = thickest_overlap(result);
  if (thickest.contact != nullptr &&
      thickest.contact->deepest.diameter.lower > result.study.tolerance)
    return fact(
        escape(thickness_text(thickest.contact->deepest.diameter, unit)),
        (thickest.allowed ? "overlap at worst, allowed, " : "overlap at worst, ") +
            pair(thickest.pair->part_a, thickest.pair->part_b, thickest.contact->deepest_at));
  if (result.verdict == StudyVerdict::contact) return "";
  if (!result.allowed.empty() && result.allowed.size() == result.pair_count) return "";
  const LeastClearance least = least_clearance(result);
  std::string label;
  if (least.found)
    label = fmt::format("smallest clearance {}, {}",
                        result.paths.empty() ? "at recorded poses" : "found",
                        pair(least.found->part_a, least.found->part_b, least.found->s));
  if (least.proved > 0)
    label += fmt::format("{}at least {} proved on the whole path", label.empty() ? "" : "; ",
                         escape(length_text(least.proved, unit, Rounding::down)));
  if (least.found) return fact(escape(length_text(least.found->distance, unit)), label);
  if (!(result.study.clearance > 0)) return "";
  // Without a number, all that is known is what was examined.
  if (std::ranges::any_of(result.steps, [](const StudyStep& step) {
        return step.status == StepStatus::not_examined || step.status == StepStatus::undecided;
      }))
    return "";
  return fact(
      "&gt; " + escape(length_text(result.study.clearance, unit)),
      least.proved > 0 ? "clearance on the whole path, proved" : "clearance at all recorded poses");
}

std::string facts(const StudyResult& result) {
  const auto examined =
      std::count_if(result.steps.begin(), result.steps.end(),
                    [](const StudyStep& step) { return step.status != StepStatus::not_examined; });
  std::string out = "<div class=\"facts\">\n";
  out += fact(are_surfaces_free(result) ? "whole path"
              : result.time.lower > 0 ? percent(result.time.lower, Rounding::down) + " of the path"
                                      : "nothing",
              is_about_surfaces(result) ? "proved free of surfaces that meet" : "proved free");
  out += tightest_fact(result);
  out += fact(std::to_string(examined), fmt::format("of {} step{} examined", result.steps.size(),
                                                    result.steps.size() == 1 ? "" : "s"));
  if (missing_paths(result) > 0)
    out += fact(std::to_string(result.paths.size()),
                fmt::format("of {} whole path{} followed, interrupted", result.path_count,
                            result.path_count == 1 ? "" : "s"));
  out += fact(std::to_string(result.pair_count), result.pair_count == 1
                                                     ? "pair of parts in relative motion"
                                                     : "pairs of parts in relative motion");
  out += fact(escape(length_text(result.study.tolerance, result.study.unit)), "tolerance");
  return out + "</div>\n";
}

// The most important position of the path: the first contact, else the smallest clearance.
struct Focus {
  double s = 0.5;
  std::string what = "half way";
  std::optional<std::size_t> part;  // the part that moves there
};

Focus focus_of(const StudyResult& result) {
  const LeastClearance least = least_clearance(result);
  if (result.first) {
    const PairStep& pair = result.pairs[*result.first];
    const double s = path_position(result.study, pair.step, pair.time.upper);
    return {s, "first contact", moving_part(result.study, pair.part_a, pair.part_b, s)};
  }
  if (!least.found) return {};
  const std::size_t mover =
      moving_part(result.study, least.found->part_a, least.found->part_b, least.found->s);
  if (least.found->s > 0 && least.found->s < 1)
    return {least.found->s, "smallest clearance", mover};
  return {0.5, "half way", mover};
}

std::string overview_section(const StudyResult& result) {
  const Focus focus = focus_of(result);
  const auto pictures = overviews(result, {0, focus.s, 1}, focus.part);
  return fmt::format(
      "<h2>The path</h2>\n<div class=\"grid3\">\n<figure>{}<figcaption>Start</figcaption>"
      "</figure>\n<figure>{}<figcaption>{}: {}</figcaption></figure>\n"
      "<figure>{}<figcaption>End</figcaption></figure>\n</div>\n",
      pictures[0], pictures[1], capitalised(place_text(focus.s)), focus.what, pictures[2]);
}

// Shows the closest points of the path if there is no contact.
std::string gap_section(const StudyResult& result) {
  const LeastClearance least = least_clearance(result);
  if (!are_surfaces_free(result) || !least.found || !(least.found->distance > 0)) return "";
  CloseUp what{least.found->part_a, least.found->part_b, least.found->s, {}};
  const DistanceResult closest =
      distance(result.parts[what.part_a], pose_of_part(result.study, what.part_a, what.s),
               result.parts[what.part_b], pose_of_part(result.study, what.part_b, what.s));
  if (!closest.closest || !(closest.closest->distance > 0)) return "";
  what.contact = *closest.closest;
  const std::array<Figure, 2> figures = gap_pictures(result, what);
  std::string out = "<h2>The smallest clearance</h2>\n<div class=\"grid2\">\n";
  const std::string where =
      fmt::format("<b>{}</b> between {} and {}, {}, at {}.",
                  escape(length_text(what.contact.distance, result.study.unit)),
                  escape(result.study.parts[what.part_a].name),
                  escape(result.study.parts[what.part_b].name), place_text(what.s),
                  escape(point_text(what.contact.point_a, result.study.unit, of_drawings(result))));
  for (const bool close : {false, true})
    out += fmt::format("<figure>{}<figcaption>{}{}</figcaption></figure>\n",
                       figures[close ? 1 : 0].svg, close ? std::string("The gap.") : where,
                       figures[close ? 1 : 0].section ? " Section through it." : "");
  return out + "</div>\n";
}

std::string plots_section(const StudyResult& result) {
  const bool measured = result.study.clearance > 0 || !result.paths.empty();
  const bool all = has_all_paths(result);
  std::string out =
      measured ? "<h2>Clearance along the path</h2>\n" : "<h2>Status along the path</h2>\n";
  out += "<div class=\"scroll\">" + clearance_plot(result) + "</div>\n<p class=\"note\">";
  if (all)
    out +=
        "Lines are the distances of the pairs of parts that come closest, dots the distances at "
        "recorded "
        "poses. The area is what all pairs are proved to keep, everywhere and not only where it "
        "was "
        "measured. ";
  else if (!result.paths.empty())
    out +=
        "Distance of the pairs of parts that come closest; of pairs whose whole path was not "
        "followed, at the recorded poses. ";
  else if (least_clearance(result).proved > 0)
    out += "No line is drawn: bounds around the parts prove that all pairs stay farther apart. ";
  else if (measured)
    out += "Distance of the pairs of parts that come closest, at the recorded poses. ";
  out += all ? "The strip: green proved free, red contact or a part inside another, amber not "
               "decided"
             : "The strip shows each step: green proved free, red contact, amber not decided, grey "
               "not examined.";
  if (all)
    out += result.may_contain.empty() ? "." : ", or a part is open and may contain another one.";
  else if (is_about_surfaces(result))
    out += " Of parts that are open, only the surfaces are meant.";
  return out + fmt::format("{}</p>\n", result.first ? " Triangles mark where contacts begin." : "");
}

std::string remarks_section(const StudyResult& result) {
  std::string out;
  for (const std::string& remark : study_remarks(result))
    out += "<li>" + escape(remark) + "</li>\n";
  return out.empty() ? "" : "<h2>Remarks</h2>\n<ul>\n" + out + "</ul>\n";
}

// Steps that were proved free by following the path take no work.
bool steps_took_work(const StudyResult& result) {
  return std::any_of(result.steps.begin(), result.steps.end(),
                     [](const StudyStep& step) { return step.stats.work() > 0; });
}

}  // namespace

std::string result_html(const StudyResult& result, const PageNotes& notes) {
  const Headline head = headline(result);
  const std::string change = explanation(result), details = verdict_details(result);
  const std::string title =
      result.study.title.empty() ? result.study.file.filename().string() : result.study.title;
  std::string out = begin_page(fmt::format("{}: {}", title, head.word), "Removal study", title);
  out += fmt::format(
      "<section class=\"verdict\" style=\"--mark:{}\"><p>Can the parts make this motion?</p>"
      "<div class=\"word\">{}</div><p>{}</p>{}{}</section>\n",
      head.colour, head.word, escape(verdict_sentence(result)),
      change.empty() ? "" : fmt::format("<p>{}</p>", escape(change)),
      details.empty() ? "" : fmt::format("<p class=\"note\">{}</p>", escape(details)));
  out += facts(result);
  out += overview_section(result) + notes.viewer;
  out += gap_section(result);
  out += contacts_section(result);
  out += plots_section(result);
  out += places_section(result);
  if (steps_took_work(result))
    out += "<h2>Work per step</h2>\n<div class=\"scroll\">" + work_plot(result) + "</div>\n";
  out += parts_section(result);
  out += remarks_section(result);
  out += foundation_section(result);
  std::string foot =
      fmt::format("Touché {} · study {}, checksum {:016x}", kVersion,
                  escape(result.study.file.filename().string()), result.study.fingerprint);
  for (const std::string& note : {notes.date, notes.remark})
    if (!note.empty()) foot += " · " + escape(note);
  return out + end_page(foot);
}

}  // namespace touche
