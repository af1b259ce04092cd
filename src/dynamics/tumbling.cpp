// SPDX-License-Identifier: Apache-2.0
// Bodies that turn far in a step, about an axis that is not a principal axis.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "dynamics/dynamics_data.h"

namespace touche {
namespace {

// Radians per step: a body that turns by no more does not tumble.
constexpr double kFarToTumble = 0.5;
// A body tumbles if the square of its turn, times the sine of the angle between its angular
// velocity and its angular momentum, exceeds this.
constexpr double kMostWobble = 0.025;
// A body that was idle for more steps than this is damped (MovingNode::idle): after two lost steps,
// or many of which a third is lost.
constexpr double kMostIdle = 1.3;
// The same for joined bodies: after five lost steps, or many of which two thirds are lost. They
// keep the share kLess of their velocities.
constexpr double kMostIdleJoined = 3, kLess = 0.5;
// Pressed bodies keep this share of the turn from which on a body tumbles.
constexpr double kCalmed = 0.99;
// Radians, 64 turns: no body turns further in a step, because the pieces of a motion and the
// queries about it grow with its turn.
constexpr double kFarthestTurn = 402;

}  // namespace

// Returns the share of a time that may pass for a body that would turn by this many radians in it.
double Dynamics::Data::passing_share(double turn) {
  return turn > kFarthestTurn ? kFarthestTurn / turn : 1;
}

// True if no single angular velocity describes the body's rotation: resting contacts would give it
// energy. Its contacts are handled as impacts instead.
bool Dynamics::Data::tumbles(const dynamics::MovingNode& node) const {
  if (!node.is_dynamic()) return false;
  const Vec3 momentum = node.angular_momentum, turn = dt * turning_of(node);
  return turn.norm() > kFarToTumble &&
         turn.norm() * turn.cross(momentum).norm() > kMostWobble * momentum.norm();
}

// Returns the largest angular speed of a body that is pressed to others, or infinity. A tumbling
// body that is pressed collides at the start of every step and would stand still for ever. So might
// a body that has waited, such as a disc that rolls on its rim, of which contacts know only the
// lowest point.
double Dynamics::Data::calm_speed(const dynamics::MovingNode& node) const {
  const double speed = turning_of(node).norm();
  double most = kInfinity;
  if (tumbles(node)) most = kCalmed * kFarToTumble / dt;
  if (node.idle > kMostIdle) most = std::min(most, 0.5 * speed);
  return most;
}

// Damps excessive rotation of pressed bodies. For a group that stands on something that forces do
// not move, this is a torque of the contacts. Any other group keeps its momentum: its velocities
// move towards the motion of one rigid body.
void Dynamics::Data::calm_pressed() {
  separate_all();
  // Two bouncing bodies are near each other after several impacts in a step, and may separate by
  // themselves.
  const auto may_leave = [&](const dynamics::NearPlace& place) {
    const dynamics::MovingNode *const node_a = mover(place.a), *const node_b = mover(place.b);
    const auto is_free = [](const dynamics::MovingNode* node) {
      return node != nullptr && node->is_dynamic() && node->idle <= kMostIdle;
    };
    return is_free(node_a) && is_free(node_b) && common_surface(place.a, place.b).restitution > 0;
  };
  bool any = false;
  pressed_joined_.assign(articulation_count_, false);
  for (const dynamics::NearPlace& place : contact_list_.places()) {
    if (place.distance > kPressedTogether * options.tolerance || may_leave(place)) continue;
    const Index a = solver_number(place.a), b = solver_number(place.b);
    join_bodies(a, b);
    for (const Index i : {a, b})
      if (i < nodes.size() && articulation_of_[i] != kNone)
        pressed_joined_[articulation_of_[i]] = true;
    any = true;
  }
  if (!any) return;
  const Index still = static_cast<Index>(dynamic_count);
  for (std::size_t k = 0; k < articulation_count_; ++k)
    if (pressed_joined_[k])
      for (const Index j : articulations_[k].joints)
        join_bodies(std::min(joints[j].a, still), std::min(joints[j].b, still));
  each_joined_group([&](std::span<const std::pair<Index, Index>> group, bool stands) {
    const auto is_joined = [&](const auto& one) { return articulation_of_[one.second] != kNone; };
    if (std::any_of(group.begin(), group.end(), is_joined))
      calm_joined(group, stands);
    else
      calm(group, stands);
  });
}

// Returns the motion of the bodies as one rigid body, at the poses where the step began.
dynamics::AsOne Dynamics::Data::as_one(std::span<const std::pair<Index, Index>> group) const {
  dynamics::AsOne all;
  for (const auto& [root, i] : group) {
    const dynamics::MovingNode& node = nodes[i];
    all.add(node.inertia, node.start * node.inertia.centre, node.rotation(node.start), node.linear,
            node.angular_momentum);
  }
  all.finish();
  return all;
}

// Joined bodies may turn far while they are pressed, but if they have waited they might wait for
// ever. All velocities of an articulation change by the same factor, which joints allow.
void Dynamics::Data::calm_joined(std::span<const std::pair<Index, Index>> group, bool stands) {
  const auto waited = [&](const auto& one) { return nodes[one.second].idle > kMostIdleJoined; };
  if (std::none_of(group.begin(), group.end(), waited)) return;
  const auto is_moved = [&](const auto& one) {
    const Index of = articulation_of_[one.second];
    return of != kNone && is_driven(articulations_[of]);
  };
  if (std::any_of(group.begin(), group.end(), is_moved)) return;
  const dynamics::AsOne all = as_one(group);
  for (const auto& [root, i] : group) {
    dynamics::MovingNode& node = nodes[i];
    if (!stands) {
      node.correct([&] {
        all.share(kLess, node.inertia, node.start * node.inertia.centre, node.rotation(node.start),
                  node.linear, node.angular_momentum);
      });
    } else if (articulation_of_[i] != kNone) {
      node.slow_down(kLess);
    }
  }
}

void Dynamics::Data::calm(std::span<const std::pair<Index, Index>> group, bool stands) {
  bool any = false;
  for (const auto& [root, i] : group) {
    dynamics::MovingNode& node = nodes[i];
    const double most = calm_speed(node), speed = turning_of(node).norm();
    if (!(speed > most)) continue;
    if (stands) node.correct([&] { node.angular_momentum *= most / speed; });
    any = true;
  }
  if (stands || !any) return;
  const dynamics::AsOne all = as_one(group);
  // |ω + s (Ω - ω)| <= (1 - s) |ω| + s |Ω|.
  double part = 0;
  const double slow = all.angular().norm();
  for (const auto& [root, i] : group) {
    const double most = calm_speed(nodes[i]), speed = turning_of(nodes[i]).norm();
    if (speed > most) part = std::max(part, slow < most ? (speed - most) / (speed - slow) : 1);
  }
  for (const auto& [root, i] : group) {
    dynamics::MovingNode& node = nodes[i];
    node.correct([&] {
      all.share(part, node.inertia, node.start * node.inertia.centre, node.rotation(node.start),
                node.linear, node.angular_momentum);
    });
  }
}

}  // namespace touche
