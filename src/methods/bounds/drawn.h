// SPDX-License-Identifier: Apache-2.0
// Turns volumes into meshes and lines to be drawn.
#pragma once

#include <vector>

#include "touche/types.h"

namespace touche::bounds {

/// Both ends of each line, one after the other: x y z x y z.
using Lines = std::vector<float>;

/// A surface of polygons. Round shapes are approached from inside.
struct Skin {
  std::vector<Vec3> vertices;
  std::vector<std::vector<Index>> faces;  ///< counter-clockwise from outside
};

}  // namespace touche::bounds
