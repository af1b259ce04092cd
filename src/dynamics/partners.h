// SPDX-License-Identifier: Apache-2.0
// Bodies that meet within a step, as an impact sees them.
#pragma once

#include <vector>

#include "dynamics/contact_solver.h"
#include "dynamics/moving_node.h"

namespace touche {

/// One of those that meet.
struct Partner {
  MovingNode* node = nullptr;  // null: it stands still
  Pose pose, body_pose;        // of the node, or of the body where there is none
  Vec3 centre = Vec3::Zero();
  Mat3 rotation = Mat3::Identity();
  bool is_still = false;  // it stood still until then
};
/// The two that meet first, and all that joints hold together with them; then others that meet
/// these at the same time, each with all that joints hold together with it.
using Partners = std::vector<Partner>;
using PartnerSpeeds = std::vector<SolverBody>;

/// Two bodies of an impact, and their places.
struct MeetingPair {
  NodeId a, b;
  Index partner_a = 0, partner_b = 1;  // numbers of partners
  Surface surface{};
  double resting = 0;               // the speed below which they rest on each other
  std::size_t first = 0, last = 0;  // of the contacts of the impact
  double nearest = kInfinity;       // distance of two places
  double speed = 0;                 // with which they come together
  bool rests = false;               // they come together too slowly for an impact
};

/// How a body moves at a time of its way, and where it is beside its parabola then.
struct Passing {
  SolverBody body;  // without what it already holds of forces until the step's end
  Vec3 to_parabola = Vec3::Zero(), force = Vec3::Zero();
};

}  // namespace touche
