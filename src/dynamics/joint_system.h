// SPDX-License-Identifier: Apache-2.0
// Impulses of many joints at once: a direct solution, exact but for rounding, however long a chain
// is and whatever its bodies weigh.
#pragma once

#include <span>
#include <vector>

#include "dynamics/contact_solver.h"
#include "dynamics/joint_rows.h"

namespace touche {

/// A joint between two of the bodies of a system.
struct JointBlock {
  Index a = 0, b = 0;
  JointRows made;
};

/// The linear system J M⁻¹ Jᵀ λ = r of joints: their rows J, their impulses λ. It is factored as
/// L D Lᵀ within its envelope, joints in the order of a search in breadth (Cuthill and McKee): for
/// chains and trees with short branches the work grows with the number of joints. Rows that others
/// imply, as those of closed loops, get no impulse.
class JointSystem {
 public:
  /// Rows between two bodies without an inverse mass get no impulse. Joints are open by `open` at
  /// most, in units of the arms that hold them.
  void build(std::span<const SolverBody> bodies, std::span<const JointBlock> blocks, double open);
  std::span<const JointBlock> blocks() const { return blocks_; }
  std::size_t size() const { return inverse_.size(); }
  bool empty() const { return blocks_.empty(); }

  /// Tells the speeds along all rows, block after block.
  void speeds(std::span<const SolverBody> bodies, std::vector<double>& out) const;
  /// Solves in place.
  void solve(std::vector<double>& rows);
  /// Impulses along all rows.
  void apply(std::span<SolverBody> bodies, std::span<const double> impulses) const;
  /// Changes the speeds along all rows by so much, with the impulses that these become.
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
    std::size_t from = 0, at = 0;  // the first column of the envelope, and where it is in values_
    std::size_t row = 0;           // of the caller
  };
  double implied_ = 0;     // the share of its diagonal element below which a pivot is implied
  std::vector<Row> rows_;  // those of a block side by side
  std::vector<std::size_t> begin_;        // of each block in the factors its first row
  std::vector<double> values_, inverse_;  // of L, of 1 / D
  std::vector<double> work_;
};

}  // namespace touche
