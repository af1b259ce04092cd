// SPDX-License-Identifier: Apache-2.0
// The axis-aligned box in its three representations. The first is the bounding volume; the others
// are what a hierarchy may store instead. Conversions never shrink a box, and the overlap tests of
// two boxes in one frame need no slack: rounding a difference and a sum keeps their order.
#pragma once

#include <span>
#include <string_view>

#include "methods/bounds/pose_matrix.h"

namespace touche::bounds {

/// Lower and upper corner.
struct AabbMinMax {
  static constexpr std::string_view kName = "aabb";
  Vec3 lo = Vec3::Zero(), hi = Vec3::Zero();

  static AabbMinMax fit(std::span<const Vec3> points);
  bool contains(const Vec3& p) const;
  double volume() const;
  double surface_area() const;
  double diameter() const { return (hi - lo).norm(); }
};

/// Lower corner and widths.
struct AabbMinWidths {
  Vec3 lo = Vec3::Zero(), widths = Vec3::Zero();
};

/// Centre and half widths.
struct AabbCentre {
  Vec3 centre = Vec3::Zero(), half = Vec3::Zero();
};

AabbMinWidths to_min_widths(const AabbMinMax& box);
AabbMinWidths to_min_widths(const AabbCentre& box);
AabbCentre to_centre(const AabbMinMax& box);
AabbCentre to_centre(const AabbMinWidths& box);
AabbMinMax to_min_max(const AabbMinWidths& box);
AabbMinMax to_min_max(const AabbCentre& box);

/// Both in one frame.
bool overlap(const AabbMinMax& a, const AabbMinMax& b);
bool overlap(const AabbMinWidths& a, const AabbMinWidths& b);
bool overlap(const AabbCentre& a, const AabbCentre& b);

/// The smallest box around both.
inline AabbMinMax merged(const AabbMinMax& a, const AabbMinMax& b) {
  return {a.lo.cwiseMin(b.lo), a.hi.cwiseMax(b.hi)};
}

AabbMinMax moved(const AabbMinMax& box, const PoseMatrix& pose);
bool overlap(const AabbMinMax& a, const AabbMinMax& b, const PoseMatrix& pose);
double lower_bound(const AabbMinMax& a, const AabbMinMax& b, const PoseMatrix& pose);

}  // namespace touche::bounds
