// SPDX-License-Identifier: Apache-2.0
// Checks the coordinates of arguments.
#pragma once

#include <Eigen/Core>

#include "touche/types.h"

namespace touche::math {

/// The largest size of coordinates, see docs/conventions.md.
inline constexpr double kLargestCoordinate = 1e90;

/// Whether all coordinates are numbers of at most `most` in size. Use it for arguments, in place of
/// Eigen's maxCoeff() and lpNorm(), which may overlook NaN.
template <class Vector>
bool all_within(const Eigen::MatrixBase<Vector>& x, double most) {
  return (x.array().abs() <= most).all();  // false for NaN
}

}  // namespace touche::math
