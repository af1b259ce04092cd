// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>

namespace touche::evaluation {

template <class Work>
double seconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The least time of a few repetitions: disturbances only add to it. Long work is done once.
template <class Work>
double best_seconds(const Work& work) {
  constexpr double kLong = 0.05;
  double best = seconds(work);
  for (int i = 1; i < 3 && best < kLong; ++i) best = std::min(best, seconds(work));
  return best;
}

}  // namespace touche::evaluation
