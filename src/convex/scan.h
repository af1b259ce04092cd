// SPDX-License-Identifier: Apache-2.0
// Finds the corner of many that is farthest along a direction, several at a time.
#pragma once

#include <vector>

#include "convex/simplex.h"

namespace touche::convex {

/// The number of the corner with the largest (x d.x + y d.y) + z d.z in double precision, rounded
/// after each operation; the lowest number if there are several. The same on every machine.
using FarthestCorner = Index (*)(const Body& body, const Vec3& direction);
FarthestCorner farthest_corner();

/// The same as find_vertex (gjk.h) for bodies without round parts, along (x, y, z): the scans of
/// both bodies do not wait for each other, and everything stays in registers.
using FindPolytopeVertex = void (*)(const Body& a, const Body& b, const RigidTransform& b_in_a,
                                    double x, double y, double z, double scale, Vertex& vertex);
FindPolytopeVertex find_polytope_vertex();

/// One entry for each instruction set of this machine, the best one first. For tests.
std::vector<FarthestCorner> farthest_corner_of_targets();
std::vector<FindPolytopeVertex> find_polytope_vertex_of_targets();

}  // namespace touche::convex
