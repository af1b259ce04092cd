// SPDX-License-Identifier: Apache-2.0
// Passes over contacts at rest, of which some may act through joints.
#pragma once

#include <span>
#include <vector>

#include "dynamics/contact_islands.h"
#include "dynamics/contact_sweep.h"

namespace touche {

/// Islands in which joints carry impulses on to other bodies are solved row by row, by
/// ContactSolver, and all others by SweptSolver: each of both as if the other were not there.
class RestingSolver {
 public:
  /// So many passes are left.
  struct Passes {
    explicit Passes(int most) : swept(most), jointed(most) {}
    int swept, jointed;
    [[nodiscard]] bool any() const { return swept > 0 || jointed > 0; }
  };

  /// To be called once in each step.
  void turn_round() { swept_.turn_round(); }
  /// Takes what it needs from `left`, of islands without contacts all of it.
  void solve(std::span<SolverBody> bodies, std::span<SolverContact> contacts, Passes& left,
             double small, double fast = kInfinity);
  /// Whether the last passes over islands without joints ended without a solution.
  [[nodiscard]] bool ended_in_vain() const { return ended_in_vain_; }

 private:
  void sweep(std::span<SolverBody> bodies, std::span<SolverContact> contacts, Passes& left,
             double small, double fast);
  void solve_jointed(std::span<SolverBody> bodies, std::span<SolverContact> contacts, Passes& left,
                     double small);

  SweptSolver swept_;
  ContactSolver jointed_;
  bool ended_in_vain_ = false;
  ContactIslands islands_;
  std::vector<SolverContact> of_swept_, of_jointed_;
};

}  // namespace touche
