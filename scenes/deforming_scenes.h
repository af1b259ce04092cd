// SPDX-License-Identifier: Apache-2.0
// Scenes with one deforming part beside a rigid one, at any resolution, reproducible. Vertices are
// a closed form of time, so any time can be evaluated, in any order.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "touche/soup.h"

namespace touche::scenes {

struct DeformingScene {
  std::string title;
  PolygonSoup rest;                                     ///< the part that deforms, at t = 0
  std::function<std::vector<double>(double)> vertices;  ///< x y z for each, at t in [0, 1]
  PolygonSoup obstacle;                                 ///< stands still
};

/// A square cloth of 2 m hangs flat above a ball of 0.5 m radius, comes down in travelling waves
/// while its edges droop, lies on the ball about the middle of the time, and goes up again. About
/// `triangles` in the cloth and as many in the ball. Unit m.
DeformingScene cloth_and_ball(Index triangles = 20000);

/// A straight hose is held at one end behind the headlamp's housing (scenes.h). It bends towards
/// the housing until its free end has turned by 270 degrees, swaying sideways, and straightens
/// again; meanwhile its end dips into the housing. About `triangles` in the hose; the housing is
/// that of a headlamp of 60,000 triangles. Unit mm.
DeformingScene hose_and_housing(Index triangles = 20000);

}  // namespace touche::scenes
