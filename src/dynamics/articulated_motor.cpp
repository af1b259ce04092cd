// SPDX-License-Identifier: Apache-2.0
// Motors of joints: their forces in a step are found before it.
#include <algorithm>
#include <cmath>

#include "dynamics/dynamics_data.h"

namespace touche {
namespace {

// Iterations over the motors of an articulation, until each has its speed or its full strength.
constexpr int kMotorPasses = 50;

struct Drive {
  Index joint = 0, a = 0, b = 0;  // bodies of the articulation
  dynamics::JointRow row;
  double mass = 0, impulse = 0;
  std::vector<dynamics::SolverBody> response;  // to an impulse of one
};

double joint_speed(const dynamics::JointRow& row, const dynamics::SolverBody& a,
                   const dynamics::SolverBody& b) {
  return row.direction.dot(b.linear - a.linear) + row.lever_b.dot(b.angular) -
         row.lever_a.dot(a.angular);
}

}  // namespace

// Finds the forces of motors that bring joints to the motors' speeds at the end of the step if
// nothing is met, within the motors' strengths: a motor that something holds pushes with its full
// strength.
void Dynamics::Data::drive() {
  for (dynamics::Articulation& of : articulations()) {
    const bool driven = std::any_of(of.joints.begin(), of.joints.end(),
                                    [&](Index j) { return joints[j].joint.motor.strength > 0; });
    if (!driven) continue;
    place_bodies(of, 0);
    for (std::size_t n = 0; n < of.nodes.size(); ++n) {
      const dynamics::MovingNode& node = nodes[of.nodes[n]];
      if (!node.is_dynamic()) continue;
      of.bodies[n].linear += dt * acceleration(node);
      of.bodies[n].angular += dt * (of.bodies[n].inverse_inertia * node.all_torque);
    }
    build_system(of);
    of.system.project(of.bodies, joint_impulses_);

    std::vector<Drive> drives;
    const Index still = static_cast<Index>(of.nodes.size());
    for (const Index j : of.joints) {
      const dynamics::JointEntry& joint = joints[j];
      if (!(joint.joint.motor.strength > 0)) continue;
      Drive& made = drives.emplace_back();
      made.joint = j;
      made.a = joint.a == kNone ? still : local_of_[joint.a];
      made.b = joint.b == kNone ? still : local_of_[joint.b];
      made.row = dynamics::free_row(joint.joint.type, place_a(joint, of.places),
                                    place_b(joint, of.places));
      made.response = of.bodies;
      for (dynamics::SolverBody& body : made.response) body.linear = body.angular = Vec3::Zero();
      dynamics::SolverBody &a = made.response[made.a], &b = made.response[made.b];
      a.linear -= a.inverse_mass * made.row.direction;
      a.angular -= a.inverse_inertia * made.row.lever_a;
      b.linear += b.inverse_mass * made.row.direction;
      b.angular += b.inverse_inertia * made.row.lever_b;
      const double free = joint_speed(made.row, a, b);
      of.system.project(made.response, joint_impulses_);
      const double inverse = joint_speed(made.row, a, b);
      made.mass = inverse > 1e-12 * free ? 1 / inverse : 0;
    }
    for (int pass = 0; pass < kMotorPasses; ++pass) {
      bool changed = false;
      for (Drive& motor : drives) {
        const Motor& wanted = joints[motor.joint].joint.motor;
        const double speed = joint_speed(motor.row, of.bodies[motor.a], of.bodies[motor.b]);
        const double most = wanted.strength * dt;
        const double impulse =
            std::clamp(motor.impulse + motor.mass * (wanted.speed - speed), -most, most);
        const double more = impulse - motor.impulse;
        changed = changed || std::abs(more) > 1e-12 * most;
        motor.impulse = impulse;
        for (std::size_t n = 0; n < of.nodes.size(); ++n) {
          of.bodies[n].linear += more * motor.response[n].linear;
          of.bodies[n].angular += more * motor.response[n].angular;
        }
      }
      if (!changed) break;
    }
    for (const Drive& motor : drives) {
      const double strength = motor.impulse / dt;
      const auto push = [&](Index body, const Vec3& lever, double sign) {
        if (body == still || !nodes[of.nodes[body]].is_dynamic()) return;
        dynamics::MovingNode& node = nodes[of.nodes[body]];
        node.all_force += sign * strength * motor.row.direction;
        node.all_torque += sign * strength * lever;
      };
      push(motor.a, motor.row.lever_a, -1);
      push(motor.b, motor.row.lever_b, 1);
      const bool slides = joints[motor.joint].joint.type == JointType::slider;
      tell_motor(motor.joint, strength, slides ? motor.row.direction : motor.row.lever_b);
    }
  }
}

}  // namespace touche
