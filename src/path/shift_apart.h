// SPDX-License-Identifier: Apache-2.0
// Proves that an overlap is thin by taking the bodies apart.
#pragma once

#include <span>
#include <vector>

#include "touche/overlap.h"
#include "touche/query.h"

namespace touche {

/// Directions, of unit length, in which (or against which) one of two objects that touch may come
/// free of the other: normals of faces that touch, the mean of those that look at each other, and
/// the means of any two.
std::vector<Vec3> ways_out(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                           const Budget& budget);
/// Returns those of given contacts.
std::vector<Vec3> ways_out(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                           std::span<const Contact> contacts);

/// More than what poses of these objects and sums with them are rounded by, if no coordinate of a
/// pose's translation is larger than `reach`.
double coordinate_error(const Interior& a, const Interior& b, double reach);

/// How far from its faces what is inside of two bodies may end: at slits, which are closed by caps.
/// 0 where there are none. Faces that are farther apart than that have caps that do not meet.
double gap_of(const Interior& a, const Interior& b);

/// Whether no surfaces meet, slits and their caps included, and neither body holds any of the
/// other.
bool are_apart(const Interior& a, const Pose& pose_a, const Interior& b, const Pose& pose_b,
               const Budget& budget);

/// Whether some shift by no more than `most` (a length) takes two closed bodies apart, tried along
/// the directions that their contacts suggest. Then no ball inside of both is larger than `most`:
/// it would meet itself, shifted. False where none of them does, and for bodies that are not closed
/// but for slits. For those with slits nothing is proved below some four times the slits' gap.
bool apart_after_shift(const Interior& a, const Pose& pose_a, const Interior& b, const Pose& pose_b,
                       double most, const Budget& budget);

/// The same after all vertices of both were moved inwards by up to half of `most`; for bodies that
/// hold each other all round, as a pin and its bore do.
bool apart_after_shrinking(const Interior& a, const Pose& pose_a, const Interior& b,
                           const Pose& pose_b, double most, const Budget& budget);

/// Two bodies all of whose vertices were moved inwards, by no more than `most` taken together.
class ShrunkPair {
 public:
  /// Whether these two can be shrunk, and by so much: not if they have slits.
  static bool may_shrink(const Interior& a, const Interior& b, double most, double error);

  /// `error` is what coordinates are rounded by. May be made only if they may be shrunk.
  ShrunkPair(const Interior& a, const Interior& b, double most, double error);

  const Object& a() const { return shrunk_a_; }
  const Object& b() const { return shrunk_b_; }

  /// Whether the shrunk surfaces do not meet, and neither holds any of the other.
  bool are_apart(const Pose& pose_a, const Pose& pose_b, const Budget& budget) const;

 private:
  const Interior &a_, &b_;
  double moved_;  // no vertex was moved farther, rounding included
  Object shrunk_a_, shrunk_b_;
};

/// Whether closed bodies come apart by no more than `most` in one of these ways: a rod right
/// through a thin wall does not, though no large ball fits into their overlap.
bool come_apart(const Interior& a, const Pose& pose_a, const Interior& b, const Pose& pose_b,
                double most, const Budget& budget);

}  // namespace touche
