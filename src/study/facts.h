// SPDX-License-Identifier: Apache-2.0
// The facts of a result that sentences, tables and pictures are about.
#pragma once

#include <optional>

#include "touche/study.h"

namespace touche::study {

/// Two parts at a place of the path, a distance apart.
struct Place {
  std::size_t part_a = 0, part_b = 0;
  double s = 0;
  double distance = 0;
};

/// The least clearance of all pairs that move, as far as it is known; without those that touch
/// where they are allowed to.
struct LeastClearance {
  double proved = 0;           ///< nowhere is it less; 0 where nothing is known of some pair
  std::optional<Place> found;  ///< the smallest of all that were measured
  bool everywhere = false;     ///< looked for between the recorded poses, too
};
LeastClearance least_clearance(const StudyView& view);

/// Length: wider clearances are not shown, for the narrow places matter. Infinite without a
/// threshold.
inline double widest_shown(const Study& study) {
  return study.clearance > 0 ? 2 * study.clearance : kInfinity;
}

/// Whether parts touch, and none clash, on the whole path.
bool only_touching(const StudyResult& result);

/// Whether contacts do no more than touch at all times looked at, without proof for those between.
bool may_only_touch(const PathResult& path);
/// Whether that is all that keeps parts from only touching.
bool may_only_touch(const StudyResult& result);

/// No overlap of pairs that only touch is thicker than `most`, a length, at any time looked at.
struct ThickestTouch {
  const PairPath* pair = nullptr;  ///< null where no pair touches; allowed contacts do not count
  double most = 0;
};
ThickestTouch thickest_touch(const StudyView& view);

/// The contact of all paths with the thickest overlap; null when there is none. Contacts that are
/// allowed count only where there are no others.
struct ThickestOverlap {
  const PairPath* pair = nullptr;
  const ContactInterval* contact = nullptr;
  bool allowed = false;
};
ThickestOverlap thickest_overlap(const StudyView& view);

/// Whether nothing can have touched before the first contact that was found.
bool is_surely_first(const StudyView& view);

}  // namespace touche::study
