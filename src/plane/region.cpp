// SPDX-License-Identifier: Apache-2.0
// The location of a point: how often edges cross a ray from it to the right. A run of consecutive
// edges of a chain that is entirely to the right of the point crosses the ray, upwards minus
// downwards, a number of times that depends only on its two ends. So the tree is descended only if
// the box of consecutive edges contains the point. An end at the height of the ray counts as below
// it, for both edges that meet there.
#include <algorithm>
#include <limits>
#include <memory>
#include <string>

#include "base/budget_meter.h"
#include "plane/edge_pair.h"
#include "plane/region_data.h"
#include "plane/vec2.h"
#include "touche/reference.h"

namespace touche::plane {
namespace {

constexpr Index kLeafEdges = 8;

Index middle(Index begin, Index end) { return begin + (end - begin) / 2; }

}  // namespace

void RayCount::cross_edge(const Vec2& start, const Vec2& end) {
  const Vec2 lo = start.cwiseMin(end), hi = start.cwiseMax(end);
  if (x.y() < lo.y() || x.y() > hi.y() || x.x() > hi.x()) return;
  const int upwards = above(end) - above(start);
  if (x.x() < lo.x()) {
    winding += upwards;
    return;
  }
  const int side = orientation(start, end, x);
  if (side == 0) on_border = true;
  // An upward edge crosses the ray if the point is on its left, a downward edge if it is on its
  // right.
  if (side == upwards) winding += upwards;
}

Place RayCount::place(FillRule rule) const {
  if (on_border) return Place::border;
  const bool inside = rule == FillRule::nonzero ? winding != 0 : winding % 2 != 0;
  return inside ? Place::inside : Place::outside;
}

Region::Data::Data(const Outline& outline, std::vector<bool> used) : used_(std::move(used)) {
  for (Index c = 0; c < outline.chain_count(); ++c) {
    first_box_.push_back(boxes_.size());
    if (used_[c]) enclose(outline, 0, outline.first_edge(c), outline.first_edge(c + 1));
  }
}

Box Region::Data::enclose(const Outline& outline, std::size_t node, Index begin, Index end) {
  Box box{Vec2::Constant(kInfinity), Vec2::Constant(-kInfinity)};
  const auto include = [&](const Vec2& lo, const Vec2& hi) {
    box.lo = box.lo.cwiseMin(lo), box.hi = box.hi.cwiseMax(hi);
  };
  const std::size_t at = first_box_.back() + node;
  if (boxes_.size() <= at) boxes_.resize(at + 1);
  if (end - begin <= kLeafEdges) {
    for (Index e = begin; e < end; ++e)
      for (const Index v : outline.edge(e)) include(outline.vertex(v), outline.vertex(v));
  } else {
    const Box left = enclose(outline, 2 * node + 1, begin, middle(begin, end));
    const Box right = enclose(outline, 2 * node + 2, middle(begin, end), end);
    include(left.lo, left.hi), include(right.lo, right.hi);
  }
  return boxes_[at] = box;
}

void Region::Data::count(const Outline& outline, Index chain, std::size_t node, Index begin,
                         Index end, RayCount& ray) const {
  const Box& box = boxes_[first_box_[chain] + node];
  const Vec2& x = ray.x;
  if (x.y() < box.lo.y() || x.y() > box.hi.y() || x.x() > box.hi.x()) return;
  if (x.x() < box.lo.x()) {
    ray.winding += ray.above(outline.vertex(outline.edge(end - 1)[1])) -
                   ray.above(outline.vertex(outline.edge(begin)[0]));
  } else if (end - begin <= kLeafEdges) {
    for (Index e = begin; e < end; ++e)
      ray.cross_edge(outline.vertex(outline.edge(e)[0]), outline.vertex(outline.edge(e)[1]));
  } else {
    count(outline, chain, 2 * node + 1, begin, middle(begin, end), ray);
    count(outline, chain, 2 * node + 2, middle(begin, end), end, ray);
  }
}

RayCount Region::Data::count(const Outline& outline, const Vec2& x) const {
  RayCount ray{x};
  for (Index c = 0; c < outline.chain_count(); ++c)
    if (used_[c]) count(outline, c, 0, outline.first_edge(c), outline.first_edge(c + 1), ray);
  return ray;
}

Region::Region(Object object, FillRule rule) : object_(std::move(object)), rule_(rule) {
  const Outline& outline = object_.outline();
  for (Index c = 0; c < outline.chain_count(); ++c)
    if (!outline.closed(c))
      throw InvalidInput("region: chain " + std::to_string(c) + " is not closed");
  std::vector<bool> used(outline.chain_count());
  for (Index c = 0; c < outline.chain_count(); ++c) used[c] = !outline.again(c);
  data_ = std::make_shared<const Data>(outline, std::move(used));
}

Place Region::place(const Vec2& x) const {
  if (!x.allFinite()) throw InvalidInput("region: the point is not finite");
  return data_->place(object_.outline(), x, rule_);
}

int Region::winding_number(const Vec2& x) const {
  if (!x.allFinite()) throw InvalidInput("region: the point is not finite");
  return data_->count(object_.outline(), x).winding;
}

namespace {

/// A point off the border is never so near to it that the distance underflows: coordinates are 0 or
/// at least 1e-90.
double with_sign(double distance, Place place) {
  if (place == Place::border) return 0;
  distance = std::max(distance, std::numeric_limits<double>::min());
  return place == Place::inside ? -distance : distance;
}

}  // namespace

double Region::signed_distance(const Vec2& x) const {
  return with_sign(closest_point(object_, {}, x).distance, place(x));
}

double brute_force::signed_distance(const Region& region, const Vec2& x) {
  const Outline& outline = region.object().outline();
  double least = kInfinity;
  for (Index e = 0; e < outline.edge_count(); ++e)
    least = std::min(least, edge_distance(edge_of(outline, e), {x, x}).distance);
  return with_sign(least, place(region, x));
}

Place brute_force::place(const Region& region, const Vec2& x) {
  const Outline& outline = region.object().outline();
  RayCount ray{x};
  for (Index e = 0; e < outline.edge_count(); ++e) {
    if (outline.again(outline.chain_of_edge(e))) continue;
    const Edge edge = edge_of(outline, e);
    // By signs only: whether the edge crosses the height of x, and on which side of it x is.
    const int side = orientation(edge[0], edge[1], x);
    if (side == 0 && edges_intersect(edge, {x, x})) ray.on_border = true;
    const int upwards = ray.above(edge[1]) - ray.above(edge[0]);
    if (upwards != 0 && side == upwards) ray.winding += upwards;
  }
  return ray.place(region.rule());
}

// ---- one region inside another -----------------------------------------------------------------

namespace {

/// The location in b of a point of a's frame, for b's vertices as transformed to that frame.
Place place_in_moved(const Region& b, const query::RelativePose& pose,
                     const query::RelativePose& back, const Vec2& x) {
  // Use b's own frame, unless the rounding of either transformation may have moved x across the
  // border.
  const Outline& outline = b.object().outline();
  const Vec2 there = back * x;
  const double size = x.lpNorm<1>() + there.lpNorm<1>() + outline.lo().lpNorm<1>() +
                      outline.hi().lpNorm<1>() + pose.translation.lpNorm<1>() +
                      back.translation.lpNorm<1>();
  const bool sure =
      closest_point(b.object(), {}, there, 4 * math::kMovedPointError * size).edge == kNone;
  if (sure) return b.place(there);
  RayCount ray{x};
  for (Index c = 0; c < outline.chain_count(); ++c) {
    if (outline.again(c)) continue;
    for (Index e = outline.first_edge(c); e < outline.first_edge(c + 1); ++e) {
      const Edge edge = edge_of(outline, e, pose);
      ray.cross_edge(edge[0], edge[1]);
    }
  }
  return ray.place(b.rule());
}

/// Whether any or all of a region's chains lie inside the other region.
struct ChainsInside {
  bool any = false, all = true;

