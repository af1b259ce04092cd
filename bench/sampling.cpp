// SPDX-License-Identifier: Apache-2.0
#include "sampling.h"

#include <fmt/format.h>

#include <numbers>
#include <vector>

#include "mesh_builder.h"
#include "scenes.h"
#include "timing.h"
#include "touche/query.h"

namespace touche::bench {
namespace {

// Unscrewed by one turn. `off`: from the nut's frame to the axis.
Motion recorded(int steps, const Pose& off) {
  std::vector<Pose> poses;
  for (int i = 0; i <= steps; ++i) {
    const double turns = static_cast<double>(i) / steps;
    poses.push_back(
        Pose::from_axis_angle(Vec3::UnitZ(), 2 * std::numbers::pi * turns, Vec3(0, 0, 2 * turns)) *
        off);
  }
  return Motion::through(poses);
}

}  // namespace

void measure_sampling() {
  const scenes::Scene made = scenes::nut_and_bolt();
  const Object bolt(placed(made.parts[0]));
  fmt::print("{:>8} {:>10} {:>12} {:>12} {:>8}\n", "steps", "frame", "node pairs", "slices",
             "time");
  for (const double away : {0.0, 100.0}) {
    const Vec3 from_axis(away, 0.5 * away, -away);
    scenes::MeshBuilder mesh;
    mesh.add(placed(made.parts[1]), Pose::from_translation(from_axis));
    const Object nut(mesh.soup());
    for (const int steps : {36, 360, 3600, 36000}) {
      const Motion motion = recorded(steps, Pose::from_translation(-from_axis));
      const double before = thread_seconds();
      const ToiResult r =
          time_of_impact(bolt, Motion::at(Pose()), nut, motion, {.tolerance = made.tolerance});
      fmt::print("{:>8} {:>10} {:>12} {:>12} {:>6.3f} s  {}\n", steps, away, r.stats.node_pairs,
                 r.stats.time_splits, thread_seconds() - before, name(r.status));
    }
  }
}

}  // namespace touche::bench
