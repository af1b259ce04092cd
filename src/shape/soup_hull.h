// SPDX-License-Identifier: Apache-2.0
// Soups in motion, seen as the convex hulls of their vertices: who is free of the other's hull is
// free of the other. Hulls are asked in a tenth of the time that the faces take.
#pragma once

#include "touche/query.h"
#include "touche/shape.h"

namespace touche {

/// Soups with more vertices have no hull here.
inline constexpr std::size_t kMostHullVertices = 128;

/// The convex hull of an object's vertices, made when it is first asked for. Null of an object that
/// has too many of them, or whose size is beyond what hulls are asked about.
const Shape* hull_of(const Object& object);

/// Whether two objects are proved to be farther apart than the clearance on all of both motions, as
/// time_of_impact proves it. False where hulls touch, within the tolerance, or where one has none.
bool hulls_stay_apart(const Object& a, const Motion& motion_a, const Object& b,
                      const Motion& motion_b, const ToiOptions& options);

}  // namespace touche
