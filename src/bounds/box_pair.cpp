// SPDX-License-Identifier: Apache-2.0
// Two boxes by separating axes (Gottschalk, Lin, Manocha 1996). Products of nearly parallel edges
// need no case of their own: such an axis has a length, and a gap, below the slack.
#include <cmath>

#include "bounds/obb.h"

namespace touche::bounds {
namespace {

/// Both boxes in the axes of a.
struct BoxPair {
  Mat3 turn, size;  // columns: b's axes; their magnitudes
  Vec3 between;     // from a's centre to b's
  Vec3 half_a, half_b;
  double slack;

  BoxPair(const Obb& a, const Obb& b, const Placement& place) : half_a(a.half), half_b(b.half) {
    const Vec3 d = place * b.centre - a.centre;
    turn = a.axes.transpose() * place.rotation * b.axes;
    size = turn.cwiseAbs();
    between = a.axes.transpose() * d;
    // An entry of `turn` is off by 64 u: 24 u from the matrix, times √3 for a unit axis, and two
    // products of three terms. A gap on a face is off by that times the half widths, by kAxesError
    // of a's, and by the error of `between`. On a product of edges `between` counts √2 times, and
    // the products are expressed by entries of the third axes, right up to the defects of both
    // frames and of `turn`: 32 u + 32 u + 64 u, twice. 256 u is above the sum.
    slack =
        2 * place.error(b.centre.lpNorm<1>()) +
        256 * kU * (a.centre.lpNorm<1>() + d.lpNorm<1>() + a.half.lpNorm<1>() + b.half.lpNorm<1>());
  }

  double gap_a(int i) const { return std::abs(between[i]) - half_a[i] - size.row(i).dot(half_b); }
  double gap_b(int j) const {
    return std::abs(turn.col(j).dot(between)) - half_b[j] - size.col(j).dot(half_a);
  }
  /// On the product of edge i of a and edge j of b, times the length of the product.
  double gap_edges(int i, int j) const {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    return std::abs(between[i2] * turn(i1, j) - between[i1] * turn(i2, j)) -
           (half_a[i1] * size(i2, j) + half_a[i2] * size(i1, j)) -
           (half_b[j1] * size(i, j2) + half_b[j2] * size(i, j1));
  }
  double length_edges(int i, int j) const {
    return std::hypot(turn((i + 1) % 3, j), turn((i + 2) % 3, j));
  }
};

}  // namespace

bool overlap(const Obb& a, const Obb& b, const Placement& place, BoxAxes axes) {
  const BoxPair pair(a, b, place);
  for (int i = 0; i < 3; ++i)
    if (pair.gap_a(i) > pair.slack) return false;
  for (int j = 0; j < 3; ++j)
    if (pair.gap_b(j) > pair.slack) return false;
  if (axes == BoxAxes::faces) return true;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (pair.gap_edges(i, j) > pair.slack) return false;
  return true;
}

bool overlap(const Obb& a, const Obb& b, const Placement& place) {
  return overlap(a, b, place, BoxAxes::all);
}

double lower_bound(const Obb& a, const Obb& b, const Placement& place) {
  const BoxPair pair(a, b, place);
  // An axis is a unit vector up to 16 u, the division rounds once.
  constexpr double kShort = 1 - 32 * kU;
  double best = 0;
  for (int i = 0; i < 3; ++i) {
    best = std::max(best, (pair.gap_a(i) - pair.slack) * kShort);
    best = std::max(best, (pair.gap_b(i) - pair.slack) * kShort);
    for (int j = 0; j < 3; ++j) {
      const double gap = pair.gap_edges(i, j) - pair.slack;
      // The length is off by 128 u at most: turn's entries, and the frames it is taken in.
      if (gap > 0) best = std::max(best, gap / (pair.length_edges(i, j) + 128 * kU) * kShort);
    }
  }
  return best;
}

}  // namespace touche::bounds
