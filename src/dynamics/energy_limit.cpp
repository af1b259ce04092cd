// SPDX-License-Identifier: Apache-2.0
// Limits the energy of bodies that touch each other: a step adds no more than the work of forces,
// neither as height nor as speed.
#include <algorithm>
#include <cmath>

#include "dynamics/as_one.h"
#include "dynamics/dynamics_data.h"

namespace touche {
namespace {

// Relative: a smaller excess is rounding of flights and frictionless impacts, and stays.
constexpr double kRoundingOfEnergy = 1e-9;
// Relative: free bodies that hold each other may gain this much energy in a step by turning.
constexpr double kWonByTurning = 1e-6;
// Radians: distance of the samples on their paths. In between, the energy of a turn about one axis
// is c + d cos 2x, d <= c, so it exceeds both samples by less than a hundredth. kMostPlaces limits
// the number of samples.
constexpr double kPartOfTurn = 0.125, kMostPlaces = 128;
// Such bodies keep at least this share of the time that is left of a step.
constexpr double kLeastTime = 1.0 / 64;

}  // namespace

void Dynamics::Data::note_energy() {
  for (dynamics::MovingNode& node : nodes)
    if (node.is_dynamic()) {
      node.energy = node.kinetic_energy(node.rotation(node.start));
      node.lag_share = 0;
    }
  met_in_step_.clear();
}

// Limits the energy of rotation to what `allowed_turning` has, by a factor on the angular momentum.
// This removes a torque of contacts along the angular momentum, so a top keeps its precession.
void Dynamics::Data::limit_turning(dynamics::MovingNode& node, const Mat3& rotation) {
  const Mat3& inverse = node.inertia.inverse_body;
  const Vec3 has = rotation.transpose() * node.angular_momentum;
  const double energy = has.dot(inverse * has),
               most = node.allowed_turning.dot(inverse * node.allowed_turning);
  if (energy > most) node.correct([&] { node.angular_momentum *= std::sqrt(most / energy); });
}

// Ends a lag at once. With the rotation of the pose, the same momentum may have more energy. A
// supported body keeps that until the end of the step, when as much is taken from all touching
// bodies: to slow one of them now would separate it from the body that it rolls on. Any other body
// turns more slowly at once.
void Dynamics::Data::end_lag(dynamics::MovingNode& node, const Pose& pose) {
  if (node.lag.isIdentity(0)) return;
  const double had = node.turning_energy(node.rotation(pose)),
               has = node.turning_energy(pose.matrix());
  node.lag = Mat3::Identity();
  if (!(has > had)) return;
  if (node.supported)
    node.lag_share = 1 - (1 - node.lag_share) * had / has;
  else
    node.correct([&] { node.angular_momentum *= std::sqrt(had / has); });
}

// Bodies outside all limited groups (they met a driven body or have a torque) return the energy
// that the lag gave them.
void Dynamics::Data::take_back_lag_energy() {
  for (std::size_t i = 0; i < dynamic_count; ++i)
    if (dynamics::MovingNode& node = nodes[i]; node.lag_share > 0)
      node.correct([&] { node.angular_momentum *= std::sqrt(1 - node.lag_share); });
}

// If the solver did not converge it may move bodies up. A group of bodies that lie on each other
// may rise by what its kinetic energy, a tolerance and the opening of its gaps account for. Returns
// whether some group rises further. With `held_back` such groups move less, all bodies by the same
// factor, so that no gap closes by more.
bool Dynamics::Data::rises_too_far(bool held_back) {
  const auto work = [&](Index i) { return -dt * nodes[i].all_force.dot(moved_bodies_[i].linear); };
  const auto may_rise = [&](Index i) { return options.tolerance * nodes[i].all_force.norm(); };
  bool any = false;
  for (Index i = 0; i < dynamic_count && !any; ++i)
    any = nodes[i].grounded && work(i) > may_rise(i);
  if (!any) return false;
  separate_all();
  for (const dynamics::SolverContact& contact : solver_contacts_)
    if (contact.normal.impulse > 0 && std::max(contact.a, contact.b) < dynamic_count)
      join_bodies(contact.a, contact.b);
  rises_.assign(dynamic_count + 1, {});
  for (std::size_t i = 0; i < solver_contacts_.size(); ++i) {
    const dynamics::SolverContact& contact = solver_contacts_[i];
    if (!(contact.normal.impulse > 0)) continue;
    const Index last = std::max(contact.a, contact.b);
    dynamics::Rise& rise = rises_[joined_root(std::min(contact.a, contact.b))];
    rise.most += contact.normal.impulse * std::max(gap_speeds_[i], 0.0);
    if (last >= dynamic_count && last < nodes.size()) rise.is_known = false;  // it is driven
  }
  for (Index i = 0; i < dynamic_count; ++i) {
    dynamics::Rise& rise = rises_[joined_root(i)];
    rise.work += work(i);
    rise.most += nodes[i].energy + may_rise(i);
    // As in limit_energy. Bodies of free groups lift each other by the energy that they have
    // together.
    if (!nodes[i].grounded || articulation_of_[i] != kNone || !nodes[i].all_torque.isZero(0))
      rise.is_known = false;
  }
  any = false;
  for (Index i = 0; i < dynamic_count; ++i) {
    const dynamics::Rise& rise = rises_[joined_root(i)];
    if (!rise.is_known || !(rise.work > rise.most)) continue;
    any = true;
    if (!held_back) break;
    const double share = std::max(rise.most, 0.0) / rise.work;
    moved_bodies_[i].linear *= share;
    moved_bodies_[i].angular *= share;
  }
  return any;
}

// The allowance for rotation comes from the velocities with which the solver began. If the impulses
// of the previous step were far off, for example because an edge replaced a face below a heavy
// body, bodies get rotations that they will never make, and the room for these lifts everything on
// them. Then the gaps alone are solved, and groups that still rise too far are held back.
void Dynamics::Data::limit_lift() {
  if (!rises_too_far(false)) return;
  if (velocities_wait()) {  // else joints were closed already
    for (std::size_t i = 0; i < solver_contacts_.size(); ++i)
      solver_contacts_[i].least_speed = gap_speeds_[i];
    dynamics::RestingSolver::Passes left(options.iterations);
    contact_solver_.solve(solver_bodies_, solver_contacts_, left, small_speed(), fast());
    if (contact_solver_.ended_in_vain()) solve_heavy(small_speed());
    moved_bodies_ = solver_bodies_;
    support_pressed();
  }
  (void)rises_too_far(true);
}

// Velocities belong to motions of one piece, poses follow motions that make room for rotation, and
// a body that turns on others turns about an axis that is not its own. All of these have errors of
// the order of the step's length, of either sign. So a group of bodies that touched in the step is
// slowed down if it has more energy than before plus the work of forces; regaining gaps may add the
// work of one tolerance. A group that stands on something may lose momentum to it; any other group
// moves towards the motion of one rigid body, which keeps its momentum.
void Dynamics::Data::limit_energy() {
  separate_all();
  driven_.assign(dynamic_count, false);
  bool any = false;
  const auto join = [&](Index a, Index b) {
    for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)})
      if (x < dynamic_count && y >= dynamic_count && y < nodes.size() &&
          !moves[y - dynamic_count].second.is_still())
        driven_[x] = true;
    join_bodies(a, b);
    any = true;
  };
  for (const auto& [a, b] : pressed_in_step_) join(a, b);
  for (const auto& [a, b] : met_in_step_) join(a, b);
  if (!any) return;
  each_joined_group([&](std::span<const std::pair<Index, Index>> group, bool stands) {
    limit_energy(group, stands);
  });
}

