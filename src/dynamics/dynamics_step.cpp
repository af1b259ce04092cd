// SPDX-License-Identifier: Apache-2.0
// A step, or a part of one, from its beginning to its end.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "bvh/object_data.h"
#include "dynamics/dynamics_data.h"
#include "query/thread_motion.h"

namespace touche::dynamics {

namespace {

// The share of its idle time that a body keeps from step to step.
constexpr double kIdleKept = 0.8;

/// The constant velocity that moves one pose to another in this time. Rotations are taken to be
/// less than half a turn.
Velocity velocity_between(const Pose& from, const Pose& to, double time) {
  const Pose::AxisAngle turn = (to * from.inverse()).axis_angle();
  return {(to.translation() - from.translation()) / time, (turn.angle / time) * turn.axis};
}

}  // namespace

Pose MovingNode::pose(double t) const {
  const WayPart& part = way.back();
  return part.motion.pose(part.begin < 1 ? (t - part.begin) / (1 - part.begin) : 1);
}

void MovingNode::set_motion(double from, const Motion& motion) {
  if (!way.empty() && way.back().begin == from)
    way.back().motion = motion;
  else
    way.push_back({from, motion});
}

Velocity MovingNode::motion_speed(double t, double step) const {
  const double from = std::max(way.back().begin, std::min(t, 1 - step));
  return velocity_between(pose(from), pose(from + step), step);
}

}  // namespace touche::dynamics

namespace touche {

const dynamics::MovingNode* Dynamics::Data::mover(Index body) const {
  const Index i = mover_of_[body];
  return i == kNone ? nullptr : &nodes[i];
}

// ---- the beginning ------------------------------------------------------------------------------

void Dynamics::Data::drop_removed_nodes() {
  const auto gone = [&](const dynamics::MovingNode& node) { return !world.graph.has(node.node); };
  nodes.erase(nodes.begin() + static_cast<std::ptrdiff_t>(dynamic_count), nodes.end());
  std::erase_if(nodes, gone);
  dynamic_count = nodes.size();
  std::erase_if(moves, [&](const auto& move) { return !world.graph.has(move.first); });
  for (dynamics::JointEntry& joint : joints)
    for (const NodeId node : {joint.joint.a, joint.joint.b})
      if (node != NodeId{} && !world.graph.has(node)) joint.is_there = false;
}

// Computes what steps need to know of objects, so that no step has to.
void Dynamics::Data::prepare() {
  world.refresh_poses();
  for (const auto& [a, b] : world.candidates(options.tolerance)) {
    if (!world::are_soups(world.shape(a), world.shape(b))) continue;
    const Object &object_a = world.shape(a).object(), &object_b = world.shape(b).object();
    (void)bvh::features_of(object_a);
    (void)bvh::features_of(object_b);
    query::prepare_threads(object_a, world.bodies[a].pose, object_b, world.bodies[b].pose);
    (void)sliding_pair(a, b);
  }
}

void Dynamics::Data::begin_step() {
  result.impacts.clear();
  result.contacts.clear();
  result.pushes.clear();
  result.corrections.clear();
  result.lost.clear();
  result.stuck.clear();
  result.unresolved.clear();
  result.stats = {};
  met_.clear();
  met_contacts_.clear();
  touching_.clear();
  drop_removed_nodes();
  world.refresh_poses();
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const auto& [node, motion] = moves[i];
    const double done = part_ - moves_lost_[i];
    nodes.emplace_back(node);
    nodes.back().set_motion(0,
                            parts_ > 1 ? motion.part(done / parts_, (done + 1) / parts_) : motion);
  }
  wake_disturbed();
  mover_of_.assign(world.bodies.size(), kNone);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    dynamics::MovingNode& node = nodes[i];
    node.begin = node.lost = node.slowed = 0;
    node.reached = node.halted = 1;
    node.responses = 0;
    node.last_impact = 0;
    node.supported = node.grounded = node.stopped = false;
    node.to_parabola.setZero();
    node.pushed = 0;
    if (part_ == 0) {
      node.corrected = node.corrected_turn = Vec3::Zero();
      node.was_awake = false;
    }
    node.flight.clear();
    node.start = world.graph.pose(node.node.index);
    node.all_force = node.all_torque = Vec3::Zero();
    if (!node.asleep) {
      node.all_force = node.force + node.inertia.mass * options.gravity;
      node.all_torque = node.torque;
    }
    if (node.is_dynamic()) node.way.clear();
    world.graph.walk_below(node.node.index, [&](Index body) {
      // A body with a given motion of its own does not move with the node above it.
      if (mover_of_[body] == kNone || !node.is_dynamic()) mover_of_[body] = static_cast<Index>(i);
      return true;
    });
  }
  find_articulations();
  for (std::size_t i = 0; i < dynamic_count; ++i)
    if (articulation_of_[i] != kNone) end_lag(nodes[i], nodes[i].start);
  tell_stepper();
  drive();
}

