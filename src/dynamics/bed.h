// SPDX-License-Identifier: Apache-2.0
// Nodes that fell asleep together, and what they lie on.
#pragma once

#include <cstdint>
#include <vector>

#include "touche/pose.h"
#include "touche/world.h"

namespace touche::dynamics {

/// A node, and its pose when it or a node that lies on it fell asleep.
struct Lying {
  NodeId node;
  Pose pose;
  std::uint64_t became = 0;
};

/// Nodes that fell asleep together, and what they lie on.
struct Bed {
  std::vector<Lying> sleepers, supports;
};

}  // namespace touche::dynamics
