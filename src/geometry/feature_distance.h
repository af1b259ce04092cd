// SPDX-License-Identifier: Apache-2.0
// Answers what touche/distance.h does, with regions that somebody else expects: the same answer,
// sooner where they are right and the only ones. Regions in the order of geometry/regions.h:
// corners, edges, face.
#pragma once

#include "touche/distance.h"

namespace touche {

using RegionGuess = std::array<int, 2>;

RegionDistance guessed_distance(const Vec3& a, const Segment& b, const RegionGuess& guess);
RegionDistance guessed_distance(const Vec3& a, const Triangle& b, const RegionGuess& guess);
RegionDistance guessed_distance(const Vec3& a, const Rectangle& b, const RegionGuess& guess);
RegionDistance guessed_distance(const Segment& a, const Segment& b, const RegionGuess& guess);
RegionDistance guessed_distance(const Line& a, const Triangle& b, const RegionGuess& guess);
RegionDistance guessed_distance(const Ray& a, const Triangle& b, const RegionGuess& guess);
RegionDistance guessed_distance(const Segment& a, const Triangle& b, const RegionGuess& guess);
RegionDistance guessed_distance(const Triangle& a, const Triangle& b, const RegionGuess& guess);
RegionDistance guessed_distance(const Rectangle& a, const Rectangle& b, const RegionGuess& guess);

}  // namespace touche
