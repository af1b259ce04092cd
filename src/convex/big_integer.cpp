// SPDX-License-Identifier: Apache-2.0
#include "convex/big_integer.h"

#include <bit>
#include <cmath>

namespace touche::convex {

BigInteger::BigInteger(double value, int shift) {
  if (value == 0) return;
  int exponent = 0;
  // value · 2^shift = mantissa · 2^exponent with a mantissa of at most 53 bits.
  auto mantissa =
      static_cast<std::uint64_t>(std::ldexp(std::frexp(std::abs(value), &exponent), 53));
  exponent += shift - 53;
  negative_ = value < 0;
  if (exponent < 0) {  // the number is an integer, so only zero bits are shifted out
    mantissa >>= static_cast<unsigned>(-exponent);
    exponent = 0;
  }
  limb_.assign(static_cast<std::size_t>(exponent) / 32, 0);
  const auto rest = static_cast<unsigned>(exponent % 32);
  limb_.push_back(static_cast<std::uint32_t>(mantissa << rest));
  limb_.push_back(static_cast<std::uint32_t>((mantissa << rest) >> 32));
  limb_.push_back(rest == 0 ? 0 : static_cast<std::uint32_t>(mantissa >> (64 - rest)));
  trim();
}

int BigInteger::compare_magnitudes(const BigInteger& a, const BigInteger& b) {
  if (a.limb_.size() != b.limb_.size()) return a.limb_.size() < b.limb_.size() ? -1 : 1;
  for (std::size_t i = a.limb_.size(); i-- > 0;)
    if (a.limb_[i] != b.limb_[i]) return a.limb_[i] < b.limb_[i] ? -1 : 1;
  return 0;
}

BigInteger BigInteger::sum(const BigInteger& a, const BigInteger& b, bool minus) {
  const bool b_negative = b.negative_ != minus;
  BigInteger result;
  if (a.negative_ == b_negative || a.limb_.empty() || b.limb_.empty()) {
    result.negative_ = a.limb_.empty() ? b_negative : a.negative_;
    const std::size_t size = std::max(a.limb_.size(), b.limb_.size());
    result.limb_.reserve(size + 1);
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < size; ++i) {
      carry += i < a.limb_.size() ? a.limb_[i] : 0;
      carry += i < b.limb_.size() ? b.limb_[i] : 0;
      result.limb_.push_back(static_cast<std::uint32_t>(carry));
      carry >>= 32;
    }
    result.limb_.push_back(static_cast<std::uint32_t>(carry));
  } else {
    const bool swap = compare_magnitudes(a, b) < 0;
    const BigInteger &large = swap ? b : a, &small = swap ? a : b;
    result.negative_ = swap ? b_negative : a.negative_;
    result.limb_.reserve(large.limb_.size());
    std::uint64_t borrow = 0;
    for (std::size_t i = 0; i < large.limb_.size(); ++i) {
      const std::uint64_t take = borrow + (i < small.limb_.size() ? small.limb_[i] : 0);
      borrow = large.limb_[i] < take ? 1 : 0;
      result.limb_.push_back(static_cast<std::uint32_t>(large.limb_[i] - take));
    }
  }
  result.trim();
  return result;
}

BigInteger operator*(const BigInteger& a, const BigInteger& b) {
  BigInteger result;
  if (a.limb_.empty() || b.limb_.empty()) return result;
  result.negative_ = a.negative_ != b.negative_;
  result.limb_.assign(a.limb_.size() + b.limb_.size(), 0);
  for (std::size_t i = 0; i < a.limb_.size(); ++i) {
    std::uint64_t carry = 0;
    const std::uint64_t factor = a.limb_[i];
    for (std::size_t j = 0; j < b.limb_.size(); ++j) {
      carry += factor * b.limb_[j] + result.limb_[i + j];
      result.limb_[i + j] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    result.limb_[i + b.limb_.size()] = static_cast<std::uint32_t>(carry);
  }
  result.trim();
  return result;
}

int BigInteger::bits() const {
  if (limb_.empty()) return 0;
  return static_cast<int>(32 * limb_.size()) - std::countl_zero(limb_.back());
}

double BigInteger::scaled(int shift) const {
  double value = 0;
  const std::size_t last = limb_.size();
  for (std::size_t i = last > 3 ? last - 3 : 0; i < last; ++i)
    value += std::ldexp(static_cast<double>(limb_[i]), static_cast<int>(32 * i) - shift);
  return negative_ ? -value : value;
}

}  // namespace touche::convex
