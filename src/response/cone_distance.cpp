// SPDX-License-Identifier: Apache-2.0
#include "response/cone_distance.h"

#include <Eigen/QR>
#include <algorithm>

namespace touche::response {
namespace {

constexpr int kSize = 7;
using Square = Eigen::Matrix<double, kSize, kSize>;

/// The generators whose weights are positive, and these weights.
struct Active {
  int generator[kSize] = {};
  int count = 0;
  Square columns = Square::Zero();
  Vector7 weights = Vector7::Zero();

  bool has(int g) const { return std::find(generator, generator + count, g) != generator + count; }
  void add(int g, const Vector7& column) {
    generator[count] = g;
    columns.col(count) = column;
    weights[count++] = 0;
  }
  void remove(int i) {
    std::copy(generator + i + 1, generator + count, generator + i);
    --count;
    for (int k = i; k < count; ++k) {
      columns.col(k) = columns.col(k + 1).eval();
      weights[k] = weights[k + 1];
    }
    columns.col(count).setZero();
    weights[count] = 0;
  }
  Vector7 sum() const { return columns * weights; }

  // Moves to the best weights of any sign, dropping generators whose weights reach 0 before that.
  void improve(const Vector7& w) {
    while (count > 0) {
      // Columns of zeros get no weight.
      const Vector7 best = columns.colPivHouseholderQr().solve(w);
      double step = 1;
      int first = -1;
      for (int i = 0; i < count; ++i) {
        if (best[i] > 0) continue;
        const double here = weights[i] > 0 ? weights[i] / (weights[i] - best[i]) : 0;
        if (first >= 0 && here >= step) continue;
        step = here;
        first = i;
      }
      if (first < 0) {
        weights = best;
        return;
      }
      weights += step * (best - weights);
      remove(first);
    }
  }
};

}  // namespace

double distance_to_cone(std::span<const Vector7> generators, const Vector7& w, double enough) {
  constexpr double kTowards = 1e-13;
  constexpr int kMostRounds = 200;  // has never been reached
  Active active;
  Vector7 outside = w;
  const double length = w.norm();
  double least = length;
  for (int round = 0; round < kMostRounds && least > enough; ++round) {
    int best = -1;
    double most = kTowards * length;
    for (int g = 0; g < static_cast<int>(generators.size()); ++g) {
      const double towards = generators[static_cast<std::size_t>(g)].dot(outside);
      if (towards > most && !active.has(g)) {
        most = towards;
        best = g;
      }
    }
    if (best < 0 || active.count == kSize) break;
    active.add(best, generators[static_cast<std::size_t>(best)]);
    active.improve(w);
    outside = w - active.sum();
    // Rounding ends the progress, so the loop ends, too.
    const double now = outside.norm();
    if (!(now < least)) break;
    least = now;
  }
  return least;
}

}  // namespace touche::response
