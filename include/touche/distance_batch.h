// SPDX-License-Identifier: Apache-2.0
// Many distances of touche/distance.h at once. Which regions may be the closest is found for
// several pairs together, in vectors; that they are is then decided as for one pair. So the results
// are the same bit for bit, for each instruction set (touche/simd.h), and sooner where pairs are
// apart.
//
// All spans have the same length, else InvalidInput is thrown; also where a coordinate is not
// finite, and then nothing is known of `found`. Runs in the calling thread; parts of the spans may
// be asked in several.
#pragma once

#include <span>

#include "touche/distance.h"

namespace touche {

void point_segment_distances(std::span<const Vec3> a, std::span<const Segment> b,
                             std::span<RegionDistance> found);
void point_triangle_distances(std::span<const Vec3> a, std::span<const Triangle> b,
                              std::span<RegionDistance> found);
void point_rectangle_distances(std::span<const Vec3> a, std::span<const Rectangle> b,
                               std::span<RegionDistance> found);
void segment_segment_distances(std::span<const Segment> a, std::span<const Segment> b,
                               std::span<RegionDistance> found);
void line_triangle_distances(std::span<const Line> a, std::span<const Triangle> b,
                             std::span<RegionDistance> found);
void ray_triangle_distances(std::span<const Ray> a, std::span<const Triangle> b,
                            std::span<RegionDistance> found);
void segment_triangle_distances(std::span<const Segment> a, std::span<const Triangle> b,
                                std::span<RegionDistance> found);
void triangle_triangle_distances(std::span<const Triangle> a, std::span<const Triangle> b,
                                 std::span<RegionDistance> found);
void rectangle_rectangle_distances(std::span<const Rectangle> a, std::span<const Rectangle> b,
                                   std::span<RegionDistance> found);

}  // namespace touche
