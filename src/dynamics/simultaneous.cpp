// SPDX-License-Identifier: Apache-2.0
// Finds the pairs that collide at the same time as the first pair, so that one impact is solved for
// all of them. Otherwise the order of reporting would decide: a ball that flies between two others
// would give the first one twice the speed of the second, and a mirror-symmetric scene would not
// stay symmetric.
#include <algorithm>
#include <cmath>

#include "base/data_access.h"
#include "dynamics/dynamics_data.h"
#include "world/step_data.h"

namespace touche {
namespace {

// Limit of pairs in one impact. Others are answered after it.
constexpr std::size_t kMostAtOnce = 64;

}  // namespace

// Adds all pairs that collide together with the first pair, or with a pair added before, and that
// may change the outcome. The stepper already knows which pairs meet on their motions, and when. A
// pair is added if
// - it meets before the first pair's gap would shrink by the contact distance, kMeeting tolerances,
// - it shares a dynamic body, or one joined to it, with the impact,
// - its bodies are in contact and approach, at this time and on their parabolas, faster than the
//   resting speed.
// Of the balls of a cradle only two approach each other at a time, so they collide one after the
// other. Returns whether any pair was added.
bool Dynamics::Data::add_simultaneous(const dynamics::PartnerSpeeds& bodies, double t) {
  const Stepper::Data& stepper = DataAccess::data(stepper_);
  const dynamics::MeetingPair first = meeting_pairs_.front();
  const double soon = t + kMeeting * options.tolerance / (first.speed * dt);
  meet_soon_.clear();
  stepper.each_waiting_until(soon, [&](const Stepper::Data::Question& q) {
    const bool is_first = q.a == first.a.index && q.b == first.b.index;
    if (!is_first && q.answer.status != ToiStatus::undecided && !stepper.is_stale(q))
      meet_soon_.emplace_back(q.a, q.b);
  });
  if (meet_soon_.empty()) return false;
  std::sort(meet_soon_.begin(), meet_soon_.end());
  meet_soon_.erase(std::unique(meet_soon_.begin(), meet_soon_.end()), meet_soon_.end());

  const double wait = wait_of_first(partners_, bodies, t);
  // No added body changes its motion before the impact, so the order of adding does not matter.
  for (bool more = true; more;) {
    more = false;
    std::erase_if(meet_soon_, [&](const std::pair<Index, Index>& met) {
      if (meeting_pairs_.size() >= kMostAtOnce) return true;
      const bool knows_a = passes_on(met.first), knows_b = passes_on(met.second);
      if (!knows_a && !knows_b) return false;
      const dynamics::Partner a = partner_at(met.first, t), b = partner_at(met.second, t);
      dynamics::MeetingPair pair{world.graph.id(met.first), world.graph.id(met.second)};
      if (!(knows_a || may_be_met(a)) || !(knows_b || may_be_met(b)) ||
          !comes_near(pair, a, b, t, wait))
        return true;
      pair.partner_a = take_in(a, t);
      pair.partner_b = take_in(b, t);
      add_touching(pair, partners_, solver_bodies(partners_, t));
      note_met(partners_[pair.partner_a], partners_[pair.partner_b]);
      more = true;
      return true;
    });
  }
  return meeting_pairs_.size() > 1;
}

// Returns a body as a partner of the impact, at its pose in the step at time t.
dynamics::Partner Dynamics::Data::partner_at(Index body, double t) {
  const Stepper::Data& stepper = DataAccess::data(stepper_);
  const Stepper::Data::Group* const group = stepper.group_at(body);
  dynamics::Partner at =
      group == nullptr ? partner(world.graph.id(body), {}, world.bodies[body].pose)
                       : partner(world.graph.id(body), group->node, stepper.pose_of(*group, t));
  at.is_still = group == nullptr || group->still;
  if (at.node != nullptr) at.rotation = at.node->rotation(at.pose);
  return at;
}

// True if the body belongs to a dynamic node of the impact, which transmits impulses.
bool Dynamics::Data::passes_on(Index body) const {
  const dynamics::MovingNode* const node = mover(body);
  return node != nullptr && node->is_dynamic() &&
         std::any_of(partners_.begin(), partners_.end(),
                     [&](const dynamics::Partner& s) { return s.node == node; });
}

// Excludes nodes that were stopped in this step or reached the impact limit: they are handled
// separately.
bool Dynamics::Data::may_be_met(const dynamics::Partner& partner) const {
  if (partner.node == nullptr) return true;
  const dynamics::MovingNode& node = *partner.node;
  return !node.stopped && (!partner.is_still || node.motion().is_still()) &&
         node.responses < kMaxImpacts;
}

// True if two bodies are in contact and approach now and their parabolas meet at the time of the
// impact. Leaves their contact candidates in near_.
bool Dynamics::Data::comes_near(const dynamics::MeetingPair& pair, const dynamics::Partner& a,
                                const dynamics::Partner& b, double t, double wait) {
  list_near(pair.a, a.body_pose, pair.b, b.body_pose);
  const dynamics::Passing passing_a = passing(a, t), passing_b = passing(b, t);
  double most =
      resting_speed(pair.a.index, pair.b.index) + kSmallSpeed * meeting_pairs_.front().speed;
  const Contact* fastest = nullptr;
  for (const Contact& contact : near_.contacts) {
    // Bodies that are pressed together are handled when their own pair is reported.
    if (contact.distance < kPressedHard * options.tolerance) return false;
    const Vec3 point = 0.5 * (contact.point_a + contact.point_b);
    const auto velocity = [&](const dynamics::Passing& s, const Vec3& centre) {
      return Vec3(s.body.linear + s.body.angular.cross(point - centre));
    };
    const double speed =
        contact.normal.dot(velocity(passing_a, a.centre) - velocity(passing_b, b.centre));
    if (!(speed > most)) continue;
    most = speed;
    fastest = &contact;
  }
  if (fastest == nullptr) return false;
  const double later = wait_on_parabolas(most, fastest->normal, passing_a, passing_b) - wait;
  return std::abs(later) * most <= kMeeting * options.tolerance;
}

// Returns the number of a partner, which is added if it is not listed yet.
Index Dynamics::Data::take_in(const dynamics::Partner& partner, double t) {
  for (std::size_t i = 0; i < partners_.size(); ++i)
    if (partner.node != nullptr && partners_[i].node == partner.node) return static_cast<Index>(i);
  const std::size_t number = partners_.size();
  partners_.push_back(partner);
  if (partner.node != nullptr) ++partner.node->responses;
  bring_partners(number, t);
  return static_cast<Index>(number);
}

}  // namespace touche