// Returns the share of the rest of a step that may pass for free bodies that hold each other. They
// keep their momenta while they drift. If they turn far, even the motion of least energy with these
// momenta may have more energy at their end than they had.
double Dynamics::Data::allowed_time(const dynamics::Partners& partners,
                                    const dynamics::PartnerSpeeds& drifts, double rest) {
  double now = 0, before = 0, work = 0;
  for (std::size_t i = 0; i < partners.size(); ++i) {
    const dynamics::Partner& partner = partners[i];
    const dynamics::MovingNode* node = partner.node;
    if (node == nullptr || !node->is_dynamic() || !node->supported || node->grounded ||
        home(node).of != nullptr)
      return 1;
    now += node->kinetic_energy(partner.rotation);
    before += node->energy;
    work += node->all_force.dot(partner.pose * node->inertia.centre + rest * drifts[i].linear -
                                node->start * node->inertia.centre);
  }
  const auto least_energy = [&](double share) {
    dynamics::AsOne all;
    for (std::size_t i = 0; i < partners.size(); ++i) {
      const dynamics::MovingNode& node = *partners[i].node;
      const Pose end = dynamics::drifting(node.inertia, partners[i].pose,
                                          {drifts[i].linear, drifts[i].angular}, share * rest)
                           .pose(1);
      all.add(node.inertia, end * node.inertia.centre, end.matrix(), node.linear,
              node.angular_momentum);
    }
    all.finish();
    return all.energy();
  };
  // Bodies that were slowed down before, and turned meanwhile, may have more energy now than forces
  // gave.
  const double allowed = std::max({before, least_energy(0), std::min(now, before + work)});
  const double most = allowed * (1 + kWonByTurning);
  // They may be stopped anywhere on their paths.
  double turn = 0, share = 1;
  for (const dynamics::SolverBody& drift : drifts)
    turn = std::max(turn, rest * drift.angular.norm());
  const int parts = static_cast<int>(std::min(std::ceil(turn / kPartOfTurn), kMostPlaces));
  for (int i = 1; i < share * parts; ++i)
    if (least_energy(static_cast<double>(i) / parts) > most)
      while (share * parts >= i) share *= 0.5;
  while (share > kLeastTime && least_energy(share) > most) share *= 0.5;
  return std::max(share, kLeastTime);
}

