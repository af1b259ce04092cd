// SPDX-License-Identifier: Apache-2.0
#include "study/explain.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "study/step_bounds.h"

namespace touche {
namespace {

Motion motion_of(const Study& study, const std::vector<std::size_t>& groups, std::size_t part) {
  return groups[part] == study::kFixed ? Motion::at(Pose()) : study.groups[groups[part]].motion;
}

// As far as the thickest overlap that is known of the pair, and what has to be kept besides.
double shift_for(const Study& study, const StudyResult& result, const PairStep& pair) {
  double thickest = 0;
  for (const PairPath& path : result.paths)
    if (path.part_a == pair.part_a && path.part_b == pair.part_b)
      for (const ContactInterval& contact : path.path.contacts)
        if (std::isfinite(contact.deepest.diameter.upper))
          thickest = std::max(thickest, contact.deepest.diameter.upper);
  return 1.1 * thickest + study.clearance + 100 * pair.tolerance;
}

}  // namespace

namespace study {

void find_hint(const Study& study, const std::vector<Object>& parts, const StudyOptions& options,
               StudyResult& result) {
  if (!result.first) return;
  const PairStep& pair = result.pairs[*result.first];
  if (!pair.contact) return;

  // Move the part that the study moves; its contact is seen from there.
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
  const auto open = opening(parts[part], motion.pose(s), parts[other], obstacle.pose(s), contact,
                            shift_for(study, result, pair));
  if (!open) return;
  result.hint = StudyHint{part, other, *open, std::nullopt};

  // The path of the part shifted one way is that of what stands still shifted the other way.
  if (groups[other] != kFixed) return;
  const Motion back = Motion::at(Pose::from_translation(-open->shift * open->direction));
  result.hint->shifted = time_of_impact(parts[part], motion, parts[other], back,
                                        {.tolerance = study.tolerance, .budget = options.budget});
  result.stats += result.hint->shifted->stats;
}

}  // namespace study

std::string explanation(const StudyView& view) {
  if (!view.result.hint) return "";
  const StudyHint& hint = *view.result.hint;
  const std::string &part = view.study.parts[hint.part].name,
                    &other = view.study.parts[hint.other].name;
  const Vec3& n = hint.opening.direction;
  std::string text = fmt::format(
      "What to change: at the first contact (s = {:.6g}), {} moved by {:.4g} {} along ({:.4g}, "
      "{:.4g}, {:.4g}) is proved to be at least {:.4g} {} away from {}.",
      view.result.time.upper, part, hint.opening.shift, view.study.unit, n.x(), n.y(), n.z(),
      hint.opening.clearance.lower, view.study.unit, other);
  if (!hint.shifted) return text + " A hint: the rest of the path was not asked.";
  switch (hint.shifted->status) {
    case ToiStatus::free:
      text += fmt::format(
          " With the whole path of {} moved so, these two are proved never to touch.", part);
      break;
    case ToiStatus::contact:
    case ToiStatus::initially_touching:
      text += fmt::format(" With the whole path of {} moved so, these two meet at s = {:.6g}.",
                          part, hint.shifted->time.upper);
      break;
    case ToiStatus::undecided:
      text += fmt::format(
          " With the whole path of {} moved so, these two are proved apart before s = "
          "{:.6g}; the rest was not decided.",
          part, hint.shifted->time.lower);
      break;
  }
  return text + " A hint: other parts were not asked.";
}

}  // namespace touche
