// SPDX-License-Identifier: Apache-2.0
#include "study/paths.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/budget_meter.h"
#include "base/progress_report.h"
#include "math/rounding.h"
#include "path/chord_error.h"
#include "path/clearance_profile.h"
#include "path/contact_depths.h"
#include "path/interior.h"
#include "path/parts_inside.h"
#include "path/soup_bodies.h"
#include "study/allowed.h"
#include "study/facts.h"
#include "study/shape_words.h"
#include "study/step_bounds.h"

namespace touche::study {

namespace {

/// The motion of one part over the whole path.
Motion motion_of(const Study& study, const std::vector<std::size_t>& groups, std::size_t part) {
  return groups[part] == kFixed ? Motion::at(Pose()) : study.groups[groups[part]].motion;
}

/// Finds the first position from which on one part is known to lie inside the other; if there is
/// none, the first one from which on that is unknown.
PartInside first_containment(const PairPath& pair) {
  PartInside first{pair.part_a, pair.part_b, pair.path.before, 0};
  for (const ContactInterval& contact : pair.path.contacts)
    if (paths::is_inside(contact.after)
            ? !paths::is_inside(first.containment)
            : contact.after == Containment::open && first.containment == Containment::none) {
      first.containment = contact.after;
      first.s = contact.end.upper;
    }
  if (first.containment == Containment::none && pair.path.verdict == PathVerdict::open)
    first.containment = Containment::open;
  return first;
}

/// Whether all contacts of a path are known, and what happened between them.
bool knows_containment(const PathResult& path) {
  return path.decided_until == 1 && path.before != Containment::undecided &&
         std::ranges::none_of(path.contacts, [](const ContactInterval& contact) {
           return contact.after == Containment::undecided;
         });
}

using Containments = std::map<std::pair<std::size_t, std::size_t>, PartInside>;

void list_containments(const Study& study, std::vector<paths::LazyInterior>& parts,
                       const Containments& found, StudyResult& result) {
  result.containments.clear();
  result.may_contain.clear();
  for (const auto& [pair, inside] : found) {
    if (paths::is_inside(inside.containment)) result.containments.push_back(inside);
    if (inside.containment != Containment::open || is_allowed(study, pair.first, pair.second))
      continue;
    PartInside& open = result.may_contain.emplace_back(inside);
    open.a_is_open = parts[pair.first].get().is_open();
    open.b_is_open = parts[pair.second].get().is_open();
  }
}

PathOptions path_options(const Study& study, const StudyOptions& options) {
  const double steps = static_cast<double>(study.times.size() - 1);
  return {.tolerance = study.tolerance,
          .clearance = study.clearance,
          .step = 1 / std::clamp(2 * steps, 64.0, 512.0),
          .thickness_points = options.thickness_points,
          .threads = options.threads,
          .budget = base::for_part(options.budget)};
}

/// Whether the health of a part's mesh shows, without its Interior, that the part is not open.
bool is_surely_closed(const StudyResult& result, std::size_t part) {
  const Health& health = result.health[part];
  return health.closed && health.oriented && health.duplicate_faces == 0;
}

/// Whether one part may reach into the other one: through openings, or through gaps from which they
/// are not proved to stay farther apart than these are wide.
bool may_reach_in(paths::LazyInterior& a, const Motion& motion_a, paths::LazyInterior& b,
                  const Motion& motion_b, double tolerance, const Budget& budget) {
  paths::SoupBodies bodies(a, b);
  if (!bodies.may_reach_in(motion_a, motion_b, 0, 1, 0)) return false;
  const double width =
      2 * std::max(base::data_of(a.get()).gap_width(), base::data_of(b.get()).gap_width());
  if (!(width > 0) || bodies.may_reach_in(motion_a, motion_b, 0, 1, width)) return true;
  const ToiResult apart =
      time_of_impact(a.object(), motion_a, b.object(), motion_b,
                     {.tolerance = tolerance, .clearance = width, .budget = budget});
  return apart.status != ToiStatus::free;
}

/// For each pair that was examined in some step, finds the position up to which its steps are
/// proved free.
std::map<std::pair<std::size_t, std::size_t>, double> free_until(const Study& study,
                                                                 const StudyResult& result) {
  std::map<std::pair<std::size_t, std::size_t>, double> free;
  for (const PairStep& step : result.pairs) {
    double& until = free.emplace(std::pair(step.part_a, step.part_b), 1.0).first->second;
    // The path itself determines how parts that touch at the start separate.
    if (step.separated_at > 0) until = 0;
    if (step.status == StepStatus::free) continue;
    const double s = path_position(study, step.step, step.time.lower) - math::kFormulaError;
    until = std::min(until, std::max(0.0, s));
  }
  return free;
}

}  // namespace

// Shapes are convex, so a ball in the polyhedron around a round shape lies in the shape once its
// radius is reduced by the mesh error. Hence the true overlap is thinner by at most twice that
// error, and an overlap that exceeds the allowed thickness by more than that is a clash.
void follow_paths(const Study& study, std::vector<paths::LazyInterior>& parts,
                  const StudyOptions& options, base::ProgressReport& progress,
                  StudyResult& result) {
  const auto pairs = free_until(study, result);
  result.path_count = pairs.size();
  const std::vector<std::size_t> groups = group_of_part(study);
  PathOptions how = path_options(study, options);
  // Chord errors are estimated for meshes only; for round shapes the mesh error is known.
  std::vector<std::vector<double>> chord_errors(parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p)
    if (!study.max_touching_thickness && !study.parts[p].shape)
      chord_errors[p] = paths::chord_errors_of(parts[p].object());
  progress.add_total(pairs.size());
  for (const auto& [pair, free] : pairs) {
    const auto [a, b] = pair;
    const Motion motion_a = motion_of(study, groups, a), motion_b = motion_of(study, groups, b);
    how.apart_until = free;
    const double thinner = 2 * std::max(mesh_error_of(study, a), mesh_error_of(study, b));
    how.max_touching_thickness = thinner + study.max_touching_thickness.value_or(0);
    how.chord_errors_a.swap(chord_errors[a]);
    how.chord_errors_b.swap(chord_errors[b]);
    // Where there is no contact, only the clearance is left to follow, with few samples where it is
    // wider than is shown.
    std::optional<paths::EarlyClearance> clearance;
    if (free >= 1)
      clearance = paths::follow_clearance_apart(
          paths::MovingPair(parts[a].object(), motion_a, parts[b].object(), motion_b, how), how,
          widest_shown(study));
    PairPath found{
        a, b, path(parts[a], motion_a, parts[b], motion_b, how, clearance ? &*clearance : nullptr)};
    how.chord_errors_a.swap(chord_errors[a]);
    how.chord_errors_b.swap(chord_errors[b]);
    if (options.budget.expired()) return;  // this path may be incomplete
    for (ContactInterval& contact : found.path.contacts)
      contact.deepest.diameter.lower = std::max(0.0, contact.deepest.diameter.lower - thinner);
    result.stats += found.path.stats;
    result.paths.push_back(std::move(found));
    progress.add_done();
  }
}

bool find_containments(const Study& study, std::vector<paths::LazyInterior>& parts,
                       const StudyOptions& options, StudyResult& result) {
  // Test the start of each pair that is separate there although its bounds overlap.
  Containments found;
  const std::vector<std::size_t> groups = group_of_part(study);
  const Budget any_work = base::with_any_work(options.budget);
  for (const PairStep& step : result.pairs) {
    const std::size_t a = step.part_a, b = step.part_b;
    if (step.step > 0) break;
    if (!(step.time.lower > 0)) continue;
    const Containment inside = paths::ContainmentTest(parts[a], parts[b])(
        motion_of(study, groups, a).pose(0), motion_of(study, groups, b).pose(0), any_work);
    if (inside == Containment::undecided) return false;
    found[{a, b}] = {a, b, inside, 0};
  }
  // Later a part may get into an open one without contact.
  std::set<std::pair<std::size_t, std::size_t>> tested;
  for (const PairStep& step : result.pairs) {
    const std::size_t a = step.part_a, b = step.part_b;
    if (!tested.emplace(a, b).second) continue;
    if (is_surely_closed(result, a) && is_surely_closed(result, b)) continue;
    PartInside& inside =
        found.try_emplace(std::pair(a, b), PartInside{a, b, Containment::none, 0}).first->second;
    paths::SoupBodies bodies(parts[a], parts[b]);
    const Motion motion_a = motion_of(study, groups, a), motion_b = motion_of(study, groups, b);
    if (may_reach_in(parts[a], motion_a, parts[b], motion_b, study.tolerance, any_work))
      result.may_reach_in.emplace_back(a, b);
    if (inside.containment != Containment::none) continue;
    inside.containment =
        bodies.containment_in_open(motion_a, motion_b, 0, 1, study.tolerance, any_work);
    if (inside.containment == Containment::undecided) return false;
  }
  std::ranges::sort(result.may_reach_in);
  list_containments(study, parts, found, result);
  return true;
}

void take_containments(const Study& study, std::vector<paths::LazyInterior>& parts,
                       StudyResult& result) {
  Containments found;
  for (const auto* list : {&result.may_contain, &result.containments})
    for (const PartInside& pair : *list) found[{pair.part_a, pair.part_b}] = pair;
  for (const PairPath& pair : result.paths) {
    const PartInside of_path = first_containment(pair);
    PartInside& known = found
                            .try_emplace(std::pair(pair.part_a, pair.part_b),
                                         PartInside{pair.part_a, pair.part_b, Containment::none, 0})
                            .first->second;
    // What is unknown of a path does not change what is known from the steps.
    if (paths::is_inside(known.containment) && of_path.containment == Containment::open) continue;
    if (knows_containment(pair.path) || paths::is_inside(of_path.containment) ||
        known.containment == Containment::none)
      known = of_path;
  }
  list_containments(study, parts, found, result);
  // The proved clearance of a path may exceed the width of gaps.
  std::erase_if(result.may_reach_in, [&](const auto& pair) {
    return std::ranges::any_of(result.paths, [&](const PairPath& path) {
      return std::pair(path.part_a, path.part_b) == pair && !path.path.may_reach_in;
    });
  });
}

}  // namespace touche::study
