// SPDX-License-Identifier: Apache-2.0
// The bodies of an impact within a step.
#pragma once

#include <vector>

#include "dynamics/contact_solver.h"
#include "dynamics/moving_node.h"

namespace touche::dynamics {

/// A body of an impact.
struct Partner {
  MovingNode* node = nullptr;  // null: it stands still
  Pose pose, body_pose;        // of the node, or of the body where there is none
  Vec3 centre = Vec3::Zero();
  Mat3 rotation = Mat3::Identity();
  bool is_still = false;  // it stood still before the impact
};
/// The pair that meets first and all bodies joined to it; then bodies that meet these at the same
/// time, each with all bodies joined to it.
using Partners = std::vector<Partner>;
using PartnerSpeeds = std::vector<SolverBody>;

/// Two bodies of an impact, and their contacts.
struct MeetingPair {
  NodeId a, b;
  Index partner_a = 0, partner_b = 1;  // numbers of partners
  Surface surface{};
  double resting = 0;               // the speed below which they rest on each other
  std::size_t first = 0, last = 0;  // range in the contacts of the impact
  double nearest = kInfinity;       // the smallest distance at a contact
  double speed = 0;                 // with which they approach
  bool rests = false;               // they approach too slowly for an impact
};

/// The motion of a body at a time of its path, and its offset to its parabola then.
struct Passing {
  SolverBody body;  // without impulses of forces that are still to come
  Vec3 to_parabola = Vec3::Zero(), force = Vec3::Zero();
};

}  // namespace touche::dynamics
