// SPDX-License-Identifier: Apache-2.0
// Impulses at many contacts at once: projected Gauss-Seidel with Coulomb friction.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "touche/types.h"

namespace touche::dynamics {

/// A body in the solver. Zeros stand for infinite mass.
struct SolverBody {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();  // velocities
  double inverse_mass = 0;
  Mat3 inverse_inertia = Mat3::Zero();  // in the world
};
inline bool can_move(const SolverBody& body) {
  return body.inverse_mass > 0 || !body.inverse_inertia.isZero(0);
}

/// A row: the relative velocity along one direction at a contact, and the effect of an impulse
/// along it.
struct SolverRow {
  Vec3 direction = Vec3::Zero();
  Vec3 lever_a = Vec3::Zero(), lever_b = Vec3::Zero();  // arm × direction
  Vec3 turn_a = Vec3::Zero(), turn_b = Vec3::Zero();    // inverse inertia × lever
  double mass = 0;                                      // impulse per change of velocity
  double impulse = 0;
};

/// The change of a body's velocities by an impulse of one.
struct BodyResponse {
  Index body = 0;
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
};
/// The effects of impulses along the rows of a contact where joints transmit them: normal first.
using JointedResponse = std::array<std::vector<BodyResponse>, 3>;

/// Two bodies at a contact point. Relative velocities are velocities of b as seen from a.
struct SolverContact {
  Index a = 0, b = 0;
  const JointedResponse* jointed = nullptr;  // null: impulses act on a and b only
  double inverse_mass_a = 0, inverse_mass_b = 0;
  SolverRow normal{}, tangents[2]{};
  // The change of the velocities along the tangents per impulse is a symmetric matrix. This is its
  // inverse, and a lower bound of the inverse's least eigenvalue. 0 if nothing can move.
  double tangent_xx = 0, tangent_xy = 0, tangent_yy = 0, tangent_least = 0;
  double friction = 0;
  bool is_limit = false;   // of a joint: `normal` is its free row, and there is no friction
  double least_speed = 0;  // along the normal
  Vec3 arm_a = Vec3::Zero(), arm_b = Vec3::Zero();  // from the centres to the point
  double distance = 0;
  double share_a = 0.5, share_b = 0.5;  // how much the normal turns with each body
};

/// Finds two unit vectors that make a right-handed frame with a unit normal.
void tangents_of(const Vec3& normal, Vec3& first, Vec3& second);

/// Returns a contact of these bodies. Arms go from the centres to the point. Impulses are 0.
SolverContact solver_contact(std::span<const SolverBody> bodies, Index a, Index b,
                             const Vec3& normal, const Vec3& arm_a, const Vec3& arm_b,
                             double friction);

/// Lets impulses of the contact act on all bodies of the response.
void set_jointed(SolverContact& contact, const JointedResponse& response);

/// The relative velocity along a row.
inline double speed_along(const SolverRow& row, const SolverBody& a, const SolverBody& b) {
  return row.direction.dot(b.linear - a.linear) + row.lever_b.dot(b.angular) -
         row.lever_a.dot(a.angular);
}
/// How much faster a gap opens in this time, on the mean, than the velocities at the start say:
/// points of bodies that turn move on arcs, and the normal turns with the face that it belongs to.
/// If the gap is smaller halfway than at the end, halfway counts.
double bend(const SolverContact& contact, std::span<const SolverBody> bodies, double time);

/// The rotations of a body in half of a time and in all of it: found once for all its contacts.
struct Turns {
  bool none = true;
  Mat3 half = Mat3::Identity(), whole = Mat3::Identity();
};
Turns turns_of(const SolverBody& body, double time);
double bend(const SolverContact& contact, std::span<const SolverBody> bodies,
            std::span<const Turns> turns, double time);
/// What the bend of a contact depends on.
struct BendingGap {
  Vec3 normal, arm_a, arm_b;
  double distance, share_a, share_b;
};
double bend(const BendingGap& gap, const SolverBody& a, const SolverBody& b, const Turns& turns_a,
            const Turns& turns_b, double time);
double parting_speed(const BendingGap& gap, const SolverBody& a, const SolverBody& b);
/// An upper bound of how much a gap bends.
double most_bend(const SolverContact& contact, std::span<const SolverBody> bodies, double time);
double most_bend(const BendingGap& gap, const SolverBody& a, const SolverBody& b, double time);

Vec3 relative_velocity(const SolverContact& contact, std::span<const SolverBody> bodies);
Vec3 impulse_of(const SolverContact& contact);  ///< on b

/// Applies an impulse along a row of the contact.
void apply(std::span<SolverBody> bodies, const SolverContact& contact, const SolverRow& row,
           double impulse);
/// Applies impulses that the contacts have already, such as the previous step's.
void apply_impulses(std::span<SolverBody> bodies, std::span<const SolverContact> contacts);

enum class Friction { solved, only };  // `only`: normal impulses stay

/// One iteration over all contacts, forwards or backwards. Each row is brought to its aim by its
/// own impulse, within limits: normal impulses push, and friction is at most the coefficient times
/// the normal impulse. Returns the largest change of velocity by a row.
double pass(std::span<SolverBody> bodies, std::span<SolverContact> contacts, bool forwards,
            Friction friction = Friction::solved);

/// Iterates until no row changes a velocity by more than `small`, `most` times at most. The changes
/// of an iteration are taken for a residual, and conjugate directions give the start of the next
/// one (Silcowitz, Niebe, Erleben, A nonsmooth nonlinear conjugate gradient method for interactive
/// contact force problems, 2010): high stacks need some ten iterations instead of some hundred.
class ContactSolver {
 public:
  /// Returns the number of iterations.
  int solve(std::span<SolverBody> bodies, std::span<SolverContact> contacts, int most,
            double small);

 private:
  std::vector<Vec3> before_, direction_;  // impulses of each contact
};

}  // namespace touche::dynamics
