// SPDX-License-Identifier: Apache-2.0
// Solves as contact_solver.h does, for many contacts: data of passes lie close together in memory,
// and a contact is visited once for all of its rows. Impulses act on the two bodies of a contact.
#pragma once

#include <span>
#include <vector>

#include "dynamics/contact_batches.h"
#include "dynamics/contact_solver.h"
#include "dynamics/sweep_measures.h"

namespace touche {

class ContactSweep {
 public:
  /// Takes the contacts as they are, with their impulses, which `bodies` have had already.
  void begin(std::span<SolverBody> bodies, std::span<const SolverContact> contacts);
  /// One pass, as `pass` makes. Returns the largest change of velocity that a row made.
  double pass(bool forwards);
  /// Remembers where velocities are, for the next two.
  void remember();
  /// The size of what has changed since.
  [[nodiscard]] SweepChange change() const;
  /// Goes on by this share of the last direction; that and what has changed is the next one.
  void go_on(double share);
  void forget_direction();
  [[nodiscard]] SweepSpeeds speeds();
  void give_impulses(std::span<SolverContact> contacts) const;
  void end() {}  // bodies have their velocities already

 private:
  struct Contact {
    Index a, b;
    Vec3 normal, first, second, arm_a, arm_b;
    double mass, least_speed, friction;
    double xx, xy, yy, least;            // of tangents, see SolverContact
    double normal_first, normal_second;  // change of speed along the normal per friction
  };
  struct Twist {
    Vec3 linear, angular;
  };
  double visit(const Contact& contact, Vec3& impulse, Vec3& changed) const;

  std::span<SolverBody> bodies_;
  std::vector<Contact> contacts_;
  std::vector<Vec3> impulses_, changes_, impulses_direction_;  // changes: of the last pass
  std::vector<Twist> before_, direction_;                      // of bodies
  std::vector<double> squares_;                                // of speeds
};

/// Works as ContactSolver, but it also ends where passes have long been in vain: in piles friction
/// keeps them from converging. The rest is then below `small`; of hundreds of contacts it is more,
/// as long as a quarter of the bodies move by far more than that, and what is little beside the
/// speeds of bodies where these are larger than `fast`.
///
/// All passes over hundreds of contacts go the same way: then they are one map, and conjugate
/// directions lead twice as far as where it is another one in each pass. The rest leans to one
/// side then, so the next step goes the other way.
class SweptSolver {
 public:
  /// From so many contacts on there are hundreds.
  static constexpr std::size_t kCrowd = 256;

  /// To be called once in each step.
  void turn_round() { forwards_ = !forwards_; }
  /// Returns the number of passes.
  int solve(std::span<SolverBody> bodies, std::span<SolverContact> contacts, int most, double small,
            double fast = kInfinity);
  /// Whether the last pass of the last solution changed a velocity by more than `small`.
  [[nodiscard]] bool ended_in_vain() const { return ended_in_vain_; }

 private:
  template <class Sweep>
  int solve_by(Sweep& sweep, std::span<SolverContact> contacts, int most, double small,
               double fast);

  bool forwards_ = true, ended_in_vain_ = false;
  ContactSweep sweep_;
  ContactBatches batches_;
};

}  // namespace touche
