// SPDX-License-Identifier: Apache-2.0
// Finds the bodies that are near each other at the start of a step, whose contact candidates are
// then searched.
#include "dynamics/dynamics_data.h"

namespace touche {
namespace {

// In units of the tolerance.

// Contact candidates that are this near count from the start; others once predicted motions lead
// there.
constexpr double kRestingNear = 8;
// The same for pairs with many candidates, as threads have: the search for these takes most of the
// time, and what is left out is found before motions are taken (foresight.cpp).
constexpr double kRestingNearMany = 4;
// Bodies may move this far before their candidates are searched again.
constexpr double kSlack = 0.25;
// A body approaches surfaces beside its path by about this share of the distance that it slides in
// a step.
constexpr double kAside = 0.1;

}  // namespace

// How far points of two bodies move relative to each other in this step, if nothing changes.
double Dynamics::Data::relative_motion(Index a, Index b) const {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  const Aabb &box_a = world.shape(a).bounds(), &box_b = world.shape(b).bounds();
  const Index at = box_a.diagonal() < box_b.diagonal() ? a : b;
  const Aabb& small = at == a ? box_a : box_b;
  const Vec3 middle = world.bodies[at].pose * small.centre();
  for (const Index body : {a, b}) {
    const dynamics::MovingNode* node = mover(body);
    if (node == nullptr) continue;
    const double sign = body == a ? -1 : 1;
    const Velocity velocity =
        node->is_dynamic()
            ? Velocity{dt * node->linear,
                       dt * (node->inertia.inverse_world(node->rotation(node->start)) *
                             node->angular_momentum)}
            : node->motion_speed(0, 1);
    const Vec3 centre =
        node->is_dynamic() ? node->start * node->inertia.centre : Vec3(node->start.translation());
    linear += sign * (velocity.linear + velocity.angular.cross(middle - centre));
    angular += sign * velocity.angular;
  }
  return linear.norm() + 0.5 * small.diagonal() * angular.norm();
}

void Dynamics::Data::find_contacts() {
  do ask_for_contacts();
  while (wake_near());
}

void Dynamics::Data::ask_for_contacts() {
  const double near = kRestingNear * options.tolerance;
  double fastest = 0;
  for (const dynamics::MovingNode& node : nodes)
    fastest = std::max(fastest, acceleration(node).norm());
  near_pairs_.clear();
  const double farthest = near + 2 * dt * dt * fastest + dt * small_speed(),
               slack = kSlack * options.tolerance;
  for (const auto& [a, b] : world.candidates(farthest)) {
    const dynamics::MovingNode *node_a = mover(a), *node_b = mover(b);
    if (!is_active(mover_of_[a]) && !is_active(mover_of_[b])) continue;
    if (node_a == node_b || is_exempt(a, b)) continue;
    if ((node_a == nullptr || !node_a->is_dynamic()) &&
        (node_b == nullptr || !node_b->is_dynamic()))
      continue;
    const double most = near + dt * resting_speed(a, b),
                 many = kRestingNearMany * options.tolerance;
    near_pairs_.push_back(
        {a, b, most, std::min(most, many + std::min(many, kAside * relative_motion(a, b)))});
  }
  contact_list_.update(world, near_pairs_, slack, options.threads);
  find_sliding();
}

}  // namespace touche
