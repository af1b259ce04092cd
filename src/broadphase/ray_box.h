// SPDX-License-Identifier: Apache-2.0
// Where a ray enters a box, so that none is missed by rounding.
#pragma once

#include <algorithm>
#include <cmath>

#include "touche/broadphase.h"

namespace touche {

/// A ray made ready for many boxes.
class RayToBoxes {
 public:
  explicit RayToBoxes(const RayPiece& ray) : origin_(ray.origin), inverse_(), length_(ray.length) {
    for (int k = 0; k < 3; ++k) inverse_[k] = 1 / ray.direction[k];
  }

  double length() const { return length_; }
  void shorten(double length) { length_ = std::min(length_, length); }

  /// At most where the ray enters the box; infinite where it surely misses it.
  double enters(const RoundedBox& box) const {
    // Each t is off by at most three roundings, and those of the differences from the origin count
    // as much as coordinates are large: the box is grown by more than these.
    double from = 0, to = length_;
    for (int k = 0; k < 3; ++k) {
      const auto i = static_cast<std::size_t>(k);
      const double grown = kSlack * std::max({std::abs(origin_[k]), std::abs(double{box.lo[i]}),
                                              std::abs(double{box.hi[i]})});
      const double lo = box.lo[i] - grown - origin_[k], hi = box.hi[i] + grown - origin_[k];
      if (!std::isfinite(inverse_[k])) {
        // The ray does not leave its place on this axis, or not within any length that counts.
        if (lo > 0 || hi < 0) return kInfinity;
        continue;
      }
      const double a = lo * inverse_[k], b = hi * inverse_[k];
      from = std::max(from, (1 - kSlack) * std::min(a, b));
      to = std::min(to, (1 + kSlack) * std::max(a, b));
    }
    return from <= to ? from : kInfinity;
  }

 private:
  static constexpr double kSlack = 1e-15;

  Vec3 origin_, inverse_;
  double length_;
};

}  // namespace touche
