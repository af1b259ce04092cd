// SPDX-License-Identifier: Apache-2.0
// States the answer in words: which parts meet, how far the part gets, and how severe it is.
// Numbers of steps, faces and edges are left to the tables.
#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "report/plane_words.h"
#include "study/allowed.h"
#include "study/describe.h"
#include "study/facts.h"
#include "study/shape_words.h"
#include "study/travel.h"

namespace touche {
namespace {

using namespace report;
using namespace study;

std::string name_of(const StudyResult& result, std::size_t part) {
  return with_article(result.study.parts[part].name);
}

std::string both(const StudyResult& result, std::size_t part_a, std::size_t part_b) {
  return name_of(result, part_a) + " and " + name_of(result, part_b);
}

// ", having travelled 41.2 mm and turned 8.5°"
std::string way_of(const StudyResult& result, std::size_t part, double s) {
  const Travel way = travel_of_part(result, part, s);
  const std::string length = travel_text(result.study, {way.length, 0});
  const std::string angle = travel_text(result.study, {0, way.angle});
  if (length.empty() && angle.empty()) return "";
  if (angle.empty()) return fmt::format(", having travelled {}", length);
  if (length.empty()) return fmt::format(", having turned {}", angle);
  return fmt::format(", having travelled {} and turned {}", length, angle);
}

// "the bulb base meets the housing after 27.9 % of the path, having travelled 41.2 mm"
std::string first_contact(const StudyResult& result) {
  const PairStep& pair = result.pairs[*result.first];
  const double s = path_position(result.study, pair.step, pair.time.upper);
  const std::size_t mover = moving_part(result.study, pair.part_a, pair.part_b, s);
  const std::size_t other = mover == pair.part_a ? pair.part_b : pair.part_a;
  std::string who = name_of(result, other);
  if (pair.contact) {
    const Index face = mover == pair.part_a ? pair.contact->face_b : pair.contact->face_a;
    const std::string_view group = result.parts[other].soup().face_group(face);
    if (!group.empty() && group != result.study.parts[other].name)
      who = fmt::format("{} of {}", with_article(group), who);
  }
  if (s <= 0) return fmt::format("{} touches {} at the very start", name_of(result, mover), who);
  return fmt::format("{} meets {} {}{}", name_of(result, mover), who, place_text(s),
                     way_of(result, mover, s));
}

// Of pairs with an open part, only the surfaces are proved free.
std::string proved_part(const StudyResult& result) {
  if (!(result.time.lower > 0)) return "no piece of the path is proved free";
  const std::string first = percent(result.time.lower, Rounding::down);
  return is_about_surfaces(result)
             ? fmt::format("on the first {} of the path it is proved that no {}s meet", first,
                           surface_word(result))
             : fmt::format("the first {} of the path is proved free", first);
}

std::string before_contact(const StudyResult& result) {
  if (!is_surely_first(result))
    return fmt::format("; there may be an earlier contact: {}{}",
                       result.time.lower > 0 ? "only " : "", proved_part(result));
  if (!(result.time.lower > 0)) return "";
  return is_about_surfaces(result)
             ? fmt::format("; it is proved that no {}s meet before that", surface_word(result))
             : "; everything before that is proved free";
}

// Explains why overlaps of this thickness count as touching. A pair's tolerance exceeds the study's
// if the rounding of its coordinates requires it.
const char* why_touching(const StudyResult& result, const ThickestTouch& touch) {
  const std::optional<double>& said = result.study.max_touching_thickness;
  if (said && touch.most <= *said) return "the limit that was given for touching";
  if (touch.most <= touch.pair->path.tolerance)
    return "the rounding error of positions on this path";
  if (of_drawings(result)) return "the deviation of chords from curves";
  return said ? "the deviation of polyhedra from round shapes"
              : "the deviation of meshes from smooth surfaces (an estimate)";
}

std::string touches(const StudyResult& result) {
  const std::string what =
      is_about_surfaces(result) ? fmt::format("{}s", surface_word(result)) : "parts";
  std::string text =
      fmt::format("; it is proved that on the whole path {} only touch and do not clash", what);
  const ThickestTouch touch = thickest_touch(result);
  if (!(touch.most > result.study.tolerance)) return text;
  return text + fmt::format(": {} overlap by more than {}, {}",
                            is_about_surfaces(result) ? "the " + what + " of no two" : "no two",
                            length_text(touch.most, result.study.unit, Rounding::up),
                            why_touching(result, touch));
}

std::string overlap(const StudyResult& result) {
  if (only_touching(result)) return touches(result);
  if (may_only_touch(result))
    return "; at the times tested parts only touch, but that is not proved for the times between";
  const ThickestOverlap thickest = thickest_overlap(result);
  if (thickest.contact == nullptr || thickest.allowed ||
      !(thickest.contact->deepest.diameter.lower > result.study.tolerance))
    return "";
  const PairStep& first = result.pairs[*result.first];
  const bool same = first.part_a == thickest.pair->part_a && first.part_b == thickest.pair->part_b;
  const Thickness& deepest = thickest.contact->deepest;
  return fmt::format("; at worst {} overlap by {}, {}",
                     same ? "they" : both(result, thickest.pair->part_a, thickest.pair->part_b),
                     thickness_text(deepest.diameter, result.study.unit),
                     place_text(thickest.contact->deepest_at));
}

// States the clearance of all pairs except the ones with an allowed contact; empty if there are no
// others.
std::string clearance(const StudyResult& result) {
  if (result.allowed.size() == result.pair_count) return "";
  const LeastClearance least = least_clearance(result);
  const std::string& unit = result.study.unit;
  std::string text;
  if (least.found)
    text = fmt::format("; the smallest clearance {} is {}, between {} {}",
                       result.paths.empty() ? "at the recorded poses" : "found",
                       length_text(least.found->distance, unit),
                       both(result, least.found->part_a, least.found->part_b),
                       place_text(least.found->s));
  else if (result.study.clearance > 0 && !result.pairs.empty())
    text = fmt::format("; at the recorded poses no two {}parts are closer than {}",
                       result.allowed.empty() ? "" : "other ",
                       length_text(result.study.clearance, unit));
  if (least.proved > 0)
    text += fmt::format("; at least {} is proved on the whole path",
                        length_text(least.proved, unit, Rounding::down));
  else if (least.everywhere)
    text += "; how little it may be in between is not proved";
  return text;
}

// "the mover lies inside the wall after 27.9 % of the path"
std::string containment(const StudyResult& result) {
  if (result.containments.empty()) return "";
  const PartInside& pair = result.containments.front();
  const bool a_in_b = pair.containment == Containment::a_in_b;
  return fmt::format("{} lies inside {} {}", name_of(result, a_in_b ? pair.part_a : pair.part_b),
                     name_of(result, a_in_b ? pair.part_b : pair.part_a), place_text(pair.s));
}

// "whether the mover lies inside the wall is unknown: the wall is open"
std::string may_contain(const StudyResult& result) {
  if (result.may_contain.empty()) return "";
  const PartInside& first = result.may_contain.front();
  const auto has_gaps = [&](std::size_t part) {
    return Interior(result.parts[part]).closed_gap() > 0;
  };
  const bool one_is_open = first.a_is_open || first.b_is_open;
  const std::size_t outer =
      first.b_is_open || (!one_is_open && has_gaps(first.part_b)) ? first.part_b : first.part_a;
  const std::size_t inner = outer == first.part_b ? first.part_a : first.part_b;
  std::string text = fmt::format("whether {} lies inside {} is unknown: ", name_of(result, inner),
                                 name_of(result, outer));
  text += first.a_is_open && first.b_is_open
              ? std::string("both are open")
              : fmt::format("{} {}", name_of(result, outer),
                            one_is_open ? "is open" : "has gaps that are near");
  if (const std::optional<Vec3> at = Interior(result.parts[outer]).open_at())
    text += fmt::format("{} at {} in its coordinates",
                        first.a_is_open && first.b_is_open ? "; " + name_of(result, outer) : ",",
                        point_text(*at, result.study.unit, of_drawings(result)));
  const std::size_t others = result.may_contain.size() - 1;
  if (others > 0) text += fmt::format("; likewise for {} more", count_text(others, "pair"));
  return text;
}

// "the nut and the washer"; the first few of many
std::string names_of_parts(const StudyResult& result, const std::vector<std::size_t>& parts) {
  constexpr std::size_t kNamed = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamed, parts.size()); ++i) {
    const bool last = i + 1 == parts.size();
    text += (i == 0 ? "" : last ? " and " : ", ") + name_of(result, parts[i]);
  }
  if (parts.size() <= kNamed) return text;
  return text + fmt::format(" and {} more", number_text(parts.size() - kNamed));
}

