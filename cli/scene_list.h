// SPDX-License-Identifier: Apache-2.0
// The scenes that touche scene can write.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "dynamic_scenes.h"
#include "scenes.h"

namespace touche::cli {

struct SceneOptions {
  std::string name, out, size;
  double clearance = 0, pitch_error = 0, tilt_deg = 0, friction = -1, speed = 0;
  std::uint64_t seed = 0;
  Index segments = 0, triangles = 0, parts = 0, variants = 0, bodies = 0;
};

// Replaces a scene's default only if the command line gives a value.
template <class Value>
void replace(Value& target, const Value& given) {
  if (given != Value{}) target = given;
}

struct SceneEntry {
  const char* name;
  const char* what;
  std::vector<const char*> takes;  ///< names of its options
  std::function<std::variant<scenes::Scene, scenes::DynamicScene>(const SceneOptions&)> make;
};

/// The scenes for touche simulate.
const std::vector<SceneEntry>& dynamic_scene_entries();

}  // namespace touche::cli
