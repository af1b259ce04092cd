// SPDX-License-Identifier: Apache-2.0
// Segment and triangle (edge–face): intersection test and first common point.
#pragma once

#include <optional>

#include "geometry/triangle_pair.h"

namespace touche::geometry {

/// Exact for all inputs, also a segment without length and a triangle without area. Closed sets.
bool segment_meets_triangle(const Vec3& p, const Vec3& q, const Triangle& t, std::uint64_t& exact);

/// The first point at which a segment from p to q meets a triangle: p + t (q − p), with a relative
/// error of t below kSegmentHitError.
struct SegmentHit {
  double t = 0;
  int side = 0;  ///< +1: from above (corners counterclockwise), −1: from below, 0: in its plane
};
inline constexpr double kSegmentHitError = 0x1p-44;

/// Empty exactly if segment_meets_triangle is false.
std::optional<SegmentHit> first_common_point(const Vec3& p, const Vec3& q, const Triangle& t);

}  // namespace touche::geometry