  void count(Place place) {
    any = any || place == Place::inside;
    all = all && place == Place::inside;
  }
};

}  // namespace

// No edges intersect, so each chain is inside or outside as a whole. A region lies inside another
// one if its border does and no border of the other one, which would be that of a hole, lies inside
// it.
Containment containment(const Region& a, const Pose& pose_a, const Region& b, const Pose& pose_b,
                        const Budget& budget) {
  const IntersectsResult met = intersects(a.object(), pose_a, b.object(), pose_b, budget);
  if (!met.complete) return Containment::undecided;
  if (met.intersects) return Containment::none;
  const query::RelativePose pose(pose_a.in_space(), pose_b.in_space()),
      back(pose_b.in_space(), pose_a.in_space());
  base::BudgetMeter meter(budget);
  const Outline &outline_a = a.object().outline(), &outline_b = b.object().outline();
  ChainsInside a_in_b, b_in_a;
  for (Index c = 0; c < outline_b.chain_count(); ++c) {
    if (!meter.spend()) return Containment::undecided;
    b_in_a.count(a.place(pose * outline_b.vertex(outline_b.first_vertex(c))));
  }
  for (Index c = 0; c < outline_a.chain_count(); ++c) {
    if (!meter.spend()) return Containment::undecided;
    a_in_b.count(place_in_moved(b, pose, back, outline_a.vertex(outline_a.first_vertex(c))));
  }
  if (a_in_b.all && !b_in_a.any) return Containment::a_in_b;
  return b_in_a.all && !a_in_b.any ? Containment::b_in_a : Containment::none;
}

}  // namespace touche::plane
