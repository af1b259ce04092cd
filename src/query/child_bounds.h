// SPDX-License-Identifier: Apache-2.0
// Bounds of the children of a node of an object's hierarchy against a point, a segment or a box, in
// single precision, rounded so that nothing is missed.
#pragma once

#include <array>

#include "bvh/bvh.h"

namespace touche::query {

/// One number for each child of a node; numbers beyond the node's count are meaningless.
using ChildValues = std::array<float, bvh::kWidth>;

inline constexpr float kMisses = 2;

/// Lower bounds of a point's distances from the children, all in the object's local coordinates.
ChildValues child_distances(const bvh::NodeView& node, const Vec3& local);

/// A segment in local coordinates, which stays within a few units of the origin.
struct LocalSegment {
  Vec3 start, end;
  double error = 0;  ///< of both ends, in local units

  /// Returns for each child a lower bound of the t in [0, 1] at which the segment enters it, or
  /// kMisses if it is proved to miss it.
  ChildValues entries(const bvh::NodeView& node) const;
};

/// An oriented box in local coordinates.
struct LocalBox {
  Vec3 centre;
  Mat3 half;  ///< its columns: the axes times the half widths
  double error = 0;

  /// Returns for each child 0, or kMisses if the box is proved to miss it.
  ChildValues misses(const bvh::NodeView& node) const;
};

}  // namespace touche::query
