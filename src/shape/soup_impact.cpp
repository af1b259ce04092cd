// SPDX-License-Identifier: Apache-2.0
// All axes rest in the object's frame, like its boxes. So one bound of the deviation from the chord
// holds for all nodes, and twelve supporting points give the extents of the shape along a node's
// axes, now and at the end, for all eight children.
#include "shape/soup_impact.h"

#include <algorithm>
#include <cmath>

#include "math/rounding.h"
#include "query/relative.h"

namespace touche::shape {
namespace {

// The search restarts from the root after this much rotation, because the bound of the deviation
// from the chord grows with the square of time.
constexpr double kSliceAngle = 0.5;

// A tested node is opened unless the test proves this share of the remaining time.
constexpr double kWorthAnother = 0.25;

// How often the length of a node's step is tried; few are enough, since its children are tried,
// too.
constexpr int kTries = 2;

double turned(const detail::Piece& a, const detail::Piece& b, double begin, double end) {
  return detail::turned_angle(a, begin, end) + detail::turned_angle(b, begin, end);
}

}  // namespace

SoupImpact::SoupImpact(const Mover& shape, const Motion& motion, const Object& object,
                       const Motion& object_motion, const ToiOptions& options,
                       const ToiLengths& lengths, ShapeMemory& memory, base::BudgetMeter& meter,
                       ToiResult& result)
    : shape_(shape),
      motion_(motion),
      object_motion_(object_motion),
      object_(object),
      bvh_(bvh::bvh_of(object)),
      box_(object.bounds()),
      box_body_(box_.body()),
      whole_(box_body_),
      t_start_(options.t_start),
      may_separate_(options.may_separate),
      lengths_(lengths),
      meter_(meter),
      result_(result),
      queue_(memory.queue),
      separated_(memory.separated) {
  separated_.clear();
}

void SoupImpact::run() {
  PiecePairs pieces(motion_, object_motion_);
  do {
    const double from = std::max(pieces.begin(), t_start_), to = pieces.end();
    if (!(from < to)) continue;
    const MovingPair pair(shape_, pieces.a(), whole_, pieces.b());
    const double angle = turned(pieces.a(), pieces.b(), from, to);
    const int parts = std::max(1, static_cast<int>(std::ceil(std::min(angle / kSliceAngle, 1e6))));
    double begin = from;
    for (int k = 1; k <= parts; ++k) {
      const double end = k == parts ? to : from + (to - from) * (static_cast<double>(k) / parts);
      if (!(begin < end)) continue;
      if (!search(pair, begin, end)) return;
      begin = end;
    }
  } while (pieces.next());
  result_.status = ToiStatus::free;
  result_.time.lower = 1;
}

// Searches a time slice of one pair of pieces. Returns false if the result is known.
bool SoupImpact::search(const MovingPair& pair, double begin, double end) {
  ++result_.stats.time_splits;
  queue_.clear();
  last_place_ = pair.at(end).a_in_b();
  last_.emplace(shape_.body(), last_place_, bvh_);
  push(begin, bvh_.root(), kNone, Vec3::Zero());
  while (!queue_.empty()) {
    const Waiting head = queue_.front();
    std::pop_heap(queue_.begin(), queue_.end());
    queue_.pop_back();
    if (!meter_.spend()) return undecided(head.t);
    if (head.triangle == kNone)
      look_at_node(pair, head, end);
    else if (!look_at_triangle(pair, head, end))
      return false;
  }
  return true;
}

bool SoupImpact::look_at_triangle(const MovingPair& pair, Waiting head, double end) {
  for (const ShapeMemory::Separated& s : separated_)
    if (s.triangle == head.triangle && head.t < s.until) {
      if (s.until < end) push(s.until, 0, head.triangle, head.guess);
      return true;
    }
  ++result_.stats.primitive_tests;
  const Triangle corners = query::triangle_of(object_.soup(), head.triangle);
  const convex::TriangleBody triangle(corners[0], corners[1], corners[2]);
  const convex::Body body = triangle.body();
  const Mover mover(body);
  const MovingPair here = pair.with_part_of_b(mover);
  const Instant at = here.at(head.t);
  PairStep step = step_pair(here, at, lengths_, here.at(end), head.guess);
  if (step.end == PairStep::End::touching && may_separate_ && head.t == t_start_) {
    const double t = time_to_separate(motion_, shape_, object_motion_, mover, head.t, lengths_);
    if (t <= 1) {
      result_.separated_at = std::max(result_.separated_at, t);
      separated_.push_back({head.triangle, t});
      step.end = PairStep::End::open;
      step.until = t;
    }
  }
  switch (step.end) {
    case PairStep::End::open:
      if (step.until < end) push(step.until, 0, head.triangle, head.guess);
      return true;
    case PairStep::End::unknown:
      return undecided(head.t);
    case PairStep::End::touching:
      break;
  }
  report_contact(at, step.separation, result_);
  result_.contact->face_b = object_.soup().face_of_triangle(head.triangle);
  result_.contact->feature_b = {FeatureKind::face, result_.contact->face_b};
  if (head.t == t_start_) result_.separated_at = 0;  // this pair does not separate
  return false;
}

// Finds a direction in which the shape and the node's box are apart now, and proves for how long
// they are; then opens the node, unless that time is long enough.
void SoupImpact::look_at_node(const MovingPair& pair, const Waiting& head, double end) {
  ++result_.stats.volume_tests;
  const BoxBody box(bvh_.bounds(head.node), bvh_);
  const convex::Body body = box.body();
  const Mover mover(body);
  const MovingPair here = pair.with_part_of_b(mover);
  Instant at = here.at(head.t);
  convex::SeparationOptions options;
  options.relative_error = 0.1;
  options.absolute_error = lengths_.tolerance;
  options.guess = head.guess;
  const convex::Separation s = here.separation(at, options);
  Vec3 n = Vec3::Zero();
  if (s.lower > lengths_.clearance) {
    n = at.a.rotation * s.direction;
    const double until = here.open_until(
        Rest::b, at, n, lengths_.clearance * (1 + 4 * math::kUnitRoundoff), here.at(end), kTries);
    if (until >= end) return;
    if (until - at.t > kWorthAnother * (end - at.t))
      return push(until, head.node, kNone, s.direction);
    n = at.b.rotation.transpose() * n;
    if (until > at.t) at = here.at(until);
  }
  open(pair, head.node, at, n, end);
}

// Computes for each child a time until which it is proved apart, by the axes of the node's frame
// and by the direction n in the object's frame.
void SoupImpact::open(const MovingPair& pair, bvh::NodeRef node, const Instant& at, const Vec3& n,
                      double end) {
  ++result_.stats.node_pairs;
  bvh::Boxes8 room;
  const Lanes lanes = bvh::is_leaf(node) ? Lanes(bvh_.leaf(node)) : Lanes(bvh_.node(node, room));
  result_.stats.volume_tests += static_cast<std::uint64_t>(lanes.count);
  const convex::RigidTransform first_place = at.a_in_b();
  const SeenShape seen_first(shape_.body(), first_place, bvh_), &seen_last = *last_;
  const FrameSpan span_first = seen_first.span(lanes.bounds->frame),
                  span_last = seen_last.span(lanes.bounds->frame);

  // Lengths in the frame, whose axes may be longer than 1.
  const double scale = bvh_.scale() * (1 + 2 * kAxisError);
  const double less = scale * (pair.error() + lengths_.clearance * (1 + 4 * math::kUnitRoundoff));
  const double deviation = scale * pair.chord_deviation(Rest::b, at, math::kRoundUp * (end - at.t));
  std::array<double, bvh::kWidth> share = {};
  const auto prove = [&](std::size_t lane, double first, double later) {
    if (first > less)
      share[lane] = std::max(share[lane], share_open(first - less, later - less, deviation));
  };
  for (int k = 0; k < 3; ++k)
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(lanes.count); ++lane) {
      prove(lane, lanes.lo[k][lane] - span_first.hi[k], lanes.lo[k][lane] - span_last.hi[k]);
      prove(lane, span_first.lo[k] - lanes.hi[k][lane], span_last.lo[k] - lanes.hi[k][lane]);
    }
  if (!n.isZero(0)) {
    const BeyondInFrame first(*lanes.bounds, bvh_, seen_first.beyond(n), seen_first.local_error()),
        later(*lanes.bounds, bvh_, seen_last.beyond(n), seen_last.local_error());
    const auto prove_all = [&](const auto& opened) {
      for (int lane = 0; lane < opened.count(); ++lane)
        prove(static_cast<std::size_t>(lane), first.of_lane(opened, lane),
              later.of_lane(opened, lane));
    };
    if (bvh::is_leaf(node))
      prove_all(bvh_.leaf(node));
    else
      prove_all(bvh_.node(node, room));
  }

  const Vec3 guess = n.isZero(0) ? n : Vec3(first_place.turned_back(n));
  for (int lane = 0; lane < lanes.count; ++lane) {
    const double proved = share[static_cast<std::size_t>(lane)];
    if (proved == 1) continue;
    const double t = std::min(at.t + math::kRoundDown * proved * (end - at.t), end);
    if (bvh::is_leaf(node))
      push(t, 0, bvh_.leaf(node).triangle[lane], guess);
    else
      push(t, bvh_.node(node, room).child[lane], kNone, guess);
  }
}

void SoupImpact::push(double t, bvh::NodeRef node, Index triangle, const Vec3& guess) {
  queue_.push_back({t, number_++, node, triangle, guess});
  std::push_heap(queue_.begin(), queue_.end());
}

bool SoupImpact::undecided(double t) {
  result_.status = ToiStatus::undecided;
  result_.time.lower = t;
  return false;
}

}  // namespace touche::shape
