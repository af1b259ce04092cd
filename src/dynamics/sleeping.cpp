// SPDX-License-Identifier: Apache-2.0
// Puts bodies to sleep that hardly move: without forces and velocities they stand still, and
// nothing is solved for them, until something wakes them.
#include <algorithm>
#include <utility>

#include "dynamics/dynamics_data.h"
#include "dynamics/find_root.h"

namespace touche {
namespace {

// True if poses are equal except for what rounding does to bodies that stand still.
bool same(const Pose& a, const Pose& b, double tolerance) {
  constexpr double kSmall = 1e-3, kRounding = 1e-12;
  return (a.translation() - b.translation()).norm() <= kSmall * tolerance &&
         (a.matrix() - b.matrix()).norm() <= kRounding;
}

}  // namespace

// Wakes a node and all nodes that fell asleep together with it.
void Dynamics::Data::wake_up(dynamics::MovingNode& node) {
  node.quiet = 0;
  if (!node.asleep) return;
  const auto bed = std::find_if(beds_.begin(), beds_.end(), [&](const dynamics::Bed& b) {
    return std::any_of(b.sleepers.begin(), b.sleepers.end(),
                       [&](const dynamics::Lying& lying) { return lying.node == node.node; });
  });
  node.asleep = false;
  if (bed == beds_.end()) return;
  const dynamics::Bed woken = std::move(*bed);
  beds_.erase(bed);
  for (const dynamics::Lying& lying : woken.sleepers)
    if (dynamics::MovingNode* const other = find(lying.node)) {
      other->asleep = false;
      other->quiet = 0;
      other->all_force = other->force + other->inertia.mass * options.gravity;
      other->all_torque = other->torque;
    }
}

void Dynamics::Data::wake_joined(const dynamics::JointEntry& joint) {
  for (const NodeId node : {joint.joint.a, joint.joint.b})
    if (node != NodeId{} && world.graph.has(node))
      if (dynamics::MovingNode* const moving = dynamic_above(node)) wake_up(*moving);
}

bool Dynamics::Data::sleeps(const dynamics::Articulation& of) const {
  return std::all_of(of.nodes.begin(), of.nodes.end(),
                     [&](Index i) { return !nodes[i].is_dynamic() || nodes[i].asleep; });
}

void Dynamics::Data::wake_all() {
  beds_.clear();
  for (std::size_t i = 0; i < dynamic_count; ++i) {
    nodes[i].asleep = false;
    nodes[i].quiet = 0;
  }
}

// Wakes nodes if something that lay there when they fell asleep no longer lies there.
void Dynamics::Data::wake_disturbed() {
  const auto lies = [&](const dynamics::Lying& lying) {
    return world.graph.has(lying.node) &&
           same(world.graph.pose(lying.node.index), lying.pose, options.tolerance) &&
           world.bodies[lying.node.index].became == lying.became;
  };
  for (std::size_t i = beds_.size(); i-- > 0;) {
    const dynamics::Bed& bed = beds_[i];
    const bool undisturbed =
        std::all_of(bed.supports.begin(), bed.supports.end(), lies) &&
        std::all_of(bed.sleepers.begin(), bed.sleepers.end(), [&](const dynamics::Lying& lying) {
          return lies(lying) && find(lying.node) != nullptr;
        });
    if (undisturbed) continue;
    const dynamics::Bed woken = std::move(beds_[i]);
    beds_.erase(beds_.begin() + static_cast<std::ptrdiff_t>(i));
    for (const dynamics::Lying& lying : woken.sleepers)
      if (dynamics::MovingNode* const node = find(lying.node)) {
        node->asleep = false;
        node->quiet = 0;
      }
  }
}

// Wakes sleeping nodes that other bodies come near, or that are joined to active ones. Returns
// whether any was woken.
bool Dynamics::Data::wake_near() {
  if (beds_.empty()) return false;
  bool woken = false;
  for (const dynamics::NearPlace& place : contact_list_.places())
    for (const Index body : {place.a, place.b}) {
      const Index i = mover_of_[body];
      if (i == kNone || !nodes[i].asleep) continue;
      wake_up(nodes[i]);
      woken = true;
    }
  // Joints wake nodes, too.
  for (const dynamics::Articulation& of : articulations()) {
    const auto sleeps = [&](Index i) { return nodes[i].is_dynamic() && nodes[i].asleep; };
    if (std::none_of(of.nodes.begin(), of.nodes.end(), sleeps)) continue;
    if (std::none_of(of.nodes.begin(), of.nodes.end(), [&](Index i) { return is_active(i); }))
      continue;
    for (const Index i : of.nodes)
      if (sleeps(i)) wake_up(nodes[i]);
    woken = true;
  }
  return woken;
}

// True if the node is neither asleep nor standing still for the whole step.
bool Dynamics::Data::is_active(Index i) const {
  if (i == kNone) return false;
  const dynamics::MovingNode& node = nodes[i];
  return node.is_dynamic() ? !node.asleep : !node.motion().is_still();
}

// Counts for how long bodies have hardly moved. Puts groups to sleep that lie on each other, or are
// joined, once all of their bodies have hardly moved for long enough.
void Dynamics::Data::fall_asleep() {
  if (!(options.sleep_time > 0)) return;
  for (const NodeId node : woken_)
    if (dynamics::MovingNode* const found = find(node)) {
      found->asleep = true;  // the impact woke it alone
      wake_up(*found);
    }
  woken_.clear();
  bool any = false;
  for (std::size_t i = 0; i < dynamic_count; ++i) {
    dynamics::MovingNode& node = nodes[i];
    if (node.asleep) continue;
    const Pose pose = world.graph.pose(node.node.index);
    double moved = node.quiet > 0 ? 0 : kInfinity;
    if (node.quiet > 0)
      world.graph.walk_below(node.node.index, [&](Index body) {
        if (!world.bodies[body].is_body()) return true;
        const Pose offset = relative(pose, world.bodies[body].pose);
        moved = std::max(
            moved, world::displacement(world.shape(body), node.quiet_pose * offset, pose * offset));
        return true;
      });
    if (moved <= options.tolerance) {
      node.quiet += dt;
    } else {
      node.quiet = dt;
      node.quiet_pose = pose;
    }
    any = any || node.quiet >= options.sleep_time;
  }
  if (any) make_beds();
}

void Dynamics::Data::make_beds() {
  std::vector<Index> parent(nodes.size());
  for (Index i = 0; i < nodes.size(); ++i) parent[i] = i;
  const auto join = [&](Index a, Index b) {
    if (a == kNone || b == kNone) return;
    const Index x = dynamics::find_root(parent, a), y = dynamics::find_root(parent, b);
    parent[std::max(x, y)] = std::min(x, y);
  };
  for (const dynamics::NearPlace& place : places_) join(mover_of_[place.a], mover_of_[place.b]);
  for (const dynamics::Articulation& of : articulations())
    for (const Index i : of.nodes) join(of.nodes.front(), i);
  std::vector<bool> restless(nodes.size(), false);
  for (Index i = 0; i < nodes.size(); ++i)
    if (nodes[i].is_dynamic() ? nodes[i].quiet < options.sleep_time && !nodes[i].asleep
                              : is_active(i))
      restless[dynamics::find_root(parent, i)] = true;

  for (const dynamics::Articulation& of : articulations())
    if (std::any_of(of.joints.begin(), of.joints.end(), [&](Index j) {
          const Motor& motor = joints[j].joint.motor;
          return motor.strength > 0 && motor.speed != 0;
        }))
      restless[dynamics::find_root(parent, of.nodes.front())] = true;

  std::vector<Index> bed_of(nodes.size(), kNone);
  const auto lying = [&](Index node) {
    return dynamics::Lying{world.graph.id(node), world.graph.pose(node), world.bodies[node].became};
  };
  for (Index i = 0; i < dynamic_count; ++i) {
    const Index root = dynamics::find_root(parent, i);
    if (restless[root] || nodes[i].asleep) continue;
    if (bed_of[root] == kNone) {
      bed_of[root] = static_cast<Index>(beds_.size());
      beds_.emplace_back();
    }
    dynamics::MovingNode& node = nodes[i];
    node.asleep = true;
    node.slow_down(0);
    beds_[bed_of[root]].sleepers.push_back(lying(node.node.index));
  }
  // Lists what the sleeping nodes lie on that does not sleep itself.
  for (const dynamics::NearPlace& place : places_)
    for (const auto& [body, other] : {std::pair{place.a, place.b}, {place.b, place.a}}) {
      const Index i = mover_of_[body], j = mover_of_[other];
      if (i == kNone || (j != kNone && nodes[j].is_dynamic())) continue;
      if (const Index bed = bed_of[dynamics::find_root(parent, i)]; bed != kNone)
        beds_[bed].supports.push_back(lying(other));
    }
  for (const dynamics::Articulation& of : articulations())
    for (const Index j : of.joints)
      for (const auto& [i, id] :
           {std::pair{joints[j].a, joints[j].joint.a}, {joints[j].b, joints[j].joint.b}})
        if (id != NodeId{} && (i == kNone || !nodes[i].is_dynamic()))
          if (const Index bed = bed_of[dynamics::find_root(parent, of.nodes.front())]; bed != kNone)
            beds_[bed].supports.push_back(lying(id.index));
}

}  // namespace touche
