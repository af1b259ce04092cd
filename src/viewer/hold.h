// SPDX-License-Identifier: Apache-2.0
// A node in somebody's hand, in one of three modes: through everything, until the first contact, or
// with contact simulation.
#pragma once

#include <optional>
#include <vector>

#include "touche/handling.h"
#include "touche/step.h"
#include "touche/world.h"
#include "viewer/protocol.h"

namespace touche::viewer {

struct HoldSettings {
  double tolerance = 0, clearance = 0;
  BudgetShare share = BudgetShare::one_queue;
  Guess guess = Guess::none;
  Vec3 viewer = Vec3::Zero();  ///< position of the camera of the client that holds the part
  int threads = 0;             ///< 0: all
};

struct HeldBy {
  NodeId part, other;
  Contact contact;  ///< in the world; a is the part that is held
  Vec3 force = Vec3::Zero();
};

struct HoldStep : HeldState {
  protocol::HeldStatus status = protocol::HeldStatus::undecided;
  std::vector<HeldBy> contacts;
  std::vector<Motion> motions;            ///< the motion that was performed
  std::optional<TouchingPairs> touching;  ///< in mode free
  std::size_t pairs = 0, undecided = 0, guessed = 0;
};

class Hold {
 public:
  /// The world must outlive this; all other bodies must be fixed. Throws InvalidInput when nothing
  /// hangs on the node.
  Hold(World& world, NodeId node, protocol::Mode mode, const HoldSettings& settings);

  [[nodiscard]] NodeId node() const { return node_; }
  [[nodiscard]] protocol::Mode mode() const { return mode_; }
  void set_mode(protocol::Mode mode) { mode_ = mode; }
  void set(const HoldSettings& settings);

  /// Moves the node towards the target, until shortly after the deadline; while nothing is decided
  /// and nothing moves, each step takes longer than the last, up to 32 times as long.
  HoldStep step(const Pose& target, Budget::Clock::time_point deadline);

 private:
  HoldStep step_until(const Pose& target, Budget::Clock::time_point deadline);
  HoldStep move_freely(const Pose& target, Budget::Clock::time_point deadline);
  HoldStep move_until_contact(const Pose& target, Budget::Clock::time_point deadline);
  const StepResult& try_to_go(const Motion& motion, double tolerance, double clearance,
                              Budget::Clock::time_point deadline);
  [[nodiscard]] double travel(const Motion& motion) const;
  HoldStep move_with_contacts(const Pose& target, Budget::Clock::time_point deadline);
  void measure_rest(HoldStep& step, const Pose& target) const;
  [[nodiscard]] bool holds(NodeId body) const;

  World& world_;
  NodeId node_;
  protocol::Mode mode_;
  HoldSettings settings_;
  Vec3 middle_ = Vec3::Zero();  ///< of the boxes of what is held, in the frame of the node
  double reach_ = 0;            // of these boxes from there
  double patience_ = 1;         // times as long a step takes
  double way_out_ = 0;          // how far a part went in the last step that began too near
  Stepper stepper_;
  std::optional<Handling> handling_;  ///< made when it is needed
};

/// The node and all bodies that hang on it.
[[nodiscard]] std::vector<NodeId> bodies_below(const World& world, NodeId node);

}  // namespace touche::viewer
