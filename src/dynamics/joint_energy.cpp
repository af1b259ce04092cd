// SPDX-License-Identifier: Apache-2.0
// Limits the energy of joined bodies: a step adds no more than the work of forces.
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "dynamics/as_one.h"
#include "dynamics/dynamics_data.h"

namespace touche {
namespace {

// Flights keep energy except for oscillations about its value. kSwing is how far it may be above
// that, in units of the greatest recent energy, which a step reduces by kForgotten.
constexpr double kSwing = 0.005, kForgotten = 0.01;
// The energy of a flight that is cut short is restored only if it grows by no more than this
// factor.
constexpr double kMostGivenBack = 1.05;
// Relative: accelerations that differ by less are equal.
constexpr double kAlike = 1e-12;

}  // namespace

// Returns the energy of motion and height of the articulation's bodies at their listed poses and
// velocities. Heights are relative to the start of the step.
double Dynamics::Data::energy_of(const dynamics::Articulation& of) const {
  double energy = 0;
  for (std::size_t n = 0; n < of.nodes.size(); ++n) {
    const dynamics::MovingNode& node = nodes[of.nodes[n]];
    if (!node.is_dynamic()) continue;
    const dynamics::SolverBody& body = of.bodies[n];
    const dynamics::Placed& at = of.places[n];
    energy += 0.5 * node.inertia.mass * body.linear.squaredNorm() +
              0.5 * body.angular.dot(node.inertia.world(at.rotation) * body.angular) -
              node.all_force.dot(at.centre - node.start * node.inertia.centre);
  }
  return energy;
}

// Ends a flight, and records how far its energy deviates. A flight that ends within a part has
// velocities on a chord between the velocities at both ends, so its energy is restored.
void Dynamics::Data::end_swing(dynamics::Articulation& of, bool is_cut) {
  if (!std::exchange(of.flies, false)) return;
  if (is_cut) keep_energy(of);
  of.swing += energy_of(of) - of.flown;
}

// Gives the bodies the energy that they had where their flight began, in a manner that joints
// allow: bodies that are held get slower or faster, and free ones move towards the motion of one
// rigid body, or away from it.
void Dynamics::Data::keep_energy(dynamics::Articulation& of) {
  double motion = 0;
  dynamics::AsOne all;
  const auto momentum = [&](std::size_t n) {
    return Vec3(nodes[of.nodes[n]].inertia.world(of.places[n].rotation) * of.bodies[n].angular);
  };
  for (std::size_t n = 0; n < of.nodes.size(); ++n) {
    const dynamics::MovingNode& node = nodes[of.nodes[n]];
    if (!node.is_dynamic() || !node.all_torque.isZero(0)) return;
    const dynamics::SolverBody& body = of.bodies[n];
    motion +=
        0.5 * node.inertia.mass * body.linear.squaredNorm() + 0.5 * body.angular.dot(momentum(n));
    all.add(node.inertia, of.places[n].centre, of.places[n].rotation, body.linear, momentum(n));
  }
  all.finish();
  const double least = stands(of) ? 0 : all.energy(), has = motion - least,
               wanted = has + of.flown - energy_of(of);
  if (!(has > 0) || wanted > kMostGivenBack * has) return;
  const double share = std::sqrt(std::max(wanted, 0.0) / has);
  for (std::size_t n = 0; n < of.nodes.size(); ++n) {
    dynamics::MovingNode& node = nodes[of.nodes[n]];
    dynamics::SolverBody& body = of.bodies[n];
    Vec3 linear = body.linear, turning = momentum(n);
    if (stands(of)) {
      linear *= share;
      turning *= share;
    } else {
      all.share(1 - share, node.inertia, of.places[n].centre, of.places[n].rotation, linear,
                turning);
    }
    node.correct([&] {
      node.linear = linear;
      node.angular_momentum = turning;
    });
    body.linear = node.linear;
    body.angular = body.inverse_inertia * node.angular_momentum;
  }
}

// Impulses at limits, flights in long steps and loops that are nearly singular have errors of the
// order of the step's length. Bodies connected by joints and contacts are treated as a whole.
void Dynamics::Data::limit_joined_energy() {
  if (articulation_count_ == 0) return;
  separate_all();
  driven_.assign(dynamic_count, false);
  standing_.assign(dynamic_count, false);
  const auto join = [&](Index a, Index b) {
    for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)}) {
      if (x >= dynamic_count || y < dynamic_count) continue;
      driven_[x] = driven_[x] || (y < nodes.size() && !moves[y - dynamic_count].second.is_still());
      standing_[x] = true;
    }
    if (std::max(a, b) >= dynamic_count) return;
    join_bodies(a, b);
  };
  for (const auto& [a, b] : pressed_in_step_) join(a, b);
  for (const auto& [a, b] : met_in_step_) join(a, b);
  const Index still = static_cast<Index>(nodes.size());
  for (const dynamics::Articulation& of : articulations())
    for (const Index j : of.joints)
      join(std::min(joints[j].a, still), std::min(joints[j].b, still));
  each_group([&](const auto& group) { limit_joined_energy(group); });
}

