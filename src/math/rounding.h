// SPDX-License-Identifier: Apache-2.0
// Bounds of rounding errors, named by what they guarantee, and unit vectors of vectors of any
// length.
//
// A rounding bound is either derived, as a multiple of the unit roundoff, or so generous that it
// needs no derivation and still costs nothing: then it uses the names below kUnitRoundoff.
#pragma once

#include <Eigen/Core>
#include <cmath>

#include "touche/types.h"

namespace touche::math {

/// The result of one operation differs from the exact one by at most this share of it, in double
/// and in single precision: half the distance from 1 to the next number. Underflow aside.
inline constexpr double kUnitRoundoff = 0x1p-53;
inline constexpr float kUnitRoundoffFloat = 0x1p-24f;

/// Exceeds what underflow may take from a sum of products of coordinates. Far above the least
/// normal number, so that bounds themselves do not underflow.
inline constexpr double kUnderflow = 1e-290;

/// The error of a point moved by a pose is less than this share of the coordinates involved: twenty
/// times the error of the matrix, products and sums.
inline constexpr double kMovedPointError = 1e-14;
/// The same for a moved box or ball, including its extent.
inline constexpr double kMovedBoxError = 1e-13;

/// The error of a formula of some hundred operations is less than this share of the largest number
/// in it.
inline constexpr double kFormulaError = 1e-12;

/// Multiplied by this, a bound computed by such a formula of positive terms holds for the exact
/// value.
inline constexpr double kRoundUp = 1 + kFormulaError;
inline constexpr double kRoundDown = 1 - kFormulaError;
/// The same with an allowance for the errors of earlier queries.
inline constexpr double kRoundFarUp = 1 + 1e-9;
inline constexpr double kRoundFarDown = 1 - 1e-9;

/// In single precision, after at most three operations.
inline constexpr float kRoundUpFloat = 1 + 4 * kUnitRoundoffFloat;
inline constexpr float kRoundDownFloat = 1 - 4 * kUnitRoundoffFloat;

/// The direction of a vector, of unit length up to rounding. Zero if it has none: for the zero
/// vector, for one that is not finite or whose length is not, and for one so short (far below the
/// least normal number) that its digits are lost.
inline Vec3 unit_or_zero(const Vec3& v) {
  const double square = v.squaredNorm();
  if (square > 1e-200 && square < 1e200) return v / std::sqrt(square);
  const Vec3 unit = v.stableNormalized();
  return std::abs(unit.squaredNorm() - 1) < 1e-9 ? unit : Vec3(Vec3::Zero());
}

}  // namespace touche::math
