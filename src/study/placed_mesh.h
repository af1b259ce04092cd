// SPDX-License-Identifier: Apache-2.0
// A part's mesh where the study puts it.
#pragma once

#include "touche/study.h"

namespace touche::study {

/// The mesh of part `index` with its scale and then its start pose applied to every vertex; faces
/// and their triangles stay. Throws LoadError naming the study's file and the part's scale or pose
/// when that makes an edge a point which was at least a billionth of the mesh's size long.
PolygonSoup placed_mesh(const Study& study, std::size_t index, PolygonSoup as_in_the_file);

}  // namespace touche::study
