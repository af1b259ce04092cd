// SPDX-License-Identifier: Apache-2.0
// Converts an oriented box into other forms, and back. The box that comes back contains the first.
#pragma once

#include <array>

#include "methods/bounds/obb.h"

namespace touche::bounds {

/// Corner k is on the positive side of axis i where bit i of k is set.
using BoxCorners = std::array<Vec3, 8>;
BoxCorners to_corners(const Obb& box);
Obb from_corners(const BoxCorners& corners);

/// The points with normal · x <= offset; planes 2 i and 2 i + 1 face along and against axis i.
struct HalfSpace {
  Vec3 normal = Vec3::UnitX();
  double offset = 0;
};
using BoxPlanes = std::array<HalfSpace, 6>;
BoxPlanes to_planes(const Obb& box);
Obb from_planes(const BoxPlanes& planes);

/// The points with lo <= normal · x <= hi.
struct Slab {
  Vec3 normal = Vec3::UnitX();
  double lo = 0, hi = 0;
};
using BoxSlabs = std::array<Slab, 3>;
BoxSlabs to_slabs(const Obb& box);
Obb from_slabs(const BoxSlabs& slabs);

/// Two axes; the third is their cross product. 12 numbers instead of 15.
struct CompactObb {
  Vec3 centre = Vec3::Zero();
  Vec3 axis_0 = Vec3::UnitX(), axis_1 = Vec3::UnitY();
  Vec3 half = Vec3::Zero();
};
CompactObb to_compact(const Obb& box);
Obb from_compact(const CompactObb& box);

/// The axes as a quaternion: 10 numbers.
struct QuaternionObb {
  Vec3 centre = Vec3::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();  ///< of unit length
  Vec3 half = Vec3::Zero();
};
QuaternionObb to_quaternion(const Obb& box);
Obb from_quaternion(const QuaternionObb& box);

}  // namespace touche::bounds
