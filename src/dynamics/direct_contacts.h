// SPDX-License-Identifier: Apache-2.0
// Solves all contacts of small islands at once, for islands on which the iterative solver does not
// converge. An iteration transmits between two bodies no more than the lighter one can take, so a
// body on one that weighs a thousandth of it needs a thousand iterations.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/contact_islands.h"
#include "dynamics/contact_solver.h"
#include "dynamics/friction_cone.h"

namespace touche::dynamics {

/// Newton's method for the contact law of `pass`, island by island. An island consists of movable
/// bodies that touch each other, directly or through other movable bodies. Islands with a contact
/// that acts through joints are left unchanged.
///
/// Impulses and speeds determine which contacts press, stick and slide (a semismooth method, like
/// that of Alart and Curnier, A mixed formulation for frictional contact problems, 1991). Each
/// contact that holds is a spring so stiff that it gives by a hundred thousandth, starting from the
/// present impulses (the method of multipliers). So four corners may hold what three would, and the
/// unknowns are the velocities of bodies, six of each, however many contacts they have.
class DirectContacts {
 public:
  /// Islands of more bodies are left unchanged.
  static constexpr std::size_t kMostBodies = 64;
  /// Largest residual of an accepted solution (the change of a velocity by a row), in units of the
  /// iterative solver's tolerance. The iterative solver leaves as much where it does not converge.
  static constexpr double kAccepted = 10;
  /// Limit of multiplications in a step, roughly. Islands that need more are left unchanged. Half
  /// of them are shared out equally among all islands with heavy bodies, so that one unsolvable
  /// island cannot use the whole budget. The other half is for islands that need more than their
  /// share.
  static constexpr double kMostWork = 1e8;
  /// Limit of linear systems that are solved for an island at a time. Interior points needed no
  /// more for 99 % of the islands that they solved in random scenes, and up to half as much again
  /// for the others.
  static constexpr double kMostSystems = 700;
  /// An island that failed in more than kPatientSteps steps in a row is left out for some steps
  /// before it is tried again: for 1, 3, 7 and so on, at most for kMostRest. Islands that are
  /// solved in the end need many steps for it, each of which begins with the result of the last
  /// one.
  static constexpr int kPatientSteps = 16, kMostRest = 15;

  /// Must be called once in each step, or in each of the `parts` of one, which share its work.
  void begin_step(int parts = 1, int part = 0);

  /// Chooses the islands in which some row would change a velocity by more than `small` and the
  /// heaviest body has at least `heavy` times the mass of the lightest one, except islands that are
  /// left out after failures. Returns whether there are any.
  bool choose(std::span<const SolverBody> bodies, std::span<const SolverContact> contacts,
              double small, double heavy = 1);
  /// Raises the friction between movable bodies of the chosen islands where nearly parallel normals
  /// would otherwise squeeze a body out. Islands whose work limit does not suffice for that are no
  /// longer chosen. Returns whether any are left.
  bool allow_for_tilts(std::span<const SolverBody> bodies, std::span<SolverContact> contacts);
  /// Changes impulses, and velocities with them, of chosen islands that are not solved yet. Islands
  /// for which no solution is found that follows the contact law are left unchanged. Returns
  /// whether any changed.
  bool solve(std::span<SolverBody> bodies, std::span<SolverContact> contacts, double small);

 private:
  using Vec6 = Eigen::Matrix<double, 6, 1>;
  using Rows = Eigen::Matrix<double, 3, 6>;
  using Block = Eigen::Matrix<double, 6, 6>;

  // Velocities are scaled so that all bodies have mass 1 and moments of inertia 1.
  struct Member {
    Index body;
    double linear;  // velocity per scaled unit; also `angular`
    Mat3 angular;
    Vec6 change;  // of the scaled velocity since the start
  };
  struct Place {
    const SolverContact* contact;
    Index a, b;  // members; kNone: stands still
    Rows rows_a, rows_b;
    Vec3 start_impulse, start_speed;  // along its rows; normal speed less least_speed
    Vec3 impulse, speed, best;
  };
  // The new impulse is the old one plus `aim` minus `stiffness` times the change of velocity along
  // the rows.
  struct Response {
    Mat3 stiffness;
    Vec3 aim;
  };