// "The nut travelled 20 mm and turned 10 turns; the bolt did not move.": of the groups, since all
// other parts stand still.
std::string travels(const StudyResult& result) {
  constexpr std::size_t kNamed = 8;
  std::string text;
  std::size_t count = 0;
  for (const StudyGroup& group : result.study.groups) {
    if (group.parts.empty() || ++count > kNamed) continue;
    const Travel way = travel_of_part(result, group.parts.front(), 1);
    const std::string length = travel_text(result.study, {way.length, 0});
    const std::string angle = travel_text(result.study, {0, way.angle});
    const std::string moved = length.empty() && angle.empty() ? "did not move"
                              : angle.empty()                 ? "travelled " + length
                              : length.empty()
                                  ? "turned by " + angle
                                  : fmt::format("travelled {} and turned by {}", length, angle);
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", names_of_parts(result, group.parts),
                        moved);
  }
  if (count > kNamed) text += fmt::format("; {} more groups moved", number_text(count - kNamed));
  return text.empty() ? "" : " " + begin_sentence(text) + ".";
}

// What a study can say about parts that touch by design.
std::string what_allows(const StudyResult& result) {
  const PairStep& pair = result.pairs[*result.first];
  if (path_position(result.study, pair.step, pair.time.upper) > 0) return "";
  const char* allowed = "\"allowed_contacts\" in the study allows two parts to touch";
  if (result.study.may_separate)
    return fmt::format(" \"may_separate\" is set, but it is not proved that they come apart; {}.",
                       allowed);
  return fmt::format(
      " If that is meant: \"may_separate\": true in the study allows parts that touch at the start "
      "to come apart, and {}.",
      allowed);
}

