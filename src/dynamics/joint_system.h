// SPDX-License-Identifier: Apache-2.0
// Solves for the impulses of many joints at once: directly and exactly except for rounding, for
// chains of any length and bodies of any mass.
#pragma once

#include <span>
#include <vector>

#include "dynamics/contact_solver.h"
#include "dynamics/joint_rows.h"

namespace touche::dynamics {

/// A joint between two of the bodies of a system.
struct JointBlock {
  Index a = 0, b = 0;
  JointRows made;
};

/// The linear system J M⁻¹ Jᵀ λ = r of joints: their rows J, their impulses λ. It is factored as L
/// D Lᵀ within its envelope, with joints in the order of a breadth-first search (Cuthill and
/// McKee): for chains and trees with short branches the work is proportional to the number of
/// joints. Rows that others imply, as in closed loops, get no impulse.
class JointSystem {
 public:
  /// Rows between two bodies without an inverse mass get no impulse. `open` is the largest error of
  /// a joint, in units of the arms that hold it.
  void build(std::span<const SolverBody> bodies, std::span<const JointBlock> blocks, double open);
  std::span<const JointBlock> blocks() const { return blocks_; }
  std::size_t size() const { return inverse_.size(); }
  bool empty() const { return blocks_.empty(); }

  /// Returns the speeds along all rows, block after block.
  void speeds(std::span<const SolverBody> bodies, std::vector<double>& out) const;
  /// Solves for impulses, in place.
  void solve(std::vector<double>& rows);
  /// Applies impulses along all rows.
  void apply(std::span<SolverBody> bodies, std::span<const double> impulses) const;
  /// Changes the speeds along all rows by `rows`, and leaves the impulses for that in `rows`.
  void change(std::span<SolverBody> bodies, std::vector<double>& rows);
  /// Brings the speeds along all rows to 0. The impulses are left in `impulses`.
  void project(std::span<SolverBody> bodies, std::vector<double>& impulses);

 private:
  void order_blocks(std::span<const SolverBody> bodies);
  void list_rows(std::size_t o, std::span<const SolverBody> bodies);
  void factor_rows(std::size_t o, std::span<const SolverBody> bodies);
  double coupling(std::size_t p, int i, std::size_t q, int j,
                  std::span<const SolverBody> bodies) const;

  std::vector<JointBlock> blocks_;
  std::vector<std::size_t> first_row_;  // of each block, in the order of the caller
  std::vector<std::size_t> order_;      // of blocks in the factors
  struct Row {
    std::size_t from = 0, at = 0;  // first column of the envelope, and its index in values_
    std::size_t row = 0;           // number of the row in the caller's order
  };
  double implied_ = 0;                    // pivots below this share of the diagonal are implied
  std::vector<Row> rows_;                 // rows of a block are side by side
  std::vector<std::size_t> begin_;        // for each block in the factors: its first row
  std::vector<double> values_, inverse_;  // of L, of 1 / D
  std::vector<double> work_;
};

}  // namespace touche::dynamics
