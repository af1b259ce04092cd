// SPDX-License-Identifier: Apache-2.0
// A convex shape as an object sees it, against the boxes of the object's hierarchy: a node's eight
// children, or a leaf's triangles, at a time.
#pragma once

#include "bvh/bvh.h"
#include "convex/gjk.h"
#include "shape/seen_shape_kernels.h"
#include "shape/shape_data.h"

namespace touche {

/// The children of a node or the triangles of a leaf, as boxes along the axes of its frame.
struct Lanes {
  const Bounds* bounds;
  int count;
  double lo[3][kWidth], hi[3][kWidth];

  explicit Lanes(const NodeView& node);
  explicit Lanes(const BvhLeaf& leaf);
};

/// Where a shape lies along the axes of a node's frame, in the frame's coordinates. Rounded
/// outwards.
struct FrameSpan {
  double lo[3], hi[3];
};

/// Squares of lower bounds of lanes' distances from such a span, in local units.
SquaredGaps squared_gaps(const NodeView& node, const FrameSpan& span);
SquaredGaps squared_gaps(const BvhLeaf& leaf, const FrameSpan& span);

/// A direction along which boxes may be beyond the shape, and how far the shape reaches.
struct Beyond {
  Vec3 n = Vec3::Zero();  ///< of about unit length, in the object's coordinates; zero for none
  double farthest = 0;    ///< no point of the shape is farther along it
};

/// The same in the frame of a node or leaf: how far something in it lies beyond the shape, in local
/// units times the length of the axes. Rounded down; `error` is what coordinates are off by.
class BeyondInFrame {
 public:
  BeyondInFrame(const Bounds& bounds, const Bvh& bvh, const Beyond& beyond, double error);
  double of_box(const Bounds& bounds) const;
  double of_lane(const NodeView& node, int lane) const;
  double of_lane(const BvhLeaf& leaf, int lane) const;

 private:
  double along_[3], farthest_;
};

class SeenShape {
 public:
  /// All must outlive it. `shape_in_object`: where the shape is.
  SeenShape(const convex::Body& body, const convex::RigidTransform& shape_in_object,
            const Bvh& bvh);

  /// An upper bound along a direction of about unit length, in the object's coordinates.
  double farthest(const Vec3& d) const;
  Beyond beyond(const Vec3& n) const { return {n, farthest(n)}; }

  FrameSpan span(const Frame& frame) const;

  /// A coordinate in a node's frame is off by so much, in local units.
  double local_error() const { return local_error_; }

 private:
  bool keep_corners();
  void span_of_corners(const Frame& frame, FrameSpan& span) const;

  // Bodies of so few corners keep them in local coordinates, in single precision, unless they are
  // so far away or so large that this would tell little.
  static constexpr std::size_t kMostCorners = 128;
  static constexpr double kFarthestCorner = 64;

  const convex::Body& body_;
  const convex::RigidTransform& placement_;
  const Bvh& bvh_;
  const SeenShapeKernels& kernels_ = seen_shape_kernels();
  double error_;
  bool corners_ = false;     // whether they are kept
  double corner_error_ = 0;  // of a coordinate of theirs in a node's frame, with the ball's radius
  alignas(64) float corner_[3][kMostCorners];
  double local_error_;  // of a coordinate in a node's frame, local units
};

/// Lengths along a node's axes, which are stored in single precision, are off by at most this
/// share: an axis is longer or shorter than 1 by at most 2^-21.
inline constexpr double kAxisError = 1e-6;

/// A node's or a leaf's box as a body, in the object's coordinates. Rounded outwards.
class BoxBody {
 public:
  BoxBody(const Bounds& bounds, const Bvh& bvh);
  explicit BoxBody(const Aabb& box);
  [[nodiscard]] convex::Body body() const;

 private:
  void set(int corner, const Vec3& x);
  std::array<double, convex::kBlock> x_, y_, z_;
  Vec3 centre_;
  double reach_ = 0;
};

}  // namespace touche
