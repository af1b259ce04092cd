// SPDX-License-Identifier: Apache-2.0
// As for two objects, see src/path/touch_proof.cpp: a body is shifted so that the two come apart,
// and the time of impact of the shifted body bounds how long they do no more than touch.
#include "shape_path/touch_proof.h"

#include <algorithm>
#include <cmath>

#include "base/budget_meter.h"
#include "base/budget_part.h"
#include "math/rounding.h"
#include "shape/shape_data.h"
#include "shape/soup_queries.h"
#include "shape_path/shape_solid.h"

namespace touche::shape_path {
namespace {

constexpr std::size_t kMostMet = 4, kMostNormals = 6;
constexpr int kMostTries = 16;  // number of time-of-impact queries for one stretch
// work limit of one query; if it is reached, the time proved so far counts
constexpr std::uint64_t kTryWork = 200'000;
constexpr std::uint64_t kAllWork = 20 * kTryWork;

// This share of the allowed shift must remain as distance between the bodies.
constexpr double kShareLeft = 0x1p-5;

// Cutting a motion at t rounds t by a few ulps of 1.
constexpr double kCutError = 8 * math::kUnitRoundoff;

}  // namespace

double reach_of(const Shape& shape, const Motion& motion) {
  const bool half_space = shape.kind() == ShapeKind::half_space;
  const Aabb box = half_space ? Aabb{Vec3::Zero(), Vec3::Zero()} : shape.bounds();
  const Aabb swept = motion.swept_box(box);
  const double plane = half_space ? std::abs(base::data_of(shape).half_space.offset) : 0;
  return swept.lo.cwiseAbs().cwiseMax(swept.hi.cwiseAbs()).norm() + box.diagonal() + box.lo.norm() +
         plane;
}

std::vector<Vec3> directions_out(const ShapePair& pair, const Pose& pose_a, const Pose& pose_b,
                                 const Budget& budget) {
  if (budget.expired()) return {};
  if (pair.both_are_convex()) return {depth(pair.a, pose_a, pair.b, pose_b).direction};
  std::vector<Vec3> ways;
  const auto add = [&](const Vec3& n) {
    const auto same = [&](const Vec3& x) { return x.dot(n) > 0.9999; };
    if (!n.isZero(0) && std::none_of(ways.begin(), ways.end(), same)) ways.push_back(n);
  };
  const ShapeContactsResult found =
      pair.a.is_convex() ? some_contacts(pair.a, pose_a, pair.b, pose_b, budget)
                         : shape::turned(some_contacts(pair.b, pose_b, pair.a, pose_a, budget));
  if (found.contacts.empty()) return ways;
  add(found.normal);
  for (const ShapeContact& contact : found.contacts) {
    if (ways.size() >= kMostNormals) break;
    add(contact.normal);
  }
  const std::size_t normals = ways.size();
  for (std::size_t i = 0; i < normals; ++i)
    for (std::size_t j = i + 1; j < normals; ++j) add(math::unit_or_zero(ways[i] + ways[j]));
  return ways;
}

bool are_apart(const ShapePair& pair, const Interior* inside, const Pose& pose_a,
               const Pose& pose_b, const Budget& budget) {
  if (intersects(pair.a, pose_a, pair.b, pose_b, budget)) return false;
  if (inside == nullptr || pair.convex().kind() == ShapeKind::half_space) return true;
  const bool a_is_convex = pair.a.is_convex();
  const paths::Holds holds = lies_in_object(pair.convex(), a_is_convex ? pose_a : pose_b, *inside,
                                            a_is_convex ? pose_b : pose_a, budget);
  return holds == paths::Holds::no || holds == paths::Holds::open;
}

ShapeTouchProof::ShapeTouchProof(const ShapePair& pair, const Interior* inside,
                                 const Motion& motion_a, const Motion& motion_b, double t_start,
                                 double t_end, double tolerance, const Budget& budget)
    : pair_(pair),
      inside_(inside),
      motion_a_(motion_a),
      motion_b_(motion_b),
      tolerance_(tolerance),
      budget_(base::for_part(budget)),
      error_(4 * math::kFormulaError *
             (reach_of(pair.a, motion_a.part(t_start, t_end)) +
              reach_of(pair.b, motion_b.part(t_start, t_end)))) {}

double ShapeTouchProof::apart_until(const Motion& motion_a, const Motion& motion_b, double t,
                                    double end, double tolerance) {
  if (budget_.expired() || work_ >= kAllWork) return t;
  const Budget budget =
      base::with_work(budget_, std::min({budget_.max_work, kTryWork, kAllWork - work_}));
  const ToiResult found =
      time_of_impact(pair_.a, motion_a.part(t, end), pair_.b, motion_b.part(t, end),
                     {.tolerance = tolerance, .budget = budget});
  work_ += 1 + found.stats.work();
  if (found.status == ToiStatus::free) return end;
  if (found.contact) {
    met_.insert(met_.begin(), found.contact->normal);
    if (met_.size() > kMostMet) met_.pop_back();
  }
  return std::clamp(t + found.time.lower * (end - t) - kCutError, t, end);
}

double ShapeTouchProof::proved_from(double t, double end, double most) {
  if (!(t < end)) return t;
  const Pose pose_a = motion_a_.pose(t), pose_b = motion_b_.pose(t);
  const Budget any_work = base::with_any_work(budget_);
  const double tolerance = kShareLeft * std::min(tolerance_, most);
  double until = t;
  if (are_apart(pair_, inside_, pose_a, pose_b, any_work))
    until = apart_until(motion_a_, motion_b_, t, end, tolerance);
  const double length = math::kRoundFarDown * most - error_;
  if (!(length > 0)) return until;

  std::vector<Vec3> ways = directions_out(pair_, pose_a, pose_b, budget_);
  ways.insert(ways.end(), met_.begin(), met_.end());
  int tries = 0;
  for (const Vec3& way : ways) {
    if (until >= end || tries >= kMostTries) return until;
    const Vec3 shift = length * way;
    if (!are_apart(pair_, inside_, pose_a, Pose::from_translation(shift) * pose_b, any_work))
      continue;
    // Let the shift turn with a, or with b.
    const auto carried = [](const Motion& motion, const Pose& pose, const Vec3& by) {
      return motion.carrying(Pose::from_translation(pose.matrix().transpose() * by));
    };
    until = std::max(until,
                     apart_until(carried(motion_a_, pose_a, -shift), motion_b_, t, end, tolerance));
    if (until >= end) return until;
    until = std::max(until,
                     apart_until(motion_a_, carried(motion_b_, pose_b, shift), t, end, tolerance));
    tries += 2;
  }
  return until;
}

}  // namespace touche::shape_path
