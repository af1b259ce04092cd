// SPDX-License-Identifier: Apache-2.0
// Finds the screw along which most of a surface slides in itself: the axis of a thread, a shaft or
// a bore.
//
// A surface slides in itself if all velocities are tangential to it. For an angular velocity ω and
// the velocity v of the origin that means n · (v + ω × p) = 0 at each point p with its normal n:
// linear equations for v and ω, solved by least squares. A head, flats and chamfers do not slide,
// so triangles that fit badly lose weight from one iteration to the next.
#pragma once

#include <optional>

#include "touche/soup.h"

namespace touche::query {

struct SlidingScrew {
  Vec3 point, axis;    // of the axis; of unit length
  double advance = 0;  // along the axis, for each radian
};

/// Empty if most of the surface slides along no screw. Samples at most a few thousand triangles.
/// The result is an estimate; no proof may depend on it.
std::optional<SlidingScrew> sliding_screw(const PolygonSoup& soup);

}  // namespace touche::query
