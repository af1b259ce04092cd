// SPDX-License-Identifier: Apache-2.0
// The interface of an engine in the dynamics benchmark. Each engine has its own file, which
// includes no other engine's headers.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dynamic_scenes.h"
#include "touche/mass.h"

namespace touche::bench {

/// A scene with the data of its bodies that all engines receive. Meshes are convex; the origin of
/// each is its centre of mass.
struct Task {
  scenes::DynamicScene scene;
  std::vector<MassProperties> mass;  ///< of each mesh, at the scene's density
};

/// Holds a body's pose, its centre's velocity, its angular velocity in world axes.
struct State {
  Pose pose;
  Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();
};

/// Half the sides of a mesh that is a box about its origin.
inline std::optional<Vec3> box_half(const PolygonSoup& soup) {
  const Vec3 half = soup.bounds().hi;
  if (soup.vertex_count() != 8) return std::nullopt;
  for (const Vec3& v : soup.vertices())
    if ((v.cwiseAbs() - half).cwiseAbs().maxCoeff() > 1e-9) return std::nullopt;
  return half;
}

class Engine {
 public:
  virtual ~Engine() = default;
  /// Takes one step of the scene's time step. Bodies never sleep.
  virtual void step() = 0;
  /// Returns the states of all bodies, in the order of the scene.
  virtual std::vector<State> states() const = 0;
  /// Seconds for which bodies stood still because they could go no further, all together.
  virtual double lost() const { return 0; }
};

struct EngineEntry {
  std::string name;
  std::function<std::unique_ptr<Engine>(const Task&)> make;
};

EngineEntry touche_engine();
EngineEntry bullet_engine();
/// With hulls that are not enlarged by a margin.
EngineEntry bullet_exact_engine();
/// With Bullet's own continuous collision detection, a ball swept inside of each body.
EngineEntry bullet_ccd_engine();
EngineEntry ode_engine();

}  // namespace touche::bench
