// SPDX-License-Identifier: Apache-2.0
// The pictures of a report, as SVG around a rendered image.
#pragma once

#include <string>

#include "touche/study.h"

namespace touche::study {

struct Figure {
  std::string svg;
  bool section = false;  // cut open at the contact
};

/// The surroundings of a contact, seen across its normal; the touching faces marked.
Figure contact_picture(const StudyView& view, const PairStep& pair);

/// All parts at each of the given positions on the path, seen from the same place.
std::vector<std::string> overviews(const StudyView& view, const std::vector<double>& positions);

/// "#rrggbb": moving parts are warm, fixed ones cool.
std::string part_colour(const Study& study, std::size_t part);

}  // namespace touche::study
