// SPDX-License-Identifier: Apache-2.0
// Faces with more than three corners become triangles.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "touche/types.h"

namespace touche {

/// A face counts as planar if no corner is farther from its mean plane than this times the extent
/// of the face: files carry six or seven digits. The triangles are exact in any case; it only
/// decides how the face is cut.
inline constexpr double kPlanarTolerance = 1e-6;
/// And as convex if no corner is dented by more than this times its extent.
inline constexpr double kConvexTolerance = 1e-9;

struct FaceShape {
  bool planar = true;
  bool convex = true;  ///< as seen along the mean normal; a face without area counts as convex
};
FaceShape classify_face(std::span<const Vec3> vertices, std::span<const Index> face);

/// Appends n − 2 triangles for a face of n corners, in its orientation: a fan if it is planar and
/// convex, else by ear clipping, which ends for any input, also self-touching and crossing faces.
void triangulate_face(std::span<const Vec3> vertices, std::span<const Index> face,
                      std::vector<std::array<Index, 3>>& triangles);

}  // namespace touche
