// SPDX-License-Identifier: Apache-2.0
// The distance of a point from a cone of few dimensions.
#pragma once

#include <Eigen/Core>
#include <span>

namespace touche::response {

using Vector7 = Eigen::Matrix<double, 7, 1>;

/// The distance of w from the cone {Σ λ g, λ >= 0}, by non-negative least squares (Lawson and
/// Hanson 1974, chapter 23). Once the distance is known to be at most `enough`, returns any number
/// up to that. Generators need a length of about 1. The error is about 1e-12 of the length of w.
double distance_to_cone(std::span<const Vector7> generators, const Vector7& w, double enough = 0);

}  // namespace touche::response
