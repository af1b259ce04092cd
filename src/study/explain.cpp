// SPDX-License-Identifier: Apache-2.0
#include "study/explain.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/budget_meter.h"
#include "report/plane_words.h"
#include "study/describe.h"
#include "study/step_bounds.h"

namespace touche {
namespace {

// Work limit of a hint, about one second. If the shifted path needs more node and triangle pairs,
// the hint says up to where it is proved free.
constexpr std::uint64_t kMostShiftedWork = 1'000'000;

// A shift helps if the path is then free for longer by at least this share of the remaining path.
// Without this, a shift that merely meets the opposite wall would count.
constexpr double kClearlyLater = 0.1;

Motion motion_of(const Study& study, const std::vector<std::size_t>& groups, std::size_t part) {
  return groups[part] == study::kFixed ? Motion::at(Pose()) : study.groups[groups[part]].motion;
}

// The thickest known overlap of a pair; 0 if none is known.
double known_thickness(const StudyResult& result, const PairStep& pair) {
  double thickest = 0;
  for (const PairPath& path : result.paths)
    if (path.part_a == pair.part_a && path.part_b == pair.part_b)
      for (const ContactInterval& contact : path.path.contacts)
        if (std::isfinite(contact.deepest.diameter.upper))
          thickest = std::max(thickest, contact.deepest.diameter.upper);
  return thickest;
}

// Returns the opening with the largest clearance among several shifts, `most` being the largest
// shift. In a narrow gap, a part that is shifted too far meets the opposite side, so smaller shifts
// are tried as well. A clearance up to the tolerance does not count.
template <class OpeningOf>
std::optional<Opening> widest_opening(double most, double tolerance, const OpeningOf& opening_of) {
  constexpr double kShrink = 0.25;
  std::optional<Opening> widest;
  double clearance = tolerance;
  // Touching objects separate by no more than the shift, so smaller shifts cannot improve.
  for (double shift = most; shift > clearance; shift *= kShrink) {
    const std::optional<Opening> found = opening_of(shift);
    if (!found || !(found->clearance.lower > clearance)) continue;
    widest = found;
    clearance = found->clearance.lower;
  }
  return widest;
}

}  // namespace

namespace study {

void find_hint(const Study& study, const std::vector<Object>& parts, const StudyOptions& options,
               StudyResult& result) {
  if (!result.first) return;
  const PairStep& pair = result.pairs[*result.first];
  if (!pair.contact) return;
  // How far to shift a part: the overlap plus the required clearance. If no overlap is known, a
  // hint from before the paths were followed is the one that would be found now.
  const double thickest = known_thickness(result, pair);
  if (result.hint && thickest == 0) return;
  const double most = 1.1 * thickest + study.clearance + 100 * pair.tolerance;

  // Move the part that moves in the study, and describe the contact from its side.
  const std::vector<std::size_t> groups = group_of_part(study);
  const bool swapped = groups[pair.part_a] == kFixed;
  const std::size_t part = swapped ? pair.part_b : pair.part_a;
  const std::size_t other = swapped ? pair.part_a : pair.part_b;
  Contact contact = *pair.contact;
  if (swapped) {
    std::swap(contact.face_a, contact.face_b);
    contact.normal = -contact.normal;
  }
  const Motion motion = motion_of(study, groups, part), obstacle = motion_of(study, groups, other);
  const double s = result.time.upper;
  const Pose at = motion.pose(s), at_other = obstacle.pose(s);
  const Budget any_work = base::with_any_work(options.budget);
  const auto open = widest_opening(most, pair.tolerance, [&](double shift) {
    return opening(parts[part], at, parts[other], at_other, contact, shift, any_work).best;
  });
  if (!open) return;
  result.hint = StudyHint{part, other, *open, std::nullopt};

  // Shift the fixed part in the opposite direction, which is equivalent to shifting the path.
  if (groups[other] != kFixed) return;
  const Budget budget =
      base::with_work(options.budget, std::min(options.budget.max_work, kMostShiftedWork));
  const Motion back = Motion::at(Pose::from_translation(-open->shift * open->direction));
  result.hint->shifted = time_of_impact(parts[part], motion, parts[other], back,
                                        {.tolerance = study.tolerance, .budget = budget});
  result.stats += result.hint->shifted->stats;
}

bool shift_helps(const StudyResult& result) {
  if (!result.hint) return false;
  const std::optional<ToiResult>& shifted = result.hint->shifted;
  if (!shifted || shifted->status == ToiStatus::free) return true;
  const double s = result.time.upper;
  return shifted->time.lower - s >= kClearlyLater * (1 - s) && shifted->time.lower > s;
}

}  // namespace study

namespace {

// "meet after 27.9 % of the path"
std::string with_shift(const ToiResult& shifted) {
  switch (shifted.status) {
    case ToiStatus::free:
      return "are proved never to touch";
    case ToiStatus::contact:
    case ToiStatus::initially_touching:
      return "meet " + report::place_text(shifted.time.upper);
    case ToiStatus::undecided:
      break;
  }
  return fmt::format("are proved apart on the first {} of it, the rest was not decided",
                     report::percent(shifted.time.lower, report::Rounding::down));
}

}  // namespace

std::string explanation(const StudyResult& result) {
  if (!result.hint) return "";
  const StudyHint& hint = *result.hint;
  const std::string& unit = result.study.unit;
  const std::string name = report::with_article(result.study.parts[hint.part].name);
  const std::string moved =
      fmt::format("moved by {} along {}", report::length_text(hint.opening.shift, unit),
                  report::direction_text(hint.opening.direction, study::of_drawings(result)));
  if (!study::shift_helps(result))
    return fmt::format(
        "What to change: not a shift in the direction in which the first contact opens. With the "
        "whole path of {} {}, these two {}: {} than before.",
        name, moved, with_shift(*hint.shifted),
        hint.shifted->time.lower > result.time.upper ? "hardly later" : "no later");
  const std::string text = fmt::format(
      "What to change: {}, {} is at least {} clear of {} at the first contact", moved, name,
      report::length_text(hint.opening.clearance.lower, unit, report::Rounding::down),
      report::with_article(result.study.parts[hint.other].name));
  if (!hint.shifted) return text + ". A hint: the rest of the path was not tested.";
  return text + "; with its whole path moved so, these two " + with_shift(*hint.shifted) +
         ". A hint: other parts were not tested.";
}

}  // namespace touche