// ---- motions ------------------------------------------------------------------------------------

// Returns the velocity of a flight's chord less the velocity at its beginning. The chord ends where
// the parabola does after that time. Half of the forces act before and half after: this is exact
// for constant forces, and keeps energy.
Vec3 Dynamics::Data::to_chord(const dynamics::MovingNode& node, double time) const {
  if (!(time > 0)) return Vec3::Zero();
  return 0.5 * time * acceleration(node) + node.to_parabola / time;
}

void Dynamics::Data::give_motion(dynamics::MovingNode& node, double from, const Pose& pose) {
  if (!node.is_dynamic()) {
    const double t = (from - node.way.back().begin) / (1 - node.way.back().begin);
    if (t > 0) node.set_motion(from, node.motion().part(t, 1));
    return;
  }
  const double time = node.rate * (1 - from) * dt;
  if (node.supported) {
    const Mat3 inverse = node.inertia.inverse_world(pose.matrix());
    node.set_motion(from, dynamics::drifting(node.inertia, pose,
                                             {node.linear, inverse * node.angular_momentum}, time));
  } else {
    node.set_motion(
        from, dynamics::tumbling(node.inertia, pose, node.lag, node.linear + to_chord(node, time),
                                 node.angular_momentum + 0.5 * time * node.all_torque, time));
  }
}

void Dynamics::Data::give_motions_of_start() {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    dynamics::MovingNode& node = nodes[i];
    node.stopped = false;
    node.halted = node.rate = 1;
    if (held_[i]) {
      node.stop(node.start);
    } else if (node.asleep) {
      node.set_motion(0, Motion::at(node.start));
    } else if (articulation_of_[i] != kNone && node.is_dynamic()) {
      continue;
    } else if (node.supported) {
      node.rate = passing_share(dt * moved_bodies_[i].angular.stableNorm());
      node.set_motion(0, dynamics::drifting(node.inertia, node.start,
                                            {moved_bodies_[i].linear, moved_bodies_[i].angular},
                                            node.rate * dt));
    } else {
      if (node.is_dynamic()) node.rate = passing_share(dt * turning_of(node).stableNorm());
      give_motion(node, 0, node.start);
    }
  }
  give_joined_motions();
  for (const dynamics::MovingNode& node : nodes) stepper_.move(node.node, node.motion());
}

void Dynamics::Data::move_all() {
  StepOptions step;
  step.tolerance = options.tolerance;
  step.threads = options.threads;
  give_motions_of_start();
  bool go_on = foresee(step);
  if (velocities_wait() && solve_velocities()) {
    give_motions_of_start();
    go_on = false;
  }
  take_velocities();
  step.policy = StepPolicy::respond;
  step.respond = [this](const StepContact& contact) { return respond(contact); };
  step.max_responses = std::numeric_limits<int>::max();
  const StepResult& taken = go_on ? stepper_.go_on(step) : stepper_.run(step);
  const StepStats before = result.stats;
  result.stats = taken.stats;
  result.stats.questions += before.questions;
  result.stats.queries += before.queries;
  for (std::size_t i = 0; i < nodes.size(); ++i) finish(nodes[i], taken.groups[i].reached);
  end_joints();
  limit_energy();
  limit_joined_energy();
  take_back_lag_energy();
}

