// SPDX-License-Identifier: Apache-2.0
// Meshes of convex shapes, for pictures and files. Questions are asked of the shapes themselves.
#pragma once

#include "touche/shape.h"
#include "touche/soup.h"

namespace touche {

/// The surface of a polytope that no point of the shape is farther from than `error`, a length > 0:
/// closed, triangles that wind outward. Its corners are points of the shape up to rounding, so it
/// is no larger; of a shape without volume it is that of all points within half of the error.
/// Throws InvalidInput for half spaces and soups, and for an error that asks for more than 20,000
/// corners.
///
///     save(shape_mesh(Shape::capsule(0.1, 1), 1e-3), "capsule.stl");
[[nodiscard]] PolygonSoup shape_mesh(const Shape& shape, double error);

}  // namespace touche
