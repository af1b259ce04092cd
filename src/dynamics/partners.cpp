// SPDX-License-Identifier: Apache-2.0
// The bodies of an impact, and their conversion for the impact solver.
#include <algorithm>

#include "base/data_access.h"
#include "dynamics/dynamics_data.h"
#include "world/step_data.h"

namespace touche {
namespace {

// The velocity of a given motion is its mean over this share of the step.
constexpr double kPart = 1.0 / 128;

}  // namespace

dynamics::Partner Dynamics::Data::partner(NodeId body, NodeId group, const Pose& pose) {
  dynamics::Partner partner;
  partner.pose = partner.body_pose = pose;
  if (group.index == kNone) return partner;
  partner.node = &nodes[mover_of_[body.index]];
  if (group != body)
    partner.body_pose =
        pose * relative(world.graph.pose(group.index), world.bodies[body.index].pose);
  partner.centre = pose * partner.node->inertia.centre;
  partner.rotation = pose.matrix();
  return partner;
}

// Adds all bodies joined to the partners from `first` on, at their poses at time t.
void Dynamics::Data::add_joined_partners(std::size_t first, double t) {
  const Stepper::Data& stepper = DataAccess::data(stepper_);
  const std::size_t met = partners_.size();
  for (std::size_t s = first; s < met; ++s) {
    dynamics::Articulation* const of = home(partners_[s].node).of;
    if (of == nullptr ||
        std::find(meeting_joined_.begin(), meeting_joined_.end(), of) != meeting_joined_.end())
      continue;
    meeting_joined_.push_back(of);
    of->targets.clear();
    for (const Index i : of->nodes) {
      dynamics::MovingNode* const node = &nodes[i];
      std::size_t at = first;
      while (at < met && partners_[at].node != node) ++at;
      if (at == met) {
        at = partners_.size();
        dynamics::Partner& other = partners_.emplace_back();
        other.node = node;
        const Index group = stepper.group_of[node->node.index];
        other.is_still = group == kNone || stepper.groups[group].still;
        // The step may have stopped it before, together with others.
        other.pose = other.body_pose = group != kNone && other.is_still
                                           ? stepper.pose_of(stepper.groups[group], t)
                                           : node->pose(t);
        other.centre = other.pose * node->inertia.centre;
        other.rotation = other.pose.matrix();
      }
      of->targets.push_back(static_cast<Index>(at));
    }
  }
}

// Gives joined bodies velocities that joints allow at their present poses.
void Dynamics::Data::settle_partners(std::size_t first, double t) {
  for (std::size_t k = first; k < meeting_joined_.size(); ++k) {
    dynamics::Articulation* const of = meeting_joined_[k];
    end_flight(*of, t);
    of->flight_begin = t;
    of->places.resize(of->nodes.size());
    of->bodies.resize(of->nodes.size() + 1);
    of->bodies.back() = {};
    for (std::size_t n = 0; n < of->nodes.size(); ++n) {
      const dynamics::Partner& s = partners_[of->targets[n]];
      of->places[n] = {s.centre, s.rotation};
      of->bodies[n] = solver_body(s, t);
    }
    settle(*of);
    end_swing(*of, true);
  }
}

dynamics::PartnerSpeeds Dynamics::Data::solver_bodies(const dynamics::Partners& partners,
                                                      double t) const {
  dynamics::PartnerSpeeds bodies;
  for (const dynamics::Partner& s : partners) bodies.push_back(solver_body(s, t));
  return bodies;
}

dynamics::SolverBody Dynamics::Data::solver_body(const dynamics::Partner& partner, double t) const {
  if (partner.node == nullptr) return {};
  if (!partner.node->is_dynamic()) {
    const Velocity velocity = partner.node->motion_speed(t, kPart);
    return {velocity.linear / dt, velocity.angular / dt};
  }
  const Mat3 inverse = partner.node->inertia.inverse_world(partner.rotation);
  return {partner.node->linear, inverse * partner.node->angular_momentum,
          partner.node->inertia.inverse_mass, inverse};
}

// Returns the part of a supported body's velocities that comes from forces between t and the end of
// the step.
dynamics::SolverBody Dynamics::Data::forces_ahead(const dynamics::Partner& partner,
                                                  double t) const {
  dynamics::SolverBody ahead;
  if (partner.node == nullptr || !partner.node->is_dynamic() || !partner.node->supported)
    return ahead;
  const double time = (1 - t) * dt;
  ahead.linear = held_of(partner.node->linear, time * acceleration(*partner.node));
  ahead.angular = partner.node->inertia.inverse_world(partner.rotation) *
                  held_of(partner.node->angular_momentum, time * partner.node->all_torque);
  return ahead;
}

// Returns these for all partners, with the reactions of joints.
dynamics::PartnerSpeeds Dynamics::Data::forces_ahead(const dynamics::Partners& partners, double t) {
  dynamics::PartnerSpeeds ahead;
  for (const dynamics::Partner& s : partners) ahead.push_back(forces_ahead(s, t));
  for (dynamics::Articulation* const of : meeting_joined_) {
    for (std::size_t n = 0; n < of->nodes.size(); ++n) {
      of->bodies[n].linear = ahead[of->targets[n]].linear;
      of->bodies[n].angular = ahead[of->targets[n]].angular;
    }
    of->system.project(of->bodies, joint_impulses_);
    for (std::size_t n = 0; n < of->nodes.size(); ++n) {
      ahead[of->targets[n]].linear = of->bodies[n].linear;
      ahead[of->targets[n]].angular = of->bodies[n].angular;
    }
  }
  return ahead;
}

void Dynamics::Data::take(const dynamics::Partner& partner,
                          const dynamics::SolverBody& body) const {
  if (partner.node == nullptr || !partner.node->is_dynamic()) return;
  partner.node->linear = body.linear;
  partner.node->angular_momentum = partner.node->inertia.world(partner.rotation) * body.angular;
  partner.node->allowed_turning = partner.rotation.transpose() * partner.node->angular_momentum;
}

// Gives a body the impulse of all forces until the end of the step.
void Dynamics::Data::support(const dynamics::Partner& partner, double rest) const {
  if (partner.node == nullptr || !partner.node->is_dynamic() || partner.node->supported) return;
  partner.node->supported = true;
  partner.node->pushed += rest;
  partner.node->to_parabola.setZero();
  partner.node->linear += rest * acceleration(*partner.node);
  partner.node->angular_momentum += rest * partner.node->all_torque;
  partner.node->allowed_turning = partner.rotation.transpose() * partner.node->angular_momentum;
}

}  // namespace touche
