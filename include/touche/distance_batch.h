// SPDX-License-Identifier: Apache-2.0
// Many distances of touche/distance.h at once. Candidates for the closest regions are found for
// several pairs at a time with SIMD; then each pair is decided as by the single functions. So the
// results are the same bit for bit, with each instruction set (touche/simd.h), and faster for pairs
// that are apart.
//
// All spans must have the same length. Throws InvalidInput if they do not, or if a coordinate is
// not finite; the contents of `found` are then unspecified. Each call runs in the calling thread;
// several threads may process parts of the spans.
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
