// SPDX-License-Identifier: Apache-2.0
// ContactSweep on eight contacts at a time. The contacts of a batch share no movable body, and each
// contact comes after all earlier ones that share a movable body with it. So iterations give the
// same results as contact by contact.
#pragma once

#include <span>
#include <vector>

#include "dynamics/contact_solver.h"
#include "dynamics/sweep_measures.h"

namespace touche::dynamics {

/// The data of up to eight contacts, one in each lane. Lanes without a contact are all zeros.
struct alignas(64) ContactBatch {
  static constexpr std::size_t kLanes = 8;
  using Lanes = double[kLanes];

  Index a[kLanes], b[kLanes];        // rows of twists to read
  Index to_a[kLanes], to_b[kLanes];  // rows to write; a spare one for bodies that stand still
  alignas(64) Lanes normal[3];
  Lanes first[3], second[3], arm_a[3], arm_b[3];
  Lanes mass, least_speed, friction;
  Lanes xx, xy, yy, least;            // of the tangents, see SolverContact
  Lanes normal_first, normal_second;  // normal speed change per friction impulse
  Lanes inverse_mass_a, inverse_mass_b;
  Lanes inertia_a[9], inertia_b[9];  // inverse, row by row
};
/// Numbers of a batch along the normal and both tangents.
struct alignas(64) BatchImpulses {
  ContactBatch::Lanes along[3];
};
/// How much an iteration changed the contacts of a batch: in the metric of energy, and as the
/// square of a velocity.
struct alignas(64) BatchChange {
  ContactBatch::Lanes energy, square;
};
/// The velocity of a body.
struct alignas(64) BodyTwist {
  double linear[4], angular[4];
};

/// The inner loops. They round in the same manner on every machine.
struct ContactBatchKernels {
  /// Returns the largest change of velocity by a row. `changes` receives what is added to the
  /// impulses.
  double (*pass)(std::span<const ContactBatch> batches, bool forwards, BodyTwist* twists,
                 BatchImpulses* impulses, BatchImpulses* changes, BatchChange* sizes);
  /// direction = share · direction + change; share · direction is also added to `at`.
  void (*go_on)(double share, const double* change, double* direction, double* at,
                std::size_t count);
};
const ContactBatchKernels& contact_batch_kernels();
/// One for each instruction set of this machine, the best one first. For tests.
std::vector<ContactBatchKernels> contact_batch_kernels_of_targets();

class ContactBatches {
 public:
  /// Takes the contacts with their present impulses, which are already applied to `bodies`. Returns
  /// false if most contacts depend on each other, like all contacts of one pair: then batches do
  /// not pay.
  [[nodiscard]] bool begin(std::span<SolverBody> bodies, std::span<const SolverContact> contacts,
                           const ContactBatchKernels& kernels = contact_batch_kernels());
  /// The following functions do the same as in ContactSweep.
  double pass(bool forwards);
  void remember();
  [[nodiscard]] SweepChange change() const;
  void go_on(double share);
  void forget_direction();
  [[nodiscard]] SweepSpeeds speeds();
  void give_impulses(std::span<SolverContact> contacts) const;
  /// Writes the velocities to the bodies.
  void end();

 private:
  bool find_slots(std::span<const SolverContact> contacts);
  Index open_batch(Index from);
  void fill(std::span<const SolverContact> contacts);

  const ContactBatchKernels* kernels_ = nullptr;
  std::span<SolverBody> bodies_;
  std::vector<Index> slots_;          // of each contact: kLanes times its batch and its lane
  std::vector<Index> ready_;          // for each body: the first batch after its contacts
  std::vector<Index> filled_, open_;  // of each batch
  std::vector<ContactBatch> batches_;
  std::vector<BatchImpulses> impulses_, changes_, impulses_direction_;
  std::vector<BatchChange> sizes_;
  // One for each body, one for lanes without a contact, and one that is written and never read.
  std::vector<BodyTwist> twists_, before_, direction_;
  std::vector<double> squares_;
};

}  // namespace touche::dynamics
