// SPDX-License-Identifier: Apache-2.0
// Measures how far a part has got on its way.
#pragma once

#include <string>

#include "touche/study.h"

namespace touche::study {

/// How far a body has moved from the start of its motion: the length of a point's way, good to four
/// digits, and the sum of the angles it has turned by, in radians.
struct Travel {
  double length = 0, angle = 0;
};

Travel travel(const Motion& motion, const Vec3& point, double t);

/// The travel, up to s, of the group a part belongs to; the point is the middle of the group's box
/// at the start. Nothing for parts that are fixed.
Travel travel_of_part(const StudyView& view, std::size_t part, double s);

/// "41.2 mm, 8.5°"; without lengths up to the tolerance and angles that are as good as none, so
/// that it may be "".
std::string travel_text(const Study& study, const Travel& travel);

/// The part of a pair whose travel is told at s: one whose group moves then, else one that is in a
/// group, else part_a.
std::size_t moving_part(const Study& study, std::size_t part_a, std::size_t part_b, double s);

}  // namespace touche::study
