// SPDX-License-Identifier: Apache-2.0
#include "simulation/taken_path.h"

#include <algorithm>
#include <cmath>

namespace touche::simulation {
namespace {

constexpr int kMostParts = 4096;

// The number of equal parts into which a motion must be divided. An origin that turns by an angle
// about an axis at a distance r deviates from the chord by r (1 − cos (angle / 2)) in the middle of
// the arc, and for angles below 1 by at most 1.02 times that elsewhere (r angle² t (1 − t) / 2
// except for terms of higher order); with n equal parts the deviation is n² times smaller. The
// height along the axis is linear in both.
int parts_of(const Motion& motion, double deviation) {
  int parts = 1;
  while (parts < kMostParts) {
    const double step = 1.0 / parts;
    const Pose start = motion.pose(0), middle = motion.pose(step / 2), end = motion.pose(step);
    const double off =
        (middle.translation() - 0.5 * (start.translation() + end.translation())).norm();
    const double angle = 2 * relative(start, middle).axis_angle().angle;
    if (1.02 * off <= deviation && angle <= 1) break;
    const double more = std::sqrt(1.02 * off / deviation);
    parts = std::clamp(static_cast<int>(std::ceil(parts * std::max(more, angle))), parts + 1,
                       kMostParts);
  }
  return parts;
}

}  // namespace

void append(HandPoses& path, const std::vector<Motion>& motions, double time, double deviation) {
  std::vector<int> parts;
  int count = 0;
  for (const Motion& motion : motions) {
    parts.push_back(parts_of(motion, deviation));
    count += parts.back();
  }
  const double begin = path.times.back();
  int done = 0;
  for (std::size_t m = 0; m < motions.size(); ++m)
    for (int i = 1; i <= parts[m]; ++i) {
      path.times.push_back(++done == count ? time : begin + (time - begin) * done / count);
      path.poses.push_back(motions[m].pose(static_cast<double>(i) / parts[m]));
    }
  if (count > 0) return;
  path.times.push_back(time);
  path.poses.push_back(path.poses.back());
}

}  // namespace touche::simulation
