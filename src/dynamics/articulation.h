// SPDX-License-Identifier: Apache-2.0
// Bodies that joints hold together.
#pragma once

#include <vector>

#include "dynamics/joint_system.h"

namespace touche::dynamics {

/// A joint, and its state in the present step.
struct JointEntry {
  Index generation = 0;
  bool is_there = false;
  Joint joint;
  JointFrame frame_a, frame_b;  // in the frames of the joined nodes
  double position = 0;          // of the free direction; angles count turns

  // In a step: numbers of moving nodes, kNone if it stands still; and frames in these, or in the
  // world.
  Index a = kNone, b = kNone;
  JointFrame at_a, at_b;
  Vec3 push = Vec3::Zero(), turn = Vec3::Zero();                // impulses on b, about its point
  Vec3 flight_push = Vec3::Zero(), flight_turn = Vec3::Zero();  // in the present flight
};

/// A centre of mass, or the origin of a node without mass, and the rotation of its node.
struct Placed {
  Vec3 centre = Vec3::Zero();
  Mat3 rotation = Mat3::Identity();
};

/// Part of a flight of joined bodies, in the time of the step. Velocities belong to its begin; half
/// of the joints' impulse acts there and half at its end.
struct FlightPart {
  double begin = 0, end = 1;
  Vec3 linear = Vec3::Zero(), angular_momentum = Vec3::Zero();
  Vec3 joint_linear = Vec3::Zero(), joint_angular = Vec3::Zero();  // changes at the begin
};

/// All nodes that joints connect: dynamic ones, and ones that follow motions.
struct Articulation {
  std::vector<Index> nodes, joints;  // numbers
  // In the order of `nodes`. One more body at the end stands for everything that stands still.
  std::vector<Placed> places;
  std::vector<SolverBody> bodies;
  double flight_begin = 0;
  // In a step: whether it flies, its energy (of motion and height) where the flight began, and by
  // how much flights have deviated from their energy.
  bool flies = false;
  double flown = 0, swing = 0;
  bool fast = false;           // turns too far for one motion piece per step
  std::vector<Index> targets;  // numbers of its bodies in the contact solver
  JointSystem system;
  double open = 0;  // largest error of its joints where `system` was built, see joint_errors
};

/// The articulation that a body belongs to.
struct Home {
  Articulation* of = nullptr;  // null: not joined
  Index local = 0;             // the body's number in it
};

}  // namespace touche::dynamics
