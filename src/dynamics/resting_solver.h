// SPDX-License-Identifier: Apache-2.0
// Iterative solver for resting contacts, of which some may act through joints.
#pragma once

#include <span>
#include <vector>

#include "dynamics/contact_islands.h"
#include "dynamics/contact_sweep.h"

namespace touche::dynamics {

/// Solves islands in which joints transmit impulses to other bodies row by row, by ContactSolver,
/// and all other islands by SweptSolver. Each solver ignores the other's islands.
class RestingSolver {
 public:
  /// Numbers of iterations that are left.
  struct Passes {
    explicit Passes(int most) : swept(most), jointed(most) {}
    int swept, jointed;
    [[nodiscard]] bool any() const { return swept > 0 || jointed > 0; }
  };

  /// Must be called once in each step.
  void turn_round() { swept_.turn_round(); }
  /// Subtracts the iterations that it needs from `left`. A solver without contacts uses up all of
  /// its iterations.
  void solve(std::span<SolverBody> bodies, std::span<SolverContact> contacts, Passes& left,
             double small, double fast = kInfinity);
  /// Whether the last iterations over islands without joints ended without convergence.
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

}  // namespace touche::dynamics
