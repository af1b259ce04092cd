// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>

#include "random.h"
#include "scenes.h"

namespace touche::scenes {
namespace {

// Bodies extend 1.2 from their centres, so centres that stay within 0.5 of their cells' centres
// leave 0.6 between bodies.
constexpr double kBump = 0.2, kTrafficCell = 4, kDrift = 0.28, kTurn = 0.1;

}  // namespace

Scene traffic(const TrafficOptions& options) {
  if (options.bodies < 2 || options.steps < 4)
    throw InvalidInput("traffic: needs 2 bodies and 4 steps at least");
  Random random(options.seed);
  Scene scene;
  scene.title = options.clash ? "Traffic, with an accident" : "Traffic";
  scene.tolerance = 1e-3;
  scene.clearance_threshold = 0.5;
  scene.truth = options.clash ? Truth::contact : Truth::free;
  const auto cells = static_cast<Index>(std::ceil(std::cbrt(options.bodies)));
  for (Index i = 0; i < options.bodies; ++i) {
    const Index row = i / cells % cells, layer = i / cells / cells;
    const Vec3 cell = kTrafficCell * Vec3(i % cells, row, layer);
    const Vec3 axis = random.direction();
    double angle = random.uniform(0, 3);
    std::vector<Pose> poses;
    for (int k = 0; k <= options.steps; ++k) {
      const Vec3 drift = random.in_box(kDrift);
      angle += random.uniform(0, kTurn);
      poses.push_back(Pose::from_axis_angle(axis, angle, cell + drift));
    }
    if (options.clash && i == 0)  // to where its neighbour is then, and on
      poses[static_cast<std::size_t>(options.steps) / 2] =
          Pose::from_axis_angle(axis, angle, kTrafficCell * Vec3::UnitX());
    const std::string name = "body " + std::to_string(i + 1);
    scene.parts.push_back(
        {name, bumpy_sphere(options.triangles, options.seed + i, kBump), poses.front()});
    // Motions of groups move parts from where these are.
    scene.groups.push_back({name, {i}, RecordedMotion{}});
    RecordedMotion& motion = std::get<RecordedMotion>(scene.groups.back().motion);
    for (const Pose& pose : poses) motion.poses.push_back(pose * poses.front().inverse());
  }
  return scene;
}

}  // namespace touche::scenes
