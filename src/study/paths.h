// SPDX-License-Identifier: Apache-2.0
// Pairs of parts over the whole path.
#pragma once

#include "touche/study.h"

namespace touche::study {

/// Adds the paths of all pairs that some step examined. False when it was stopped before it was
/// done; then there are none.
bool follow_paths(const Study& study, const std::vector<Object>& parts, const StudyOptions& options,
                  StudyResult& result);

/// Finds the parts that lie inside others: as the paths say, else at the start. What is apart there
/// stays outside until there is a contact.
void find_containments(const Study& study, const std::vector<Object>& parts, StudyResult& result);

/// The least clearance of all pairs that move: what is proved of all of them, and the least that
/// was found, of which pair; null where it is not known of all. Pairs without a path keep the
/// threshold.
struct LeastClearance {
  double proved = 0;
  const PairPath* found = nullptr;
};
LeastClearance least_clearance(const StudyView& view);

/// Whether parts touch, and none clash, on the whole path.
bool only_touching(const StudyResult& result);

/// The contact of all paths with the thickest overlap; null when there is none.
struct ThickestOverlap {
  const PairPath* pair = nullptr;
  const ContactInterval* contact = nullptr;
};
ThickestOverlap thickest_overlap(const StudyResult& result);

}  // namespace touche::study
