// SPDX-License-Identifier: Apache-2.0
// Bodies that joints hold together.
#pragma once

#include <vector>

#include "dynamics/joint_system.h"

namespace touche {

/// A joint, and what it is in the present step.
struct JointEntry {
  Index generation = 0;
  bool is_there = false;
  Joint joint;
  JointFrame frame_a, frame_b;  // in the frames of what was joined
  double position = 0;          // of what is free; angles count turns

  // In a step: numbers of moving nodes; kNone: it stands still. Frames there, or in the world.
  Index a = kNone, b = kNone;
  JointFrame at_a, at_b;
  Vec3 push = Vec3::Zero(), turn = Vec3::Zero();                // impulses on b, about its point
  Vec3 flight_push = Vec3::Zero(), flight_turn = Vec3::Zero();  // of the present flight
};

/// A centre of mass, or the origin of what has none, and the rotation of its node.
struct Placed {
  Vec3 centre = Vec3::Zero();
  Mat3 rotation = Mat3::Identity();
};

/// Part of a flight of bodies that are joined, in the time of the step. Velocities are those at its
/// begin; the joints' impulse acts half there and half at its end.
struct FlightPart {
  double begin = 0, end = 1;
  Vec3 linear = Vec3::Zero(), angular_momentum = Vec3::Zero();
  Vec3 joint_linear = Vec3::Zero(), joint_angular = Vec3::Zero();  // changes at the begin
};

/// All nodes that hang together by joints: dynamic ones, and those that follow motions.
struct Articulation {
  std::vector<Index> nodes, joints;  // numbers
  // These are in the order of `nodes`; one more body at the end stands for all that stands still.
  std::vector<Placed> places;
  std::vector<SolverBody> bodies;
  double flight_begin = 0;
  // In a step: whether it flies, with that energy of motion and height where that began, and by how
  // much flights swung about their energy.
  bool flies = false;
  double flown = 0, swing = 0;
  bool fast = false;           // it turns too far for one piece of the step
  std::vector<Index> targets;  // who it is among those whose contacts are solved
  JointSystem system;
  double open = 0;  // how far joints are open where the system is theirs, see joint_errors
};

/// Where a body is that joints hold together with others.
struct Home {
  Articulation* of = nullptr;  // null: nothing is joined to it
  Index local = 0;             // its number there
};

}  // namespace touche
