// SPDX-License-Identifier: Apache-2.0
// The length at which a ray enters a box, computed so that rounding misses no box.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "touche/broadphase.h"

namespace touche::broadphase {

/// A ray prepared for tests with many boxes.
class RayToBoxes {
 public:
  explicit RayToBoxes(const RayPiece& ray)
      : origin_(ray.origin), direction_(ray.direction), inverse_(), length_(ray.length) {
    for (int k = 0; k < 3; ++k) inverse_[k] = 1 / ray.direction[k];
  }

  double length() const { return length_; }
  void shorten(double length) { length_ = std::min(length_, length); }

  Vec3 at(double t) const { return origin_ + t * direction_; }
  double greatest_speed() const { return direction_.cwiseAbs().maxCoeff(); }

  /// Whether the ray ascends or descends along an axis, or does not move along it within any
  /// relevant length.
  enum class Heading : std::int8_t { down = -1, none = 0, up = 1 };
  Heading heading(std::size_t axis) const {
    const auto k = static_cast<int>(axis);
    if (!std::isfinite(inverse_[k])) return Heading::none;
    return inverse_[k] > 0 ? Heading::up : Heading::down;
  }

  /// The origin of the ray along an axis, with the tolerance that `enters` uses for boxes whose
  /// coordinates have magnitudes of at most `size`.
  struct Range {
    double lo, hi;
  };
  Range origin(std::size_t axis, double size) const {
    const double at = origin_[static_cast<int>(axis)];
    const double grown = kSlack * std::max(std::abs(at), size);
    return {at - grown, at + grown};
  }
  /// Lower bound of the length at which the ray, which must move along the axis, reaches a
  /// coordinate: not after it `enters` any such box that begins there.
  double reaches(std::size_t axis, double coordinate, double size) const {
    const auto k = static_cast<int>(axis);
    const double grown = kSlack * std::max(std::abs(origin_[k]), size);
    const double nearer = inverse_[k] > 0 ? coordinate - grown : coordinate + grown;
    return std::max(0.0, (1 - kSlack) * ((nearer - origin_[k]) * inverse_[k]));
  }

  /// Lower bound of the length at which the ray enters the box; infinite if it certainly misses it.
  double enters(const RoundedBox& box) const {
    const Range inside = times_in(box);
    return inside.lo <= inside.hi ? inside.lo : kInfinity;
  }
  /// Upper bound of the length at which it leaves a box that it enters.
  double leaves(const RoundedBox& box) const { return times_in(box).hi; }

 private:
  static constexpr double kSlack = 1e-15;

  // Empty when the ray misses the box.
  Range times_in(const RoundedBox& box) const {
    // Each t has at most three roundings, and the rounding of the differences from the origin is
    // proportional to the coordinates: the box is grown by more than these errors.
    Range times{0, length_};
    for (int k = 0; k < 3; ++k) {
      const auto i = static_cast<std::size_t>(k);
      const double grown = kSlack * std::max({std::abs(origin_[k]), std::abs(double{box.lo[i]}),
                                              std::abs(double{box.hi[i]})});
      const double lo = box.lo[i] - grown - origin_[k], hi = box.hi[i] + grown - origin_[k];
      if (!std::isfinite(inverse_[k])) {
        if (lo > 0 || hi < 0) return {kInfinity, 0};
        continue;
      }
      const double a = lo * inverse_[k], b = hi * inverse_[k];
      times.lo = std::max(times.lo, (1 - kSlack) * std::min(a, b));
      times.hi = std::min(times.hi, (1 + kSlack) * std::max(a, b));
    }
    return times;
  }

  Vec3 origin_, direction_, inverse_;
  double length_;
};

}  // namespace touche::broadphase
