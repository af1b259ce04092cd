// SPDX-License-Identifier: Apache-2.0
// The queries of touche/distance.h with a guess of the closest regions: the results are the same,
// but faster if the guess is right and unique. Regions are in the order of geometry/regions.h:
// corners, edges, face.
#pragma once

#include "touche/distance.h"

namespace touche::geometry {

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

}  // namespace touche::geometry
