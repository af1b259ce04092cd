// SPDX-License-Identifier: Apache-2.0
#include "study/facts.h"

#include <algorithm>

#include "study/allowed.h"

namespace touche::study {
namespace {

template <typename Pair>
bool touches_as_allowed(const StudyResult& result, const Pair& pair) {
  return std::any_of(result.allowed.begin(), result.allowed.end(), [&](const AllowedTouch& touch) {
    const AllowedContact& c = result.study.allowed_contacts[touch.allowed];
    return c.part_a == pair.part_a && c.part_b == pair.part_b;
  });
}

}  // namespace

LeastClearance least_clearance(const StudyResult& result) {
  LeastClearance least;
  const auto consider = [&](const Place& place) {
    if (!least.found || place.distance < least.found->distance) least.found = place;
  };
  for (const PairPath& pair : result.paths)
    if (pair.path.min_clearance.upper < kInfinity && !touches_as_allowed(result, pair))
      consider(
          {pair.part_a, pair.part_b, pair.path.min_clearance_at, pair.path.min_clearance.upper});
  for (const Clearance& c : result.clearances)
    if (!touches_as_allowed(result, c))
      consider({c.part_a, c.part_b, result.study.times[c.pose], c.distance});

  // Unexamined pairs keep at least the threshold; otherwise they would have been examined.
  const bool all = result.paths.size() == result.pair_count;
  least.everywhere = has_all_paths(result);
  if (!are_surfaces_free(result) || missing_paths(result) > 0) return least;
  if (result.paths.empty()) {
    if (result.pairs.empty() && result.pair_count > 0) least.proved = result.study.clearance;
    return least;
  }
  least.proved = all ? kInfinity : result.study.clearance;
  for (const PairPath& pair : result.paths)
    if (!touches_as_allowed(result, pair))
      least.proved = std::min(least.proved, pair.path.min_clearance.lower);
  if (least.proved == kInfinity) least.proved = 0;  // there is no other pair
  return least;
}

std::size_t missing_paths(const StudyResult& result) {
  return result.path_count - std::min(result.path_count, result.paths.size());
}

bool has_all_paths(const StudyResult& result) {
  return !result.paths.empty() && missing_paths(result) == 0;
}

bool are_surfaces_free(const StudyResult& result) {
  return result.verdict == StudyVerdict::free || result.verdict == StudyVerdict::open;
}

bool touches_only(const PathResult& path) {
  return path.verdict == PathVerdict::touching ||
         (path.verdict == PathVerdict::open && !path.contacts.empty());
}

bool only_touching(const StudyResult& result) {
  bool touching = false;
  if (missing_paths(result) > 0) return false;
  for (const PairPath& pair : result.paths) {
    if (pair.path.verdict == PathVerdict::clash || pair.path.verdict == PathVerdict::undecided)
      return false;
    touching = touching || touches_only(pair.path);
  }
  return touching;
}

bool may_only_touch(const PathResult& path) {
  const auto& contacts = path.contacts;
  return path.verdict == PathVerdict::undecided && path.decided_until == 1 && !contacts.empty() &&
         std::all_of(contacts.begin(), contacts.end(),
                     [](const ContactInterval& c) { return c.only_touching; });
}

bool may_only_touch(const StudyResult& result) {
  bool found = false;
  if (missing_paths(result) > 0) return false;
  for (const PairPath& pair : result.paths) {
    const bool open = may_only_touch(pair.path);
    if (pair.path.verdict == PathVerdict::clash ||
        (pair.path.verdict == PathVerdict::undecided && !open))
      return false;
    found = found || open;
  }
  return found;
}

ThickestTouch thickest_touch(const StudyResult& result) {
  ThickestTouch thickest;
  for (const PairPath& pair : result.paths)
    if (touches_only(pair.path) && !is_allowed(result.study, pair.part_a, pair.part_b))
      for (const ContactInterval& contact : pair.path.contacts)
        if (contact.max_touching_thickness > thickest.most)
          thickest = {&pair, contact.max_touching_thickness};
  return thickest;
}

ThickestOverlap thickest_overlap(const StudyResult& result) {
  ThickestOverlap thickest;
  for (const PairPath& pair : result.paths) {
    const bool allowed = is_allowed(result.study, pair.part_a, pair.part_b);
    for (const ContactInterval& contact : pair.path.contacts) {
      const bool thicker =
          thickest.contact == nullptr ||
          contact.deepest.diameter.lower > thickest.contact->deepest.diameter.lower;
      if (thickest.contact == nullptr || (allowed == thickest.allowed ? thicker : !allowed))
        thickest = {&pair, &contact, allowed};
    }
  }
  return thickest;
}

bool is_surely_first(const StudyResult& result) {
  if (!result.first) return false;
  const PairStep& first = result.pairs[*result.first];
  return result.time.lower >= path_position(result.study, first.step, first.time.lower);
}

}  // namespace touche::study
