// SPDX-License-Identifier: Apache-2.0
// Minimisation of a function of a few variables without derivatives (Nelder, Mead 1965).
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace touche::math {

struct NelderMeadOptions {
  int max_evaluations = 2000;
  double tolerance = 1e-10;  ///< stop when the values at the corners differ by less, relatively,
                             ///< and the simplex is smaller than its first size times this
};

struct Minimum {
  std::vector<double> at;
  double value = 0;
  int evaluations = 0;
};

/// Starts from a simplex with one corner at `start` and the others `step` away along each axis. The
/// value found is never above the value at the start. Deterministic.
Minimum nelder_mead(const std::function<double(std::span<const double>)>& f,
                    const std::vector<double>& start, double step,
                    const NelderMeadOptions& options = {});

}  // namespace touche::math
