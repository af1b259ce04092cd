// SPDX-License-Identifier: Apache-2.0
// The normal of two features that touch, from what lies around them.
#pragma once

#include <algorithm>

#include "touche/types.h"

namespace touche {

/// Directions with which a normal must not go: those in which its own surface goes on from the
/// place, and the opposites of those in which the other one does.
class TouchingCone {
 public:
  void add(const Vec3& d) {
    const double length = d.norm();
    if (count_ < kMost && length > 0) direction_[count_++] = d / length;
  }

  /// The middle of the normals that go with none of the directions: the mean of the extreme ones,
  /// which are perpendicular to two of them. Else the one that goes least, if by no more than
  /// `lean`, a sine; of equal ones that which goes most with `facing`. Zero if there is none.
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

}  // namespace touche
