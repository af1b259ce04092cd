// SPDX-License-Identifier: Apache-2.0
// The point of a polyhedron that is nearest to a given one: small quadratic programs with six
// variables and any number of constraints.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "touche/types.h"

namespace touche::response {

using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat6 = Eigen::Matrix<double, 6, 6>;

/// a · x >= b.
struct LinearConstraint {
  Vec6 a;
  double b;
};

enum class QpStatus : std::uint8_t {
  optimal,
  infeasible,  ///< no x fulfils all constraints, as far as rounding can distinguish
  stalled,     ///< rounding prevented an end: x fulfils only some of the constraints
};

/// Minimises ½ (x − x0)ᵀ M (x − x0) where all constraints hold, by the dual method of Goldfarb and
/// Idnani (A numerically stable dual method for solving strictly convex quadratic programs, 1983):
/// it begins at x0, adds the constraint that is violated most, and drops constraints whose
/// multipliers would become negative.
///
/// Constraints may be redundant, nearly parallel, or without effect (a = 0, b <= 0). They hold
/// within 1e-9 of the larger of the lengths of x − x0 and of x0, measured by M.
class QuadraticProgram {
 public:
  /// `metric` is M, symmetric and positive definite. Allocates only for more constraints than ever
  /// before.
  QpStatus solve(const Mat6& metric, const Vec6& start,
                 std::span<const LinearConstraint> constraints);

  [[nodiscard]] const Vec6& x() const { return x_; }
  /// Constraints that hold x back: M (x − x0) is the sum of their a times their multipliers, which
  /// are > 0. At most six; the other constraints have no multiplier.
  struct Active {
    Index constraint;
    double multiplier;
  };
  [[nodiscard]] std::span<const Active> active() const { return {active_.data(), count_}; }
  /// The number of changes of the set of active constraints.
  [[nodiscard]] int iterations() const { return iterations_; }

 private:
  struct Violated {
    Index constraint = kNone;
    double by = 0;
  };
  void normalize(const Mat6& factor, std::span<const LinearConstraint> constraints);
  Violated most_violated(const Vec6& y) const;
  QpStatus run();
  QpStatus take_up(Violated violated);
  void add(Index constraint, double multiplier);
  void drop(std::size_t position);
  void factorize();
  Vec6 along_active(const Vec6& direction, Vec6& rest) const;
  void meet_active();

  // In coordinates in which M is the identity, with normals of unit length.
  std::vector<LinearConstraint> planes_;
  std::vector<double> lengths_;  // of the normals before normalisation
  Vec6 y_, y0_, x_;
  double slack_ = 0;  // violations up to this do not count

  std::array<Active, 6> active_;
  std::size_t count_ = 0;
  // The normals of the active constraints are the columns of q r, with q orthonormal and r upper
  // triangular.
  Mat6 q_, r_;
  int iterations_ = 0;
};

}  // namespace touche::response
