// SPDX-License-Identifier: Apache-2.0
// ContactSweep eight contacts at a time: those of a batch share no body that moves, and each comes
// later than all before it that share one. So passes give what they give contact by contact.
#pragma once

#include <span>
#include <vector>

#include "dynamics/contact_solver.h"
#include "dynamics/sweep_measures.h"

namespace touche {

/// Holds what passes need of contacts, a lane for each. Lanes without a contact are all zeros.
struct alignas(64) ContactBatch {
  static constexpr std::size_t kLanes = 8;
  using Lanes = double[kLanes];

  Index a[kLanes], b[kLanes];        // rows of twists to read
  Index to_a[kLanes], to_b[kLanes];  // and to write: bodies that stand still need no writing
  alignas(64) Lanes normal[3];
  Lanes first[3], second[3], arm_a[3], arm_b[3];
  Lanes mass, least_speed, friction;
  Lanes xx, xy, yy, least;            // of tangents, see SolverContact
  Lanes normal_first, normal_second;  // change of speed along the normal per friction
  Lanes inverse_mass_a, inverse_mass_b;
  Lanes inertia_a[9], inertia_b[9];  // inverse, row by row
};
/// Holds numbers of a batch along the normal and both tangents.
struct alignas(64) BatchImpulses {
  ContactBatch::Lanes along[3];
};
/// How much a pass changed the contacts of a batch: in the metric of energy, and as the square of a
/// velocity.
struct alignas(64) BatchChange {
  ContactBatch::Lanes energy, square;
};
/// The velocity of a body.
struct alignas(64) BodyTwist {
  double linear[4], angular[4];
};

/// The inner loops, which round in the same way on every machine.
struct ContactBatchKernels {
  /// Returns the largest change of velocity that a row made. `changes` is what is added to
  /// impulses.
  double (*pass)(std::span<const ContactBatch> batches, bool forwards, BodyTwist* twists,
                 BatchImpulses* impulses, BatchImpulses* changes, BatchChange* sizes);
  /// direction = share direction + change; and the first term is added to `at`.
  void (*go_on)(double share, const double* change, double* direction, double* at,
                std::size_t count);
};
const ContactBatchKernels& contact_batch_kernels();
/// For each instruction set that this machine has, the best one first. For tests.
std::vector<ContactBatchKernels> contact_batch_kernels_of_targets();

class ContactBatches {
 public:
  /// Takes the contacts as they are, with their impulses, which `bodies` have had already. False
  /// where most contacts wait for each other, as those of one pair do: then batches do not pay.
  [[nodiscard]] bool begin(std::span<SolverBody> bodies, std::span<const SolverContact> contacts,
                           const ContactBatchKernels& kernels = contact_batch_kernels());
  /// These do the same as those of ContactSweep.
  double pass(bool forwards);
  void remember();
  [[nodiscard]] SweepChange change() const;
  void go_on(double share);
  void forget_direction();
  [[nodiscard]] SweepSpeeds speeds();
  void give_impulses(std::span<SolverContact> contacts) const;
  /// Gives bodies their velocities.
  void end();

 private:
  bool find_slots(std::span<const SolverContact> contacts);
  Index open_batch(Index from);
  void fill(std::span<const SolverContact> contacts);

  const ContactBatchKernels* kernels_ = nullptr;
  std::span<SolverBody> bodies_;
  std::vector<Index> slots_;          // of each contact: kLanes times its batch and its lane
  std::vector<Index> ready_;          // of each body the first batch after its contacts
  std::vector<Index> filled_, open_;  // of each batch
  std::vector<ContactBatch> batches_;
  std::vector<BatchImpulses> impulses_, changes_, impulses_direction_;
  std::vector<BatchChange> sizes_;
  // They hold each body's, one for lanes without a contact, and one that is written and never read.
  std::vector<BodyTwist> twists_, before_, direction_;
  std::vector<double> squares_;
};

}  // namespace touche
