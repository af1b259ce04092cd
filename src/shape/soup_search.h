// SPDX-License-Identifier: Apache-2.0
// Visits the triangles of an object that may be near a convex shape, the nearest of each node
// first.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "base/budget_meter.h"
#include "bvh/object_data.h"
#include "convex/polytope_gjk.h"
#include "query/relative.h"
#include "shape/seen_shape.h"

namespace touche::shape {

/// A shape at rest in an object's frame, tested against the object's triangles.
class ShapeAtRest {
 public:
  /// All arguments except the poses must outlive it. `more` is added to the shape's radius.
  ShapeAtRest(const Shape& shape, const Pose& pose, double more, const Pose& object_pose);
  ShapeAtRest(const ShapeAtRest&) = delete;
  ShapeAtRest& operator=(const ShapeAtRest&) = delete;

  const convex::Body& body() const { return body_; }
  const convex::RigidTransform& in_object() const { return in_object_; }
  bool is_half_space() const { return half_space_; }
  /// The half space in the object's frame: its normal and its extent along it.
  Beyond beyond_half_space() const { return {normal_, offset_}; }
  /// Upper bound of the distance of relevant points from the object's origin; for a half space, the
  /// distance of its plane.
  double reach() const {
    return half_space_ ? std::abs(offset_)
                       : body_.reach + body_.radius + in_object_.translation.lpNorm<1>();
  }

  /// The separation of a triangle, which is body a, and the shape, in the object's frame.
  convex::Separation separation(const Triangle& triangle,
                                const convex::SeparationOptions& options) const;

  enum class Meets : std::uint8_t { no, yes, unknown };
  /// `towards`: a direction from the triangle in which the shape may lie, or zero; set to the
  /// separating direction if they are apart.
  Meets meets(const Triangle& triangle, Vec3& towards, QueryStats& stats) const;

 private:
  int side_of(const Vec3& p) const;
  convex::Pair pair_with(const convex::Body& triangle) const {
    return {triangle, seen_, seen_place_, error_b_, in_place_};
  }
  convex::Separation half_space_separation(const Triangle& triangle) const;

  convex::Body body_;
  bool half_space_, polytope_;
  convex::RigidTransform in_object_;
  // The body in the object's frame. If it has few corners, these are transformed once for all
  // triangles.
  convex::PlacedCorners placed_;
  convex::Body seen_;
  convex::RigidTransform seen_place_;
  bool in_place_ = false;
  double error_b_ = 0;          // error of the body's supporting points in the object's frame
  Vec3 normal_ = Vec3::Zero();  // normal of a half space in the object's frame; defines it exactly
  double offset_ = 0;
};

class SoupSearch {
 public:
  SoupSearch(const ShapeAtRest& shape, const Object& object, base::BudgetMeter& meter,
             QueryStats& stats)
      : shape_(shape),
        object_(object),
        bvh_(bvh::bvh_of(object)),
        meter_(meter),
        stats_(stats),
        seen_(shape.body(), shape.in_object(), bvh_),
        unit_((1 - 2 * kAxisError) / bvh_.scale()),
        beyond_error_(seen_.local_error() +
                      64 * math::kUnitRoundoff * bvh_.scale() * shape.reach()) {
    if (shape.is_half_space()) beyond_ = shape.beyond_half_space();
  }

  /// Calls visit(triangle's number, triangle) for triangles that may be at most `limit()` away,
  /// until it returns false or the budget ends.
  template <class Limit, class Visit>
  void run(const Limit& limit, const Visit& visit) {
    waiting_ = 0;
    stack_[waiting_++] = {bvh_.root(), 0};
    while (waiting_ > 0) {
      const Waiting next = stack_[waiting_ - 1];
      // The direction may have improved since.
      if (next.bound > limit() || distance_beyond(next.ref) > limit()) {
        --waiting_;
        continue;
      }
      if (!meter_.spend()) return;
      --waiting_;
      ++stats_.node_pairs;
      if (bvh::is_leaf(next.ref)) {
        if (!open_leaf(bvh_.leaf(next.ref), limit, visit)) return;
      } else {
        bvh::Boxes8 room;
        open_node(bvh_.node(next.ref, room), limit());
      }
    }
  }

