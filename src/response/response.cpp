// SPDX-License-Identifier: Apache-2.0
#include "touche/response.h"

#include <algorithm>

namespace touche {

Vec3 slide(const Vec3& motion, const Vec3& normal) {
  return motion - std::min(0.0, motion.dot(normal)) * normal;
}

Vec3 reflect(const Vec3& velocity, const Vec3& normal, double restitution) {
  if (!(restitution >= 0 && restitution <= 1))
    throw InvalidInput("reflect: the restitution must be in [0, 1]");
  return velocity - (1 + restitution) * std::min(0.0, velocity.dot(normal)) * normal;
}

}  // namespace touche
