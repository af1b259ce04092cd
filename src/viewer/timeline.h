// SPDX-License-Identifier: Apache-2.0
// A motion of nodes that can be played.
#pragma once

#include <cstdint>
#include <vector>

#include "touche/motion.h"
#include "touche/simulation.h"
#include "touche/study.h"
#include "viewer/protocol.h"

namespace touche::viewer {

struct NodeMotion {
  std::uint32_t node;
  Motion motion;  ///< over [0, 1] for the whole timeline; poses in the world
};

struct Timeline {
  double start = 0, end = 1;
  bool seconds = false;      ///< of time; else the position s on a path
  double duration = 5;       ///< seconds that it takes at speed 1
  std::vector<double> keys;  ///< from start to end; empty: there is nothing to play
  std::vector<NodeMotion> motions;

  [[nodiscard]] bool empty() const { return keys.empty(); }
  [[nodiscard]] double share(double value) const {
    return end > start ? (value - start) / (end - start) : 0;
  }
  /// Returns the key `count` keys after a value that is between keys or on one.
  [[nodiscard]] double advanced(double value, int count) const;
};

/// Takes the groups of a study, which are these nodes; `duration` in seconds.
[[nodiscard]] Timeline timeline_of(const Study& study,
                                   const std::vector<std::uint32_t>& group_nodes, double duration);
/// Takes the bodies of a simulation, which are nodes by their own numbers. Empty where nothing was
/// simulated.
[[nodiscard]] Timeline timeline_of(const SimulationResult& result);

[[nodiscard]] protocol::Timeline timeline_message(const Timeline& timeline);

/// Where a playing timeline is.
struct PlayState {
  double value = 0, speed = 0;
  /// Advances by this time; stops at the ends.
  void go_on(const Timeline& timeline, double seconds);
};

}  // namespace touche::viewer
