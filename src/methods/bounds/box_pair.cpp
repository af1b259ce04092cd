// SPDX-License-Identifier: Apache-2.0
// Two boxes by separating axes (Gottschalk, Lin, Manocha 1996). Products of nearly parallel edges
// need no case of their own: such an axis has a length, and a gap, below the slack.
#include <cmath>

#include "math/rounding.h"
#include "methods/bounds/pair_test.h"

namespace touche::bounds {
namespace {

/// Both boxes in the axes of a.
struct BoxPair {
  Mat3 turn, size;  // columns: b's axes; their magnitudes
  Vec3 between;     // from a's centre to b's
  Vec3 half_a, half_b;
  double slack;

  bool apart(BoxAxes axes) const {
    for (int i = 0; i < 3; ++i)
      if (gap_a(i) > slack) return true;
    for (int j = 0; j < 3; ++j)
      if (gap_b(j) > slack) return true;
    if (axes == BoxAxes::faces) return false;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (gap_edges(i, j) > slack) return true;
    return false;
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

BoxPair pair_of(const Obb& a, const Obb& b, const PoseMatrix& pose) {
  BoxPair pair;
  const Vec3 d = pose * b.centre - a.centre;
  pair.turn = a.axes.transpose() * pose.rotation * b.axes;
  pair.size = pair.turn.cwiseAbs();
  pair.between = a.axes.transpose() * d;
  pair.half_a = a.half;
  pair.half_b = b.half;
  // An entry of `turn` is off by 64 u: 24 u from the matrix, times √3 for a unit axis, and two
  // products of three terms. A gap on a face is off by that times the half widths, by kAxesError
  // of a's, and by the error of `between`. On a product of edges `between` counts √2 times, and
  // the products are expressed by entries of the third axes, right up to the defects of both
  // frames and of `turn`: 32 u + 32 u + 64 u, twice. 256 u is above the sum.
  pair.slack = 2 * pose.error(b.centre.lpNorm<1>()) +
               256 * math::kUnitRoundoff *
                   (a.centre.lpNorm<1>() + d.lpNorm<1>() + a.half.lpNorm<1>() + b.half.lpNorm<1>());
  return pair;
}

/// Whether boxes along their frames' axes meet; `size` has the magnitudes of the rotation.
bool aligned_meet(const AabbCentre& a, const AabbCentre& b, const PoseMatrix& pose,
                  const Mat3& size, double more) {
  BoxPair pair = {.turn = pose.rotation,
                  .size = size,
                  .between = pose * b.centre - a.centre,
                  .half_a = a.half,
                  .half_b = b.half,
                  .slack = 0};
  pair.slack = 2 * pose.error(b.centre.lpNorm<1>()) +
               256 * math::kUnitRoundoff *
                   (a.centre.lpNorm<1>() + pair.between.lpNorm<1>() + a.half.lpNorm<1>() +
                    b.half.lpNorm<1>()) +
               more;
  return !pair.apart(BoxAxes::all);
}

}  // namespace

bool PairTest<AabbMinMax>::operator()(const AabbMinMax& a, const AabbMinMax& b) const {
  // Centres and half widths are off by one rounding each of the corners' sizes: below 8 u of them.
  const double corners = a.lo.lpNorm<1>() + a.hi.lpNorm<1>() + b.lo.lpNorm<1>() + b.hi.lpNorm<1>();
  return aligned_meet({0.5 * (a.lo + a.hi), 0.5 * (a.hi - a.lo)},
                      {0.5 * (b.lo + b.hi), 0.5 * (b.hi - b.lo)}, pose_, size_,
                      16 * math::kUnitRoundoff * corners);
}

bool PairTest<Mixed>::operator()(const Mixed& a, const Mixed& b) const {
  if (a.kind != Mixed::Kind::aabb || b.kind != Mixed::Kind::aabb) return overlap(a, b, pose_);
  return aligned_meet({a.box.centre, a.box.half}, {b.box.centre, b.box.half}, pose_, size_, 0);
}

bool overlap(const Obb& a, const Obb& b, const PoseMatrix& pose, BoxAxes axes) {
  return !pair_of(a, b, pose).apart(axes);
}

bool overlap(const Obb& a, const Obb& b, const PoseMatrix& pose) {
  return overlap(a, b, pose, BoxAxes::all);
}

double lower_bound(const Obb& a, const Obb& b, const PoseMatrix& pose) {
  const BoxPair pair = pair_of(a, b, pose);
  // An axis is a unit vector up to 16 u, the division rounds once.
  constexpr double kShort = 1 - 32 * math::kUnitRoundoff;
  double best = 0;
  for (int i = 0; i < 3; ++i) {
    best = std::max(best, (pair.gap_a(i) - pair.slack) * kShort);
    best = std::max(best, (pair.gap_b(i) - pair.slack) * kShort);
    for (int j = 0; j < 3; ++j) {
      const double gap = pair.gap_edges(i, j) - pair.slack;
      // The length is off by 128 u at most: turn's entries, and the frames it is taken in.
      if (gap > 0)
        best = std::max(best, gap / (pair.length_edges(i, j) + 128 * math::kUnitRoundoff) * kShort);
    }
  }
  return best;
}

}  // namespace touche::bounds
