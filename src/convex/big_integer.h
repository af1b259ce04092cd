// SPDX-License-Identifier: Apache-2.0
// Integers of any size: exact arithmetic for the few queries that rounding leaves undecided, for
// which expansions of doubles (geometry/expansion.h) would need sizes known in advance.
#pragma once

#include <cstdint>
#include <vector>

namespace touche::convex {

class BigInteger {
 public:
  BigInteger() = default;
  /// value · 2^shift, which must be an integer.
  BigInteger(double value, int shift);

  [[nodiscard]] int sign() const { return limb_.empty() ? 0 : negative_ ? -1 : 1; }
  friend BigInteger operator+(const BigInteger& a, const BigInteger& b) { return sum(a, b, false); }
  friend BigInteger operator-(const BigInteger& a, const BigInteger& b) { return sum(a, b, true); }
  friend BigInteger operator*(const BigInteger& a, const BigInteger& b);

  /// value · 2^-shift in double precision, with an error of at most two roundings.
  [[nodiscard]] double scaled(int shift) const;
  /// The number of bits of its magnitude.
  [[nodiscard]] int bits() const;

 private:
  static BigInteger sum(const BigInteger& a, const BigInteger& b, bool minus);
  static int compare_magnitudes(const BigInteger& a, const BigInteger& b);
  void trim() {
    while (!limb_.empty() && limb_.back() == 0) limb_.pop_back();
  }

  std::vector<std::uint32_t> limb_;  // least significant first; the last one is not 0
  bool negative_ = false;
};

}  // namespace touche::convex
