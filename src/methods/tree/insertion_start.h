// SPDX-License-Identifier: Apache-2.0
// The faces that insertion starts its parts with: ones that a good division keeps apart (thesis
// §3.7.4).
#pragma once

#include "base/random.h"
#include "methods/tree/splitter.h"

namespace touche::tree {

/// Returns as many different faces as parts are wanted, by their numbers in the set; all faces if
/// there are fewer.
std::vector<Index> start_faces(const Faces& faces, std::span<const Index> set, int degree,
                               InsertionStart start, base::Random& random);

/// The corners of an icosahedron in the unit sphere.
std::vector<Vec3> icosahedron_corners();

}  // namespace touche::tree
