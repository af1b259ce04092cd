// SPDX-License-Identifier: Apache-2.0
// A part's mesh at its start pose in the study.
#pragma once

#include "touche/study.h"

namespace touche::study {

/// Applies the scale and then the start pose of part `index` to every vertex; faces and their
/// triangles stay. Throws LoadError naming the study's file and the part's scale or pose if an edge
/// collapses to a point although it was at least a billionth of the mesh's size long.
PolygonSoup placed_mesh(const Study& study, std::size_t index, PolygonSoup as_in_the_file);

}  // namespace touche::study
