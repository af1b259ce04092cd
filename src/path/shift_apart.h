// SPDX-License-Identifier: Apache-2.0
// Proves that an overlap is thin by moving the bodies apart.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "touche/overlap.h"
#include "touche/query.h"

namespace touche::paths {

/// Unit directions along which, or against which, one of two touching objects may come free of the
/// other: normals of faces that touch, the mean of normals of faces that face each other, and the
/// means of any two.
std::vector<Vec3> ways_out(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                           const Budget& budget);
/// The same for given contacts.
std::vector<Vec3> ways_out(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                           std::span<const Contact> contacts);

/// Upper bound of the rounding error of poses of these objects and of sums with them, if no
/// translation of a pose is longer than `reach`.
double coordinate_error(const Interior& a, const Interior& b, double reach);

/// How far from the faces the inside of two bodies may end: at slits, which are closed by caps. 0
/// without slits. If the faces are farther apart than this, the caps do not meet.
double gap_of(const Interior& a, const Interior& b);

/// Whether no surfaces meet, slits and their caps included, and no part of either body is known to
/// lie inside the other: of an open body that is unknown.
bool are_apart(const Interior& a, const Pose& pose_a, const Interior& b, const Pose& pose_b,
               const Budget& budget);

/// Whether some shift by at most `most` (a length) separates two bodies; directions suggested by
/// their contacts are tried. If so, no ball inside both has a diameter above `most`: the shifted
/// ball would overlap the original one. Of open bodies, it separates their surfaces. With slits,
/// nothing is proved below about four times the gap.
bool apart_after_shift(const Interior& a, const Pose& pose_a, const Interior& b, const Pose& pose_b,
                       double most, const Budget& budget);

/// The same after all vertices of both bodies were moved inwards by up to half of `most`; for
/// bodies that surround each other, as a pin in its bore.
bool apart_after_shrinking(const Interior& a, const Pose& pose_a, const Interior& b,
                           const Pose& pose_b, double most, const Budget& budget);

/// Two bodies whose vertices were all moved inwards, in sum by at most `most`.
class ShrunkPair {
 public:
  /// Whether these two bodies can be shrunk by that much: not if they have slits.
  static bool may_shrink(const Interior& a, const Interior& b, double most, double error);

  /// `error` is the rounding error of coordinates. Requires may_shrink().
  ShrunkPair(const Interior& a, const Interior& b, double most, double error);

  const Object& a() const { return shrunk_a_; }
  const Object& b() const { return shrunk_b_; }

  /// Whether the shrunk surfaces do not meet, and no part of either body lies inside the other.
  bool are_apart(const Pose& pose_a, const Pose& pose_b, const Budget& budget) const;

 private:
  const Interior &a_, &b_;
  double moved_;  // upper bound of the vertices' moves, rounding included
  Object shrunk_a_, shrunk_b_;
};

/// Whether bodies come apart by at most `most`, by a shift or, if closed, by shrinking. A rod
/// straight through a thin wall does not, though no large ball fits into their overlap.
bool come_apart(const Interior& a, const Pose& pose_a, const Interior& b, const Pose& pose_b,
                double most, const Budget& budget);

/// Lowers the upper bound of a thickness, which is coarse where an overlap is thin and wide: what
/// comes apart by a length is no thicker. `come_apart` is called with a few lengths, the shortest
/// of which is a few times `least`, until it returns true.
template <class ComeApart>
void lower_thickness(Bracket& thickness, double least, const ComeApart& come_apart) {
  constexpr double kStep = 4;
  constexpr int kMostSteps = 6;
  double by = kStep * std::max(least, thickness.lower);
  for (int k = 0; k < kMostSteps && by < thickness.upper; ++k, by *= kStep)
    if (come_apart(by)) thickness.upper = by;
}

}  // namespace touche::paths
