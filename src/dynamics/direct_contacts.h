// SPDX-License-Identifier: Apache-2.0
// Solves the contacts of few bodies together, where passes over them do not come to an end: they
// carry on from body to body no more than the lighter one of a pair can take in a pass, so a body
// on one that weighs a thousandth of it needs a thousand of them.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/contact_islands.h"
#include "dynamics/contact_solver.h"
#include "dynamics/friction_cone.h"

namespace touche {

/// Newton's method for the same law as that of `pass`, island by island: bodies that can move and
/// touch each other, directly or through others that can move. Those with a contact that acts
/// through joints stay as they are.
///
/// Which contacts press, stick and slide is read from impulses and speeds (a semismooth method, as
/// that of Alart and Curnier, A mixed formulation for frictional contact problems, 1991). Contacts
/// that hold are held by a spring so stiff that it gives by a hundred thousandth, from the impulses
/// on that there are (the method of multipliers): so four corners may hold what three would, and
/// the unknowns are velocities of bodies, six of each, however many contacts they have.
class DirectContacts {
 public:
  /// Islands of more bodies are left as they are.
  static constexpr std::size_t kMostBodies = 64;
  /// More change of a velocity by a row is no solution, in units of what passes may leave. They
  /// leave as much where they end in vain.
  static constexpr double kAccepted = 10;
  /// Multiplications in a step, roughly. Islands that need more stay as they are. Half of them are
  /// shared out equally among all islands with heavy bodies, so that none that nothing solves takes
  /// all; the other half is for those that need more than their share.
  static constexpr double kMostWork = 1e8;
  /// Systems that are solved for an island at a time. Interior points needed no more for 99 % of
  /// the islands that they solved in random scenes, and up to half as much again for the others.
  static constexpr double kMostSystems = 700;
  /// An island that was tried in vain in more steps in a row than these is left out for some steps
  /// before it is tried again: for 1, 3, 7 and so on, at most for kMostRest. Islands that get to a
  /// solution in the end do so by many steps, each of which begins with what the last one left.
  static constexpr int kPatientSteps = 16, kMostRest = 15;

  /// To be called once in each step, or in each of so many parts of one, which share its work.
  void begin_step(int parts = 1, int part = 0);

  /// Chooses islands where some row would change a velocity by more than `small` and where the
  /// heaviest body has at least `heavy` times the mass of the lightest one, but for those that rest
  /// from steps in vain. Returns whether there are any.
  bool choose(std::span<const SolverBody> bodies, std::span<const SolverContact> contacts,
              double small, double heavy = 1);
  /// Gives contacts of the chosen islands between two bodies that can move as much friction as
  /// holds what the angles between normals that are nearly alike squeeze out. Islands whose work
  /// does not suffice for that are chosen no longer. Returns whether there are any left.
  bool allow_for_tilts(std::span<const SolverBody> bodies, std::span<SolverContact> contacts);
  /// Changes impulses, and velocities with them, of chosen islands that are not solved yet. Those
  /// stay as they are where no solution is found that follows the law. Returns whether any changed.
  bool solve(std::span<SolverBody> bodies, std::span<SolverContact> contacts, double small);

 private:
  using Vec6 = Eigen::Matrix<double, 6, 1>;
  using Rows = Eigen::Matrix<double, 3, 6>;
  using Block = Eigen::Matrix<double, 6, 6>;

  // Velocities are in units in which all bodies have the mass and the moments of inertia 1.
  struct Member {
    Index body;
    double linear;  // of such a unit
    Mat3 angular;
    Vec6 change;  // of the velocity since the start
  };
  struct Place {
    const SolverContact* contact;
    Index a, b;  // members; kNone stands still
    Rows rows_a, rows_b;
    Vec3 start_impulse, start_speed;  // along its three rows; beyond the least along the normal
    Vec3 impulse, speed, best;
  };
  // An impulse is `aim` more, less `stiffness` times the change of velocity along its rows.
  struct Response {
    Mat3 stiffness;
    Vec3 aim;
  };

  void find_islands(std::span<const SolverBody> bodies, std::span<const SolverContact> contacts);
  // Calls `use` for each island in islands_, with its contacts in numbers_.
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
  std::vector<std::pair<Index, Index>> touching_;  // a body and a contact of it, by its number
  std::vector<double> tilts_;                      // like numbers_
  std::vector<Index> numbers_, member_of_;
  std::vector<Member> members_;
  std::vector<std::pair<Vec3, Vec3>> velocities_;  // that members had
  std::vector<Place> places_;
  std::vector<Response> responses_;
  struct Inside {  // of a place, its impulses and speeds in the units of a cone
    ConePair pair;
    Vec3 unit;                  // of an impulse, by which speeds are multiplied as well
    Vec3 give;                  // the least change of speed per impulse that counts
    double lift = 0, slid = 0;  // the size of sliding that counts as parting, and as it was found
    Mat3 stiffness = Mat3::Zero();
    Vec3 missing = Vec3::Zero(), step_x = Vec3::Zero(), step_y = Vec3::Zero();
    Vec3 wanted = Vec3::Zero();
  };
  std::vector<Inside> insides_;
  double most_mass_ = 0, least_mass_ = 0, stiffness_ = 0;
  // An island has one, at the number of its last body.
  struct Record {
    std::uint64_t members = 0;  // a number for its set of bodies
    std::uint64_t tried = 0;    // the last step in which it was
    bool is_solved = true;      // once in that step
    Index failures = 0;         // steps in a row, up to that one, if it is not
    Index rest = 0;             // steps that it is left out then
    double spent = 0;           // work in this part of a step
  };
  std::vector<Record> records_;
  std::uint64_t step_ = 1;
  // Work of a part of a step, of which `common_left_` is for those that need more than their share.
  double all_left_ = kMostWork, common_left_ = 0.5 * kMostWork, shared_ = 0.5 * kMostWork;
  std::size_t sharers_ = 0;                // islands with heavy bodies in this part
  double work_left_ = 0;                   // of the island
  std::vector<std::uint64_t> neighbours_;  // of each member those that are eliminated after it
  std::vector<Index> order_;
  std::vector<Index> slots_;  // of blocks, kMostBodies to a row
  std::vector<Block> blocks_;
  std::vector<Eigen::PartialPivLU<Block>> inverses_;  // of blocks of members
  std::vector<Vec6> right_;                           // sides, then solutions
};

}  // namespace touche
