// SPDX-License-Identifier: Apache-2.0
// Meshes of convex shapes: inscribed meshes for pictures and files, and enclosing meshes for
// functions that take meshes only. Where there is a choice, query the shapes themselves.
#pragma once

#include "touche/shape.h"
#include "touche/soup.h"

namespace touche {

/// The surface of an inscribed polytope: no point of the shape is farther from the polytope than
/// `error`, a length > 0. The mesh is closed and consists of triangles that are counter-clockwise
/// seen from outside. Its corners are points of the shape up to rounding, so it is not larger than
/// the shape. A shape without volume is first enlarged to all points within half the error. Throws
/// InvalidInput for half spaces and soups, and for an error that would need more than 20,000
/// corners.
///
///     save(shape_mesh(Shape::capsule(0.1, 1), 1e-3), "capsule.stl");
[[nodiscard]] PolygonSoup shape_mesh(const Shape& shape, double error);

/// The surface of a polytope that contains the shape and has no point farther from it than `error`,
/// a length > 0. So a body that is apart from the mesh's polytope is apart from the shape. For a
/// polytope with volume the result is its own surface, whatever the error. Throws InvalidInput as
/// shape_mesh does, and for an error below 2^-32 of the distance from the origin to the shape's
/// farthest point, which is too small for double precision.
[[nodiscard]] PolygonSoup enclosing_mesh(const Shape& shape, double error);

/// A default error for enclosing_mesh, which gives some thousand corners: a thousandth of the
/// largest radius of a round part, more for sums of several round shapes, and never less than
/// enclosing_mesh accepts. 0 for polytopes with volume. Throws InvalidInput for half spaces, soups
/// and a single point.
[[nodiscard]] double default_mesh_error(const Shape& shape);

}  // namespace touche
