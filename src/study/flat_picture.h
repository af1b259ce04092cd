// SPDX-License-Identifier: Apache-2.0
// Draws outlines as seen from above, as SVG. The areas that closed chains enclose are filled by the
// even-odd rule.
#pragma once

#include <string>
#include <vector>

#include "report/render.h"
#include "touche/plane.h"

namespace touche::study {

struct FlatPart {
  const plane::Outline* outline;
  Pose pose;
  report::Rgb colour;
};

/// Draws the parts in order, later ones on top, and then `overlay`. `style`: CSS classes. The
/// camera looks straight down. Leaves out invisible points: outside the picture, or within a third
/// of a pixel of the previous one.
std::string flat_picture(const report::Camera& camera, const std::vector<FlatPart>& parts,
                         const std::string& overlay, const char* style);

}  // namespace touche::study
