// SPDX-License-Identifier: Apache-2.0
// The table of the most critical positions of the path: contacts, parts inside others, and narrow
// gaps.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "report/svg.h"
#include "report/words.h"
#include "study/allowed.h"
#include "study/describe.h"
#include "study/facts.h"
#include "study/picture.h"
#include "study/report_parts.h"
#include "study/travel.h"

namespace touche::study {
namespace {

using namespace report;

constexpr std::size_t kMostPlaces = 40, kMostOfPair = 4;

// Two local minima of a pair's clearance are listed separately only if the clearance between them
// reaches this factor times the larger one.
constexpr double kWiden = 1.5;

struct WorstPlace {
  std::size_t part_a, part_b;
  double begin, end;   // s
  double order;        // sort key, smallest first: minus the thickness of an overlap, or the
                       // clearance
  const char* colour;  // of the verdict
  std::string verdict, size;
};

std::string lies_inside(const StudyResult& result, std::size_t part_a, std::size_t part_b,
                        Containment containment) {
  const bool a_in_b = containment == Containment::a_in_b;
  return fmt::format("{} lies inside {}", escape(result.study.parts[a_in_b ? part_a : part_b].name),
                     escape(result.study.parts[a_in_b ? part_b : part_a].name));
}

WorstPlace contact_place(const StudyResult& result, const PairPath& pair,
                         const ContactInterval& c) {
  WorstPlace place{
      pair.part_a,      pair.part_b, c.start.upper, c.end.lower, -c.deepest.diameter.lower,
      colour::kContact, "clash",     "contact"};
  if (touches_only(pair.path)) {
    place.colour = colour::kUndecided;
    place.verdict = "touching";
  }
  if (may_only_touch(pair.path)) {
    place.colour = colour::kUndecided;
    place.verdict = c.touching_until < c.end.upper ? "perhaps touching" : "touching";
  }
  if (is_allowed(result.study, pair.part_a, pair.part_b)) {
    place.colour = colour::kFree;
    place.verdict = "allowed";
  }
  const std::string& unit = result.study.unit;
  if (touches_only(pair.path) && c.max_touching_thickness > pair.path.tolerance)
    place.size = fmt::format(
        "{}overlap by no more than {}, proved<br><span class=\"note\">{} at the times "
        "tested</span>",
        pair.path.may_reach_in ? std::string(surface_word(result)) + "s " : "",
        escape(length_text(c.max_touching_thickness, unit, Rounding::up)),
        escape(length_text(c.max_thickness, unit, Rounding::up)));
  else if (c.deepest.diameter.lower > pair.path.tolerance)
    place.size = fmt::format(
        "overlap {}{}", escape(thickness_text(c.deepest.diameter, unit)),
        c.deepest.diameter.upper > 1.5 * c.deepest.diameter.lower &&
                std::isfinite(c.deepest.diameter.upper)
            ? ", at most " + escape(length_text(c.deepest.diameter.upper, unit, Rounding::up))
            : "");
  return place;
}

WorstPlace narrow_place(const StudyResult& result, std::size_t part_a, std::size_t part_b, double s,
                        double distance) {
  return {part_a,   part_b,        s,      s,
          distance, colour::kFree, "near", escape(length_text(distance, result.study.unit))};
}

// Finds local minima of the clearance below the threshold, smallest first. Between any two the
// clearance is clearly larger (kWiden).
std::vector<WorstPlace> narrow_places(const StudyResult& result, const PairPath& pair) {
  const double threshold = result.study.clearance > 0 ? result.study.clearance : kInfinity;
  std::vector<WorstPlace> places;
  double widest = kInfinity;  // largest clearance since the last minimum
  for (const ClearanceSample& sample : pair.path.samples) {
    widest = std::max(widest, sample.clearance.upper);
    if (!(sample.clearance.upper < threshold) || !(sample.clearance.upper > 0)) continue;
    const WorstPlace place =
        narrow_place(result, pair.part_a, pair.part_b, sample.t, sample.clearance.upper);
    if (places.empty() || widest > kWiden * std::max(sample.clearance.upper, places.back().order)) {
      places.push_back(place);
      widest = sample.clearance.upper;
    } else if (sample.clearance.upper < places.back().order) {
      places.back() = place;
      widest = sample.clearance.upper;
    }
  }
  std::stable_sort(places.begin(), places.end(),
                   [](const WorstPlace& x, const WorstPlace& y) { return x.order < y.order; });
  if (places.size() > kMostOfPair) places.erase(places.begin() + kMostOfPair, places.end());
  return places;
}

std::vector<WorstPlace> places_of_path(const StudyResult& result, const PairPath& pair) {
  const PathResult& path = pair.path;
  std::vector<WorstPlace> places;
  if (path.verdict == PathVerdict::near || path.verdict == PathVerdict::undecided ||
      path.verdict == PathVerdict::open ||
      (path.verdict == PathVerdict::free && result.study.clearance == 0))
    places = narrow_places(result, pair);
  if (path.verdict == PathVerdict::near && !places.empty())
    places.front().size += fmt::format(
        "<br><span class=\"note\">at least {} on the whole path, proved</span>",
        escape(length_text(path.min_clearance.lower, result.study.unit, Rounding::down)));
  for (const ContactInterval& c : path.contacts) places.push_back(contact_place(result, pair, c));
  if (path.verdict == PathVerdict::undecided && !may_only_touch(path))
    places.push_back({pair.part_a, pair.part_b, path.decided_until, 1, 0, colour::kUndecided,
                      "not decided", "contacts may be missing"});
  return places;
}

// The smallest clearance of each pair without a path, as measured at recorded poses.
std::vector<WorstPlace> places_of_clearances(const StudyResult& result) {
  std::vector<WorstPlace> places;
  for (const Clearance& c : result.clearances) {
    if (std::any_of(result.paths.begin(), result.paths.end(), [&](const PairPath& pair) {
          return pair.part_a == c.part_a && pair.part_b == c.part_b;
        }))
      continue;
    const auto known = std::find_if(places.begin(), places.end(), [&](const WorstPlace& place) {
      return place.part_a == c.part_a && place.part_b == c.part_b;
    });
    const WorstPlace place =
        narrow_place(result, c.part_a, c.part_b, result.study.times[c.pose], c.distance);
    if (known == places.end())
      places.push_back(place);
    else if (c.distance < known->order)
      *known = place;
  }
  return places;
}

std::vector<WorstPlace> worst_places(const StudyResult& result) {
  std::vector<WorstPlace> places;
  if (!has_all_paths(result)) places = places_of_clearances(result);
  for (const PairPath& pair : result.paths)
    for (WorstPlace& place : places_of_path(result, pair)) places.push_back(std::move(place));
  for (const PartInside& pair : result.containments)
    places.push_back({pair.part_a, pair.part_b, pair.s, pair.s, -kInfinity, colour::kContact,
                      "clash", lies_inside(result, pair.part_a, pair.part_b, pair.containment)});
  for (const PartInside& pair : result.may_contain)
    places.push_back({pair.part_a, pair.part_b, pair.s, 1, -kInfinity, colour::kUndecided, "open",
                      "whether one lies inside the other is unknown"});
  std::stable_sort(places.begin(), places.end(),
                   [](const WorstPlace& x, const WorstPlace& y) { return x.order < y.order; });
  return places;
}

std::string chip(const Study& study, std::size_t part) {
  return fmt::format(R"(<span class="chip" style="background:{}"></span>{})",
                     part_colour(study, part), escape(study.parts[part].name));
}

std::string row(const StudyResult& result, const WorstPlace& place) {
  const std::size_t mover = moving_part(result.study, place.part_a, place.part_b, place.begin);
  const std::string where = place.end > place.begin
                                ? fmt::format("{} to {}", percent(place.begin), percent(place.end))
                                : percent(place.begin);
  return fmt::format(
      "<tr><td>{}<br>{}</td><td><span class=\"status\" style=\"color:{}\">{}</span></td><td>{}</td>"
      "<td>{}</td><td>{}</td></tr>\n",
      chip(result.study, place.part_a), chip(result.study, place.part_b), place.colour,
      place.verdict, place.size, where,
      escape(travel_text(result.study, travel_of_part(result, mover, place.begin))));
}

// One line that summarises the pairs that are not in the table.
std::string others(const StudyResult& result, const std::vector<WorstPlace>& places) {
  std::set<std::pair<std::size_t, std::size_t>> shown;
  for (const WorstPlace& place : places) shown.emplace(place.part_a, place.part_b);
  const std::size_t more = result.pair_count - std::min(result.pair_count, shown.size());
  const bool complete =
      std::none_of(result.steps.begin(), result.steps.end(),
                   [](const StudyStep& step) { return step.status == StepStatus::not_examined; });
  if (more == 0 || result.study.clearance == 0 || !complete) return "";
  const bool proved = has_all_paths(result) || least_clearance(result).proved > 0;
  return fmt::format("{}{} pair{} of parts never come{} nearer than {}{}. ", more,
                     shown.empty() ? "" : " other", more == 1 ? "" : "s", more == 1 ? "s" : "",
                     escape(length_text(result.study.clearance, result.study.unit)),
                     proved ? ", proved" : ", at the recorded poses");
}

}  // namespace

std::string places_section(const StudyResult& result) {
  const std::vector<WorstPlace> places = worst_places(result);
  std::string out;
  if (!places.empty()) {
    out =
        "<h3>The worst overlaps and clearances</h3>\n"
        "<div class=\"scroll\"><table><thead><tr><th>parts</th>"
        "<th>verdict</th><th>clearance or overlap</th><th>where on the path</th>"
        "<th>travelled by then</th></tr></thead><tbody>\n";
    for (std::size_t i = 0; i < std::min(places.size(), kMostPlaces); ++i)
      out += row(result, places[i]);
    out += "</tbody></table></div>\n";
  }
  std::string note = others(result, places);
  if (places.size() > kMostPlaces)
    note += fmt::format("{} more are in result.json. ", places.size() - kMostPlaces);
  if (const std::size_t missing = missing_paths(result); missing > 0)
    note += fmt::format("Of {} of {} the whole path was not followed. ", missing,
                        count_text(result.path_count, "pair"));
  if (!result.paths.empty())
    note += fmt::format(
        "Outside of the contacts the {} are proved to be apart. An overlap is as thick as the "
        "largest {} that fits into both parts.",
        is_about_surfaces(result) ? "surfaces" : "parts", of_drawings(result) ? "disc" : "ball");
  return note.empty() ? out : out + "<p class=\"note\">" + note + "</p>\n";
}

}  // namespace touche::study
