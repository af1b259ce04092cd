// SPDX-License-Identifier: Apache-2.0
// A shift that separates the bodies at one time often does so for long: a block that slides along a
// table is clear of it if it is lifted slightly. So the time of impact of the shifted block is
// computed, and until then the block does no more than touch. The normal of the face that the
// shifted block meets then is one more direction to try.
#include "path/touch_proof.h"

#include <algorithm>
#include <cmath>

#include "base/budget_meter.h"
#include "math/rounding.h"
#include "path/interior.h"
#include "query/flat_pair.h"

namespace touche::paths {
namespace {

constexpr std::size_t kMostMet = 4;
constexpr int kMostTries = 16;  // number of time-of-impact queries for one stretch
// work limit of one query; if it is reached, the time proved so far counts
constexpr std::uint64_t kTryWork = 200'000;
constexpr std::uint64_t kAllWork = 20 * kTryWork;

// This share of the allowed shift must remain as distance between the bodies.
constexpr double kShareLeft = 0x1p-5;

// Cutting a motion at t rounds t by a few ulps of 1.
constexpr double kCutError = 8 * math::kUnitRoundoff;

double farthest(const Motion& motion, const Aabb& box) {
  const Aabb swept = motion.swept_box(box);
  return swept.lo.cwiseAbs().cwiseMax(swept.hi.cwiseAbs()).norm() + box.diagonal() + box.lo.norm();
}

}  // namespace

SoupTouchProof::SoupTouchProof(const Interior& a, const Motion& motion_a, const Interior& b,
                               const Motion& motion_b, double t_start, double t_end,
                               double tolerance, const Budget& budget)
    : a_(a),
      b_(b),
      motion_a_(motion_a),
      motion_b_(motion_b),
      tolerance_(tolerance),
      budget_(base::for_part(budget)),
      gap_(gap_of(a, b)),
      error_(coordinate_error(
          a, b,
          std::max(farthest(motion_a.part(t_start, t_end), a.object().bounds()),
                   farthest(motion_b.part(t_start, t_end), b.object().bounds())))) {}

double SoupTouchProof::apart_until(const Moving& pair, double t, double end, double tolerance) {
  if (budget_.expired() || work_ >= kAllWork) return t;
  const Budget budget =
      base::with_work(budget_, std::min({budget_.max_work, kTryWork, kAllWork - work_}));
  const ToiResult found = time_of_impact(
      pair.a, pair.motion_a.part(t, end), pair.b, pair.motion_b.part(t, end),
      {.tolerance = tolerance, .clearance = math::kRoundFarUp * gap_, .budget = budget});
  work_ += 1 + found.stats.work();
  if (found.status == ToiStatus::free) return end;
  if (found.contact) {
    met_.insert(met_.begin(), *found.contact);
    if (met_.size() > kMostMet) met_.pop_back();
  }
  return std::clamp(t + found.time.lower * (end - t) - kCutError, t, end);
}

double SoupTouchProof::shifted_until(double t, double end, double most) {
  const Pose pose_a = motion_a_.pose(t), pose_b = motion_b_.pose(t);
  const Budget any_work = base::with_any_work(budget_);
  const Object &a = a_.object(), &b = b_.object();
  const double tolerance = kShareLeft * std::min(tolerance_, most);
  double until = t;
  if (gap_ == 0 && are_apart(a_, pose_a, b_, pose_b, any_work))
    until = apart_until({a, motion_a_, b, motion_b_}, t, end, tolerance);
  const double length = math::kRoundFarDown * most - 2 * gap_ - error_;
  if (!(length > 0)) return until;

  std::vector<Contact> meeting = met_;
  constexpr std::size_t kMostMeeting = 256;
  const ContactsResult now =
      contacts(a, pose_a, b, pose_b, {.max_contacts = kMostMeeting, .budget = any_work});
  meeting.insert(meeting.end(), now.contacts.begin(), now.contacts.end());
  int tries = 0;
  for (const Vec3& way : ways_out(a, pose_a, b, pose_b, meeting))
    for (const double sign : {1.0, -1.0}) {
      if (until >= end || tries >= kMostTries) return until;
      const Vec3 shift = sign * length * way;
      if (!are_apart(a_, pose_a, b_, Pose::from_translation(shift) * pose_b, any_work)) continue;
      // Let the shift turn with a, or with b.
      const auto carried = [](const Motion& motion, const Pose& pose, const Vec3& by) {
        return motion.carrying(Pose::from_translation(pose.matrix().transpose() * by));
      };
      until = std::max(until, apart_until({a, carried(motion_a_, pose_a, -shift), b, motion_b_}, t,
                                          end, tolerance));
      if (until >= end) return until;
      until = std::max(until, apart_until({a, motion_a_, b, carried(motion_b_, pose_b, shift)}, t,
                                          end, tolerance));
      tries += 2;
    }
  return until;
}

double SoupTouchProof::shrunk_until(double t, double end, double most) {
  const auto [known, is_new] = shrunk_.try_emplace(most);
  std::optional<ShrunkPair>& pair = known->second;
  if (is_new && ShrunkPair::may_shrink(a_, b_, most, error_)) pair.emplace(a_, b_, most, error_);
  if (!pair || !pair->are_apart(motion_a_.pose(t), motion_b_.pose(t), base::with_any_work(budget_)))
    return t;
  return apart_until({pair->a(), motion_a_, pair->b(), motion_b_}, t, end,
                     kShareLeft * std::min(tolerance_, most));
}

double SoupTouchProof::proved_from(double t, double end, double most) {
  if (!(t < end)) return t;
  const double shifted = shifted_until(t, end, most);
  return shifted < end ? std::max(shifted, shrunk_until(t, end, most)) : end;
}

}  // namespace touche::paths
