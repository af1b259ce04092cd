// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace touche::bench {

/// Measures what refitting costs and saves on deforming meshes, one thread; prints two tables.
/// First the scenes of scenes/deforming_scenes.h; then a soup whose faces fly apart in random
/// directions and a sphere that is stretched, to see from which ratio of areas on rebuilding pays.
void measure_deforming();

}  // namespace touche::bench
