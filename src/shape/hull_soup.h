// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "touche/soup.h"

namespace touche::shape {

/// The surface of the convex hull of points: closed, with triangles that are counter-clockwise seen
/// from outside. Throws InvalidInput if the points lie in one plane.
PolygonSoup hull_soup(std::span<const Vec3> points);

}  // namespace touche::shape
