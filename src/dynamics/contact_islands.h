// SPDX-License-Identifier: Apache-2.0
// Islands: movable bodies that touch each other, directly or through other movable bodies.
#pragma once

#include <span>
#include <vector>

#include "dynamics/contact_solver.h"

namespace touche::dynamics {

class ContactIslands {
 public:
  void find(std::span<const SolverBody> bodies, std::span<const SolverContact> contacts);
  /// The last body of a contact's island, or kNone if neither body can move.
  [[nodiscard]] Index of(const SolverContact& contact);
  /// Whether some contact of the island acts through joints.
  [[nodiscard]] bool is_jointed(Index island) const { return jointed_[island]; }

 private:
  [[nodiscard]] bool moves(Index body) const { return parent_[body] != kNone; }
  Index root(Index body);

  std::vector<Index> parent_;  // of bodies; kNone: it cannot move
  std::vector<bool> jointed_;
};

}  // namespace touche::dynamics
