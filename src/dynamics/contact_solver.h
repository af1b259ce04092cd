// SPDX-License-Identifier: Apache-2.0
// Impulses at many contacts at once: projected Gauss-Seidel with Coulomb friction.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "touche/types.h"

namespace touche {

/// A body as impulses see it. Zeros stand for infinite mass.
struct SolverBody {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();  // velocities
  double inverse_mass = 0;
  Mat3 inverse_inertia = Mat3::Zero();  // in the world
};
inline bool can_move(const SolverBody& body) {
  return body.inverse_mass > 0 || !body.inverse_inertia.isZero(0);
}

/// A row: the relative velocity along one direction at a contact, and what an impulse along it
/// does.
struct SolverRow {
  Vec3 direction = Vec3::Zero();
  Vec3 lever_a = Vec3::Zero(), lever_b = Vec3::Zero();  // arm × direction
  Vec3 turn_a = Vec3::Zero(), turn_b = Vec3::Zero();    // of which the inverse inertia
  double mass = 0;                                      // impulse per change of velocity
  double impulse = 0;
};

/// Tells what an impulse of one does to the velocities of a body.
struct BodyResponse {
  Index body = 0;
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
};
/// Tells what impulses along the rows of a contact do where joints carry them on: normal first.
using JointedResponse = std::array<std::vector<BodyResponse>, 3>;

/// Two bodies at a point. Velocities are those of b as seen from a.
struct SolverContact {
  Index a = 0, b = 0;
  const JointedResponse* jointed = nullptr;  // null: impulses act on a and b only
  double inverse_mass_a = 0, inverse_mass_b = 0;
  SolverRow normal{}, tangents[2]{};
  // The change of the velocities along the tangents per impulse is a symmetric matrix; this is its
  // inverse, and a lower bound of its least eigenvalue. 0 where nothing can move.
  double tangent_xx = 0, tangent_xy = 0, tangent_yy = 0, tangent_least = 0;
  double friction = 0;
  bool is_limit = false;   // of a joint: its normal is the row that is free, there is no friction
  double least_speed = 0;  // along the normal
  Vec3 arm_a = Vec3::Zero(), arm_b = Vec3::Zero();  // from the centres to the point
  double distance = 0;
  double share_a = 0.5, share_b = 0.5;  // of both in how the normal turns; the rest stands still
};

/// Two unit vectors that make a right-handed frame with a unit normal.
void tangents_of(const Vec3& normal, Vec3& first, Vec3& second);

/// A contact of these bodies; arms go from the centres to the point. Impulses are 0.
SolverContact solver_contact(std::span<const SolverBody> bodies, Index a, Index b,
                             const Vec3& normal, const Vec3& arm_a, const Vec3& arm_b,
                             double friction);

/// From now on impulses of the contact act on all these bodies.
void set_jointed(SolverContact& contact, const JointedResponse& response);

/// The relative velocity along a row.
inline double speed_along(const SolverRow& row, const SolverBody& a, const SolverBody& b) {
  return row.direction.dot(b.linear - a.linear) + row.lever_b.dot(b.angular) -
         row.lever_a.dot(a.angular);
}
/// How much faster they get apart in this time, on the mean, than their velocities at the start
/// say: points of bodies that turn go on arcs, and the normal turns with the face that it belongs
/// to. Where they get nearer in between than they are at the end, that counts.
double bend(const SolverContact& contact, std::span<const SolverBody> bodies, double time);

/// How far a body turns in half of a time and in all of it: found once for all its contacts.
struct Turns {
  bool none = true;
  Mat3 half = Mat3::Identity(), whole = Mat3::Identity();
};
Turns turns_of(const SolverBody& body, double time);
double bend(const SolverContact& contact, std::span<const SolverBody> bodies,
            std::span<const Turns> turns, double time);
/// Holds what the bend of a contact depends on.
struct BendingGap {
  Vec3 normal, arm_a, arm_b;
  double distance, share_a, share_b;
};
double bend(const BendingGap& gap, const SolverBody& a, const SolverBody& b, const Turns& turns_a,
            const Turns& turns_b, double time);
double parting_speed(const BendingGap& gap, const SolverBody& a, const SolverBody& b);
/// No gap bends by more.
double most_bend(const SolverContact& contact, std::span<const SolverBody> bodies, double time);
double most_bend(const BendingGap& gap, const SolverBody& a, const SolverBody& b, double time);

Vec3 relative_velocity(const SolverContact& contact, std::span<const SolverBody> bodies);
Vec3 impulse_of(const SolverContact& contact);  ///< on b

/// Applies an impulse along a row of the contact.
void apply(std::span<SolverBody> bodies, const SolverContact& contact, const SolverRow& row,
           double impulse);
/// Applies impulses that the contacts hold already, such as those of the step before.
void apply_impulses(std::span<SolverBody> bodies, std::span<const SolverContact> contacts);

enum class Friction { solved, only };  // `only`: normal impulses stay

/// One pass over all contacts, forwards or backwards. Each row is brought to its aim by its own
/// impulse, within what is allowed: normal impulses push, and friction is at most the coefficient
/// times the normal impulse. Returns the largest change of velocity that a row made.
double pass(std::span<SolverBody> bodies, std::span<SolverContact> contacts, bool forwards,
            Friction friction = Friction::solved);

/// Passes until none changes a velocity by more than `small`, at most so many. Changes of a pass
/// are taken for a residual, and the next begins where conjugate directions lead (Silcowitz, Niebe,
/// Erleben, A nonsmooth nonlinear conjugate gradient method for interactive contact force problems,
/// 2010): high stacks need some ten passes instead of some hundred.
class ContactSolver {
 public:
  /// Returns the number of passes.
  int solve(std::span<SolverBody> bodies, std::span<SolverContact> contacts, int most,
            double small);

 private:
  std::vector<Vec3> before_, direction_;  // impulses of each contact
};

}  // namespace touche
