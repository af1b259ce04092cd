// SPDX-License-Identifier: Apache-2.0
// Exact arithmetic on sums of doubles (Shewchuk 1997, "Adaptive precision floating-point
// arithmetic"). An expansion is a sum of non-overlapping doubles, smallest first, without zeros;
// its sign is the sign of its last term. Valid while nothing overflows and every term is a multiple
// of the smallest double, which the range stated in predicates.h ensures.
#pragma once

#include <array>
#include <cstddef>

namespace touche::geometry::exact {

struct TwoTerms {
  double high, low;  // high is the rounded result, high + low the exact one
};

/// Theorem 7 (Knuth).
inline TwoTerms two_sum(double a, double b) {
  const double high = a + b;
  const double b_part = high - a;
  const double a_part = high - b_part;
  return {high, (a - a_part) + (b - b_part)};
}

/// Theorem 6 (Dekker); needs |a| >= |b|.
inline TwoTerms fast_two_sum(double a, double b) {
  const double high = a + b;
  return {high, b - (high - a)};
}

/// Theorem 17 (Dekker, Veltkamp): halves of 26 bits, whose products are exact.
inline TwoTerms split(double a) {
  const double c = 134217729.0 * a;  // 2^27 + 1
  const double high = c - (c - a);
  return {high, a - high};
}

/// Theorem 18 (Dekker, Veltkamp). Does not use std::fma, which is slow on machines without the
/// instruction.
inline TwoTerms two_product(double a, double b) {
  const double high = a * b;
  const TwoTerms x = split(a), y = split(b);
  const double error = ((high - x.high * y.high) - x.low * y.high) - x.high * y.low;
  return {high, x.low * y.low - error};
}

/// At most N terms.
template <std::size_t N>
struct Expansion {
  std::array<double, N> term;
  std::size_t size = 0;

  void append(double x) {
    if (x != 0) term[size++] = x;
  }
  /// The value with a relative error of a few ε, because terms do not overlap.
  double estimate() const {
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += term[i];
    return sum;
  }
  int sign() const { return size == 0 ? 0 : term[size - 1] > 0 ? 1 : -1; }
};

inline Expansion<2> difference(double a, double b) {
  const TwoTerms d = two_sum(a, -b);
  Expansion<2> e;
  e.append(d.low);
  e.append(d.high);
  return e;
}

inline Expansion<2> product(double a, double b) {
  const TwoTerms p = two_product(a, b);
  Expansion<2> e;
  e.append(p.low);
  e.append(p.high);
  return e;
}

template <std::size_t N>
Expansion<N> operator-(Expansion<N> e) {
  for (std::size_t i = 0; i < e.size; ++i) e.term[i] = -e.term[i];
  return e;
}

/// Adds one double: Grow-Expansion, Theorem 10.
template <std::size_t N>
void grow(Expansion<N>& e, double b) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < e.size; ++i) {
    const TwoTerms s = two_sum(b, e.term[i]);
    if (s.low != 0) e.term[kept++] = s.low;
    b = s.high;
  }
  e.size = kept;
  e.append(b);
}

/// Expansion-Sum, Theorem 12.
template <std::size_t N, std::size_t M>
Expansion<N + M> operator+(const Expansion<N>& a, const Expansion<M>& b) {
  Expansion<N + M> sum;
  for (std::size_t i = 0; i < a.size; ++i) sum.append(a.term[i]);
  for (std::size_t i = 0; i < b.size; ++i) grow(sum, b.term[i]);
  return sum;
}

template <std::size_t N, std::size_t M>
Expansion<N + M> operator-(const Expansion<N>& a, const Expansion<M>& b) {
  return a + (-b);
}

/// Scale-Expansion, Theorem 19.
template <std::size_t N>
Expansion<2 * N> operator*(const Expansion<N>& e, double b) {
  Expansion<2 * N> product;
  double carry = 0;
  for (std::size_t i = 0; i < e.size; ++i) {
    const TwoTerms p = two_product(e.term[i], b);
    const TwoTerms s = two_sum(carry, p.low);
    product.append(s.low);
    const TwoTerms t = fast_two_sum(p.high, s.high);
    product.append(t.low);
    carry = t.high;
  }
  product.append(carry);
  return product;
}

template <std::size_t N, std::size_t M>
Expansion<2 * N * M> operator*(const Expansion<N>& e, const Expansion<M>& f) {
  Expansion<2 * N * M> product;
  for (std::size_t j = 0; j < f.size; ++j) {
    const Expansion<2 * N> part = e * f.term[j];
    for (std::size_t i = 0; i < part.size; ++i) grow(product, part.term[i]);
  }
  return product;
}

}  // namespace touche::geometry::exact