// Slows the bodies down by allowed_time. The time that does not pass is lost.
void Dynamics::Data::slow_down(const dynamics::Partners& partners, dynamics::PartnerSpeeds& drifts,
                               double t, double rate) {
  const double rest = rate * (1 - t), share = allowed_time(partners, drifts, rest * dt);
  if (share == 1) return;
  for (std::size_t i = 0; i < partners.size(); ++i) {
    drifts[i].linear *= share;
    drifts[i].angular *= share;
    dynamics::MovingNode& node = *partners[i].node;
    node.lost += (1 - share) * rest;
    take_back(node, (1 - share) * rest * dt);
  }
}

void Dynamics::Data::limit_energy(std::span<const std::pair<Index, Index>> group, bool stands) {
  double most = 0;
  bool is_supported = false;
  for (const auto& [root, i] : group) {
    const dynamics::MovingNode& node = nodes[i];
    // Joints, torques and driven bodies do work that is not counted here.
    if (driven_[i] || articulation_of_[i] != kNone || !node.all_torque.isZero(0)) return;
    is_supported = is_supported || node.supported;
    most +=
        node.energy + node.all_force.dot(world.graph.pose(node.node.index) * node.inertia.centre -
                                         node.start * node.inertia.centre);
    // Bodies that stood still regained no gap. Otherwise bodies inside each other would gain energy
    // for ever.
    if (node.lost < 1) most += options.tolerance * node.all_force.norm();
  }
  if (is_supported && !stands) keep_momenta(group, most * (1 + kRoundingOfEnergy));
  double energy = 0, of_lags = 0;
  for (const auto& [root, i] : group) {
    const dynamics::MovingNode& node = nodes[i];
    const Mat3 rotation = node.rotation(world.graph.pose(node.node.index));
    energy += node.kinetic_energy(rotation);
    of_lags += node.lag_share * node.turning_energy(rotation);
  }
  take_energy(group, stands, energy, std::min(most, energy - of_lags));
  for (const auto& [root, i] : group) nodes[i].lag_share = 0;
}

// Takes all energy above `most` from a group whose kinetic energy is `energy`.
void Dynamics::Data::take_energy(std::span<const std::pair<Index, Index>> group, bool stands,
                                 double energy, double most) {
  most = std::max(most, 0.0);
  if (!(energy > most * (1 + kRoundingOfEnergy))) return;
  if (stands) {
    const double share = std::sqrt(most / energy);
    for (const auto& [root, i] : group) nodes[i].slow_down(share);
    return;
  }
  dynamics::AsOne all;
  const auto with_each = [&](auto&& use) {
    for (const auto& [root, i] : group) {
      dynamics::MovingNode& node = nodes[i];
      const Pose pose = world.graph.pose(node.node.index);
      use(node, Vec3(pose * node.inertia.centre), node.rotation(pose));
    }
  };
  with_each([&](const dynamics::MovingNode& node, const Vec3& centre, const Mat3& rotation) {
    all.add(node.inertia, centre, rotation, node.linear, node.angular_momentum);
  });
  all.finish();
  // Of all motions with the group's momentum, that of one rigid body is nearest in the metric of
  // energy. So a share leaves (1 - share)² of the energy above that of the rigid body.
  const double least = all.energy();
  const double part = most > least ? 1 - std::sqrt((most - least) / (energy - least)) : 1;
  with_each([&](dynamics::MovingNode& node, const Vec3& centre, const Mat3& rotation) {
    node.correct([&] {
      all.share(part, node.inertia, centre, rotation, node.linear, node.angular_momentum);
    });
  });
}

}  // namespace touche