// ---- the end ------------------------------------------------------------------------------------

// Returns the part of an impulse that a momentum still contains.
Vec3 Dynamics::Data::held_of(const Vec3& momentum, const Vec3& impulse) {
  const double size = impulse.squaredNorm();
  if (!(size > 0)) return Vec3::Zero();
  return std::clamp(momentum.dot(impulse) / size, 0.0, 1.0) * impulse;
}

// Takes back the impulse of forces whose time was lost, as far as the momentum still contains it.
void Dynamics::Data::take_back(dynamics::MovingNode& node, double time) const {
  if (!node.supported) return;
  node.correct([&] {
    node.linear -= held_of(node.linear, time * acceleration(node));
    node.angular_momentum -= held_of(node.angular_momentum, time * node.all_torque);
  });
}

void Dynamics::Data::finish(dynamics::MovingNode& node, double reached) {
  if (node.stopped) reached = std::min(reached, node.begin);
  if (!node.is_dynamic()) {
    reached = std::min(reached, node.halted);
    node.lost = 0;
  }
  node.reached = reached;
  if (node.is_dynamic()) {
    advance(node, reached);
    take_back(node, (1 - reached) * dt);
  }
  node.lost = std::min(1.0, node.lost + 1 - reached);
  node.slowed = std::min(node.slowed, node.lost);
  node.idle = dynamics::kIdleKept * node.idle + node.lost - node.slowed;
  if (node.lost > 0) result.lost.push_back({node.node, node.lost * dt, node.slowed * dt});
}

void Dynamics::Data::end_step() {
  std::sort(touching_.begin(), touching_.end());
  touching_.erase(std::unique(touching_.begin(), touching_.end()), touching_.end());
  const auto stays = [&](NodeId body) {
    const dynamics::MovingNode* node = mover(body.index);
    return node == nullptr || node->reached == 0;
  };
  for (const auto& [a, b] : touching_)
    if (stays(a) && stays(b)) result.stuck.emplace_back(a, b);
  std::sort(result.lost.begin(), result.lost.end(),
            [](const LostTime& x, const LostTime& y) { return x.node < y.node; });
}

void Dynamics::Data::take_part(double time) {
  dt = time;
  looks_before_ = std::exchange(looks_, 0);
  contact_solver_.turn_round();
  direct_.begin_step(parts_, part_);
  begin_step();
  note_energy();
  find_contacts();
  begin_account();
  calm_pressed();
  if (regain_gaps()) find_contacts();
  solve_contacts();
  move_all();
  end_step();
  close_account();
  fall_asleep();
}

Motion Dynamics::Data::way_of_part(const dynamics::MovingNode& node) const {
  std::vector<Motion> motions;
  std::vector<double> times = {0};
  const auto add = [&](const Motion& motion, double end) {
    motions.push_back(motion);
    times.push_back(end);
  };
  for (std::size_t i = 0; i < node.way.size(); ++i) {
    const dynamics::WayPart& part = node.way[i];
    const double next = i + 1 < node.way.size() ? node.way[i + 1].begin : 1;
    const double end = std::min(next, node.reached);
    const auto at = [&](double t) { return (t - part.begin) / (1 - part.begin); };
    if (part.begin < end) add(end < 1 ? part.motion.part(0, at(end)) : part.motion, end);
  }
  if (node.reached < 1) add(Motion::at(world.graph.pose(node.node.index)), 1);
  return with_regaining(node, motions.size() == 1 ? motions[0] : Motion::chain(motions, times));
}

}  // namespace touche
