// SPDX-License-Identifier: Apache-2.0
// Whether half spaces have a point in common, by linear programming in rationals: the judge of
// overlap tests of polytopes. It knows nothing of separating axes, distances or rounding.
#pragma once

#include <vector>

#include "exact.h"

namespace touche::test {

/// The points with normal · x <= offset.
struct RHalfSpace {
  RVec normal;
  Rational offset;
};

/// The least s such that some point violates none of the half spaces by more than s, that is, with
/// normal · x <= offset + s: at most 0 when they have a point in common. There must be a bounded
/// set among their intersections. By the dual: least offset · y over y >= 0 with Σ y = 1 and
/// Σ y normal = 0, in two phases with Bland's rule, which ends.
class LeastViolation {
 public:
  explicit LeastViolation(const std::vector<RHalfSpace>& spaces) : columns_(spaces.size()) {
    rows_.assign(4, std::vector<Rational>(columns_ + 1, 0));
    cost_.assign(columns_ + 1, 0);
    for (std::size_t j = 0; j < columns_; ++j) {
      const RVec& n = spaces[j].normal;
      rows_[0][j] = n.x, rows_[1][j] = n.y, rows_[2][j] = n.z, rows_[3][j] = 1;
      cost_[j] = spaces[j].offset;
    }
    rows_[3][columns_] = 1;
    basis_.assign(4, columns_);  // artificial
    // First the artificial variables go, then the offsets count.
    std::vector<Rational> artificial(columns_ + 1, 0);
    for (const auto& row : rows_)
      for (std::size_t j = 0; j <= columns_; ++j) artificial[j] -= row[j];
    minimise(artificial);
    for (std::size_t r = 0; r < 4; ++r)
      for (std::size_t j = 0; j < columns_ && basis_[r] == columns_; ++j)
        if (rows_[r][j] != 0) pivot(r, j, artificial);
    minimise(cost_);
  }
  Rational value() const { return cost_[columns_]; }  // the tableau keeps minus the least sum

 private:
  void minimise(std::vector<Rational>& reduced) {
    for (;;) {
      std::size_t enter = 0;
      while (enter < columns_ && reduced[enter] >= 0) ++enter;
      if (enter == columns_) return;
      std::size_t leave = 4;
      for (std::size_t r = 0; r < 4; ++r) {
        if (rows_[r][enter] <= 0) continue;
        if (leave == 4) {
          leave = r;
          continue;
        }
        const Rational ours = rows_[r][columns_] * rows_[leave][enter],
                       theirs = rows_[leave][columns_] * rows_[r][enter];
        if (ours < theirs || (ours == theirs && basis_[r] < basis_[leave])) leave = r;
      }
      pivot(leave, enter, reduced);
    }
  }

  void pivot(std::size_t row, std::size_t column, std::vector<Rational>& reduced) {
    const Rational by = rows_.at(row)[column];
    for (Rational& x : rows_[row]) x /= by;
    const auto clear = [&](std::vector<Rational>& target) {
      const Rational factor = target[column];
      if (factor != 0)
        for (std::size_t j = 0; j <= columns_; ++j) target[j] -= factor * rows_[row][j];
    };
    for (std::size_t r = 0; r < 4; ++r)
      if (r != row) clear(rows_[r]);
    clear(cost_);
    if (&reduced != &cost_) clear(reduced);
    basis_[row] = column;
  }

  std::size_t columns_;
  std::vector<std::vector<Rational>> rows_;
  std::vector<Rational> cost_;
  std::vector<std::size_t> basis_;
};

}  // namespace touche::test