  /// Boxes that lie beyond the shape along this direction are excluded from now on.
  void look_along(const Vec3& n) {
    if (!shape_.is_half_space()) beyond_ = seen_.beyond(n);
  }

  /// Lower bound of the distance of everything left when the search ended.
  double least_left() const {
    double least = kInfinity;
    for (std::size_t i = 0; i < waiting_; ++i) least = std::min(least, stack_[i].bound);
    return least;
  }

 private:
  struct Waiting {
    bvh::NodeRef ref;
    double bound;
  };

  double distance_beyond(bvh::NodeRef ref) const {
    if (beyond_.n.isZero(0)) return 0;
    const bvh::Bounds& bounds = bvh_.bounds(ref);
    return BeyondInFrame(bounds, bvh_, beyond_, beyond_error_).of_box(bounds) * unit_;
  }

  /// Calls take(lane, bound) for lanes that may be at most `most` away.
  template <class NodeOrLeaf, class Take>
  void for_lanes(const NodeOrLeaf& node, double most, const Take& take) {
    stats_.volume_tests += static_cast<std::uint64_t>(node.count());
    SquaredGaps squares = {};
    if (!shape_.is_half_space()) squares = squared_gaps(node, seen_.span(node.bounds.frame));
    const double most_local = most / unit_;
    const double most2 = most_local * most_local * (1 + 1e-6) + 1e-30;
    const BeyondInFrame beyond(node.bounds, bvh_, beyond_, beyond_error_);
    for (int lane = 0; lane < node.count(); ++lane) {
      const double square = static_cast<double>(squares[static_cast<std::size_t>(lane)]);
      if (!(square <= most2)) continue;
      double bound = std::sqrt(square);
      if (!beyond_.n.isZero(0)) bound = std::max(bound, beyond.of_lane(node, lane));
      bound *= unit_;
      if (bound <= most) take(lane, bound);
    }
  }

  void open_node(const bvh::NodeView& node, double most) {
    const std::size_t bottom = waiting_;
    for_lanes(node, most, [&](int lane, double bound) {
      // The nearest is on top of the stack.
      std::size_t at = waiting_++;
      for (; at > bottom && stack_[at - 1].bound < bound; --at) stack_[at] = stack_[at - 1];
      stack_[at] = {node.child[lane], bound};
      bvh::Bvh::fetch(bvh_.bounds(node.child[lane]));
      bvh_.fetch_contents(node.child[lane]);
    });
  }

  template <class Limit, class Visit>
  bool open_leaf(const bvh::BvhLeaf& leaf, const Limit& limit, const Visit& visit) {
    struct Lane {
      int lane;
      double bound;
    };
    std::array<Lane, bvh::kWidth> lanes;
    std::size_t count = 0;
    for_lanes(leaf, limit(), [&](int lane, double bound) {
      std::size_t at = count++;
      for (; at > 0 && lanes[at - 1].bound > bound; --at) lanes[at] = lanes[at - 1];
      lanes[at] = {lane, bound};
    });
    for (std::size_t i = 0; i < count; ++i) {
      if (lanes[i].bound > limit()) break;
      if (!meter_.spend()) {
        stack_[waiting_++] = {bvh_.root(), lanes[i].bound};
        return false;
      }
      ++stats_.primitive_tests;
      const Index t = leaf.triangle[lanes[i].lane];
      if (!visit(t, query::triangle_of(object_.soup(), t))) return false;
    }
    return true;
  }

  const ShapeAtRest& shape_;
  const Object& object_;
  const bvh::Bvh& bvh_;
  base::BudgetMeter& meter_;
  QueryStats& stats_;
  SeenShape seen_;
  const double unit_;  // a local unit in the object's units, rounded down including the axes' error
  const double beyond_error_;  // error of a gap beyond the shape, in local units
  Beyond beyond_;
  std::array<Waiting, bvh::kMostHeight * bvh::kWidth + 2> stack_;
  std::size_t waiting_ = 0;
};

}  // namespace touche::shape
