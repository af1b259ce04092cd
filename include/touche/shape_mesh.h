// SPDX-License-Identifier: Apache-2.0
// Meshes of convex shapes: inside of them, for pictures and files, or around them, for what takes
// meshes only. Where there is a choice, ask the shapes themselves.
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

/// The surface of a polytope that contains the shape, and no point of which is farther from it than
/// `error`: what is apart from it is apart from the shape. For a polytope with volume it is the
/// surface of that itself, whatever the error is. Else as shape_mesh; throws InvalidInput also for
/// an error below 2^-32 of the distance from the origin to the shape's farthest point, which
/// rounding would spoil.
[[nodiscard]] PolygonSoup enclosing_mesh(const Shape& shape, double error);

/// An error for enclosing_mesh that gives some thousand corners: a thousandth of the largest radius
/// of what is round, more for sums of several, and no less than enclosing_mesh takes. 0 for
/// polytopes with volume. Throws InvalidInput for half spaces, soups and a single point.
[[nodiscard]] double default_mesh_error(const Shape& shape);

}  // namespace touche
