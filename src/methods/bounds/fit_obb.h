// SPDX-License-Identifier: Apache-2.0
// Boxes of good orientation around points or triangles: by principal axes, by one principal axis
// and the best rectangle across it, and by minimising over all orientations.
#pragma once

#include <span>

#include "geometry/triangle_pair.h"
#include "methods/bounds/bounding_volume.h"
#include "methods/bounds/obb.h"

namespace touche::bounds {

/// Eigenvectors of the covariance as columns, the direction of largest spread first.
Mat3 principal_axes(std::span<const Vec3> points);

/// The same for the area of triangles (Gottschalk, with the erratum's factor 1/12), which does not
/// depend on the subdivision of a surface; for the corners alone if the area is zero. Visits each
/// triangle once, but triangles inside the convex hull affect the axes too.
Mat3 principal_axes(std::span<const Triangle> triangles);

/// The same for the surface of the points' convex hull, as Gottschalk requires: only the points
/// that a box can touch count. For the points themselves if they have no hull.
Mat3 principal_axes_of_hull(std::span<const Vec3> points);

/// Which principal axes a box keeps; the other axes are given by the best rectangle perpendicular
/// to them.
enum class KeepAxes { all, largest, smallest };

Obb fit_obb_principal(std::span<const Vec3> points, const Mat3& principal, KeepAxes keep,
                      Criterion criterion = Criterion::volume);

/// The best of the three, with the points' own principal axes.
Obb fit_obb(std::span<const Vec3> points, Criterion criterion = Criterion::volume);

/// Nelder–Mead over rotation vectors, from each of the frames given; never worse than any of them.
/// A good start for points added to a set is the box it had.
Obb fit_obb_minimised(std::span<const Vec3> points, Criterion criterion,
                      std::span<const Mat3> starts);

/// From the principal axes, the coordinate axes and four frames between.
Obb fit_obb_minimised(std::span<const Vec3> points, Criterion criterion = Criterion::volume);

}  // namespace touche::bounds
