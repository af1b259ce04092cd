// SPDX-License-Identifier: Apache-2.0
// Finds the normal of two touching features from the surfaces around them.
#pragma once

#include <algorithm>

#include "touche/types.h"

namespace touche::query {

/// The directions that a normal must not have a component along: the directions in which its own
/// surface continues from the contact point, and the opposites of the directions in which the other
/// surface continues.
class TouchingCone {
 public:
  void add(const Vec3& d) {
    const double length = d.norm();
    if (count_ < kMost && length > 0) direction_[count_++] = d / length;
  }

  /// Returns the middle of the normals that have no component along any of the directions: the mean
  /// of the extreme ones, which are perpendicular to two of the directions. If there are none, the
  /// normal with the least component, if that is at most `lean`, a sine; among equal ones the one
  /// with the largest component along `facing`. Zero if there is none.
  Vec3 normal(double lean, double lean_error, const Vec3& facing) const {
    constexpr double kParallel = 1e-6;
    Vec3 sum = Vec3::Zero(), best = Vec3::Zero();
    double least = lean;
    for (int i = 0; i < count_; ++i)
      for (int j = 0; j < i; ++j) {
        Vec3 n = direction_[i].cross(direction_[j]);
        const double length = n.norm();
        if (!(length > kParallel)) continue;
        n /= length;
        for (const Vec3& way : {n, Vec3(-n)}) {
          const double here = lean_of(way);
          if (here <= lean_error) sum += way;
          if (here < least || (here <= least && facing.dot(way) > facing.dot(best))) {
            least = here;
            best = way;
          }
        }
      }
    const double length = sum.norm();
    const bool middle = length > kParallel && lean_of(sum / length) <= lean;
    return !best.isZero(0) && middle ? Vec3(sum / length) : best;
  }

 private:
  double lean_of(const Vec3& n) const {
    double most = -1;
    for (int i = 0; i < count_; ++i) most = std::max(most, n.dot(direction_[i]));
    return most;
  }

  static constexpr int kMost = 48;
  Vec3 direction_[kMost];  // unit length
  int count_ = 0;
};

}  // namespace touche::query
