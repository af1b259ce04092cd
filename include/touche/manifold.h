// SPDX-License-Identifier: Apache-2.0
// Contact reduction: a subset of the contacts of two bodies that can exert the same forces and
// torques as all of them, and that stays the same while the bodies hardly move. Link target
// touche::dynamics.
#pragma once

#include <span>
#include <vector>

#include "touche/query.h"

namespace touche {

struct ManifoldOptions {
  /// In (0, 1): relative error of forces and torques, see Manifold.
  double error = 0.05;
  /// Length: the kept contacts restrict displacements up to this like all contacts do, see
  /// Manifold. 0: a tenth of the contacts' size.
  double reach = 0;
};

/// The contacts that represent all contacts of a pair of bodies over time. Use one Manifold for
/// each pair.
///
/// Let `centre` be the middle of the contacts' box and `size` half of its diagonal (1 if all
/// contacts are at one point). For each contact that is left out, with normal n at distance d:
/// - A unit force at it can be replaced by forces >= 0 at the kept contacts, up to a force of
///   `error` and a torque of `error` × `size` about the centre. So the frictionless wrench cone of
///   all contacts is that of the kept ones, up to `error` times the sum of the forces.
/// - Consider a displacement that moves the centre by at most `reach`, turns by at most reach /
///   size and has normal · displacement >= −distance at the kept contacts. It fulfils this
///   condition at the omitted contact, too, up to √3 × `error` × `reach`. So a contact that is
///   farther away than others can be omitted if these restrict it, but a nearer one cannot.
///
/// Contacts are identified by their two features. Contacts that were kept are kept again while they
/// exist, unless the others represent them up to a quarter of the error. So a body at rest keeps
/// its contacts, and a solver can start from the forces of the step before.
///
///     manifold.update(near_features(a, pose_a, b, pose_b, {.max_distance = 1e-3}).contacts);
class Manifold {
 public:
  /// Chooses from the current contacts of the pair, given as by near_features, in any order. Up to
  /// four contacts are all kept. Allocates nothing once its memory is large enough. Throws
  /// InvalidInput for options out of range and for contacts that are not finite; nothing is changed
  /// then.
  void update(std::span<const Contact> contacts, const ManifoldOptions& options = {});
  /// Discards the kept contacts.
  void clear() { contacts_.clear(); }

  /// Sorted by (feature_a, feature_b).
  [[nodiscard]] const std::vector<Contact>& contacts() const { return contacts_; }
  [[nodiscard]] const Vec3& centre() const { return centre_; }
  [[nodiscard]] double size() const { return size_; }

 private:
  using Wrench = Eigen::Matrix<double, 7, 1>;
  struct Candidate {
    double outside;  // upper bound of its error
    Index contact;
    std::size_t seen_by;  // number of kept contacts for which it was found
  };
  void measure(std::span<const Contact> contacts, double reach);
  void keep_known(std::span<const Contact> contacts);
  void gather(std::size_t without);
  void drop_needless(double error);
  void add_missing(double error);

  std::vector<Contact> contacts_;
  Vec3 centre_ = Vec3::Zero();
  double size_ = 1;
  std::vector<Wrench> wrenches_, generators_;  // of all contacts; of the kept ones and one more
  std::vector<Index> order_, kept_;
  std::vector<Candidate> candidates_;
};

}  // namespace touche