// Bodies that are held by nothing that stands still keep their momenta. Motions that close joints
// or open gaps move them otherwise than their velocities do, and in loops that are nearly singular
// the impulses of joints leave rounding errors. The missing momentum is given back to all bodies as
// one rigid body, which joints allow, as far as that alone does not need more energy than `most`.
void Dynamics::Data::keep_momenta(std::span<const std::pair<Index, Index>> group, double most) {
  const dynamics::MovingNode& first = nodes[group.front().second];
  const Vec3 falls = acceleration(first);
  dynamics::AsOne before, now;
  for (const auto& [root, i] : group) {
    const dynamics::MovingNode& node = nodes[i];
    // Forces that accelerate all bodies alike do not turn them.
    const bool falls_alike = falls.isZero(0)
                                 ? node.all_force.isZero(0)
                                 : (acceleration(node) - falls).norm() <= kAlike * falls.norm() &&
                                       node.lost == first.lost;
    if (driven_[i] || !node.all_torque.isZero(0) || !falls_alike) return;
    const Pose pose = world.graph.pose(node.node.index);
    before.add(node.inertia, node.start * node.inertia.centre, node.rotation(node.start),
               node.had.linear, node.had.angular);
    now.add(node.inertia, pose * node.inertia.centre, node.rotation(pose), node.linear,
            node.angular_momentum);
  }
  before.finish();
  now.finish();
  Vec3 push = Vec3::Zero();
  Vec3 lost = before.inertia() * before.angular() - now.inertia() * now.angular();
  if (falls.isZero(0)) {
    push = before.linear() - now.linear();
    // About a fixed point: the centre of bodies of which some lose time leaves its straight path.
    lost += (before.centre() - now.centre()).cross(before.mass() * before.linear());
  }
  Vec3 turn = now.inertia().inverse() * lost;
  const double share = now.share_within(most, push, turn);
  push *= share;
  turn *= share;
  for (const auto& [root, i] : group) {
    dynamics::MovingNode& node = nodes[i];
    const Pose pose = world.graph.pose(node.node.index);
    node.correct([&] {
      node.linear += push + turn.cross(pose * node.inertia.centre - now.centre());
      node.angular_momentum += node.inertia.world(node.rotation(pose)) * turn;
    });
  }
}

void Dynamics::Data::limit_joined_energy(std::span<const std::pair<Index, Index>> group) {
  const auto is_joined = [&](const auto& one) { return articulation_of_[one.second] != kNone; };
  if (std::none_of(group.begin(), group.end(), is_joined)) return;
  if (std::none_of(group.begin(), group.end(),
                   [&](const auto& one) { return standing_[one.second]; }))
    keep_momenta(group, std::numeric_limits<double>::infinity());
  // The energy now, its limit, the excess kept from earlier steps, and the greatest recent energy.
  // The excess was not gained in this step.
  double energy = 0, most = 0, of_lags = 0, above = 0, greatest = 0, moved = 0, swing = 0;
  bool stands = false, is_known = true;
  for (const auto& [root, i] : group) {
    dynamics::MovingNode& node = nodes[i];
    // Motors, torques and bodies that push these do work that is not counted here.
    is_known = is_known && !driven_[i] && node.all_torque.isZero(0);
    stands = stands || standing_[i];
    const Pose pose = world.graph.pose(node.node.index);
    const Vec3 way = pose * node.inertia.centre - node.start * node.inertia.centre;
    energy += node.kinetic_energy(node.rotation(pose));
    most += node.energy + node.all_force.dot(way);
    of_lags += node.lag_share * node.turning_energy(node.rotation(pose));
    above += node.above;
    if (articulation_of_[i] != kNone && local_of_[i] == 0)
      swing += articulations_[articulation_of_[i]].swing;
    // Bodies that are pressed regain their gaps.
    if (node.supported && node.lost < 1) most += options.tolerance * node.all_force.norm();
    node.greatest_energy = std::max(node.energy, (1 - kForgotten) * node.greatest_energy);
    greatest += node.greatest_energy;
    moved = std::max(moved, 1 - node.lost);
  }
  const double may_rise = moved > 0 ? std::max(kSwing * greatest - above, 0.0) : 0;
  const double limit = std::max(std::min(most + std::min(swing, may_rise), energy - of_lags), 0.0);
  if (is_known && energy > limit) {
    take_energy(group, stands, energy, limit);
    energy = 0;
    for (const auto& [root, i] : group) {
      const dynamics::MovingNode& node = nodes[i];
      energy += node.kinetic_energy(node.rotation(world.graph.pose(node.node.index)));
    }
  }
  const double now_above = is_known ? std::max(energy - most + above, 0.0) : 0;
  for (const auto& [root, i] : group)
    nodes[i].above = now_above / static_cast<double>(group.size());
  if (is_known)
    for (const auto& [root, i] : group) nodes[i].lag_share = 0;
}

}  // namespace touche
