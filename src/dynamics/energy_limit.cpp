// SPDX-License-Identifier: Apache-2.0
// No step gives bodies that touch each other more energy than forces do work on them.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "dynamics/as_one.h"
#include "dynamics/dynamics_data.h"

namespace touche {
namespace {

// Relative: what flight and impacts without friction keep but for rounding stays as it is.
constexpr double kRoundingOfEnergy = 1e-9;

double kinetic_of(const MovingNode& node, const Mat3& rotation) {
  return 0.5 * node.inertia.mass * node.linear.squaredNorm() +
         0.5 * node.angular_momentum.dot(node.inertia.inverse_world(rotation) *
                                         node.angular_momentum);
}

}  // namespace

void Dynamics::Data::note_energy() {
  for (MovingNode& node : nodes)
    if (node.is_dynamic()) node.energy = kinetic_of(node, node.start.matrix());
  met_in_step_.clear();
}

// Velocities are those of motions of one piece, places follow motions that make room for turning,
// and a body that turns on others does so about an axis that is none of its own. All of these are
// off by terms of the length of a step, either way. So those that touched each other in the step
// get slower where they have more energy than before and by the work of forces; that of regaining
// the gap may be a tolerance's. What stands on others may lose momentum to them; all else comes
// nearer to how it would move as one, which keeps it.
void Dynamics::Data::limit_energy() {
  joined_to_.resize(dynamic_count + 1);  // the last stands for all that no forces move
  std::iota(joined_to_.begin(), joined_to_.end(), Index{0});
  driven_.assign(dynamic_count, false);
  bool any = false;
  const auto join = [&](Index a, Index b) {
    for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)})
      if (x < dynamic_count && y >= dynamic_count && y < nodes.size()) driven_[x] = true;
    const Index root_a = joined_root(a), root_b = joined_root(b);
    joined_to_[std::min(root_a, root_b)] = std::max(root_a, root_b);
    any = true;
  };
  for (const SolverContact& contact : solver_contacts_)
    if (contact.normal.impulse > 0) join(contact.a, contact.b);
  for (const auto& [a, b] : met_in_step_) join(a, b);
  if (!any) return;
  each_joined_group([&](std::span<const std::pair<Index, Index>> group, bool stands) {
    limit_energy(group, stands);
  });
}

void Dynamics::Data::limit_energy(std::span<const std::pair<Index, Index>> group, bool stands) {
  double energy = 0, most = 0;
  for (const auto& [root, i] : group) {
    const MovingNode& node = nodes[i];
    // Joints, torques and what pushes them do work that is not counted here.
    if (driven_[i] || articulation_of_[i] != kNone || !node.all_torque.isZero(0)) return;
    const Pose pose = world.graph.pose(node.node.index);
    energy += kinetic_of(node, pose.matrix());
    most += node.energy + options.tolerance * node.all_force.norm() +
            node.all_force.dot(pose * node.inertia.centre - node.start * node.inertia.centre);
  }
  most = std::max(most, 0.0);
  if (!(energy > most * (1 + kRoundingOfEnergy))) return;
  if (stands) {
    const double share = std::sqrt(most / energy);
    for (const auto& [root, i] : group) {
      nodes[i].linear *= share;
      nodes[i].angular_momentum *= share;
    }
    return;
  }
  AsOne all;
  const auto with_each = [&](auto&& use) {
    for (const auto& [root, i] : group) {
      MovingNode& node = nodes[i];
      const Pose pose = world.graph.pose(node.node.index);
      use(node, Vec3(pose * node.inertia.centre), pose.matrix());
    }
  };
  with_each([&](const MovingNode& node, const Vec3& centre, const Mat3& rotation) {
    all.add(node.inertia, centre, rotation, node.linear, node.angular_momentum);
  });
  all.finish();
  // That motion is the nearest with their momentum, in the metric of energy: so what a share leaves
  // of the energy above its own is (1 - share)².
  const double least = all.energy();
  const double part = most > least ? 1 - std::sqrt((most - least) / (energy - least)) : 1;
  with_each([&](MovingNode& node, const Vec3& centre, const Mat3& rotation) {
    all.share(part, node.inertia, centre, rotation, node.linear, node.angular_momentum);
  });
}

}  // namespace touche
