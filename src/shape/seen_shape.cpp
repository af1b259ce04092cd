// SPDX-License-Identifier: Apache-2.0
#include "shape/seen_shape.h"

#include <algorithm>
#include <cmath>

#include "math/box_corner.h"

namespace touche::shape {
namespace {

Vec3 axis_of(const bvh::Frame& frame, int k) {
  return {static_cast<double>(frame.axis(k, 0)), static_cast<double>(frame.axis(k, 1)),
          static_cast<double>(frame.axis(k, 2))};
}

Vec3 origin_of(const bvh::Frame& frame) {
  return {static_cast<double>(frame.origin[0]), static_cast<double>(frame.origin[1]),
          static_cast<double>(frame.origin[2])};
}

}  // namespace

Lanes::Lanes(const bvh::NodeView& node) : bounds(&node.bounds), count(node.count()) {
  for (int k = 0; k < 3; ++k)
    for (int lane = 0; lane < bvh::kWidth; ++lane) {
      const double centre = static_cast<double>(node.children.centre[k][lane]),
                   half = static_cast<double>(node.children.half[k][lane]);
      lo[k][lane] = centre - half;
      hi[k][lane] = centre + half;
    }
}

namespace {

// A corner is rounded to single precision; bvh/kernels/leaf-inl.h uses the same allowance.
double corner_slack(const bvh::BvhLeaf& leaf) {
  return 2e-7 * static_cast<double>(leaf.bounds.extent()) + 1e-30;
}

}  // namespace

Lanes::Lanes(const bvh::BvhLeaf& leaf) : bounds(&leaf.bounds), count(leaf.count()) {
  const double slack = corner_slack(leaf);
  for (int k = 0; k < 3; ++k)
    for (int lane = 0; lane < bvh::kWidth; ++lane) {
      const float x = leaf.corner[0][k][lane], y = leaf.corner[1][k][lane],
                  z = leaf.corner[2][k][lane];
      lo[k][lane] = static_cast<double>(std::min(std::min(x, y), z)) - slack;
      hi[k][lane] = static_cast<double>(std::max(std::max(x, y), z)) + slack;
    }
}

SeenShape::SeenShape(const convex::Body& body, const convex::RigidTransform& shape_in_object,
                     const bvh::Bvh& bvh)
    : body_(body), placement_(shape_in_object), bvh_(bvh) {
  const double size = body.reach + body.radius + placement_.translation.lpNorm<1>();
  error_ = convex::placed_error(body, placement_) + 16 * math::kUnitRoundoff * size;
  // Covers a few roundings of numbers no larger than these.
  local_error_ = bvh.scale() * (error_ + 64 * math::kUnitRoundoff *
                                             (size + bvh.normalization().largest_number)) +
                 64 * math::kUnitRoundoff;
  corners_ = keep_corners();
}

bool SeenShape::keep_corners() {
  if (!body_.round.empty() || body_.padded > kMostCorners) return false;
  double reach = 0;
  for (std::size_t i = 0; i < body_.padded; ++i) {
    const Vec3 local = bvh_.scale() * (placement_ * body_.corner(i) - bvh_.centre());
    reach = std::max(reach, local.cwiseAbs().maxCoeff());
    for (int k = 0; k < 3; ++k) corner_[k][i] = static_cast<float>(local[k]);
  }
  if (!(reach < kFarthestCorner)) return false;
  // A corner is rounded once; three products and two sums are rounded as well.
  corner_error_ = bvh_.scale() * body_.radius * (1 + kAxisError) + local_error_ +
                  6 * static_cast<double>(math::kUnitRoundoffFloat) * 3 * reach;
  return true;
}

double SeenShape::farthest(const Vec3& d) const {
  const Vec3 point = convex::supporting(body_, placement_.turned_back(d)).point;
  return d.dot(placement_ * point) + body_.radius * (1 + kAxisError) + error_;
}

void SeenShape::span_of_corners(const bvh::Frame& frame, FrameSpan& span) const {
  FloatSpan corners;
  kernels_.span({corner_[0], corner_[1], corner_[2]}, body_.padded, frame, corners);
  for (int k = 0; k < 3; ++k) {
    const double start = axis_of(frame, k).dot(origin_of(frame));
    span.lo[k] = static_cast<double>(corners.lo[k]) - start - corner_error_;
    span.hi[k] = static_cast<double>(corners.hi[k]) - start + corner_error_;
  }
}

FrameSpan SeenShape::span(const bvh::Frame& frame) const {
  FrameSpan span;
  if (corners_) {
    span_of_corners(frame, span);
    return span;
  }
  const Vec3 origin = origin_of(frame);
  const double scale = bvh_.scale();
  for (int k = 0; k < 3; ++k) {
    const Vec3 axis = axis_of(frame, k);
    const double centre = axis.dot(bvh_.centre()), start = axis.dot(origin);
    span.hi[k] = scale * (farthest(axis) - centre) - start + local_error_;
    span.lo[k] = scale * (-farthest(-axis) - centre) - start - local_error_;
  }
  return span;
}

namespace {

// In a node's frame, coordinates are below 4 and exact; coordinates of corners have a relative
// error of up to 2e-7. The sum of two has a relative error of 2^-24, and so has a span in single
// precision. The rounding of the difference, the square and the sum is less than 2^-21 of the
// square.
FloatSpan rounded(const FrameSpan& span) {
  constexpr double kFar = 1e15;  // squares of larger numbers would overflow
  FloatSpan s;
  for (int k = 0; k < 3; ++k) {
    const double low = std::clamp(span.lo[k], -kFar, kFar),
                 high = std::clamp(span.hi[k], -kFar, kFar);
    s.lo[k] = static_cast<float>(low - 1e-6 * (8 + std::abs(low)));
    s.hi[k] = static_cast<float>(high + 1e-6 * (8 + std::abs(high)));
  }
  return s;
}

}  // namespace

SquaredGaps squared_gaps(const bvh::NodeView& node, const FrameSpan& span) {
  SquaredGaps squares;
  seen_shape_kernels().node_gaps(node, rounded(span), squares);
  return squares;
}

SquaredGaps squared_gaps(const bvh::BvhLeaf& leaf, const FrameSpan& span) {
  SquaredGaps squares;
  seen_shape_kernels().leaf_gaps(leaf, rounded(span), squares);
  return squares;
}

// With y = axes · (x − origin), n · (x − origin) is (axes^-T n) · y, and axes^-T differs from the
// axes by at most their error.
BeyondInFrame::BeyondInFrame(const bvh::Bounds& bounds, const bvh::Bvh& bvh, const Beyond& beyond,
                             double error)
    : farthest_(bvh.scale() * (beyond.farthest - beyond.n.dot(bvh.centre())) -
                beyond.n.dot(origin_of(bounds.frame)) + error +
                2 * kAxisError * static_cast<double>(bounds.extent())) {
  for (int k = 0; k < 3; ++k) along_[k] = axis_of(bounds.frame, k).dot(beyond.n);
}

double BeyondInFrame::of_box(const bvh::Bounds& bounds) const {
  double gap = -farthest_;
  for (int k = 0; k < 3; ++k)
    gap += along_[k] * static_cast<double>(bounds.box.centre[k]) -
           std::abs(along_[k]) * static_cast<double>(bounds.box.half[k]);
  return gap;
}

double BeyondInFrame::of_lane(const bvh::NodeView& node, int lane) const {
  double gap = -farthest_;
  for (int k = 0; k < 3; ++k)
    gap += along_[k] * static_cast<double>(node.children.centre[k][lane]) -
           std::abs(along_[k]) * static_cast<double>(node.children.half[k][lane]);
  return gap;
}

// Uses the nearest of the three corners.
double BeyondInFrame::of_lane(const bvh::BvhLeaf& leaf, int lane) const {
  double least = kInfinity;
  for (const auto& c : leaf.corner)
    least = std::min(least, along_[0] * static_cast<double>(c[0][lane]) +
                                along_[1] * static_cast<double>(c[1][lane]) +
                                along_[2] * static_cast<double>(c[2][lane]));
  const double slack =
      corner_slack(leaf) * (std::abs(along_[0]) + std::abs(along_[1]) + std::abs(along_[2]));
  return least - slack - farthest_;
}

BoxBody::BoxBody(const bvh::Bounds& bounds, const bvh::Bvh& bvh) {
  const Vec3 origin = origin_of(bounds.frame);
  const Vec3 axes[3] = {axis_of(bounds.frame, 0), axis_of(bounds.frame, 1),
                        axis_of(bounds.frame, 2)};
  // The transposed axes are used in place of the inverse ones.
  const double slack = 6 * kAxisError * static_cast<double>(bounds.extent()) + 1e-30;
  const double unit = 1 / bvh.scale();
  for (int i = 0; i < 8; ++i) {
    Vec3 local = origin;
    for (int k = 0; k < 3; ++k) {
      const double centre = static_cast<double>(bounds.box.centre[k]),
                   half = static_cast<double>(bounds.box.half[k]) + slack;
      local += (((i >> k) & 1) != 0 ? centre + half : centre - half) * axes[k];
    }
    set(i, bvh.centre() + unit * local);
  }
  centre_ = bvh.centre() + unit * origin;
}

BoxBody::BoxBody(const Aabb& box) : centre_(box.centre()) {
  for (int i = 0; i < 8; ++i) set(i, math::corner_of(box, i));
}

void BoxBody::set(int corner, const Vec3& x) {
  const std::size_t i = static_cast<std::size_t>(corner);
  x_[i] = x.x();
  y_[i] = x.y();
  z_[i] = x.z();
  reach_ = std::max(reach_, math::kRoundUp * x.norm());
}

convex::Body BoxBody::body() const {
  convex::Body b;
  b.x = x_.data();
  b.y = y_.data();
  b.z = z_.data();
  b.corners = b.padded = convex::kBlock;
  b.centre = centre_;
  b.reach = reach_;
  return b;
}

}  // namespace touche::shape
