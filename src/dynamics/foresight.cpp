// SPDX-License-Identifier: Apache-2.0
// Finds contacts that arise within the step by following the bodies' motions before these are
// taken. Without it, surfaces that are far apart at the start, or beside each other like the other
// side of a groove, would be noticed too late.
#include <algorithm>
#include <iterator>
#include <tuple>

#include "dynamics/dynamics_data.h"

namespace touche {
namespace {

// Limit of rounds that make motions again. Pairs that still meet are answered one by one.
constexpr int kRounds = 2;

// In units of the tolerance: contact candidates this near where two bodies meet count, too.
constexpr double kAround = 4;

// Largest relative motion in a step, as a share of the smaller body's size, for bodies that may
// stop at many others at once.
constexpr double kFarInCrowd = 0.5;
// Largest restitution of such bodies. They stop without it.
constexpr double kDull = 0.25;

bool before(const dynamics::NearPlace& p, const dynamics::NearPlace& q) {
  return dynamics::key(p) < dynamics::key(q);
}

}  // namespace

// Simulates all nodes with the velocities found so far. If bodies meet that could have rested on
// each other, adds these contacts and solves again. Returns whether the last simulation is still
// valid, so that `go_on` may use it. Bodies that fall onto others add contacts from step to step,
// so motions that will probably be discarded are solved coarsely.
bool Dynamics::Data::foresee(StepOptions& step) {
  step.policy = StepPolicy::report;
  met_.clear();
  for (int round = 0; round < kRounds; ++round) {
    const StepResult& seen = stepper_.run(step);
    result.stats.questions += seen.stats.questions;
    result.stats.queries += seen.stats.queries;
    const bool found = list_met(seen);
    if (found)
      ++looks_;
    else if (!coarse_)
      return true;
    else
      looks_before_ = looks_;  // fewer rounds than expected
    solve_contacts();
    give_motions_of_start();
  }
  return false;
}

bool Dynamics::Data::list_met(const StepResult& seen) {
  bool more = false;
  list_neighbours(seen);
  for (const StepPair& pair : seen.contacts) more |= add_met(pair);
  std::stable_sort(met_.begin(), met_.end(), before);
  // Of a contact candidate that was met twice, the last entry is the best.
  const auto last = std::unique(met_.rbegin(), met_.rend(), [](const auto& p, const auto& q) {
    return dynamics::key(p) == dynamics::key(q);
  });
  met_.erase(met_.begin(), last.base());
  return more;
}

// True if two bodies press each other at a known contact.
bool Dynamics::Data::presses(Index a, Index b) const {
  const auto first = std::lower_bound(
      resting_.begin(), resting_.end(), std::pair(a, b),
      [&](Index i, const auto& pair) { return std::pair(places_[i].a, places_[i].b) < pair; });
  for (auto at = first; at != resting_.end() && places_[*at].a == a && places_[*at].b == b; ++at)
    if (solver_contacts_[static_cast<std::size_t>(at - resting_.begin())].normal.impulse > 0)
      return true;
  return false;
}

// Lists for each node the bodies that it meets on the simulated motions, and the bodies that press
// it.
void Dynamics::Data::list_neighbours(const StepResult& seen) {
  neighbours_.clear();
  const auto add = [&](Index a, Index b) {
    for (const auto& [body, other] : {std::pair(a, b), std::pair(b, a)})
      if (const Index i = solver_number(body); i < dynamic_count)
        neighbours_.emplace_back(i, other);
  };
  for (const StepPair& pair : seen.contacts) add(pair.a.index, pair.b.index);
  for (std::size_t i = 0; i < resting_.size(); ++i)
    if (solver_contacts_[i].normal.impulse > 0) add(places_[resting_[i]].a, places_[resting_[i]].b);
  std::sort(neighbours_.begin(), neighbours_.end());
  neighbours_.erase(std::unique(neighbours_.begin(), neighbours_.end()), neighbours_.end());
}

// True if one of two bodies touches a third one in this step.
bool Dynamics::Data::is_crowded(Index a, Index b) const {
  for (const Index body : {a, b}) {
    const Index i = solver_number(body);
    const auto at =
        std::lower_bound(neighbours_.begin(), neighbours_.end(), std::pair(i, Index{0}));
    if (i < dynamic_count && at != neighbours_.end() && at + 1 != neighbours_.end() &&
        at[1].first == i)
      return true;
  }
  return false;
}

// True if the bodies may be treated as resting on each other at any speed: no joints, little
// restitution, contact with a third body, and a relative motion so short that the contact does not
// hold a body where it no longer is.
bool Dynamics::Data::stops_in_crowd(Index a, Index b) const {
  const double size =
      std::min(world.shape(a).bounds().diagonal(), world.shape(b).bounds().diagonal());
  const auto is_joined = [&](Index body) {
    const Index i = solver_number(body);
    return i < dynamic_count && articulation_of_[i] != kNone;
  };
  return !is_joined(a) && !is_joined(b) && common_surface(a, b).restitution <= kDull &&
         is_crowded(a, b) && relative_motion(a, b) <= kFarInCrowd * size;
}

// Adds the contact candidates of a pair that meets, if its bodies press each other already or stop
// in a crowd. Bodies of any other pair collide within the step. Returns whether any was added.
bool Dynamics::Data::add_met(const StepPair& pair) {
  const Index a = pair.a.index, b = pair.b.index;
  if (pair.status != ToiStatus::contact) return false;
  const bool crowd = stops_in_crowd(a, b);
  if (!crowd && !presses(a, b)) return false;
  return add_places_at(a, b, pair.time.lower, pair.contact ? &*pair.contact : nullptr, crowd);
}

// Adds the contact candidates of two bodies at a time of their motions where they rest on each
// other; `contact_found` if no others are found. Returns whether any was added.
bool Dynamics::Data::add_places_at(Index a, Index b, double t, const Contact* contact_found,
                                   bool at_any_speed) {
  const Pose then_a = pose_at(a, t), then_b = pose_at(b, t);
  near_features(world.shape(a), then_a, world.shape(b), then_b,
                {.max_distance = kAround * options.tolerance, .workspace = &workspace_}, near_);
  dynamics::level_normals(world.shape(a), then_a, world.shape(b), then_b, near_.contacts);
  if (near_.contacts.empty() && contact_found != nullptr)
    add_nearest(a, then_a, b, then_b, *contact_found);
  const Pose back_a = world.bodies[a].pose * then_a.inverse();
  const Pose back_b = world.bodies[b].pose * then_b.inverse();
  // The motion of b as seen from a.
  const Pose seen = back_a * then_b * world.bodies[b].pose.inverse();
  const dynamics::Shift motion{seen.matrix(), seen.translation()};
  const dynamics::SlidingBodies* const sliding = sliding_bodies(a, b);
  bool more = false;
  for (const Contact& contact : near_.contacts) {
    dynamics::NearPlace place;
    place.a = a;
    place.b = b;
    place.feature_a = contact.feature_a;
    place.feature_b = contact.feature_b;
    if (sliding != nullptr) place.side = sliding->pair.side(place.feature_a, place.feature_b);
    if (place.side != dynamics::SlidingPair::Side::none) {
      // The point stays where it is as seen from a: the surfaces slide through it.
      const dynamics::Shift beside =
          sliding->pair.beside(place.side, motion, turn_between(*sliding, t * dt));
      place.sliding = static_cast<Index>(sliding - sliding_.data());
      place.point = back_a * (0.5 * (contact.point_a + contact.point_b));
      place.normal = sliding->pair.moved(beside).smooth(place.side, place.point,
                                                        back_a.rotate(contact.normal));
      place.distance = contact.distance - place.normal.dot(beside(place.point) - place.point);
    } else {
      const dynamics::NormalShares share =
          dynamics::shares_of_normal(contact.feature_a, contact.feature_b);
      Vec3 normal =
          share.a * back_a.rotate(contact.normal) + share.b * back_b.rotate(contact.normal);
      if (share.a + share.b < 1) normal += (1 - share.a - share.b) * contact.normal;
      place.normal = normal.normalized();
      const Vec3 point_a = back_a * contact.point_a, point_b = back_b * contact.point_b;
      place.point = 0.5 * (point_a + point_b);
      place.distance = place.normal.dot(point_b - point_a);
    }
    place.at_any_speed = at_any_speed;
    if (place.distance < 0 || !rests_on(place)) continue;
    met_.push_back(place);
    more = true;
  }
  return more;
}

// Returns the pose of a body on its node's present motion.
Pose Dynamics::Data::pose_at(Index body, double t) const {
  const dynamics::MovingNode* node = mover(body);
  const Pose& start = world.bodies[body].pose;
  return node == nullptr ? start : node->pose(t) * relative(node->start, start);
}

// Merges both lists of contact candidates. A candidate that was met on a motion replaces the one
// found before.
void Dynamics::Data::merge_places() {
  const std::span<const dynamics::NearPlace> found = found_;
  places_.clear();
  std::set_union(met_.begin(), met_.end(), found.begin(), found.end(), std::back_inserter(places_),
                 before);
}

}  // namespace touche
