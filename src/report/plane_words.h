// SPDX-License-Identifier: Apache-2.0
// Points and directions of drawings, which have no z.
#pragma once

#include <fmt/core.h>

#include <cmath>

#include "report/words.h"

namespace touche::report {

/// "(41.2, 0) mm" of a drawing, else as point_text.
inline std::string point_text(const Vec3& point, std::string_view unit, bool of_drawing) {
  if (!of_drawing) return point_text(point, unit);
  return fmt::format("({}, {}){}{}", digits(point.x()), digits(point.y()), unit.empty() ? "" : " ",
                     unit == "um" ? "µm" : unit);
}

/// "(0, 0.707)" of a drawing, else as direction_text.
inline std::string direction_text(const Vec3& direction, bool of_drawing) {
  if (!of_drawing) return direction_text(direction);
  const auto thousandths = [](double x) { return std::round(1000 * x) / 1000 + 0.0; };
  return fmt::format("({}, {})", thousandths(direction.x()), thousandths(direction.y()));
}

}  // namespace touche::report
