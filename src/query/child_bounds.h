// SPDX-License-Identifier: Apache-2.0
// Bounds of the children of a node of an object's hierarchy against a point, a segment or a box, in
// single precision, rounded so that nothing is missed.
#pragma once

#include <array>

#include "bvh/bvh.h"

namespace touche {

/// By lane; those beyond the node's count mean nothing.
using ChildValues = std::array<float, kWidth>;

inline constexpr float kMisses = 2;

/// At most the distances of a point from the children, all in the object's local coordinates.
ChildValues child_distances(const BvhNode& node, const Vec3& local);

/// A segment in local coordinates, which stays within a few units of the origin.
struct LocalSegment {
  Vec3 start, end;
  double error = 0;  ///< of both, in local units

  /// For each child: at most the t in [0, 1] at which the segment enters it; kMisses where it is
  /// proved to miss it.
  ChildValues entries(const BvhNode& node) const;
};

/// A box with axes of its own in local coordinates.
struct LocalBox {
  Vec3 centre;
  Mat3 half;  ///< its columns: the axes times the half widths
  double error = 0;

  /// For each child 0, or kMisses where the box is proved to miss it.
  ChildValues misses(const BvhNode& node) const;
};

}  // namespace touche
