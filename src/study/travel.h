// SPDX-License-Identifier: Apache-2.0
// Measures how far a part has moved.
#pragma once

#include <string>

#include "touche/study.h"

namespace touche::study {

/// Travel from the start of a motion: the path length of a point, accurate to four digits, and the
/// sum of the angles of rotation in radians.
struct Travel {
  double length = 0, angle = 0;
};

Travel travel(const Motion& motion, const Vec3& point, double t);

/// The travel up to s of the group that a part belongs to, for the centre of the group's box at the
/// start. Zero for fixed parts.
Travel travel_of_part(const StudyResult& result, std::size_t part, double s);

/// "41.2 mm, 8.5°". Lengths up to the tolerance and negligible angles are left out, so the text may
/// be empty.
std::string travel_text(const Study& study, const Travel& travel);

/// The part of a pair whose travel is reported at s: one whose group moves then, else one that has
/// a group, else part_a.
std::size_t moving_part(const Study& study, std::size_t part_a, std::size_t part_b, double s);

}  // namespace touche::study
