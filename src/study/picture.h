// SPDX-License-Identifier: Apache-2.0
// The pictures of a report: a rendered image in SVG.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "touche/study.h"

namespace touche::study {

struct Figure {
  std::string svg;
  bool section = false;  // the view is cut open at the contact
};

/// Two parts at s, with their contact or closest points.
struct CloseUp {
  std::size_t part_a = 0, part_b = 0;
  double s = 0;
  Contact contact;
};

/// Draws the surroundings of a contact, seen across its normal, with the touching faces marked.
Figure contact_picture(const StudyResult& result, const CloseUp& what);

/// Draws the two closest points and their distance, twice: with their surroundings, and close
/// enough to show the gap.
std::array<Figure, 2> gap_pictures(const StudyResult& result, const CloseUp& what);

/// Draws all parts at each given position on the path, from the same viewpoint. The group of
/// `watched` shows through parts that hide it, and its path is drawn. Without `watched`, this
/// applies to all moving groups.
std::vector<std::string> overviews(const StudyResult& result, const std::vector<double>& positions,
                                   std::optional<std::size_t> watched);

/// "#rrggbb": warm colours for moving parts, cool ones for fixed parts.
std::string part_colour(const Study& study, std::size_t part);

}  // namespace touche::study
