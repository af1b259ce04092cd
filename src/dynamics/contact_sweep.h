// SPDX-License-Identifier: Apache-2.0
// The method of contact_solver.h for many contacts: the solver's data lie close together in memory,
// and a contact is visited once for all of its rows. Impulses act on the two bodies of a contact
// only.
#pragma once

#include <span>
#include <vector>

#include "dynamics/contact_batches.h"
#include "dynamics/contact_solver.h"
#include "dynamics/sweep_measures.h"

namespace touche::dynamics {

class ContactSweep {
 public:
  /// Takes the contacts with their present impulses, which are already applied to `bodies`.
  void begin(std::span<SolverBody> bodies, std::span<const SolverContact> contacts);
  /// One iteration, like `pass`. Returns the largest change of velocity by a row.
  double pass(bool forwards);
  /// Stores the velocities before an iteration, for go_on().
  void remember();
  /// The size of the changes in the last iteration.
  [[nodiscard]] SweepChange change() const;
  /// Extrapolates by this share of the last direction; that and the change of the last iteration
  /// are the next direction.
  void go_on(double share);
  void forget_direction();
  [[nodiscard]] SweepSpeeds speeds();
  void give_impulses(std::span<SolverContact> contacts) const;
  void end() {}  // the bodies have their velocities already

 private:
  struct Contact {
    Index a, b;
    Vec3 normal, first, second, arm_a, arm_b;
    double mass, least_speed, friction;
    double xx, xy, yy, least;            // of the tangents, see SolverContact
    double normal_first, normal_second;  // change of speed along the normal per friction impulse
  };
  struct Twist {
    Vec3 linear, angular;
  };
  double visit(const Contact& contact, Vec3& impulse, Vec3& changed) const;

  std::span<SolverBody> bodies_;
  std::vector<Contact> contacts_;
  std::vector<Vec3> impulses_, changes_, impulses_direction_;  // changes_: of the last iteration
  std::vector<Twist> before_, direction_;                      // of bodies
  std::vector<double> squares_;                                // of speeds
};

/// Works as ContactSolver, but also ends when iterations have stalled for long: in piles friction
/// keeps them from converging. The residual is then below `small`. From kCrowd contacts on it may
/// be larger: while a quarter of the bodies move by far more than that, and by a small share of the
/// speed of bodies that are faster than `fast`.
///
/// From kCrowd contacts on all iterations of a step visit the contacts in the same direction. The
/// iteration is then one fixed map, and conjugate directions lead twice as far as if directions
/// alternated. The residual is biased then, so the next step goes in the opposite direction.
class SweptSolver {
 public:
  /// The number of contacts from which on a problem counts as large.
  static constexpr std::size_t kCrowd = 256;

  /// Must be called once in each step.
  void turn_round() { forwards_ = !forwards_; }
  /// Returns the number of iterations.
  int solve(std::span<SolverBody> bodies, std::span<SolverContact> contacts, int most, double small,
            double fast = kInfinity);
  /// Whether the last iteration of the last solve changed a velocity by more than `small`.
  [[nodiscard]] bool ended_in_vain() const { return ended_in_vain_; }

 private:
  template <class Sweep>
  int solve_by(Sweep& sweep, std::span<SolverContact> contacts, int most, double small,
               double fast);

  bool forwards_ = true, ended_in_vain_ = false;
  ContactSweep sweep_;
  ContactBatches batches_;
};

}  // namespace touche::dynamics
