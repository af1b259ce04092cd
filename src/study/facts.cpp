// SPDX-License-Identifier: Apache-2.0
#include "study/facts.h"

#include <algorithm>

namespace touche::study {

LeastClearance least_clearance(const StudyView& view) {
  const StudyResult& result = view.result;
  LeastClearance least;
  const auto consider = [&](const Place& place) {
    if (!least.found || place.distance < least.found->distance) least.found = place;
  };
  for (const PairPath& pair : result.paths)
    if (pair.path.min_clearance.upper < kInfinity)
      consider(
          {pair.part_a, pair.part_b, pair.path.min_clearance_at, pair.path.min_clearance.upper});
  for (const Clearance& c : result.clearances)
    consider({c.part_a, c.part_b, view.study.times[c.pose], c.distance});

  // Pairs that were never examined keep the threshold: otherwise they would have been examined.
  const bool all = result.paths.size() == result.pair_count;
  least.everywhere = !result.paths.empty();
  if (result.paths.empty() || result.verdict != StudyVerdict::free) return least;
  least.proved = all ? kInfinity : view.study.clearance;
  for (const PairPath& pair : result.paths)
    least.proved = std::min(least.proved, pair.path.min_clearance.lower);
  return least;
}

bool only_touching(const StudyResult& result) {
  bool touching = false;
  for (const PairPath& pair : result.paths) {
    if (pair.path.verdict == PathClass::clash || pair.path.verdict == PathClass::undecided)
      return false;
    touching = touching || pair.path.verdict == PathClass::touching;
  }
  return touching;
}

ThickestOverlap thickest_overlap(const StudyResult& result) {
  ThickestOverlap thickest;
  for (const PairPath& pair : result.paths)
    for (const ContactInterval& contact : pair.path.contacts)
      if (thickest.contact == nullptr ||
          contact.deepest.diameter.lower > thickest.contact->deepest.diameter.lower)
        thickest = {&pair, &contact};
  return thickest;
}

bool is_surely_first(const StudyView& view) {
  if (!view.result.first) return false;
  const PairStep& first = view.result.pairs[*view.result.first];
  return view.result.time.lower >= path_position(view.study, first.step, first.time.lower);
}

}  // namespace touche::study
