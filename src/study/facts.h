// SPDX-License-Identifier: Apache-2.0
// The facts of a result that its sentences, tables and pictures state.
#pragma once

#include <optional>

#include "touche/study.h"

namespace touche::study {

/// Two parts at a position of the path, and their distance there.
struct Place {
  std::size_t part_a = 0, part_b = 0;
  double s = 0;
  double distance = 0;
};

/// The least clearance of all moving pairs, as far as it is known. Pairs in an allowed contact do
/// not count.
struct LeastClearance {
  double proved = 0;           ///< proved lower bound; 0 if nothing is known about some pair
  std::optional<Place> found;  ///< the smallest measured clearance
  bool everywhere = false;     ///< of all pairs, also measured between the recorded poses
};
LeastClearance least_clearance(const StudyResult& result);

/// Length: larger clearances are not shown, because the narrow passages matter. Infinite without a
/// threshold.
inline double widest_shown(const Study& study) {
  return study.clearance > 0 ? 2 * study.clearance : kInfinity;
}

/// The number of pairs whose whole path was to be followed and was not, because the study was
/// stopped.
std::size_t missing_paths(const StudyResult& result);
/// Returns whether whole paths were followed, and all of them.
bool has_all_paths(const StudyResult& result);

/// Returns whether what is proved is about surfaces only: a part is open, and another one may lie
/// inside it or reach into it.
inline bool is_about_surfaces(const StudyResult& result) {
  return !result.may_contain.empty() || !result.may_reach_in.empty();
}

/// Returns whether all surfaces are proved free on the whole path; an open part may still contain
/// another one.
bool are_surfaces_free(const StudyResult& result);

/// Returns whether the surfaces of a pair are in contact and proved to do no more than touch.
bool touches_only(const PathResult& path);

/// Returns whether parts touch on the path and none of them clash.
bool only_touching(const StudyResult& result);

/// Returns whether all contacts were mere touches at every examined time, without a proof between
/// these times.
bool may_only_touch(const PathResult& path);
/// Returns whether such unproved touches are the only obstacle to `only_touching`.
bool may_only_touch(const StudyResult& result);

/// The thickest overlap of pairs that only touch: at no examined time is one thicker than `most`, a
/// length.
struct ThickestTouch {
  const PairPath* pair = nullptr;  ///< null if no pair touches; allowed contacts do not count
  double most = 0;
};
ThickestTouch thickest_touch(const StudyResult& result);

/// The contact with the thickest overlap of all paths, or null if there is none. Allowed contacts
/// count only if there are no others.
struct ThickestOverlap {
  const PairPath* pair = nullptr;
  const ContactInterval* contact = nullptr;
  bool allowed = false;
};
ThickestOverlap thickest_overlap(const StudyResult& result);

/// Returns whether no contact can precede the first one that was found.
bool is_surely_first(const StudyResult& result);

}  // namespace touche::study
