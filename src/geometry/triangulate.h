// SPDX-License-Identifier: Apache-2.0
// Triangulates faces with more than three corners.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "touche/types.h"

namespace touche::geometry {

/// A face counts as planar if no corner is farther from its mean plane than this times the extent
/// of the face, because files have six or seven digits. The triangles use the exact corners in any
/// case; this only decides how the face is cut.
inline constexpr double kPlanarTolerance = 1e-6;
/// A face counts as convex if no corner is concave by more than this times its extent.
inline constexpr double kConvexTolerance = 1e-9;

struct FaceShape {
  bool planar = true;
  bool convex = true;  ///< projected along the mean normal; true for a face without area
};
FaceShape classify_face(std::span<const Vec3> vertices, std::span<const Index> face);

/// Appends n − 2 triangles for a face of n corners, in its orientation: a fan if it is planar and
/// convex, otherwise by ear clipping, which terminates for any input, also self-touching and
/// crossing faces.
void triangulate_face(std::span<const Vec3> vertices, std::span<const Index> face,
                      std::vector<std::array<Index, 3>>& triangles);

}  // namespace touche::geometry