// Lists the exceptions: contacts on a path that is called free.
std::string exceptions(const StudyResult& result) {
  const bool allowed = !result.allowed.empty(), apart = !result.separated.empty();
  return fmt::format("{}{}", allowed ? ", except where that is allowed" : "",
                     !apart    ? ""
                     : allowed ? " and at the start"
                               : ", except at the start");
}

std::string answer(const StudyResult& result) {
  switch (result.verdict) {
    case StudyVerdict::free:
      return fmt::format("Free, proved: no {} touches another on the whole path{}{}{}.{}",
                         result.may_reach_in.empty() ? "part" : surface_word(result),
                         exceptions(result),
                         result.may_reach_in.empty() ? "" : ", and no part lies inside another",
                         clearance(result), travels(result));
    case StudyVerdict::open:
      return fmt::format("No {} touches another on the whole path{}, proved{}. {}.{}",
                         surface_word(result), exceptions(result), clearance(result),
                         capitalised(may_contain(result)), travels(result));
    case StudyVerdict::inside:
      return fmt::format("Not free: {}, though no {} touches another.", containment(result),
                         face_word(result));
    case StudyVerdict::contact:
      return fmt::format(
          "{}{}{}{}{}{}{}.{}", begin_sentence(first_contact(result)), before_contact(result),
          overlap(result), result.containments.empty() ? "" : "; ", containment(result),
          result.may_contain.empty() ? "" : "; ", may_contain(result), what_allows(result));
    case StudyVerdict::undecided:
      return fmt::format(
          "Not decided: no contact was found, but not every pair could be answered; {}.",
          proved_part(result));
    case StudyVerdict::interrupted:
      if (result.time.lower >= 1)
        return fmt::format(
            "Interrupted: no part touches another on the whole path{}, proved; how much clearance "
            "is left, and whether a part lies inside another, was not determined.",
            exceptions(result));
      return fmt::format("Interrupted: {}{}{}.", proved_part(result),
                         result.time.lower > 0 ? ", the rest is not decided" : "",
                         result.first ? "; a contact was found: " + first_contact(result) : "");
  }
  return {};
}

// " Interrupted after the steps: the whole paths of 4 of 7 pairs are missing, …"
std::string missing_sentence(const StudyResult& result) {
  const std::size_t missing = missing_paths(result);
  if (missing == 0) return "";
  return fmt::format(
      " Interrupted after the steps: of {} of {} the whole path was not followed, which gives the "
      "clearance between recorded poses, and how thick overlaps are.",
      missing, count_text(result.path_count, "pair"));
}

}  // namespace

std::string verdict_sentence(const StudyResult& result) {
  return answer(result) + gap_sentence(result) + allowed_sentences(result) +
         missing_sentence(result);
}

std::string verdict_details(const StudyResult& result) {
  if (!result.first) return "";
  const PairStep& pair = result.pairs[*result.first];
  std::string text = describe_contact(result, pair);
  if (pair.contact)
    text += fmt::format(", at {}",
                        point_text(pair.contact->point_a, result.study.unit, of_drawings(result)));
  return text + fmt::format("; s = {:.6g}, step {} (t = {:.4g})",
                            path_position(result.study, pair.step, pair.time.upper), pair.step,
                            pair.time.upper);
}

}  // namespace touche
