// SPDX-License-Identifier: Apache-2.0
// A convex shape in the coordinates of an object, tested against the boxes of the object's
// hierarchy: eight children of a node, or the triangles of a leaf, at a time.
#pragma once

#include "bvh/bvh.h"
#include "convex/gjk.h"
#include "shape/seen_shape_kernels.h"
#include "shape/shape_data.h"

namespace touche::shape {

/// The children of a node or the triangles of a leaf, as boxes along the axes of its frame.
struct Lanes {
  const bvh::Bounds* bounds;
  int count;
  double lo[3][bvh::kWidth], hi[3][bvh::kWidth];

  explicit Lanes(const bvh::NodeView& node);
  explicit Lanes(const bvh::BvhLeaf& leaf);
};

/// The extent of a shape along the axes of a node's frame, in the frame's coordinates. Rounded
/// outwards.
struct FrameSpan {
  double lo[3], hi[3];
};

/// Squared lower bounds of the distances of the lanes from such a span, in local units.
SquaredGaps squared_gaps(const bvh::NodeView& node, const FrameSpan& span);
SquaredGaps squared_gaps(const bvh::BvhLeaf& leaf, const FrameSpan& span);

/// A direction along which boxes may lie beyond the shape, and the shape's extent along it.
struct Beyond {
  Vec3 n = Vec3::Zero();  ///< about unit length, in the object's coordinates; zero for none
  double farthest = 0;    ///< upper bound of the shape's extent along it
};

/// The same in the frame of a node or leaf: how far its boxes lie beyond the shape, in local units
/// times the length of the axes. Rounded down; `error` is the error of coordinates.
class BeyondInFrame {
 public:
  BeyondInFrame(const bvh::Bounds& bounds, const bvh::Bvh& bvh, const Beyond& beyond, double error);
  double of_box(const bvh::Bounds& bounds) const;
  double of_lane(const bvh::NodeView& node, int lane) const;
  double of_lane(const bvh::BvhLeaf& leaf, int lane) const;

 private:
  double along_[3], farthest_;
};

class SeenShape {
 public:
  /// All arguments must outlive it. `shape_in_object`: pose of the shape in the object's frame.
  SeenShape(const convex::Body& body, const convex::RigidTransform& shape_in_object,
            const bvh::Bvh& bvh);

  /// Upper bound of the extent along a direction of about unit length, in the object's coordinates.
  double farthest(const Vec3& d) const;
  Beyond beyond(const Vec3& n) const { return {n, farthest(n)}; }

  FrameSpan span(const bvh::Frame& frame) const;

  /// Error of a coordinate in a node's frame, in local units.
  double local_error() const { return local_error_; }

 private:
  bool keep_corners();
  void span_of_corners(const bvh::Frame& frame, FrameSpan& span) const;

  // Bodies with at most `kMostCorners` corners store them in local coordinates, in single
  // precision, unless the body is so far away or so large (`kFarthestCorner`) that the bounds would
  // be too coarse.
  static constexpr std::size_t kMostCorners = 128;
  static constexpr double kFarthestCorner = 64;

  const convex::Body& body_;
  const convex::RigidTransform& placement_;
  const bvh::Bvh& bvh_;
  const SeenShapeKernels& kernels_ = seen_shape_kernels();
  double error_;
  bool corners_ = false;  // whether corners are stored
  // error of their coordinates in a node's frame, plus the radius of the ball
  double corner_error_ = 0;
  alignas(64) float corner_[3][kMostCorners];
  double local_error_;  // error of a coordinate in a node's frame, in local units
};

/// Lengths along a node's axes, which are stored in single precision, have at most this relative
/// error: the length of an axis differs from 1 by at most 2^-21.
inline constexpr double kAxisError = 1e-6;

/// The box of a node or a leaf as a body, in the object's coordinates. Rounded outwards.
class BoxBody {
 public:
  BoxBody(const bvh::Bounds& bounds, const bvh::Bvh& bvh);
  explicit BoxBody(const Aabb& box);
  [[nodiscard]] convex::Body body() const;

 private:
  void set(int corner, const Vec3& x);
  std::array<double, convex::kBlock> x_, y_, z_;
  Vec3 centre_;
  double reach_ = 0;
};

}  // namespace touche::shape
