// SPDX-License-Identifier: Apache-2.0
// The functions of joints that callers use: they check their arguments and report results.
#include <cmath>
#include <string>

#include "dynamics/dynamics_data.h"

namespace touche {
namespace {

void check(const Motor& motor, JointType type) {
  dynamics::require(std::isfinite(motor.speed), "a motor's speed must be finite");
  dynamics::require(motor.strength >= 0 && std::isfinite(motor.strength),
                    "a motor's strength must be a number >= 0");
  dynamics::require(motor.strength == 0 || type == JointType::hinge || type == JointType::slider,
                    "only hinges and sliders have motors");
}

void check(const Joint& joint) {
  dynamics::require(joint.point.allFinite(), "a joint's point must be finite");
  const bool is_free = joint.type == JointType::hinge || joint.type == JointType::slider;
  if (is_free)
    dynamics::require(joint.axis.allFinite() && joint.axis.stableNorm() > 0,
                      "a joint's axis must be finite and have a direction");
  dynamics::require(joint.least <= 0 && joint.most >= 0,
                    "a joint's limits must hold what it is at the start, which is 0");
  dynamics::require(is_free || (joint.least == -kInfinity && joint.most == kInfinity),
                    "only hinges and sliders have limits");
  check(joint.motor, joint.type);
}

// Returns axes of which the third is this one.
Mat3 axes_along(const Vec3& axis) {
  Mat3 axes;
  Vec3 x, y;
  const Vec3 z = axis.stableNormalized();
  dynamics::tangents_of(z, x, y);
  axes << x, y, z;
  return axes;
}

}  // namespace

// Returns the dynamic node that moves this one: itself, or one above it. Null if there is none.
dynamics::MovingNode* Dynamics::Data::dynamic_above(NodeId node) {
  for (std::optional<NodeId> at = node; at; at = world_.parent(*at))
    if (dynamics::MovingNode* const found = find(*at)) return found;
  return nullptr;
}

dynamics::JointEntry& Dynamics::Data::joint_at(JointId id) {
  dynamics::require(id.index < joints.size() && joints[id.index].is_there &&
                        joints[id.index].generation == id.generation,
                    "joint " + std::to_string(id.index) + " is not there");
  return joints[id.index];
}

JointId Dynamics::join(const Joint& joint) {
  Data& d = *data_;
  check(joint);
  Pose poses[2];
  for (const auto& [node, pose] : {std::pair{joint.a, &poses[0]}, {joint.b, &poses[1]}})
    if (node != NodeId{}) *pose = d.world_.pose(node);  // throws for a node that is not there
  const dynamics::MovingNode *const a = joint.a == NodeId{} ? nullptr : d.dynamic_above(joint.a),
                                    *const b =
                                        joint.b == NodeId{} ? nullptr : d.dynamic_above(joint.b);
  dynamics::require(joint.a != joint.b, "a joint of a node to itself");
  dynamics::require(a != nullptr || b != nullptr, "a joint between two nodes that are not dynamic");
  dynamics::require(a != b, "a joint between nodes that move as one");
  d.forget_ways();
  d.drop_removed_nodes();
  Index at = 0;
  while (at < d.joints.size() && d.joints[at].is_there) ++at;
  if (at == d.joints.size()) d.joints.emplace_back();
  dynamics::JointEntry& entry = d.joints[at];
  entry.is_there = true;
  ++entry.generation;
  entry.joint = joint;
  const bool has_axis = joint.type == JointType::hinge || joint.type == JointType::slider;
  const Mat3 axes = has_axis ? axes_along(joint.axis) : Mat3(Mat3::Identity());
  entry.frame_a = {poses[0].inverse() * joint.point, poses[0].matrix().transpose() * axes};
  entry.frame_b = {poses[1].inverse() * joint.point, poses[1].matrix().transpose() * axes};
  entry.position = 0;
  entry.push = entry.turn = Vec3::Zero();
  d.wake_joined(entry);
  return {at, entry.generation};
}

void Dynamics::remove(JointId joint) {
  dynamics::JointEntry& entry = data_->joint_at(joint);
  data_->wake_joined(entry);
  entry.is_there = false;
}

bool Dynamics::has(JointId joint) const {
  const auto& joints = data_->joints;
  if (joint.index >= joints.size()) return false;
  const dynamics::JointEntry& entry = joints[joint.index];
  const auto is_there = [&](NodeId node) { return node == NodeId{} || data_->world_.has(node); };
  return entry.is_there && entry.generation == joint.generation && is_there(entry.joint.a) &&
         is_there(entry.joint.b);
}

std::vector<JointId> Dynamics::joints() const {
  std::vector<JointId> all;
  for (Index j = 0; j < data_->joints.size(); ++j)
    if (const JointId id{j, data_->joints[j].generation}; has(id)) all.push_back(id);
  return all;
}

const Joint& Dynamics::joint(JointId joint) const { return data_->joint_at(joint).joint; }

void Dynamics::set_motor(JointId joint, const Motor& motor) {
  dynamics::JointEntry& entry = data_->joint_at(joint);
  check(motor, entry.joint.type);
  data_->wake_joined(entry);
  entry.joint.motor = motor;
}

JointState Dynamics::joint_state(JointId id) const {
  Data& d = *data_;
  dynamics::require(has(id), "joint " + std::to_string(id.index) + " is not there");
  const dynamics::JointEntry& entry = d.joint_at(id);
  dynamics::JointPlace places[2];
  Velocity speeds[2];
  for (std::size_t s = 0; s < 2; ++s) {
    const NodeId node = s == 0 ? entry.joint.a : entry.joint.b;
    const dynamics::JointFrame& frame = s == 0 ? entry.frame_a : entry.frame_b;
    const Pose pose = node == NodeId{} ? Pose() : d.world_.pose(node);
    const dynamics::MovingNode* const moving = node == NodeId{} ? nullptr : d.dynamic_above(node);
    places[s] = placed(frame, Vec3::Zero(), pose.translation(), pose.matrix());
    if (moving == nullptr) continue;
    places[s].centre = d.centre(moving->node);
    speeds[s] = velocity(moving->node);
  }
  JointState state;
  state.position = entry.position;
  if (entry.joint.type == JointType::hinge || entry.joint.type == JointType::slider) {
    const dynamics::JointRow row = dynamics::free_row(entry.joint.type, places[0], places[1]);
    state.speed = row.direction.dot(speeds[1].linear - speeds[0].linear) +
                  row.lever_b.dot(speeds[1].angular) - row.lever_a.dot(speeds[0].angular);
  }
  const dynamics::JointRows made = dynamics::joint_rows(entry.joint.type, places[0], places[1]);
  double drift = 0, tilt = 0;
  for (int i = 0; i < made.count; ++i) {
    const dynamics::JointRow& row = made.rows[static_cast<std::size_t>(i)];
    (row.direction.squaredNorm() > 0 ? drift : tilt) += row.error * row.error;
  }
  state.drift = std::sqrt(drift);
  state.tilt = std::sqrt(tilt);
  if (d.step_time > 0) {
    state.force = entry.push / d.step_time;
    state.torque = entry.turn / d.step_time;
  }
  return state;
}

}  // namespace touche
