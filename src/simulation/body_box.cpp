// SPDX-License-Identifier: Apache-2.0
#include "simulation/body_box.h"

#include "math/box_corner.h"

namespace touche::simulation {

Aabb box_at_start(const Simulation& scene, const SimulationParts& parts, std::size_t body) {
  const SimulationBody& own = scene.bodies[body];
  Aabb made;
  if (scene.meshes[own.mesh].is_half_space()) {
    made.include(Vec3::Constant(-kInfinity));
    made.include(Vec3::Constant(kInfinity));
    return made;
  }
  const Aabb bounds = body_shape(scene, parts, body).bounds();
  for (int corner = 0; corner < 8; ++corner)
    made.include(own.pose * math::corner_of(bounds, corner));
  return made;
}

}  // namespace touche::simulation
