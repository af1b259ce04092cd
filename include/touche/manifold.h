// SPDX-License-Identifier: Apache-2.0
// Few contacts in place of many: a part of them that can exert what all can, and that stays the
// same while the bodies hardly move. Link target touche::dynamics.
#pragma once

#include <span>
#include <vector>

#include "touche/query.h"

namespace touche {

struct ManifoldOptions {
  /// In (0, 1): see Manifold.
  double error = 0.05;
  /// Length: displacements up to this are to be held by the contacts that are kept, see Manifold.
  /// 0: a tenth of the contacts' size.
  double reach = 0;
};

/// The contacts that stand for all contacts of two bodies, from one moment to the next. One for
/// each pair of bodies.
///
/// Let `centre` be the middle of the contacts' box and `size` half of its diagonal (1, when they
/// are all in one place). For each contact that is left out, with normal n at distance d:
/// - a unit force at it can be replaced by forces >= 0 at the kept contacts, up to a force of
///   `error` and a torque of `error` × `size` about the centre. So the cone of wrenches that all
///   contacts exert without friction is that of the kept ones, up to `error` times the sum of the
///   forces;
/// - a displacement that moves the centre by at most `reach` and turns by at most reach / size, and
///   has normal · displacement >= −distance at the kept contacts, has it at this one, too, up to
///   √3 × `error` × `reach`. A contact that is farther away than others is left out where these
///   hold it, one that is nearer is not.
///
/// Contacts are known by their two features. Those that were kept are kept again while they are
/// there, unless the others can do without them up to a quarter of the error. So a body that rests
/// keeps its contacts, and a solver can start from the forces it found before.
class Manifold {
 public:
  /// Contacts as of near_features, in any order. Throws InvalidInput for options out of range, and
  /// changes nothing then. Allocates nothing once it is large enough. Up to four contacts are all
  /// kept.
  void update(std::span<const Contact> contacts, const ManifoldOptions& options = {});
  /// Forgets what was kept.
  void clear() { contacts_.clear(); }

  /// Sorted by (feature_a, feature_b).
  [[nodiscard]] const std::vector<Contact>& contacts() const { return contacts_; }
  [[nodiscard]] const Vec3& centre() const { return centre_; }
  [[nodiscard]] double size() const { return size_; }

 private:
  using Wrench = Eigen::Matrix<double, 7, 1>;
  struct Candidate {
    double outside;  // by at most this
    Index contact;
    std::size_t seen_by;  // of so many kept contacts, when it was found
  };
  void measure(std::span<const Contact> contacts, double reach);
  void keep_known(std::span<const Contact> contacts);
  void gather(std::size_t without);
  void drop_needless(double error);
  void add_missing(double error);

  std::vector<Contact> contacts_;
  Vec3 centre_ = Vec3::Zero();
  double size_ = 1;
  std::vector<Wrench> wrenches_, generators_;  // of all contacts; of those kept and one more
  std::vector<Index> order_, kept_;
  std::vector<Candidate> candidates_;
};

}  // namespace touche
