// SPDX-License-Identifier: Apache-2.0
#include "methods/bounds/direction_dop.h"

#include <array>
#include <numbers>

namespace touche::bounds {

std::span<const Vec3> Octahedron::directions() {
  static const std::array<Vec3, 4> kAll = {Vec3(1, 1, 1), Vec3(1, 1, -1), Vec3(1, -1, 1),
                                           Vec3(-1, 1, 1)};
  return kAll;
}

std::span<const Vec3> Dodecahedron::directions() {
  constexpr double kPhi = std::numbers::phi;
  static const std::array<Vec3, 6> kAll = {Vec3(0, 1, kPhi),  Vec3(0, 1, -kPhi), Vec3(1, kPhi, 0),
                                           Vec3(1, -kPhi, 0), Vec3(kPhi, 0, 1),  Vec3(-kPhi, 0, 1)};
  return kAll;
}

}  // namespace touche::bounds
