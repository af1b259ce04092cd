// SPDX-License-Identifier: Apache-2.0
#include "figures.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace touche::cli {

Figures::Figures(const std::string& unit_of_files, const std::vector<std::string>& typed) {
  if (unit_of_files.empty()) return;
  for (const std::string& length : typed) {
    const std::string unit = unit_in(length);
    if (unit.empty()) continue;
    if (unit != unit_of_files) factor_ = metres_in(unit_of_files) / metres_in(unit);
    name_ = " " + unit;
    return;
  }
}

std::string travel_text(const Motion& motion, const Vec3& point, double most_turns,
                        const Figures& figures) {
  // A chord of a two-hundredth of a turn is 4e-5 shorter than its arc.
  const auto chords = static_cast<int>(1000 + std::min(2e6, 200 * std::abs(most_turns)));
  double length = 0, angle = 0;
  Pose last = motion.pose(0);
  for (int i = 1; i <= chords; ++i) {
    const Pose next = motion.pose(static_cast<double>(i) / chords);
    length += (next * point - last * point).norm();
    angle += relative(last, next).axis_angle().angle;
    last = next;
  }
  const double turns = angle / (2 * std::numbers::pi);
  const std::string turned =
      turns < 2 ? fmt::format("{:.4g}°", 360 * turns) : fmt::format("{:.4g} turns", turns);
  if (!(turns > 1e-9)) return fmt::format("a travelled {}", figures.text(length, 4));
  return fmt::format("a travelled {} and turned by {}", figures.text(length, 4), turned);
}

}  // namespace touche::cli
