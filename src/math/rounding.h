// SPDX-License-Identifier: Apache-2.0
// Rounding errors, named for what they guarantee, and unit vectors of vectors of any length.
//
// A bound of some rounding is either derived, as a multiple of the unit roundoff, or so small that
// it costs nothing and so wide that it needs no derivation: then it takes the names below it.
#pragma once

#include <Eigen/Core>
#include <cmath>

#include "touche/types.h"

namespace touche {

/// The result of one operation differs from the exact one by at most this share of it, in double
/// and in single precision: half the distance from 1 to the next number. Underflow aside.
inline constexpr double kUnitRoundoff = 0x1p-53;
inline constexpr float kUnitRoundoffFloat = 0x1p-24f;

/// More than what underflow may take from a sum of products of coordinates: far above the least
/// normal number, so that bounds themselves do not underflow.
inline constexpr double kUnderflow = 1e-290;

/// A point that was moved by a pose is off by less than this share of the coordinates involved:
/// twenty times as much as the matrix, products and sums take.
inline constexpr double kMovedPointError = 1e-14;
/// The same for a box or ball that was moved, with its extent.
inline constexpr double kMovedBoxError = 1e-13;

/// A formula of some hundred operations is off by less than this share of the largest number in it.
inline constexpr double kFormulaError = 1e-12;

/// Times this, a bound computed by such a formula of positive terms holds for the exact value.
inline constexpr double kRoundUp = 1 + kFormulaError;
inline constexpr double kRoundDown = 1 - kFormulaError;
/// The same with room for what earlier queries were off by.
inline constexpr double kRoundFarUp = 1 + 1e-9;
inline constexpr double kRoundFarDown = 1 - 1e-9;

/// In single precision, after at most three operations.
inline constexpr float kRoundUpFloat = 1 + 4 * kUnitRoundoffFloat;
inline constexpr float kRoundDownFloat = 1 - 4 * kUnitRoundoffFloat;

/// The direction of a vector, at unit length up to rounding. Zero where it has none: for the zero
/// vector, for one that is not finite or whose length is not, and for one so short (far below the
/// least normal number) that its digits are lost.
inline Vec3 unit_or_zero(const Vec3& v) {
  const double square = v.squaredNorm();
  if (square > 1e-200 && square < 1e200) return v / std::sqrt(square);
  const Vec3 unit = v.stableNormalized();
  return std::abs(unit.squaredNorm() - 1) < 1e-9 ? unit : Vec3(Vec3::Zero());
}

}  // namespace touche
