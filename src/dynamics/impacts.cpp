// SPDX-License-Identifier: Apache-2.0
// Computes how bodies respond when they meet within a step, in the order of time.
#include <algorithm>
#include <cmath>

#include "dynamics/dynamics_data.h"
#include "dynamics/impact.h"

namespace touche {
namespace {

// Limit of bounces in one impact, for bodies that touch at several points.
constexpr int kMaxBounces = 8;

// Limit of iterations that close the joints of bodies that rest on others.
constexpr int kMaxClosings = 30;

// In units of the tolerance: a resting body this near another one waits for the next step.
constexpr double kPressed = 0.5;

}  // namespace

// Lets a node move again that was stopped: it stood still since then, with its momentum unchanged.
// The step itself stops a pair that meets again at once, without a call of respond(). Such a node
// is not marked as stopped, but its motion in the step is still; it stood still from `begin` on,
// the time of its last response.
void Dynamics::Data::wake(dynamics::MovingNode& node, bool is_still, double t) const {
  if (!node.stopped && (!is_still || node.motion().is_still())) return;
  if (!node.stopped) node.stop(node.pose(node.begin));
  if (node.is_dynamic()) take_back(node, (t - node.begin) * dt);
  node.lost += t - node.begin;
  node.begin = t;
  node.stopped = false;
}

// Returns the velocity of a node at a time of its path, and its angular momentum.
dynamics::Drift Dynamics::Data::momenta_at(const dynamics::MovingNode& node, double t) const {
  if (node.supported || !node.is_dynamic()) return {node.linear, node.angular_momentum};
  if (!node.flight.empty()) return flight_momenta(node, t);
  const double time = node.rate * (t - node.begin) * dt;
  return {node.linear + time * acceleration(node), node.angular_momentum + time * node.all_torque};
}

// Advances velocities to a time of the step.
void Dynamics::Data::advance(dynamics::MovingNode& node, double t) const {
  const double lost = (1 - node.rate) * (t - node.begin), time = node.rate * (t - node.begin) * dt;
  if (node.is_dynamic() && !node.supported) node.pushed += time;
  if (lost > 0) {
    node.lost += lost;
    node.slowed += lost;
    take_back(node, lost * dt);
  }
  const dynamics::Drift momenta = momenta_at(node, t);
  if (node.flight.empty() && node.is_dynamic() && !node.supported) {
    const double whole = node.rate * (1 - node.begin) * dt;
    if (t > node.begin && !node.motion().is_still()) {
      node.lag = dynamics::lag_after(node.inertia, node.pose(node.begin), node.lag,
                                     node.angular_momentum + 0.5 * whole * node.all_torque, whole,
                                     t < 1 ? time : whole, node.pose(t));
    }
    node.to_parabola = to_parabola_at(node, t);
  }
  node.linear = momenta.linear;
  node.angular_momentum = momenta.angular;
  if ((node.supported || !node.is_dynamic()) && node.grounded &&
      articulation_of_[number_of(node)] == kNone)
    limit_turning(node, node.pose(t).matrix());
  node.begin = t;
}

std::vector<GroupMotion> Dynamics::Data::respond(const StepContact& met) {
  const double t = met.pair.time.lower;
  dynamics::Partners& partners = partners_;
  partners = {partner(met.pair.a, met.group_a, met.pose_a),
              partner(met.pair.b, met.group_b, met.pose_b)};
  partners[0].is_still = met.rest_a.is_still();
  partners[1].is_still = met.rest_b.is_still();
  if (met.pair.status == ToiStatus::initially_touching && t == 0)
    touching_.emplace_back(met.pair.a, met.pair.b);
  bool no_end = false;
  for (const dynamics::Partner& s : partners)
    if (s.node != nullptr && ++s.node->responses > kMaxImpacts) no_end = true;
  meeting_joined_.clear();
  responses_used_ = 0;
  bring_partners(0, t);
  note_met(partners[0], partners[1]);
  // Bodies that are pressed together wait for the next step, which solves all contacts together.
  if (no_end || meet(met, partners)) {
    for (const dynamics::Partner& s : partners)
      if (s.node != nullptr) s.node->stop(s.pose);
    return {};
  }
  give_motions(partners, t);
  std::vector<GroupMotion> motions;
  for (const dynamics::Partner& s : partners)
    if (s.node != nullptr) motions.push_back({s.node->node, s.node->motion()});
  return motions;
}

// Records that two bodies met, so that the limits of energy treat them together.
void Dynamics::Data::note_met(const dynamics::Partner& a, const dynamics::Partner& b) {
  const auto number = [&](const dynamics::Partner& s) {
    return s.node == nullptr ? static_cast<Index>(nodes.size()) : number_of(*s.node);
  };
  met_in_step_.emplace_back(number(a), number(b));
}

// Advances the partners from `first` on, and all that is joined to them, to time t.
void Dynamics::Data::bring_partners(std::size_t first, double t) {
  const std::size_t first_joined = meeting_joined_.size();
  add_joined_partners(first, t);
  for (std::size_t i = first; i < partners_.size(); ++i)
    if (dynamics::MovingNode* const node = partners_[i].node) {
      wake(*node, partners_[i].is_still, t);
      advance(*node, t);
      partners_[i].rotation = node->rotation(partners_[i].pose);
    }
  for (std::size_t i = first; i < partners_.size(); ++i)
    if (dynamics::MovingNode* const node = partners_[i].node; node != nullptr && node->asleep) {
      node->asleep = false;
      woken_.push_back(node->node);
    }
  settle_partners(first_joined, t);
}

bool Dynamics::Data::is_pressed(const dynamics::MeetingPair& pair) const {
  return pair.nearest < (pair.rests ? kPressed : kPressedHard) * options.tolerance;
}

// Gives the partners the velocities that they have after the impact.
bool Dynamics::Data::meet(const StepContact& met, const dynamics::Partners& partners) {
  const double t = met.pair.time.lower;
  dynamics::PartnerSpeeds bodies = solver_bodies(partners, t), ahead;
  // Restitution applies to the velocities at the impact, without impulses of forces that are still
  // to come.
  const auto add_ahead = [&](double sign) {
    for (std::size_t i = 0; i < partners.size(); ++i) {
      bodies[i].linear += sign * ahead[i].linear;
      bodies[i].angular += sign * ahead[i].angular;
    }
  };
  const auto find_speeds = [&] {
    double most = 0;
    for (dynamics::MeetingPair& pair : meeting_pairs_) {
      pair.speed = 0;
      for (const dynamics::SolverContact& c : contacts_of(pair))
        pair.speed =
            std::max(pair.speed, -dynamics::speed_along(c.normal, bodies[c.a], bodies[c.b]));
      most = std::max(most, pair.speed);
    }
    return most;
  };
  meeting_pairs_.clear();
  meeting_.clear();
  meeting_points_.clear();
  meeting_features_.clear();
  list_near(met.pair.a, partners[0].body_pose, met.pair.b, partners[1].body_pose);
  if (near_.contacts.empty() && met.pair.contact)
    add_nearest(met.pair.a.index, partners[0].body_pose, met.pair.b.index, partners[1].body_pose,
                *met.pair.contact);
  add_touching({met.pair.a, met.pair.b}, partners, bodies);
  if (near_.contacts.empty() && met.pair.contact) return true;
  ahead = forces_ahead(partners, t);
  add_ahead(-1);
  double speed = find_speeds();
  const bool rests = speed <= meeting_pairs_[0].resting;
  meeting_pairs_[0].rests = rests;
  if (rests) {
    add_ahead(1);
    speed = find_speeds();
    // Bodies that rest on each other do so at their poses: offsets to parabolas above would hold
    // them in the air.
    for (const dynamics::Partner& s : partners)
      if (s.node != nullptr) s.node->to_parabola.setZero();
  }
  if (!(speed > 0)) return is_pressed(meeting_pairs_[0]);
  if (!rests && !is_pressed(meeting_pairs_[0]) && add_simultaneous(bodies, t)) {
    bodies = solver_bodies(partners, t);
    ahead = forces_ahead(partners, t);
    add_ahead(-1);
    speed = find_speeds();
    for (dynamics::MeetingPair& pair : meeting_pairs_) pair.rests = pair.speed <= pair.resting;
  }
  // Chords meet before or after the parabolas do. The velocities before the impact belong to where
  // the parabolas meet; poses, and velocities after the impact, belong to this time.
  const double time = rests ? t * dt : time_of_impact(partners, bodies, t);
  const double wait = time - t * dt;
  if (wait != 0) {
    fly_on(partners, bodies, wait);
    speed = find_speeds();
  }
  meeting_impulses_.assign(meeting_.size(), Vec3::Zero());
  meeting_restitutions_.clear();
  for (const dynamics::MeetingPair& pair : meeting_pairs_)
    meeting_restitutions_.resize(pair.last, pair.rests ? 0 : pair.surface.restitution);
  // A body that is thrown back at one contact may come down at another.
  const auto come_again = [&] {
    return std::any_of(
        meeting_pairs_.begin(), meeting_pairs_.end(), [&](const dynamics::MeetingPair& pair) {
          const std::span<const dynamics::SolverContact> contacts = contacts_of(pair);
          return std::any_of(contacts.begin(), contacts.end(),
                             [&](const dynamics::SolverContact& c) {
                               return -dynamics::speed_along(c.normal, bodies[c.a], bodies[c.b]) >
                                      pair.resting + kSmallSpeed * speed;
                             });
        });
  };
  for (int i = 0; i < kMaxBounces && (i == 0 ? speed > 0 : come_again()); ++i) {
    dynamics::solve_impact(bodies, meeting_, meeting_restitutions_, impact_solver_);
    collect_impulses();
  }
  if (!rests) {
    if (wait != 0) fly_on(partners, bodies, -wait);
    add_ahead(1);
    for (const dynamics::MeetingPair& pair : meeting_pairs_) tell_impact(pair, time);
    for (const dynamics::Partner& s : partners)
      if (s.node != nullptr) s.node->last_impact = time;
  } else {
    tell_resting(meeting_pairs_[0], meeting_impulses_, t);
  }
  for (std::size_t i = 0; i < partners.size(); ++i) take(partners[i], bodies[i]);
  return is_pressed(meeting_pairs_[0]);
}

void Dynamics::Data::collect_impulses() {
  for (std::size_t i = 0; i < meeting_.size(); ++i) {
    meeting_impulses_[i] += dynamics::impulse_of(meeting_[i]);
    meeting_[i].normal.impulse = 0;
    for (dynamics::SolverRow& row : meeting_[i].tangents) row.impulse = 0;
  }
}

void Dynamics::Data::give_motions(const dynamics::Partners& partners, double t) {
  const double rest = (1 - t) * dt;
  const bool held = rest_on_each_other(partners, t);
  dynamics::PartnerSpeeds drifts = held ? hold(partners, t) : solver_bodies(partners, t);
  // Time passes at the same rate for all: otherwise a body with a slower rate would be met again
  // and again by one that it moves away from.
  double rate = 1;
  for (std::size_t i = 0; i < partners.size(); ++i)
    if (partners[i].node != nullptr && partners[i].node->is_dynamic())
      rate = std::min(rate, passing_share(rest * drifts[i].angular.stableNorm()));
  for (const dynamics::Partner& s : partners)
    if (s.node != nullptr && s.node->is_dynamic()) s.node->rate = rate;
  slow_down(partners, drifts, t, rate);
  for (std::size_t i = 0; i < partners.size(); ++i) {
    dynamics::MovingNode* const node = partners[i].node;
    if (node == nullptr) continue;
    if (node->is_dynamic() && home(node).of != nullptr) continue;
    if (node->is_dynamic() && node->supported)
      node->set_motion(t, dynamics::drifting(node->inertia, partners[i].pose,
                                             {drifts[i].linear, drifts[i].angular}, rate * rest));
    else
      give_motion(*node, t, partners[i].pose);
  }
  for (dynamics::Articulation* const of : meeting_joined_) {
    if (!is_supported(*of)) {
      fly(*of, t);
      continue;
    }
    for (std::size_t n = 0; n < of->nodes.size(); ++n) {
      const Index at = of->targets[n];
      of->bodies[n] = held ? drifts[at] : solver_body(partners[at], t);
    }
    moved_joined_ = of->bodies;
    if (close_joints(*of, t, kMaxClosings)) {
      drift_joined(*of, t);
    } else {
      of->bodies = moved_joined_;
      fly_supported(*of, t);
    }
  }
}

// Finds all contact candidates of two bodies at these poses.
void Dynamics::Data::list_near(NodeId a, const Pose& pose_a, NodeId b, const Pose& pose_b) {
  near_features(world.shape(a.index), pose_a, world.shape(b.index), pose_b,
                {.max_distance = kMeeting * options.tolerance, .workspace = &workspace_}, near_);
  dynamics::level_normals(world.shape(a.index), pose_a, world.shape(b.index), pose_b,
                          near_.contacts);
}

// Adds a contact for bodies that meet without contact candidates: the reported contact if it names
// faces, otherwise the points where the bodies are nearest. Adds none if a hull has no face there.
void Dynamics::Data::add_nearest(Index a, const Pose& pose_a, Index b, const Pose& pose_b,
                                 const Contact& told) {
  if (told.face_a != kNone || !world::are_soups(world.shape(a), world.shape(b))) {
    near_.contacts.push_back(told);
    return;
  }
  const DistanceResult nearest =
      distance(world.shape(a), pose_a, world.shape(b), pose_b,
               {.max_distance = kMeeting * options.tolerance, .workspace = &workspace_});
  if (nearest.closest) near_.contacts.push_back(*nearest.closest);
}

// Adds the contact candidates that were listed to the contacts of the impact.
void Dynamics::Data::add_touching(dynamics::MeetingPair pair, const dynamics::Partners& partners,
                                  const dynamics::PartnerSpeeds& bodies) {
  const dynamics::Partner &a = partners[pair.partner_a], &b = partners[pair.partner_b];
  pair.surface = common_surface(pair.a.index, pair.b.index);
  pair.resting = resting_speed(pair.a.index, pair.b.index);
  pair.first = meeting_.size();
  for (const Contact& contact : near_.contacts) {
    const Vec3 point = 0.5 * (contact.point_a + contact.point_b);
    meeting_.push_back(dynamics::solver_contact(bodies, pair.partner_a, pair.partner_b,
                                                contact.normal, point - a.centre, point - b.centre,
                                                pair.surface.friction));
    meeting_.back().distance = contact.distance;
    dynamics::set_shares(meeting_.back(), contact.feature_a, contact.feature_b);
    join_contact(meeting_.back(), {home(a.node), home(b.node)});
    meeting_points_.push_back(point);
    meeting_features_.emplace_back(contact.feature_a, contact.feature_b);
    pair.nearest = std::min(pair.nearest, contact.distance);
  }
  pair.last = meeting_.size();
  meeting_pairs_.push_back(pair);
}

// Reports an impact of a pair. Skips pairs, other than the first, that exchanged no impulse because
// other pairs of the same impact separated them.
void Dynamics::Data::tell_impact(const dynamics::MeetingPair& pair, double time) {
  Impact impact{pair.a, pair.b, time};
  impact.speed = pair.speed;
  // Two bodies that follow motions exchange no impulse: then all contacts have the same weight.
  double along = 0;
  for (std::size_t i = pair.first; i < pair.last; ++i)
    along += meeting_impulses_[i].dot(meeting_[i].normal.direction);
  const bool push = along > 0;
  if (!push && pair.first > 0) return;
  Vec3 normal = Vec3::Zero();
  double sum = 0;
  for (std::size_t i = pair.first; i < pair.last; ++i) {
    const Vec3& direction = meeting_[i].normal.direction;
    const double weight = push ? meeting_impulses_[i].dot(direction) : 1;
    impact.point += weight * meeting_points_[i];
    normal += weight * direction;
    impact.impulse += meeting_impulses_[i];
    sum += weight;
  }
  impact.point /= sum;
  impact.normal = normal.normalized();
  const auto later = std::upper_bound(
      result.impacts.begin(), result.impacts.end(), impact,
      [](const Impact& first, const Impact& second) { return first.time < second.time; });
  result.impacts.insert(later, impact);
}

// True if forces, or the rotation of the bodies, bring some pair that hardly separates together
// again before the step ends.
bool Dynamics::Data::rest_on_each_other(const dynamics::Partners& partners, double t) {
  const double rest = (1 - t) * dt;
  dynamics::PartnerSpeeds bodies = solver_bodies(partners, t), means = bodies;
  double speed = 0;
  for (std::size_t i = 0; i < partners.size(); ++i) {
    const dynamics::MovingNode* node = partners[i].node;
    if (node != nullptr && node->is_dynamic() && !node->supported)
      means[i].linear += to_chord(*node, rest);
    speed = std::max(speed, bodies[i].linear.norm());
  }
  for (dynamics::Articulation* const of : meeting_joined_) {
    for (std::size_t n = 0; n < of->nodes.size(); ++n) of->bodies[n] = means[of->targets[n]];
    of->system.project(of->bodies, joint_impulses_);
    for (std::size_t n = 0; n < of->nodes.size(); ++n) means[of->targets[n]] = of->bodies[n];
  }
  const double small = kSmallSpeed * speed;
  return std::any_of(
      meeting_pairs_.begin(), meeting_pairs_.end(), [&](const dynamics::MeetingPair& pair) {
        const std::span<const dynamics::SolverContact> contacts = contacts_of(pair);
        return std::any_of(contacts.begin(), contacts.end(), [&](const dynamics::SolverContact& c) {
          return dynamics::speed_along(c.normal, bodies[c.a], bodies[c.b]) <=
                     pair.resting + small &&
                 dynamics::speed_along(c.normal, means[c.a], means[c.b]) +
                         std::min(dynamics::bend(c, means, rest), 0.0) <
                     -small;
        });
      });
}

// Gives all partners the impulses of forces until the end of the step, and removes what brings them
// together. Returns the velocities for their motions, which make room for their rotation.
dynamics::PartnerSpeeds Dynamics::Data::hold(const dynamics::Partners& partners, double t) {
  const double rest = (1 - t) * dt;
  for (const dynamics::Partner& s : partners) support(s, rest);
  const auto stands = [](const dynamics::Partner& s) {
    return s.node == nullptr || !s.node->is_dynamic() || s.node->grounded;
  };
  if (std::any_of(partners.begin(), partners.end(), stands))
    for (const dynamics::Partner& s : partners)
      if (s.node != nullptr && s.node->is_dynamic()) s.node->grounded = true;
  dynamics::PartnerSpeeds bodies = solver_bodies(partners, t);
  for (dynamics::Articulation* const of : meeting_joined_) {
    for (std::size_t n = 0; n < of->nodes.size(); ++n) of->bodies[n] = bodies[of->targets[n]];
    of->system.project(of->bodies, joint_impulses_);
    add_reactions(*of, joint_impulses_, false);
    for (std::size_t n = 0; n < of->nodes.size(); ++n) bodies[of->targets[n]] = of->bodies[n];
  }
  dynamics::solve_impact(bodies, meeting_, 0, impact_solver_);
  for (std::size_t i = 0; i < partners.size(); ++i) take(partners[i], bodies[i]);
  meeting_impulses_.clear();
  for (const dynamics::SolverContact& contact : meeting_)
    meeting_impulses_.push_back(dynamics::impulse_of(contact));
  for (const dynamics::MeetingPair& pair : meeting_pairs_) tell_resting(pair, meeting_impulses_, t);
  for (dynamics::SolverContact& contact : meeting_)
    contact.least_speed = -std::min(dynamics::bend(contact, bodies, rest), 0.0);
  dynamics::solve_impact(bodies, meeting_, 0, impact_solver_);
  for (std::size_t i = 0; i < partners.size(); ++i)
    if (partners[i].node != nullptr && partners[i].node->is_dynamic())
      pay_for_lift(*partners[i].node, rest * (bodies[i].linear - partners[i].node->linear));
  give_back_paid(partners);
  for (const dynamics::Partner& s : partners)
    if (s.node != nullptr && s.node->is_dynamic()) end_lag(*s.node, s.pose);
  return bodies;
}

}  // namespace touche
