// SPDX-License-Identifier: Apache-2.0
// Drawings as seen from above, as SVG: what closed chains enclose is filled, by the even-odd rule.
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

/// The parts, each over those before it, with what is drawn over all; `style`: classes of CSS. The
/// camera looks down. Points are left out where nobody would see them: off the picture, and nearer
/// to each other than a third of a pixel.
std::string flat_picture(const report::Camera& camera, const std::vector<FlatPart>& parts,
                         const std::string& overlay, const char* style);

}  // namespace touche::study
