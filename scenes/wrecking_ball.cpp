// SPDX-License-Identifier: Apache-2.0
// A ball on a chain of hinges, and a wall of bricks.
#include <fmt/core.h>

#include <cmath>

#include "dynamic_scenes.h"

namespace touche::scenes {

DynamicScene wrecking_ball(const WreckingBallOptions& options) {
  constexpr double kPitch = 0.4, kLink = 0.36, kThick = 0.06, kRadius = 0.4, kGap = 1e-3;
  constexpr double kAngle = 1.2;  // from the vertical at the start
  DynamicScene scene{
      .title = "A wrecking ball", .unit = "m", .density = 2500, .duration = 2.5, .tolerance = 1e-4};
  scene.meshes.push_back({"ground", box({-8, -5, -0.5}, {8, 5, 0})});
  scene.meshes.push_back(
      {"link", box({-kThick / 2, -kThick / 2, -kLink / 2}, {kThick / 2, kThick / 2, kLink / 2})});
  scene.meshes.push_back({"ball", sphere(kRadius, 320)});
  scene.meshes.push_back({"brick", box({-0.125, -0.25, -0.125}, {0.125, 0.25, 0.125})});
  scene.bodies.push_back({.name = "ground", .mesh = 0, .fixed = true, .friction = 0.6});

  const double length = kPitch * options.links, height = length + 2 * kRadius + 0.3;
  const Vec3 top(0, 0, height), along(-std::sin(kAngle), 0, -std::cos(kAngle));
  const auto on_chain = [&](double way) {
    return Pose::from_axis_angle(Vec3::UnitY(), kAngle, top + way * along);
  };
  for (Index i = 0; i <= options.links; ++i) {
    const bool is_ball = i == options.links;
    const std::size_t body = scene.bodies.size();
    scene.bodies.push_back({.name = is_ball ? std::string("ball") : fmt::format("link {}", i + 1),
                            .mesh = is_ball ? std::size_t{2} : std::size_t{1},
                            .pose = on_chain(is_ball ? length + kRadius : kPitch * (i + 0.5)),
                            .friction = 0.4});
    DynamicHinge hinge{.body = body, .point = top + kPitch * i * along};
    if (i > 0) hinge.to = body - 1;
    scene.hinges.push_back(hinge);
  }

  constexpr int kInRow = 3;
  for (Index row = 0; row < options.rows; ++row)
    for (int k = 0; k < kInRow; ++k) {
      const double y = (k - 0.5 * (kInRow - 1)) * (0.5 + kGap) + (row % 2 == 0 ? 0.125 : -0.125);
      scene.bodies.push_back(
          {.name = fmt::format("brick {}.{}", row + 1, k + 1),
           .mesh = 3,
           .pose = Pose::from_translation({0.5, y, 0.125 + row * 0.25 + (row + 1) * kGap}),
           .friction = 0.6});
    }
  return scene;
}

}  // namespace touche::scenes
