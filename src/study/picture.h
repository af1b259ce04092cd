// SPDX-License-Identifier: Apache-2.0
// The pictures of a report, as SVG around a rendered image.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "touche/study.h"

namespace touche::study {

struct Figure {
  std::string svg;
  bool section = false;  // cut open at the contact
};

/// Two parts at s, and where they touch or are closest.
struct CloseUp {
  std::size_t part_a = 0, part_b = 0;
  double s = 0;
  Contact contact;
};

/// The surroundings of a contact, seen across its normal; the touching faces are marked.
Figure contact_picture(const StudyView& view, const CloseUp& what);

/// The two points that are closest, with the distance between them: in their surroundings, and so
/// close that the gap is seen.
std::array<Figure, 2> gap_pictures(const StudyView& view, const CloseUp& what);

/// All parts at each of the given positions on the path, seen from the same place. The group of
/// `watched` is seen through the parts that hide it, and its way is drawn; without `watched`, all
/// groups that move are treated so.
std::vector<std::string> overviews(const StudyView& view, const std::vector<double>& positions,
                                   std::optional<std::size_t> watched);

/// "#rrggbb": moving parts are warm, fixed ones cool.
std::string part_colour(const Study& study, std::size_t part);

}  // namespace touche::study
