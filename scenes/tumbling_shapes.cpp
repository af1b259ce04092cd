// SPDX-License-Identifier: Apache-2.0
// Convex shapes of all kinds roll down a flight of stairs; a pin is drawn out between rollers.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "dynamic_scenes.h"
#include "json_vector.h"
#include "pi.h"
#include "random.h"

namespace touche::scenes {
namespace {

constexpr double kTreadLength = 8, kStepHeight = 3, kLaneWidth = 6;  // cm
constexpr int kStairs = 5;

std::string box_shape(const Vec3& size) {
  return fmt::format(R"({{"type": "box", "size": {}}})", json_vector(size));
}

/// The hull of points on a sphere: a stone, no two of which are alike.
std::string stone(Random& random) {
  std::string points;
  for (int i = 0; i < 16; ++i) {
    const Vec3 d = random.direction();
    points += (i == 0 ? "" : ", ") + json_vector(Vec3(1.6 * d.x(), 1.4 * d.y(), 1.2 * d.z()));
  }
  return R"({"type": "hull", "points": [)" + points + "]}";
}

struct Kind {
  const char* name;
  std::string shape;
};

/// About 4 cm across.
Kind kind_of(Index i, Random& random) {
  switch (i % 8) {
    case 0:
      return {"ball", R"({"type": "sphere", "radius": 2})"};
    case 1:
      return {"capsule", R"({"type": "capsule", "radius": 1.2, "length": 2})"};
    case 2:
      return {"can", R"({"type": "cylinder", "radius": 1.5, "height": 3})"};
    case 3:
      return {"cone", R"({"type": "cone", "radius": 1.8, "height": 3})"};
    case 4:
      return {"die", R"({"type": "box", "size": [2, 2, 2], "rounded": 0.3})"};
    case 5:
      return {"egg", R"({"type": "ellipsoid", "half_axes": [1.5, 1.5, 2]})"};
    case 6:
      return {"stone", stone(random)};
    default:
      return {"crystal",
              R"({"type": "zonotope", "generators": [[0.8, 0, 0], [0, 0.8, 0], [0, 0, 0.8], )"
              R"([0.4, 0.4, 0.4]]})"};
  }
}

Pose turned_at(Random& random, const Vec3& at) {
  return Pose::from_axis_angle(random.direction(), random.uniform(0, kPi), at);
}

}  // namespace

DynamicScene tumbling_shapes(const TumblingShapesOptions& options) {
  DynamicScene scene{.title = "Shapes roll down a flight of stairs",
                     .unit = "cm",
                     .density = 1000,
                     .duration = 2,
                     .tolerance = 0.005};
  Random random(options.seed);
  const auto add = [&](std::string shape, DynamicBody body) {
    body.mesh = scene.meshes.size();
    body.friction = 0.4;
    body.restitution = 0.3;
    scene.meshes.push_back({body.name, {}, std::move(shape)});
    scene.bodies.push_back(std::move(body));
  };
  add(R"({"type": "half_space", "normal": [0, 0, 1]})", {.name = "ground", .fixed = true});

  // Eight lie beside each other, each in a lane of its own; the others queue behind them on the
  // top.
  const Index lanes = std::min<Index>(options.bodies, 8);
  const double width = kLaneWidth * static_cast<double>(lanes) + 4;
  const Index last_row = (options.bodies - 1) / lanes;
  const double queue = kLaneWidth * static_cast<double>(last_row);
  for (int step = 0; step < kStairs; ++step) {
    const double height = kStepHeight * (kStairs - step), behind = step == 0 ? queue : 0;
    add(box_shape({kTreadLength + behind, width, height}),
        {.name = fmt::format("step {}", step + 1),
         .pose = Pose::from_translation({kTreadLength * step - behind / 2, 0, height / 2}),
         .fixed = true});
  }
  for (Index i = 0; i < options.bodies; ++i) {
    const Kind kind = kind_of(i, random);
    const double lane = static_cast<double>(i % lanes) - 0.5 * static_cast<double>(lanes - 1);
    const Index row = i / lanes;
    const Vec3 at(-kLaneWidth * static_cast<double>(row), kLaneWidth * lane,
                  kStepHeight * kStairs + 3.5);
    add(kind.shape, {.name = fmt::format("{} {}", kind.name, i + 1),
                     .pose = turned_at(random, at),
                     .velocity = {random.uniform(40, 70), 0, 0}});
  }
  return scene;
}

Scene pin_between_rollers(double clearance) {
  // Across the path of the pin, which is along z: rollers of radius 6 with their axes along y.
  constexpr double kPin = 4, kRoller = 6;
  const double aside = kPin + kRoller + clearance;
  const Pose lying = Pose::from_axis_angle(Vec3::UnitX(), kPi / 2, Vec3::Zero());
  const auto roller = [&](const char* name, double x) {
    return ScenePart{name,
                     {},
                     Pose::from_translation({x, 0, 0}) * lying,
                     fmt::format(R"({{"type": "cylinder", "radius": {}, "height": 30}})", kRoller)};
  };
  Scene scene;
  scene.title = "A pin is drawn out between two rollers";
  scene.parts = {
      {"pin", {}, {}, fmt::format(R"({{"type": "capsule", "radius": {}, "length": 40}})", kPin)},
      roller("left roller", -aside),
      roller("right roller", aside)};
  scene.groups = {{"pin", {0}, TranslationMotion{.by = {0, 0, 60}, .steps = 6}}};
  scene.tolerance = 1e-4;
  scene.clearance_threshold = 2 * clearance;
  return scene;
}

}  // namespace touche::scenes
