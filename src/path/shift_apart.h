// SPDX-License-Identifier: Apache-2.0
// Proves that an overlap is thin by taking the bodies apart.
#pragma once

#include <vector>

#include "touche/overlap.h"

namespace touche {

/// Directions, of unit length, in which (or against which) one of two objects that touch may come
/// free of the other: normals of faces that touch, the mean of those that look at each other, and
/// the means of any two.
std::vector<Vec3> ways_out(const Object& a, const Pose& pose_a, const Object& b, const Pose& pose_b,
                           const Budget& budget);

/// Whether some shift by no more than `most` (a length) takes two closed bodies apart, tried along
/// the directions that their contacts suggest. Then no ball inside of both is larger than `most`:
/// it would meet itself, shifted. False where none of them does, and for bodies that are not closed
/// but for slits. Of those with slits nothing is proved below some four times the slits' gap.
bool apart_after_shift(const Interior& a, const Pose& pose_a, const Interior& b, const Pose& pose_b,
                       double most, const Budget& budget);

/// The same after all vertices of both were moved inwards by up to half of `most`; for bodies that
/// hold each other all round, as a pin and its bore do.
bool apart_after_shrinking(const Interior& a, const Pose& pose_a, const Interior& b,
                           const Pose& pose_b, double most, const Budget& budget);

/// Whether closed bodies that overlap so thickly come apart by no more than `most` in one of these
/// ways: a rod right through a thin wall does not, though no large ball fits into their overlap.
/// Outlines are not shrunk; there it is enough that the overlap is no thicker.
bool come_apart(const Interior& a, const Pose& pose_a, const Interior& b, const Pose& pose_b,
                double most, const Thickness& overlap, const Budget& budget);

}  // namespace touche