  void find_islands(std::span<const SolverBody> bodies, std::span<const SolverContact> contacts);
  // Calls `use` for each island in islands_, with the numbers of its contacts in numbers_.
  template <class Use>
  void each_island(const Use& use);
  bool begin(std::span<const SolverBody> bodies, std::span<const SolverContact> contacts);
  bool rests(Index island);
  void note_try(Index island, bool is_solved);
  [[nodiscard]] double allowance(Index island) const;
  void spend(Index island, double work);
  Index member(Index body, std::span<const SolverBody> bodies);
  bool solve_island(double small);
  bool solve_by_newton(double small);
  bool solve_by_interior_points(double small);
  void go_inside(double small);
  void find_inside_step(double target, bool corrected);
  void find_order();
  [[nodiscard]] double work_of_system() const;
  [[nodiscard]] double work_of_tilts() const;
  [[nodiscard]] Response response(const Place& place) const;
  void take_step();
  void clear_system();
  void add_to_system(const Place& place, const Mat3& stiffness, const Vec3& aim);
  [[nodiscard]] Vec3 change_at(const Place& place, const std::vector<Vec6>& of) const;
  void eliminate();
  void substitute();
  void pass_once();
  [[nodiscard]] Vec3 speed_at(const Place& place) const;
  void find_speeds();
  [[nodiscard]] double residual() const;
  bool give(std::span<SolverBody> bodies, std::span<SolverContact> contacts, double small);
  Block& block(Index row, Index column) {
    return blocks_[slots_[static_cast<std::size_t>(row) * kMostBodies + column]];
  }

  ContactIslands touching_bodies_;
  std::vector<std::pair<Index, Index>> islands_, chosen_;  // the last body of a set, and a contact
  std::vector<std::pair<Index, Index>> touching_;  // a body, and a contact's index in numbers_
  std::vector<double> tilts_;                      // like numbers_
  std::vector<Index> numbers_, member_of_;
  std::vector<Member> members_;
  std::vector<std::pair<Vec3, Vec3>> velocities_;  // of members, before give()
  std::vector<Place> places_;
  std::vector<Response> responses_;
  struct Inside {  // the state of a contact, in the units of its cone
    ConePair pair;
    Vec3 unit;  // of an impulse; speeds are multiplied by it
    Vec3 give;  // the compliance: change of speed per impulse, see ConePair::softened
    double lift = 0, slid = 0;  // sliding speed that counts as parting, and the one found
    Mat3 stiffness = Mat3::Zero();
    Vec3 missing = Vec3::Zero(), step_x = Vec3::Zero(), step_y = Vec3::Zero();
    Vec3 wanted = Vec3::Zero();
  };
  std::vector<Inside> insides_;
  double most_mass_ = 0, least_mass_ = 0, stiffness_ = 0;
  // An island has one record, at the number of its last body.
  struct Record {
    std::uint64_t members = 0;  // a hash of its set of bodies
    std::uint64_t tried = 0;    // the last step in which it was tried
    bool is_solved = true;      // in that step
    Index failures = 0;         // failed steps in a row, up to that one
    Index rest = 0;             // steps that it is left out after that
    double spent = 0;           // work in this part of a step
  };
  std::vector<Record> records_;
  std::uint64_t step_ = 1;
  // Work left in a part of a step. `common_left_` is for islands that need more than their share.
  double all_left_ = kMostWork, common_left_ = 0.5 * kMostWork, shared_ = 0.5 * kMostWork;
  std::size_t sharers_ = 0;                // islands with heavy bodies in this part
  double work_left_ = 0;                   // for the present island
  std::vector<std::uint64_t> neighbours_;  // per member: bits of members eliminated later
  std::vector<Index> order_;
  std::vector<Index> slots_;  // numbers of blocks, kMostBodies to a row
  std::vector<Block> blocks_;
  std::vector<Eigen::PartialPivLU<Block>> inverses_;  // factors of diagonal blocks
  std::vector<Vec6> right_;                           // right-hand sides, then solutions
};

}  // namespace touche::dynamics
