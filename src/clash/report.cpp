// SPDX-License-Identifier: Apache-2.0
// Writes report.html, a single page without external files.
#include <fmt/core.h>

#include <filesystem>

#include "clash/describe.h"
#include "clash/report_parts.h"
#include "report/page.h"
#include "report/svg.h"
#include "report/words.h"
#include "touche/version.h"

namespace touche {

namespace clash {
namespace {

using namespace report;

const char* const kStyle = R"css(<style>
.matrix { width: auto; } .matrix th { white-space: nowrap; border: 0; padding: 3px 10px 3px 0; }
.matrix td { min-width: 44px; text-align: center; border: 1px solid var(--rule); padding: 3px 5px; }
.matrix td span { opacity: .75; font-size: 11px; margin-left: 3px; }
figure.pair { margin: 14px 0 20px; scroll-margin-top: 12px; }
figure.pair figcaption { margin: 0 0 6px; font-size: 13px; }
figure.pair .back { margin-left: 8px; }
.legend span { display: inline-block; margin-right: 12px; } .legend .chip { margin-right: 6px; }
.chip.hatched { background-image: repeating-linear-gradient(45deg, #777 0 1px, transparent 1px 4px); }
.matrix td.below { border: 0; } .matrix td.hit { cursor: pointer; }
.filters { display: flex; flex-wrap: wrap; gap: 6px 16px; align-items: center; margin: 8px 0;
  font-size: 13px; position: sticky; top: 0; background: var(--paper); padding: 6px 0; }
.filters[hidden] { display: none; }
.filters input[type=search] { font: inherit; padding: 4px 8px; min-width: 200px; }
#pairs td { padding-top: 4px; padding-bottom: 4px; }
#pairs td.status { white-space: nowrap; } #pairs td.names { min-width: 230px; }
#pairs tbody tr { scroll-margin-top: 120px; } #pairs tbody tr:target { background: var(--tint); }
#pairs th button { all: unset; cursor: pointer; white-space: nowrap; }
#pairs th button:disabled { cursor: default; }
#pairs th button:focus-visible { outline: 2px solid var(--curve1); outline-offset: 2px; }
#pairs th[aria-sort=ascending] button::after { content: " \25b4"; }
#pairs th[aria-sort=descending] button::after { content: " \25be"; }
#pairs th button:disabled::after { content: none !important; }
#pairs td.see { white-space: nowrap; padding-right: 0; text-align: right; }
#pairs button.look { font: inherit; font-size: 12px; padding: 0 7px; margin-left: 8px;
  border: 1px solid var(--rule); border-radius: 4px; background: var(--tint); color: var(--ink);
  cursor: pointer; }
a { color: var(--curve1); }
@media (max-width: 700px) {
  .filters { position: static; } .filters input[type=search] { width: 100%; }
  #pairs, #pairs tbody { display: block; } #pairs thead tr { display: flex; gap: 18px; }
  #pairs thead th { border: 0; } #pairs thead { display: block; border-bottom: 2px solid var(--rule); }
  #pairs tbody tr { display: grid; grid-template-columns: 1fr auto; gap: 0 12px; padding: 7px 0;
    border-bottom: 1px solid var(--rule); }
  #pairs tbody tr[hidden] { display: none; }
  #pairs td { border: 0; padding: 1px 0; min-width: 0; overflow-wrap: anywhere; }
  #pairs td.names, #pairs td.names ~ td:not(.see) { grid-column: 1 / -1; }
  .counts, .counts tbody { display: block; } .counts thead { display: none; }
  .counts tr { display: grid; grid-template-columns: 1fr auto auto; gap: 0 12px; padding: 6px 0;
    border-bottom: 1px solid var(--rule); }
  .counts td { border: 0; padding: 0; } .counts td:empty { display: none; }
  .counts td:last-child { grid-column: 1 / -1; }
  .counts td:nth-child(3):not(:empty)::before { content: "accepted "; }
  #pairs td.see { grid-column: 2; grid-row: 1; } #pairs td:empty { display: none; }
}
@media print { #pairs td.see, figure.pair .back { display: none; } }
</style>
)css";

struct Headline {
  const char* word;
  const char* colour;
};

Headline headline(const ClashResult& result) {
  switch (result.verdict) {
    case ClashVerdict::free:
      if (result.may_reach_in > 0)
        return {
            has_drawings(result.parts) ? "No outlines clash, proved" : "No surfaces clash, proved",
            colour::kFree};
      return {"No, proved free of clashes", colour::kFree};
    case ClashVerdict::clash:
      return {result.open(ClashPairVerdict::clash) > 0 ? "Yes, parts clash"
                                                       : "Yes, parts lie inside others",
              colour::kContact};
    case ClashVerdict::open:
      return {has_drawings(result.parts) ? "No outlines clash, proved; parts are open"
                                         : "No surfaces clash, proved; parts are open",
              colour::kUndecided};
    case ClashVerdict::undecided:
      return {"Not decided within the budget", colour::kUndecided};
    case ClashVerdict::interrupted:
      return {"Not decided, interrupted", colour::kUndecided};
  }
  return {"", colour::kInk};
}

std::string fact(const std::string& value, std::string_view label) {
  return fmt::format("<div><b>{}</b><span>{}</span></div>\n", value, label);
}

std::string facts(const ClashResult& result) {
  const std::size_t n = result.parts.parts.size();
  const bool drawings = has_drawings(result.parts);
  std::size_t triangles = 0;  // drawings have one per edge
  for (const ClashPart& part : result.parts.parts)
    triangles += result.parts.objects[part.object].soup().triangle_count();
  std::string out = "<div class=\"facts\">\n";
  out += fact(number_text(result.open(ClashPairVerdict::clash)),
              result.open(ClashPairVerdict::clash) == 1 ? "pair clashes" : "pairs clash");
  out += fact(
      number_text(result.open(ClashPairVerdict::contains)),
      result.open(ClashPairVerdict::contains) == 1 ? "part inside another" : "parts inside others");
  out +=
      fact(number_text(n), fmt::format("parts, of {} {}", number_text(result.parts.objects.size()),
                                       drawings ? "drawings" : "meshes"));
  out += fact(number_text(triangles), drawings ? "edges in all parts" : "triangles in all parts");
  out += fact(
      number_text(n * (n - std::min<std::size_t>(n, 1)) / 2),
      fmt::format("pairs, {} of them not separated by their boxes", number_text(result.examined)));
  return out + "</div>\n";
}

std::string remarks_section(const ClashResult& result) {
  std::string out;
  for (const auto* remarks : {&result.parts.remarks, &result.remarks})
    for (const std::string& remark : *remarks) out += "<li>" + escape(remark) + "</li>\n";
  if (result.comparison)
    for (const std::string& remark : result.comparison->remarks)
      out += "<li>" + escape(remark) + "</li>\n";
  return out.empty() ? "" : "<h2>Remarks</h2>\n<ul>\n" + out + "</ul>\n";
}

// Which axis is up, and what was turned for that.
std::string up_text(const ClashParts& parts) {
  constexpr std::size_t kNamed = 5;
  std::string text = "Coordinates have z up.";
  for (std::size_t i = 0; i < std::min(kNamed, parts.turned.size()); ++i)
    text += fmt::format(" In {} {} is up, and it is turned.", escape(parts.turned[i].file),
                        name(parts.turned[i].up));
  if (parts.turned.size() > kNamed)
    text += fmt::format(" {} more files are turned.", parts.turned.size() - kNamed);
  if (const auto& at = parts.animation)
    text += fmt::format(" Parts are where the animation \"{}\" has them at {:.6g} s.",
                        escape(at->name), at->seconds);
  return text;
}

std::string foundation_section(const ClashResult& result) {
  const bool drawings = has_drawings(result.parts);
  const report::Lengths length = lengths_of(result.parts);
  const std::size_t free = result.count(ClashPairVerdict::free);
  return fmt::format(
      "<h2>What this answer rests on</h2>\n<ul>\n"
      "<li><b>Free means proved.</b> {0} {1}, and no piece of one lies inside the other.</li>\n"
      "<li><b>Touch or clash:</b> parts touch when a shift by at most {3} separates them, or when "
      "both are closed and the largest {2} in their overlap is no larger than that. Parts nearer "
      "than {4} "
      "touch, too.{9} {5} that are not closed clash where they meet and no such shift is "
      "found{10}.</li>\n"
      "<li>An overlap is proved to be at least as thick as reported; unless a bound is given, it "
      "may be up to {6} thicker.</li>\n"
      "<li>{7} are taken as they are: what is missing in {8} cannot touch.</li>\n{11}</ul>\n",
      free == 0   ? "A pair would not be listed if its parts were"
      : free == 1 ? "The parts of the 1 pair that is not listed are"
                  : fmt::format("The parts of each of the {} pairs that are not listed are",
                                number_text(free)),
      result.options.clearance > 0
          ? !result.tests.empty()
                ? std::string("farther apart than the clearance of their tests")
                : "farther apart than " + escape(length.text(result.options.clearance))
          : "apart",
      drawings ? "disc" : "ball",
      result.options.max_touching_thickness
          ? escape(length.text(*result.options.max_touching_thickness))
      : drawings
          ? "the deviation of chords from curves (chord error)"
          : "the deviation of the faces that meet from smooth surfaces (chord error, an estimate)",
      result.options.tolerance ? escape(length.text(*result.options.tolerance))
                               : "a millionth of their coordinates (the precision of files)",
      drawings ? "Outlines" : "Surfaces", percent(result.options.relative_error),
      drawings ? "Outlines" : "Meshes", drawings ? "a drawing" : "a mesh",
      result.options.ignore_thinner > 0
          ? fmt::format(" So do parts whose overlap is proved to be no thicker than {}.",
                        escape(length.text(result.options.ignore_thinner)))
          : "",
      drawings ? "" : "; what lies inside of them is unknown",
      drawings ? "" : "<li>" + up_text(result.parts) + "</li>\n");
}

}  // namespace

const char* class_colour(ClashPairVerdict c) {
  constexpr const char* kColours[] = {colour::kFree, "#6a93b8",       colour::kPale,
                                      "#b98d5a",     "#c9b458",       colour::kUndecided,
                                      "#8f3f97",     colour::kContact};
  return kColours[static_cast<std::size_t>(c)];
}

std::string counts_section(const ClashResult& result) {
  std::string out =
      "<h2>How pairs stand to each other</h2>\n<div class=\"scroll\"><table "
      "class=\"counts\"><thead><tr><th>class"
      "</th><th class=\"n\">pairs</th><th class=\"n\">accepted</th><th>meaning</th></tr></thead>"
      "<tbody>\n";
  for (const ClashPairVerdict c :
       {ClashPairVerdict::clash, ClashPairVerdict::contains, ClashPairVerdict::undecided,
        ClashPairVerdict::open, ClashPairVerdict::within_accuracy, ClashPairVerdict::touching,
        ClashPairVerdict::near, ClashPairVerdict::free}) {
    if (c == ClashPairVerdict::near && !(result.options.clearance > 0)) continue;
    const std::size_t accepted = result.accepted[static_cast<std::size_t>(c)];
    out += fmt::format(
        "<tr><td class=\"status\"><span class=\"chip\" style=\"background:{}\"></span>{}</td><td "
        "class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td></tr>\n",
        class_colour(c), class_text(c), number_text(result.count(c)),
        accepted > 0 ? number_text(accepted) : "", escape(class_meaning(c, result)));
  }
  if (result.outside > 0)
    out += fmt::format(
        "<tr><td class=\"status\">Outside</td><td class=\"n\">{}</td><td></td><td>of the sets and "
        "tests that were given, not examined</td></tr>\n",
        number_text(result.outside));
  if (result.ignored > 0)
    out += fmt::format(
        "<tr><td class=\"status\">Left out</td><td class=\"n\">{}</td><td></td><td>by a rule, not "
        "examined</td></tr>\n",
        number_text(result.ignored));
  return out + "</tbody></table></div>\n";
}

}  // namespace clash

std::string clash_html(const ClashResult& result, const PageNotes& notes) {
  using namespace clash;
  const Headline head = headline(result);
  const std::string title = std::filesystem::path(result.parts.source).filename().string();
  const std::string compared = comparison_sentence(result);
  std::string out = begin_page(fmt::format("{}: {}", title, head.word), "Clash check",
                               title.empty() ? result.parts.source : title) +
                    kStyle;
  out += fmt::format(
      "<section class=\"verdict\" style=\"--mark:{}\"><p>Do {} clash?</p>"
      "<div class=\"word\">{}</div><p>{}</p>{}</section>\n",
      head.colour, has_drawings(result.parts) ? "these parts" : "parts of this assembly", head.word,
      escape(clash_sentence(result)),
      compared.empty() ? "" : fmt::format("<p>{}</p>", escape(compared)));
  const Pictures pictures(result);
  out += changes_section(result);
  out += tests_section(result);
  out += pictures.worst();
  out += facts(result);
  out += counts_section(result) + notes.viewer;
  out += findings_section(result);
  out += matrix_section(result);
  out += list_section(result, pictures);
  out += pictures.others();
  out += remarks_section(result);
  out += foundation_section(result);
  std::string foot = fmt::format("Touché {} · {}", kVersion, escape(result.parts.source));
  for (const std::string& note : {notes.date, notes.remark})
    if (!note.empty()) foot += " · " + escape(note);
  return out + end_page(foot);
}

}  // namespace touche
