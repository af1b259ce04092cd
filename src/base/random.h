// SPDX-License-Identifier: Apache-2.0
// Random numbers that are the same on every machine; the standard library's distributions are not.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "touche/types.h"

namespace touche::base {

/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// In [lo, hi).
  double uniform(double lo = 0, double hi = 1) {
    return lo + (hi - lo) * static_cast<double>(next() >> 11) * 0x1p-53;
  }

  /// In [0, n). Low numbers are slightly more likely, which does no harm: n is far below 2^64.
  Index below(Index n) { return static_cast<Index>(next() % n); }

  Vec3 in_box(double half_size) {
    const double x = uniform(-half_size, half_size), y = uniform(-half_size, half_size);
    return {x, y, uniform(-half_size, half_size)};
  }

  /// Uniform on the unit sphere.
  Vec3 direction() {
    for (;;) {
      const Vec3 v = in_box(1);
      const double n = v.norm();
      if (n > 1e-3 && n <= 1) return v / n;
    }
  }

  void shuffle(std::vector<Index>& items) {
    for (std::size_t i = items.size(); i > 1; --i)
      std::swap(items[i - 1], items[below(static_cast<Index>(i))]);
  }

 private:
  std::uint64_t state_;
};

}  // namespace touche::base
