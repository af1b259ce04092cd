// SPDX-License-Identifier: Apache-2.0
// A scene with a hand as a world, and where the hand wants its part to be, 60 times a second.
#pragma once

#include <variant>
#include <vector>

#include "scenes.h"
#include "touche/world.h"

namespace touche::test {

struct HandScene {
  World world;
  NodeId held;
  std::vector<Pose> targets;  ///< the part begins at the first

  explicit HandScene(const scenes::Scene& scene) {
    const scenes::SceneGroup& group = scene.groups.front();
    targets = std::get<scenes::HandMotion>(group.motion).poses;
    held = world.add_group(targets.front());
    std::vector<bool> is_held(scene.parts.size());
    for (const std::size_t part : group.parts) is_held[part] = true;
    for (std::size_t i = 0; i < scene.parts.size(); ++i) {
      const scenes::ScenePart& part = scene.parts[i];
      if (is_held[i])
        world.add(Object(part.soup), part.pose, {}, held, part.name);
      else
        world.add(Object(part.soup), scenes::motion_of(scene, i).pose(0) * part.pose,
                  {.fixed = true}, {}, part.name);
    }
  }
};

}  // namespace touche::test
